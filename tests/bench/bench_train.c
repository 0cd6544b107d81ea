/* bench_train - the speed of a training step, compared with the limits of this machine,
 * measured in the same run: the arithmetic of a large product on each thread. Other
 * programs on the machine slow down both; compare the percentages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/random.h"
#include "base/threads.h"
#include "bench.h"
#include "learn/trainer.h"
#include "learn/training_setup.h"
#include "ops/ops.h"

typedef struct {
    const char *name;
    const char *preset;
    int d_model, heads, layers, d_ff, vocabulary, sentences, tokens;
    double goal_ms, goal_speed; /* from DESIGN.md section 5; 0: none */
} Shape;

static const Shape shapes[] = {
    {"small", "paper", 256, 8, 2, 512, 8000, 32, 32, 175, 0},
    {"tiny", "paper", 64, 4, 2, 128, 2000, 32, 16, 0, 140000},
    {"kit", "kit", 256, 8, 2, 512, 8180, 64, 15, 0, 0},
    {0},
};

/* Multiplications and additions of a step's products: one forward, and one for each of
 * two gradients. */
static double step_flops(const Step *step) {
    bool products =
        step->op == &op_linear || step->op == &op_matmul || step->op == &op_dot;
    if (!products) return 0;
    return 3 * 2.0 * tensor_size(step->output) * tensor_row(step->input[0]);
}

static double tape_flops(const Trainer *trainer) {
    double flops = 0;
    for (int r = 0; r < trainer->replicas; r++) {
        const Tape *tape = &trainer->replica[r].tape;
        for (int s = 0; s < tape->count; s++) flops += step_flops(&tape->step[s]);
    }
    return flops;
}

/* Sentences of random ids, all of the same length. */
static Examples make_examples(const Shape *shape, int tokens, int count, Arena *arena) {
    Random random = random_new(1);
    Examples examples = {.example = ARENA_ARRAY(arena, Example, count), .count = count};
    for (int e = 0; e < count; e++) {
        int *id = ARENA_ARRAY(arena, int, tokens);
        for (int i = 0; i < tokens; i++)
            id[i] = 4 + random_below(&random, shape->vocabulary - 4);
        examples.example[e] = (Example){id, id, tokens, tokens - 1, 1, 2};
    }
    return examples;
}

static Config config_of(const Shape *shape, Arena *arena) {
    Config config;
    Error error;
    if (!config_preset(&config, shape->preset, arena, &error)) exit(1);
    config.d_model = shape->d_model;
    config.attention_heads = shape->heads;
    config.encoder_layers = config.decoder_layers = shape->layers;
    config.d_ff = shape->d_ff;
    config.source_vocabulary = config.target_vocabulary = shape->vocabulary;
    config.max_length = 512;
    config.dropout = 0;
    return config;
}

typedef struct {
    double seconds, flops;
    size_t bytes; /* of the tapes */
    bool grows;   /* more memory was allocated after the first steps */
} Timed;

static size_t tape_bytes(const Trainer *trainer) {
    size_t bytes = 0;
    for (int r = 0; r < trainer->replicas; r++)
        bytes += arena_bytes(&trainer->replica[r].tape.arena);
    return bytes;
}

static Timed time_steps(const Shape *shape, int tokens, int rounds) {
    Arena arena = {0};
    Error error = {0};
    Config config = config_of(shape, &arena);
    Model model;
    Learned learned;
    if (!model_new(&model, &config, 1, NULL, &error)) exit(1);
    Examples examples = make_examples(shape, tokens, shape->sentences, &arena);
    Batches batches =
        batches_new(&examples, (BatchSize){.sentences = shape->sentences}, &arena);
    TrainerOptions options = {.adam = {0.9, 0.98, 1e-9, 0},
                              .schedule = {SCHEDULE_CONSTANT, .rate = 1e-4}};
    Trainer trainer = trainer_new(&model, &options);
    Timed timed = {.seconds = 1e9};
    for (int round = 0; round < rounds; round++) {
        double start = now();
        if (!trainer_step(&trainer, &batches, 0, &learned, &error)) {
            fprintf(stderr, "%s\n", error.message);
            exit(1);
        }
        if (now() - start < timed.seconds) timed.seconds = now() - start;
        if (round == 1) timed.bytes = tape_bytes(&trainer);
    }
    timed.grows = tape_bytes(&trainer) != timed.bytes;
    timed.flops = tape_flops(&trainer);
    trainer_free(&trainer);
    model_free(&model);
    arena_free(&arena);
    return timed;
}

/* The arithmetic of all threads together. */
static double measure_peak(void) {
    Arena arena = {0};
    double flops = threads_count() * peak(&arena);
    arena_free(&arena);
    return flops;
}

/* Measure the peak before and after the steps and use the mean, since a shared machine
 * changes its speed within minutes. */
static void bench_shape(const Shape *shape) {
    double before = measure_peak();
    Timed timed = time_steps(shape, shape->tokens, rounds(40));
    double flops = (before + measure_peak()) / 2;
    double speed = 2.0 * shape->sentences * shape->tokens / timed.seconds;
    printf("%-6s d_model %d, V %d, %d x %d tokens: %.1f ms a step, %.0f tokens/s, %.0f "
           "%% of the peak of %.0f GFLOP/s%s",
           shape->name, shape->d_model, shape->vocabulary, shape->sentences,
           shape->tokens, 1e3 * timed.seconds, speed,
           100 * timed.flops / timed.seconds / flops, 1e-9 * flops,
           timed.grows ? ", MEMORY GROWS" : "");
    if (shape->goal_ms > 0) printf("  (goal %.0f ms, 80 %%)", shape->goal_ms);
    if (shape->goal_speed > 0)
        printf("  (goal %.0f tokens/s at 105 GFLOP/s a thread, which is %.0f %%)",
               shape->goal_speed,
               100 * timed.flops * shape->goal_speed /
                   (2.0 * shape->sentences * shape->tokens) / (2 * 105e9));
    printf("\n");
}

/* Memory of attention grows with the square of the length, everything else linearly. */
static void bench_memory(const Shape *shape) {
    for (int tokens = 8; tokens <= 64; tokens *= 2) {
        Timed timed = time_steps(shape, tokens, 3);
        printf("%-6s %2d tokens a sentence: %5.1f MB, %.1f kB a token\n", shape->name,
               tokens, 1e-6 * (double)timed.bytes,
               1e-3 * (double)timed.bytes / (2.0 * shape->sentences * tokens));
    }
}

static void print_machine(void) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", strlen("model name")) == 0) {
            printf("%s", strchr(line, ':') + 2);
            break;
        }
    if (file) fclose(file);
}

static void must(bool done, const Error *error) {
    if (done) return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* Seconds of the fastest epoch and of all epochs. */
static double train_epochs(Trainer *trainer, Batches *batches, int epochs,
                           double *total) {
    Error error = {0};
    Learned learned;
    double best = 1e9;
    *total = 0;
    for (int epoch = 0; epoch < epochs; epoch++) {
        double start = now();
        batches_plan(batches, epoch);
        for (int b = 0; b < batches->count; b++)
            must(trainer_step(trainer, batches, b, &learned, &error), &error);
        double took = now() - start;
        if (took < best) best = took;
        *total += took;
        if ((epoch + 1) % 10) continue;
        printf("kit after %d epochs, %.0f s: loss %.4f\n", epoch + 1, *total,
               learned.loss);
        fflush(stdout);
    }
    return best;
}

/* The kit tutorial's chatbot: its shape, schedule and dropout, batches of 64. */
static TrainingSetup chatbot_material(const char *data, const char *folder,
                                      Arena *arena) {
    TrainingSetup setup;
    Recipe recipe = {.path = "bench",
                     .tokenizer = "bpe",
                     .vocabulary = 8180,
                     .data = data,
                     .source = "Q",
                     .target = "A",
                     .validation = "",
                     .seed = 1,
                     .output = folder};
    Error error = {0};
    must(config_preset(&recipe.config, "kit", arena, &error), &error);
    recipe.config.d_model = 256;
    recipe.config.attention_heads = 8;
    recipe.config.d_ff = 512;
    recipe.config.encoder_layers = recipe.config.decoder_layers = 2;
    recipe.config.dropout = 0.1;
    must(training_setup_new(&setup, &recipe, false, &error), &error);
    return setup;
}

static void bench_chatbot(const char *data, int epochs) {
    char folder[] = "/tmp/bench_train.XXXXXX";
    Arena arena = {0};
    Error error = {0};
    Measured measured;
    struct rusage usage;
    double total;
    TrainingSetup setup = chatbot_material(data, mkdtemp(folder), &arena);
    Batches batches =
        batches_new(&setup.examples, (BatchSize){.sentences = 64, .seed = 1}, &arena);
    TrainerOptions options = {
        .adam = {0.9, 0.98, 1e-9, 0},
        .schedule = {SCHEDULE_PAPER, .d_model = 256, .warmup = 4000, .factor = 1},
        .seed = 1};
    Trainer trainer = trainer_new(&setup.model, &options);
    double best = train_epochs(&trainer, &batches, epochs, &total);
    must(trainer_measure(&trainer, &batches, &measured, &error), &error);
    getrusage(RUSAGE_SELF, &usage);
    printf("kit on %d pairs: %.1f s the fastest epoch (goal 20 s), %d epochs %.0f s, "
           "token accuracy %.2f %%, loss %.4f, peak memory %ld MB (goal 1000 MB)\n",
           setup.examples.count, best, epochs, total, 100 * measured.accuracy,
           measured.loss, usage.ru_maxrss / 1000);
    trainer_free(&trainer);
    training_setup_free(&setup);
    const char *const files[] = {"vocab.json", "merges.txt"};
    for (int f = 0; f < 2; f++) unlink(file_join(&arena, folder, files[f]));
    rmdir(folder);
    arena_free(&arena);
}

int main(void) {
    const char *data = getenv("CHATBOT_DATA");
    const char *epochs = getenv("CHATBOT_EPOCHS");
    print_machine();
    printf("%d thread(s)\n", threads_count());
    for (const Shape *shape = shapes; shape->name; shape++) bench_shape(shape);
    bench_memory(&shapes[1]);
    if (data) bench_chatbot(data, epochs ? (int)strtol(epochs, NULL, 10) : 1);
}
