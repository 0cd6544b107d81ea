#include "shell/figures.h"

#include <string.h>

#include "explain/hidden.h"
#include "ops/ops.h"
#include "text/unicode.h"

/* Does `address` fit `pattern`, in which each * stands for anything without a dot? */
static bool fits(const char *pattern, const char *address) {
    for (; *pattern; pattern++, address++) {
        if (*pattern == '*') {
            size_t length = strcspn(address, ".");
            return fits(pattern + 1, address + length);
        }
        if (*pattern != *address) return false;
    }
    return *address == '\0';
}

/* The sentence that is shown, where the address does not say which. */
static void choose_row(const Session *session, const char *address, Slice *slice) {
    int batch = tensor_axis(slice->tensor, "batch");
    if (batch < 0 || strstr(address, "batch=")) return;
    if (session->row >= slice->tensor->axis[batch].size) return;
    slice->from[batch] = session->row;
    slice->to[batch] = session->row + 1;
}

static bool add_slice(const Session *session, const char *address, const Tensor *tensor,
                      Arena *arena, Slice *slice, Error *error) {
    if (!address_slice(address, tensor, arena, slice, error)) return false;
    choose_row(session, address, slice);
    if (slice_size(slice) > 0) return true;
    return fail(error, "%s has no numbers", tensor->name);
}

bool figures_slices(const Session *session, const char *address, Arena *arena,
                    Slice **slices, int *count, Error *error) {
    Record record = session_record(session);
    const char *name = address_name(address, arena);
    *count = 0;
    if (!strchr(name, '*')) {
        const Tensor *tensor;
        *slices = ARENA_ARRAY(arena, Slice, 1);
        *count = 1;
        return record_find(&record, address, arena, &tensor, error) &&
               add_slice(session, address, tensor, arena, *slices, error);
    }
    const char *found;
    int capacity = 0;
    *slices = NULL;
    for (int i = 0; (found = record_address(&record, i)); i++) {
        const Tensor *tensor;
        if (!fits(name, found) || !record_find(&record, found, arena, &tensor, error))
            continue;
        ARENA_GROW(arena, *slices, *count, capacity);
        if (!add_slice(session, address, tensor, arena, &(*slices)[*count], error))
            return false;
        ++*count;
    }
    return *count || fail(error, "no address fits '%s'; :stages lists them", name);
}

static bool is_attention(const Record *record, const Tensor *tensor) {
    const Step *step = record_step(record, tensor);
    return step && step->op == &op_softmax && tensor_axis(tensor, "key") >= 0;
}

/* Is there more than one matrix, that is, more than two axes with a choice? */
static bool is_grid(const Slice *slices, int count) {
    const Slice *slice = &slices[0];
    int open = 0;
    for (int a = 0; a < slice->tensor->rank; a++) {
        bool last = a >= slice->tensor->rank - 2;
        open += !last && slice->to[a] - slice->from[a] > 1;
    }
    return count > 1 || open > 0;
}

Figure figures_new(const Session *session, const Slice *slices, int count,
                   Arena *arena) {
    Record record = session_record(session);
    const unsigned char **hidden = ARENA_ARRAY(arena, const unsigned char *, count);
    for (int s = 0; s < count; s++)
        hidden[s] = hidden_cells(&record, slices[s].tensor, arena);
    bool attention = is_attention(&record, slices[0].tensor);
    bool grid = is_grid(slices, count);
    const char *palette =
        session->options.palette ? palettes[session->options.palette - 1].name : "";
    return (Figure){
        .kind = grid ? FIGURE_GRID : FIGURE_HEATMAP,
        .slice = slices,
        .slices = count,
        .hidden = hidden,
        .palette = palette_find(palette),
        .scale = attention ? SCALE_SHARES : SCALE_AUTO,
        .row_sums = attention && !grid,
    };
}

/* `text` as one word of a shell. */
static const char *shell_quote(const char *text, Arena *arena) {
    bool plain = *text != '\0';
    for (const char *c = text; *c; c++)
        plain = plain && (strchr("-_./=:,+@%", *c) || (*c >= '0' && *c <= '9') ||
                          (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'));
    if (plain) return text;
    const char *quoted = "'";
    for (const char *c = text; *c; c++)
        quoted = arena_print(arena, *c == '\'' ? "%s'\\''" : "%s%c", quoted, *c);
    return arena_print(arena, "%s'", quoted);
}

/* The sentences or ids of one side, as they were given. */
static const char *side_text(const Side *side, bool skip_start, Arena *arena) {
    const char *text = "";
    for (int r = 0; r < side->rows; r++) {
        const Sentence *sentence = &side->sentence[r];
        const char *bar = r ? "|" : "";
        if (sentence->text) {
            const char *space = r ? " " : "";
            text = arena_print(arena, "%s%s%s%s%s", text, space, bar, space,
                               sentence->text);
            continue;
        }
        text = arena_print(arena, "%s%s", text, bar);
        for (int i = skip_start; i < sentence->count; i++)
            text = arena_print(arena, "%s%s%d", text, i > skip_start ? "," : "",
                               sentence->id[i]);
    }
    return text;
}

static const char *add_flag(const char *command, const char *name, const char *value,
                            Arena *arena) {
    return arena_print(arena, "%s --%s %s", command, name, shell_quote(value, arena));
}

/* The name under which the model is found: without the folder of the program's own. */
static const char *model_name(const Session *session, Arena *arena) {
    const char *path = session->model.path;
    const char *models = session_models(arena);
    size_t length = models ? strlen(models) : 0;
    if (length && strncmp(path, models, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}

static const char *add_sides(const Session *session, const char *command,
                             Arena *arena) {
    const Side *source = &session->source;
    const Side *target = &session->target;
    if (!session->has_run) return command;
    bool text = source->sentence[0].text != NULL;
    command = add_flag(command, text ? "source" : "source-ids",
                       side_text(source, false, arena), arena);
    if (session->target_given) {
        bool words = target->sentence[0].text != NULL;
        return add_flag(command, words ? "target" : "target-ids",
                        side_text(target, false, arena), arena);
    }
    if (target->rows && session->limit)
        command = arena_print(arena, "%s --limit %d", command, session->limit);
    return command;
}

const char *figures_command(const Session *session, const Arguments *arguments,
                            Arena *arena) {
    const char *command = arena_print(arena, "glassbox %s", arguments->command->name);
    for (int w = 0; w < arguments->words; w++)
        command = arena_print(arena, "%s %s", command,
                              shell_quote(arguments->word[w], arena));
    command = add_flag(command, "model", model_name(session, arena), arena);
    command = add_sides(session, command, arena);
    for (int f = 0; f < arguments->flags; f++) {
        const char *name = arguments->flag[f];
        bool said = strcmp(name, "model") == 0 || strcmp(name, "force") == 0 ||
                    strcmp(name, "limit") == 0 || strncmp(name, "source", 6) == 0 ||
                    strncmp(name, "target", 6) == 0;
        if (!said) command = add_flag(command, name, arguments->value[f], arena);
    }
    return command;
}

static void add_fact(Fact *fact, Figure *figure, const char *name, const char *value,
                     Arena *arena) {
    if (!value || !*value) return;
    fact[figure->facts++] = (Fact){name, unicode_escape(value, strlen(value), arena)};
}

/* What was generated, as text or as ids. */
static const char *target_text(const Session *session, Arena *arena) {
    const Side *target = &session->target;
    if (session->target_given || !target->rows) return side_text(target, false, arena);
    const char *text = "";
    for (int r = 0; r < target->rows; r++)
        text =
            arena_print(arena, "%s%s%s", text, r ? " | " : "",
                        tokenizer_decode(&session->model.target, target->sentence[r].id,
                                         target->sentence[r].count, arena));
    return text;
}

void figures_add_facts(const Session *session, const Arguments *arguments,
                       Figure *figure, Arena *arena) {
    enum { FACTS = 6 };
    Fact *fact = ARENA_ARRAY(arena, Fact, FACTS);
    figure->fact = fact;
    add_fact(fact, figure, "sentence", side_text(&session->source, false, arena),
             arena);
    add_fact(fact, figure, "target", target_text(session, arena), arena);
    add_fact(fact, figure, "model", model_name(session, arena), arena);
    add_fact(fact, figure, "seed", session->model.seed, arena);
    add_fact(fact, figure, "address", arguments->words ? arguments->word[0] : "",
             arena);
    add_fact(fact, figure, "command", figures_command(session, arguments, arena),
             arena);
}
