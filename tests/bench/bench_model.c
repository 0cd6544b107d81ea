/* bench_model - start, forward pass and decoding, compared with the limits of this
 * machine, measured in the same run. Usage: bench_model PROGRAM */
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "model/generate.h"
#include "model/model.h"

enum { TOKENS = 12, STEPS = 64 };

typedef struct {
    const char *name, *preset, *options[12];
    double goal_ms;
} Shape;

static const Shape base = {"paper's base model", "paper", {NULL}, 15};
static const Shape small = {"d_model 256, 2+2 layers, V 8000",
                            "paper",
                            {"d_model", "256", "encoder_layers", "2", "decoder_layers",
                             "2", "d_ff", "512", NULL},
                            1.5};

typedef struct {
    Model model;
    Tape tape;
    int id[TOKENS];
    int steps;
    int from; /* first step of the re-run */
} Run;

static void make(Run *run, const Shape *shape) {
    Arena arena = {0};
    Config config;
    Error error;
    bool done = config_preset(&config, shape->preset, &arena, &error);
    for (int o = 0; done && shape->options[o]; o += 2)
        done = config_set(&config, shape->options[o], shape->options[o + 1], &arena,
                          &error);
    if (!done || !model_new(&run->model, &config, 1, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < TOKENS; i++) run->id[i] = 5 + 7 * i;
    arena_free(&arena);
}

static Ids ids(const Run *run) {
    return (Ids){run->id, 1, TOKENS, NULL};
}

static void forward(void *context) {
    Run *run = context;
    Ids source = ids(run);
    tape_reset(&run->tape);
    network_run(&run->tape, &run->model.network, &source, &source);
}

static void decode(void *context) {
    Run *run = context;
    Ids source = ids(run);
    tape_reset(&run->tape);
    run->steps = generate(&run->tape, &run->model, &source, STEPS, true).count;
}

/* Multiplications and additions of one pass over TOKENS source and TOKENS target
 * tokens. */
static double arithmetic(const Config *config) {
    double d = config->d_model;
    double attention = 4 * d * d;
    double feed_forward = 2 * d * config->d_ff;
    double encoder = config->encoder_layers * (attention + feed_forward);
    double decoder = config->decoder_layers * (2 * attention + feed_forward);
    return 2.0 * TOKENS * (encoder + decoder + d * config->target_vocabulary);
}

/* Bytes of the weights that one step of a cached decoding reads. */
static double step_bytes(const Config *config) {
    double d = config->d_model;
    double layer = 4 * d * d + 2 * d * d + 2 * d * config->d_ff;
    return sizeof(Number) *
           (config->decoder_layers * layer + d * config->target_vocabulary);
}

static void bench_forward(const Shape *shape, const Limits *limits) {
    static Run run;
    run = (Run){0};
    make(&run, shape);
    double took = seconds(forward, &run) * 1e3;
    double limit =
        arithmetic(&run.model.config) / (limits->flops * limits->threads) * 1e3;
    printf("forward, %s, %d + %d tokens: %.2f ms (goal %.1f); the arithmetic alone "
           "%.2f ms: %.0f %% of the limit\n",
           shape->name, TOKENS, TOKENS, took, shape->goal_ms, limit,
           100 * limit / took);
    tape_free(&run.tape);
    model_free(&run.model);
}

static void rerun(void *context) {
    Run *run = context;
    tape_rerun(&run->tape, run->from);
}

/* Return the first step of a layer, "decoder.3". */
static int first_step(const Tape *tape, const char *place) {
    for (int e = 0; e < tape->entries; e++)
        if (strcmp(tape->entry[e].where.place, place) == 0 &&
            tape->entry[e].tensor->step >= 0)
            return tape->entry[e].tensor->step;
    return 0;
}

/* The cost of a change at a layer: that layer and the following ones. */
static void bench_rerun(void) {
    static const char *const places[] = {"encoder.0", "encoder.3", "decoder.0",
                                         "decoder.3", "decoder.5"};
    static Run run;
    run = (Run){0};
    make(&run, &base);
    double whole = seconds(forward, &run) * 1e3;
    printf("re-running, %s, from", base.name);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        run.from = first_step(&run.tape, places[p]);
        double took = seconds(rerun, &run) * 1e3;
        printf(" %s %.2f ms (%.0f %% of a forward, %.0f %% of its steps)%s", places[p],
               took, 100 * took / whole,
               100.0 * (run.tape.count - run.from) / run.tape.count,
               p + 1 < sizeof places / sizeof *places ? "," : "\n");
    }
    tape_free(&run.tape);
    model_free(&run.model);
}

static void bench_decode(const Limits *limits) {
    static Run run;
    make(&run, &base);
    double took = seconds(decode, &run);
    double rate = run.steps / took;
    double limit = limits->bytes / step_bytes(&run.model.config);
    printf(
        "greedy decoding, %s, %d tokens: %.0f tokens/s (goal 400); weights read once "
        "a token %.0f tokens/s: %.0f %% of the limit\n",
        base.name, run.steps, rate, limit, 100 * rate / limit);
    tape_free(&run.tape);
    model_free(&run.model);
}

/* Milliseconds from branch until the program has printed its first line: then the model
 * is loaded and the prompt is ready. */
static double start(char *program) {
    int pipes[2];
    char first;
    if (pipe(pipes) != 0) exit(EXIT_FAILURE);
    double begin = now();
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
        dup2(pipes[1], STDOUT_FILENO);
        close(pipes[0]);
        execl(program, program, (char *)NULL);
        _exit(127);
    }
    close(pipes[1]);
    bool spoke = read(pipes[0], &first, 1) == 1;
    double took = (now() - begin) * 1e3;
    int status;
    while (read(pipes[0], &first, 1) == 1) continue;
    close(pipes[0]);
    if (!spoke || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "%s did not start\n", program);
        exit(EXIT_FAILURE);
    }
    return took;
}

static void bench_start(char *program) {
    double best = start(program);
    for (int round = 1; round < rounds(2 * ROUNDS); round++) {
        double took = start(program);
        if (took < best) best = took;
    }
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    printf("start to the first prompt, default model: %.1f ms (goal 15), %ld MB (goal "
           "25)\n",
           best, usage.ru_maxrss / 1024);
}

int main(int count, char **argument) {
    Arena arena = {0};
    /* First, while this process is small: a child's peak includes its parent's
     * memory. */
    if (count > 1) bench_start(argument[1]);
    Limits limits = limits_measure(&arena);
    printf("limits: %.0f GFLOP/s a thread, %.1f GB/s on %d threads\n",
           limits.flops * 1e-9, limits.bytes * 1e-9, limits.threads);
    bench_forward(&base, &limits);
    bench_forward(&small, &limits);
    bench_rerun();
    bench_decode(&limits);
    arena_free(&arena);
}
