/* bench_weights - models of the size that users download, with random weights: how long
 * opening takes, how much memory, and how fast they decode, compared with the time for
 * reading the weights once per token, measured in the same run. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "bench.h"
#include "model/generate.h"
#include "model/model.h"

/* A longer prompt with 30 layers would exceed the limit of numbers in a run. */
enum { PROMPT = 12, SHORT = 10, LONG = 200, STEPS = 24 };

typedef struct {
    const char *name; /* N is the number of a layer */
    int rank, shape[2];
} Part;

typedef struct {
    const char *name, *type, *config; /* config: without { and the number of layers */
    const char *layers_key;
    int layers;
    Part part[20];
} Shape;

#define GPT2_CONFIG                                                                    \
    "\"model_type\": \"gpt2\", \"n_embd\": 768, \"n_head\": 12, "                      \
    "\"n_positions\": 1024, \"vocab_size\": 50257, \"activation_function\": "          \
    "\"gelu_new\", \"layer_norm_epsilon\": 1e-5, \"eos_token_id\": 50256}"

#define GPT2_PARTS                                                                     \
    {                                                                                  \
        {"wte.weight", 2, {50257, 768}}, {"wpe.weight", 2, {1024, 768}},               \
            {"ln_f.weight", 1, {768, 1}}, {"ln_f.bias", 1, {768, 1}},                  \
            {"h.N.ln_1.weight", 1, {768, 1}}, {"h.N.ln_1.bias", 1, {768, 1}},          \
            {"h.N.attn.c_attn.weight", 2, {768, 2304}},                                \
            {"h.N.attn.c_attn.bias", 1, {2304, 1}},                                    \
            {"h.N.attn.c_proj.weight", 2, {768, 768}},                                 \
            {"h.N.attn.c_proj.bias", 1, {768, 1}}, {"h.N.ln_2.weight", 1, {768, 1}},   \
            {"h.N.ln_2.bias", 1, {768, 1}}, {"h.N.mlp.c_fc.weight", 2, {768, 3072}},   \
            {"h.N.mlp.c_fc.bias", 1, {3072, 1}},                                       \
            {"h.N.mlp.c_proj.weight", 2, {3072, 768}}, {                               \
            "h.N.mlp.c_proj.bias", 1, {                                                \
                768, 1                                                                 \
            }                                                                          \
        }                                                                              \
    }

static const Shape shapes[] = {
    {"GPT-2", "F32", GPT2_CONFIG, "n_layer", 12, GPT2_PARTS},
    {"GPT-2", "F16", GPT2_CONFIG, "n_layer", 12, GPT2_PARTS},
    {"SmolLM2-135M",
     "BF16",
     "\"model_type\": \"llama\", \"hidden_size\": 576, "
     "\"num_attention_heads\": 9, \"num_key_value_heads\": 3, \"intermediate_size\": "
     "1536, \"vocab_size\": 49152, \"max_position_embeddings\": 2048, "
     "\"rms_norm_eps\": 1e-5, \"hidden_act\": \"silu\", \"rope_theta\": 100000, "
     "\"tie_word_embeddings\": true, \"bos_token_id\": 0, \"eos_token_id\": 49151}",
     "num_hidden_layers",
     30,
     {{"model.embed_tokens.weight", 2, {49152, 576}},
      {"model.norm.weight", 1, {576, 1}},
      {"model.layers.N.input_layernorm.weight", 1, {576, 1}},
      {"model.layers.N.post_attention_layernorm.weight", 1, {576, 1}},
      {"model.layers.N.self_attn.q_proj.weight", 2, {576, 576}},
      {"model.layers.N.self_attn.k_proj.weight", 2, {192, 576}},
      {"model.layers.N.self_attn.v_proj.weight", 2, {192, 576}},
      {"model.layers.N.self_attn.o_proj.weight", 2, {576, 576}},
      {"model.layers.N.mlp.gate_proj.weight", 2, {1536, 576}},
      {"model.layers.N.mlp.up_proj.weight", 2, {1536, 576}},
      {"model.layers.N.mlp.down_proj.weight", 2, {576, 1536}}}},
};

static void check(bool done, const Error *error) {
    if (done) return;
    fprintf(stderr, "%s\n", error->message);
    exit(EXIT_FAILURE);
}

static int element_bytes(const Shape *shape) {
    return strcmp(shape->type, "F32") == 0 ? 4 : 2;
}

static size_t part_numbers(const Part *part) {
    return (size_t)part->shape[0] * (size_t)part->shape[1];
}

/* Numbers with random signs between 2^-7 and 2^-5, made from random bits. */
static void write_random(FILE *file, const Shape *shape, size_t count) {
    enum { CHUNK = 4096 };
    static unsigned long long state = 1;
    const int bits = 8 * element_bytes(shape);
    const int fraction = bits == 32 ? 23 : shape->type[0] == 'B' ? 7 : 10;
    const unsigned exponent = shape->type[0] == 'F' && bits == 16 ? 8 : 120;
    while (count) {
        uint32_t wide[CHUNK];
        uint16_t half[CHUNK];
        size_t many = count < CHUNK ? count : CHUNK;
        for (size_t i = 0; i < many; i++) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            uint32_t random = (uint32_t)(state >> 33);
            uint32_t number = (random >> 30 & 1) << (bits - 1) |
                              (exponent + (random >> 29 & 1)) << fraction |
                              (random & ((1u << fraction) - 1));
            wide[i] = number;
            half[i] = (uint16_t)number;
        }
        fwrite(bits == 32 ? (void *)wide : (void *)half, (size_t)bits / 8, many, file);
        count -= many;
    }
}

static const char *name_in_layer(const Part *part, int layer, Arena *arena) {
    const char *n = strstr(part->name, ".N.");
    return n ? arena_print(arena, "%.*s.%d%s", (int)(n - part->name), part->name, layer,
                           n + 2)
             : part->name;
}

/* Write the model; return the size of its numbers in bytes. */
static size_t write_model(const Shape *shape, const char *folder, Arena *arena) {
    Error error;
    const int layers = rounds(shape->layers);
    const char *config =
        arena_print(arena, "{\"%s\": %d, %s", shape->layers_key, layers, shape->config);
    check(file_save(file_join(arena, folder, "config.json"), config, strlen(config),
                    true, &error),
          &error);
    FILE *file = fopen(file_join(arena, folder, "model.safetensors"), "wb");
    FILE *header = tmpfile();
    size_t end = 0;
    const int bytes = element_bytes(shape);
    fputc('{', header);
    for (const Part *part = shape->part; part->name; part++)
        for (int n = 0; n < (strstr(part->name, ".N.") ? layers : 1); n++) {
            size_t begin = end;
            end += part_numbers(part) * (size_t)bytes;
            fprintf(header, "%s\"%s\":{\"dtype\":\"%s\",\"shape\":[%d",
                    begin ? "," : "", name_in_layer(part, n, arena), shape->type,
                    part->shape[0]);
            if (part->rank == 2) fprintf(header, ",%d", part->shape[1]);
            fprintf(header, "],\"data_offsets\":[%zu,%zu]}", begin, end);
        }
    fputc('}', header);
    while (ftell(header) % 8) fputc(' ', header); /* like the reference library */
    const unsigned long long length = (unsigned long long)ftell(header);
    rewind(header);
    fwrite(&length, sizeof length, 1, file);
    for (int c = fgetc(header); c != EOF; c = fgetc(header)) fputc(c, file);
    for (const Part *part = shape->part; part->name; part++)
        for (int n = 0; n < (strstr(part->name, ".N.") ? layers : 1); n++)
            write_random(file, shape, part_numbers(part));
    fclose(header);
    fclose(file);
    return end;
}

/* Memory of this process in MB: "VmRSS:" current, "VmHWM:" maximum. */
static double memory(const char *line) {
    char text[256];
    double kilobytes = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(text, sizeof text, file))
        if (strncmp(text, line, strlen(line)) == 0)
            kilobytes = atof(text + strlen(line));
    if (file) fclose(file);
    return kilobytes / 1024;
}

typedef struct {
    Model model;
    Tape tape;
    int id[LONG];
    double last, token; /* when the last token was chosen; seconds of the fastest one */
} Run;

/* Choose the best token, and record the time. */
static int choose_best(void *state, int step, const Tensor *logits) {
    (void)logits;
    Run *run = state;
    double time = now();
    if (step > 0 && time - run->last < run->token) run->token = time - run->last;
    run->last = time;
    return TAKES_BEST;
}

/* Return the seconds until the prompt was read and one token was chosen; run->token is
 * the time of each further one. */
static double decode(Run *run, int prompt, int limit) {
    const Ids ids = {run->id, 1, prompt, NULL};
    const Chooser chooser = {choose_best, run};
    Error error;
    run->token = 1e9;
    tape_reset(&run->tape);
    double start = now();
    const Encoded encoded = network_encode(&run->tape, &run->model.network, &ids);
    generate_chosen(&run->tape, &run->model, &encoded, limit, &chooser);
    check(tape_done(&run->tape, &error), &error);
    return now() - start;
}

static void bench(const Shape *shape, const char *folder, size_t bytes) {
    static Run run;
    Arena arena = {0};
    Error error;
    const double megabytes = (double)bytes / (1 << 20);
    for (int i = 0; i < LONG; i++) run.id[i] = 5 + 7 * i;
    double before = memory("VmRSS:");
    double start = now();
    check(model_open(&run.model, folder, &error), &error);
    double opened = now() - start;
    Broken broken;
    int next = 0;
    while (weights_broken(&run.model.weights, &next, &broken))
        printf("%s\n", weights_describe_broken(&broken, &arena));
    double ready = now() - start;
    double first = decode(&run, PROMPT, 1);
    double max = memory("VmHWM:") - before;
    double here = memory("VmRSS:") - before;
    decode(&run, SHORT, STEPS);
    double near = run.token;
    Number *large = numbers(&arena, READ_BYTES / (int)sizeof(Number));
    double rate = READ_BYTES / seconds(read_all, large);
    decode(&run, LONG, STEPS);
    double far = run.token;
    double again = READ_BYTES / seconds(read_all, large);
    if (again > rate) rate = again;
    double limit = rate / (double)bytes;
    printf(
        "%s, %s, %.0f MB: open %.3f s, checked %.3f s (goal 0.3); memory %.0f MB, at "
        "most %.0f MB (%.2f x the weights, goal 1.15); %d tokens %.1f ms\n",
        shape->name, shape->type, megabytes, opened, ready, here, max, max / megabytes,
        PROMPT, 1e3 * first);
    printf("    %.1f tokens/s behind %d tokens, %.1f behind %d; weights read once a "
           "token at %.1f GB/s: %.1f tokens/s, %.0f %% and %.0f %% of it (goal 75)\n",
           1 / near, SHORT, 1 / far, LONG, 1e-9 * rate, limit, 100 / near / limit,
           100 / far / limit);
}

int main(int count, char **argument) {
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        /* Only one of them: bench_weights PROGRAM F16 */
        if (count > 2 && strcmp(argument[2], shapes[s].type) != 0) continue;
        Arena arena = {0};
        const char *place = getenv("TMPDIR");
        char *folder = arena_print(&arena, "%s/bench-XXXXXX", place ? place : "/tmp");
        if (!mkdtemp(folder)) return EXIT_FAILURE;
        size_t bytes = write_model(&shapes[s], folder, &arena);
        fflush(stdout);
        pid_t child = fork(); /* a process whose memory is only that of this model */
        if (child == 0) {
            bench(&shapes[s], folder, bytes);
            fflush(stdout);
            _exit(EXIT_SUCCESS);
        }
        int status;
        waitpid(child, &status, 0);
        remove(file_join(&arena, folder, "config.json"));
        remove(file_join(&arena, folder, "model.safetensors"));
        rmdir(folder);
        arena_free(&arena);
        if (status != 0) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
