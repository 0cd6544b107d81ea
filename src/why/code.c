#include "why/code.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/json.h"
#include "ops/ops.h"

const char *const code_languages[CODE_LANGUAGES] = {"NumPy", "PyTorch"};

/* The name of a tensor in the code. */
typedef struct {
    const Tensor *tensor;
    const char *name;
} Variable;

typedef struct {
    const Record *record;
    CodeLanguage language;
    Arena *arena;
    Builder out;
    Variable *variable;
    int variables, capacity;
} Writer;

/* Return true if one of the lines assigns to it: "mean = ...". */
static bool is_set(const char *lines, const char *name) {
    size_t length = strlen(name);
    for (; lines; lines = strchr(lines, '\n')) {
        lines += *lines == '\n';
        if (strncmp(lines, name, length) == 0 && strncmp(lines + length, " = ", 3) == 0)
            return true;
    }
    return false;
}

/* Return true for names used by Python or the lines before, names that operations
 * assign to, and names of other tensors. */
static bool is_taken(const Writer *writer, const char *name) {
    static const char *const fixed[] = {"numpy", "torch", "math",  "F",
                                        "trace", "model", "input", "weights",
                                        "same",  "json",  "mixed", "load_weights"};
    for (size_t t = 0; t < sizeof fixed / sizeof *fixed; t++)
        if (strcmp(fixed[t], name) == 0) return true;
    for (const Op *const *op = ops; *op; op++)
        for (const Code *code = (*op)->code; code->line[0]; code++)
            for (int l = 0; l < CODE_LANGUAGES; l++)
                if (is_set(code->line[l], name)) return true;
    for (int v = 0; v < writer->variables; v++)
        if (strcmp(writer->variable[v].name, name) == 0) return true;
    return false;
}

static bool is_weight(const Writer *writer, const Tensor *tensor) {
    return writer->record->weights &&
           weights_find(writer->record->weights, tensor->name) == tensor;
}

static const char *find_name(const Writer *writer, const Tensor *tensor) {
    for (int v = 0; v < writer->variables; v++)
        if (writer->variable[v].tensor == tensor) return writer->variable[v].name;
    return NULL;
}

static const char *new_name(Writer *writer, const Tensor *tensor) {
    /* Make the end of an address a Python name. */
    const char *end = tensor->short_name;
    if (is_weight(writer, tensor)) { /* the last two parts: "q_proj.weight" */
        end = tensor->name + strlen(tensor->name);
        for (int dots = 0; end > tensor->name; end--)
            if (end[-1] == '.' && ++dots == 2) break;
    }
    char *base = arena_print(writer->arena, "%s%s",
                             isdigit((unsigned char)*end) ? "x_" : "", end);
    for (char *c = base; *c; c++)
        if (!isalnum((unsigned char)*c)) *c = '_';
    const char *name = base;
    for (int n = 2; is_taken(writer, name); n++)
        name = arena_print(writer->arena, "%s_%d", base, n);
    ARENA_GROW(writer->arena, writer->variable, writer->variables, writer->capacity);
    writer->variable[writer->variables++] = (Variable){tensor, name};
    return name;
}

static const char *sizes_of(const Tensor *tensor, Arena *arena) {
    Builder sizes = {.arena = arena};
    for (int a = 0; a < tensor->rank; a++)
        build_item(&sizes, ", ", "%d", tensor->axis[a].size);
    return builder_text(&sizes);
}

/* query = trace["encoder.0.self_attention.query"]  # 1, 4, 11, 24 */
static void read_tensor(Writer *writer, const Tensor *tensor) {
    bool weight = is_weight(writer, tensor);
    /* The positions of sinusoid() have no address. */
    if (find_name(writer, tensor) ||
        (!weight && tape_find(writer->record->run, tensor->name) != tensor))
        return;
    const char *source = weight ? "model" : "trace";
    const char *name = new_name(writer, tensor);
    const char *shape = sizes_of(tensor, writer->arena);
    const char *index =
        arena_print(writer->arena, "[%s]", json_quote(tensor->name, writer->arena));
    const Weights *weights = writer->record->weights;
    for (int w = 0; weights && w < weights->count; w++)
        if (weights->weight[w].tensor == tensor && weights->weight[w].index)
            index = weights->weight[w].index;
    bool is_torch = writer->language == CODE_TORCH;
    build(&writer->out,
          is_torch ? "%s = torch.from_numpy(%s%s)  # [%s]\n" : "%s = %s%s  # [%s]\n",
          name, source, index, shape);
}

/* Return the text that replaces a letter after $: see Code. */
static const char *placeholder(const Writer *writer, const Step *step, char letter) {
    Arena *arena = writer->arena;
    const double number = step->setting.number;
    Builder list = {.arena = arena};
    switch (letter) {
    case 'y':
        return find_name(writer, step->output);
    case '*':
        for (int i = 0; i < step->inputs; i++)
            build_item(&list, ", ", "%s", find_name(writer, step->input[i]));
        return builder_text(&list);
    case 'n':
        /* Infinity is a name in Python, with the sign before it. */
        if (isinf(number)) return number > 0 ? "math.inf" : "-math.inf";
        return arena_print(arena, "%.9g", number);
    case 'c':
        return arena_print(arena, "%d", step->setting.count);
    case 's':
        return sizes_of(step->output, arena);
    default:
        return isdigit((unsigned char)letter)
                   ? find_name(writer, step->input[letter - '0'])
                   : step->op->code_word(step, letter, arena);
    }
}

bool code_stage(const Record *record, const CodeAim *aim, CodeLanguage language,
                Arena *arena, const char **code, Error *error) {
    Writer writer = {.record = record,
                     .language = language,
                     .arena = arena,
                     .out = {.arena = arena}};
    for (int t = 0; t < aim->count; t++) {
        const Step *step = record_step(record, aim->tensor[t]);
        if (!step) {
            read_tensor(&writer, aim->tensor[t]);
            continue;
        }
        const Code *row = step->op->code;
        while (row->line[0] && row->holds && !row->holds(step)) row++;
        if (!row->line[0])
            return fail(error, "%s is computed by %s, which has no code here",
                        aim->address[t], step->op->name);
        if (!find_name(&writer, aim->tensor[t])) {
            for (int i = 0; i < step->inputs; i++) read_tensor(&writer, step->input[i]);
            new_name(&writer, step->output);
            for (const char *c = row->line[language]; *c; c++)
                if (*c == '$')
                    build_text(&writer.out, placeholder(&writer, step, *++c));
                else
                    build(&writer.out, "%c", *c);
            build_text(&writer.out, "\n");
        }
        build(&writer.out, "same(%s, %s)\n", json_quote(aim->address[t], arena),
              find_name(&writer, aim->tensor[t]));
    }
    *code = builder_text(&writer.out);
    return true;
}

static const char loads[] =
    "import json, math\n"
    "import numpy\n"
    "%s\n"
    "def load_weights(path):\n"
    "    with open(path, \"rb\") as file:  # .safetensors: a length, JSON, numbers\n"
    "        header = json.loads(file.read(int.from_bytes(file.read(8), \"little\")))\n"
    "        data = file.read()\n"
    "    kinds = {\"F64\": \"<f8\", \"F32\": \"<f4\", \"F16\": \"<f2\"}\n"
    "    weights = {}\n"
    "    for name, entry in header.items():\n"
    "        if name == \"__metadata__\":\n"
    "            continue\n"
    "        begin, end = entry[\"data_offsets\"]\n"
    "        if entry[\"dtype\"] == \"BF16\":  # the upper half of a float\n"
    "            upper = numpy.frombuffer(data[begin:end], \"<u2\").astype(\"<u4\")\n"
    "            numbers = (upper << 16).view(\"<f4\")\n"
    "        else:\n"
    "            numbers = numpy.frombuffer(data[begin:end], kinds[entry[\"dtype\"]])\n"
    "        weights[name] = numbers.astype(\"f4\").reshape(entry[\"shape\"])\n"
    "    return weights\n"
    "\n"
    "def same(address, found):\n"
    "    print(address, numpy.allclose(found, trace[address], rtol=1e-5, atol=1e-5))\n"
    "\n"
    "trace = numpy.load(\"run.npz\")  # :trace -o run.npz\n";

/* Several files: those listed in the index. */
static const char loads_parts[] = "index = json.load(open(%s))[\"weight_map\"]\n"
                                  "model = {}\n"
                                  "for part in sorted(set(index.values())):\n"
                                  "    model.update(load_weights(%s + part))\n";

const char *code_load(const char *folder, CodeLanguage language, Arena *arena) {
    const char *path = arena_print(arena, "%s/model.safetensors", folder);
    const char *torch =
        language == CODE_TORCH ? "import torch\nimport torch.nn.functional as F\n" : "";
    const char *head = arena_print(arena, loads, torch);
    const char *index = arena_print(arena, "%s/model.safetensors.index.json", folder);
    if (!file_exists(path) && file_exists(index))
        return arena_print(
            arena, "%s%s", head,
            arena_print(arena, loads_parts, json_quote(index, arena),
                        json_quote(arena_print(arena, "%s/", folder), arena)));
    return arena_print(arena, "%smodel = load_weights(%s)\n", head,
                       json_quote(path, arena));
}
