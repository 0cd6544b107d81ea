/* bench_train - how fast a training step is beside what this machine can do, measured
 * in the same run: the arithmetic of a large product on each thread. Other programs on
 * the machine slow both down; the shares are what to compare. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "base/threads.h"
#include "learn/trainer.h"
#include "ops/matmul.h"
#include "ops/ops.h"

typedef struct {
    const char *name;
    const char *preset;
    int d_model, heads, layers, d_ff, vocabulary, sentences, tokens;
    double goal_ms, goal_speed; /* of DESIGN.md section 5; 0: none */
} Shape;

static const Shape shapes[] = {
    {"small", "paper", 256, 8, 2, 512, 8000, 32, 32, 175, 0},
    {"tiny", "paper", 64, 4, 2, 128, 2000, 32, 16, 0, 140000},
    {"kit", "kit", 256, 8, 2, 512, 8180, 64, 15, 0, 0},
    {0},
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static Number *numbers(Arena *arena, int size) {
    Number *number = arena_take_raw(arena, (size_t)size * sizeof *number);
    for (int i = 0; i < size; i++) number[i] = (Number)(i * 37 % 101 - 50) / 64;
    return number;
}

/* Multiplications and additions a second, of one thread. */
static double peak(Arena *arena) {
    enum { SIZE = 1024, ROUNDS = 12 };
    Product product = {.a = numbers(arena, SIZE * SIZE),
                       .b = numbers(arena, SIZE * SIZE),
                       .z = numbers(arena, SIZE * SIZE),
                       .rows = SIZE,
                       .columns = SIZE,
                       .inner = SIZE};
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        multiply(&product);
        if (now() - start < best) best = now() - start;
    }
    return 2.0 * SIZE * SIZE * SIZE / best;
}

/* Of a step's products: forward once, and once for each of two gradients. */
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

/* Sentences of random ids, all of one length. */
static Examples make_examples(const Shape *shape, int tokens, int count, Arena *arena) {
    Random random = random_new(1);
    Examples examples = {.example = ARENA_ARRAY(arena, Example, count), .count = count};
    for (int e = 0; e < count; e++) {
        int *id = ARENA_ARRAY(arena, int, tokens);
        for (int i = 0; i < tokens; i++)
            id[i] = 4 + random_below(&random, shape->vocabulary - 4);
        examples.example[e] = (Example){id, id, tokens, tokens - 1};
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
    bool grows;   /* memory was taken after the first steps */
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

static void bench_shape(const Shape *shape, double flops) {
    Timed timed = time_steps(shape, shape->tokens, 40);
    double speed = 2.0 * shape->sentences * shape->tokens / timed.seconds;
    printf("%-6s d_model %d, V %d, %d x %d tokens: %.1f ms a step, %.0f tokens/s, %.0f "
           "%% of the peak%s",
           shape->name, shape->d_model, shape->vocabulary, shape->sentences,
           shape->tokens, 1e3 * timed.seconds, speed,
           100 * timed.flops / timed.seconds / flops,
           timed.grows ? ", MEMORY GROWS" : "");
    if (shape->goal_ms > 0) printf("  (goal %.0f ms, 80 %%)", shape->goal_ms);
    if (shape->goal_speed > 0) printf("  (goal %.0f tokens/s)", shape->goal_speed);
    printf("\n");
}

/* Attention grows with the square of the length, all else with the length. */
static void bench_memory(const Shape *shape) {
    for (int tokens = 8; tokens <= 64; tokens *= 2) {
        Timed timed = time_steps(shape, tokens, 3);
        printf("%-6s %2d tokens a sentence: %5.1f MB, %.1f kB a token\n", shape->name,
               tokens, 1e-6 * (double)timed.bytes,
               1e-3 * (double)timed.bytes / (2.0 * shape->sentences * tokens));
    }
}

int main(void) {
    Arena arena = {0};
    double one = peak(&arena);
    double flops = one * threads_count();
    printf("%d thread(s), peak %.1f GFLOP/s each\n", threads_count(), 1e-9 * one);
    for (const Shape *shape = shapes; shape->name; shape++) bench_shape(shape, flops);
    bench_memory(&shapes[1]);
    arena_free(&arena);
}
