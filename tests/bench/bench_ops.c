/* bench_ops - how close the operations come to the limits of this machine, measured in
 * the same run: the arithmetic of one large product, and reading memory. Absolute
 * figures vary from minute to minute; compare the percentages. */
#include "bench.h"

/* The runs of `linear` rotate through weights that are too large for the caches, as in
 * a decoding. */
typedef struct {
    Step *step;
    int steps;
} Steps;

static void run_steps(void *context) {
    Steps *steps = context;
    Arena arena = {0};
    for (int s = 0; s < steps->steps; s++)
        steps->step[s].op->forward(&steps->step[s], &arena);
    arena_free(&arena);
}

static Tensor *matrix(Tape *tape, int rows, int columns) {
    Axis axis[] = {{.name = "row", .size = rows}, {.name = "column", .size = columns}};
    Tensor *tensor = tape_given(tape, "given", 2, axis);
    tensor->data = numbers(&tape->arena, rows * columns);
    return tensor;
}

static void bench_linear(int rows, int in, int out, double flops, double bytes) {
    Tape tape = {0};
    Tensor *x = matrix(&tape, rows, in);
    Axis axis = {.name = "out", .size = out};
    Tensor *bias = tape_given(&tape, "bias", 1, &axis);
    bias->data = numbers(&tape.arena, out);
    int steps = rows > 16 ? 1 : 1 + (128 << 20) / (in * out * (int)sizeof(Number));
    for (int s = 0; s < steps; s++)
        linear(&tape, "y", x, &(Linear){matrix(&tape, out, in), bias});
    double took = seconds(run_steps, &(Steps){tape.step, steps}) / steps;
    double count = (double)in * out;
    printf("linear %4d x (%4d -> %4d) %9.1f us %7.1f GFLOP/s %4.0f %% of the peak of "
           "all threads %6.1f GB/s %4.0f %% of reading\n",
           rows, in, out, took * 1e6, 2e-9 * rows * count / took,
           100 * 2 * rows * count / took / flops, 1e-9 * sizeof(Number) * count / took,
           100 * (double)sizeof(Number) * count / took / bytes);
    tape_free(&tape);
}

static void bench_rows(const Op *op, int rows, int size) {
    Tape tape = {0};
    Tensor *input[3] = {matrix(&tape, rows, size)};
    Axis axis = {.name = "column", .size = size};
    for (int i = 1; i < 3; i++) {
        input[i] = tape_given(&tape, "factor", 1, &axis);
        input[i]->data = numbers(&tape.arena, size);
    }
    tape_run(&tape, op, "y", input, op->inputs_min, (Setting){.number = 0.1});
    double took = seconds(run_steps, &(Steps){tape.step, 1});
    printf("%-12s %5d x %5d %9.1f us %7.3f ns a number\n", op->name, rows, size,
           took * 1e6, took * 1e9 / rows / size);
    tape_free(&tape);
}

int main(void) {
    const int max = threads_count();
    static const int shape[][2] = {{512, 2048}, {2048, 512}, {512, 8000}};
    static const int rows[] = {1, 4, 12, 64, 512};
    Arena arena = {0};
    double one = peak(&arena);
    Number *large = numbers(&arena, READ_BYTES / (int)sizeof(Number));
    double bytes = 0;
    for (int threads = 1; threads <= max; threads++) {
        threads_limit(threads);
        bytes = READ_BYTES / seconds(read_all, large);
        printf("%d thread(s): peak %.1f GFLOP/s, reading %.1f GB/s\n", threads,
               one * threads * 1e-9, bytes * 1e-9);
    }
    for (size_t s = 0; s < sizeof shape / sizeof *shape; s++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
            bench_linear(rows[r], shape[s][0], shape[s][1], max * one, bytes);
    static const Op *const op[] = {&op_softmax, &op_layer_norm, &op_gelu,
                                   &op_relu,    &op_dropout,    &op_scale};
    for (size_t o = 0; o < sizeof op / sizeof *op; o++) {
        bench_rows(op[o], 1024, 12);
        bench_rows(op[o], 1024, 64);
        bench_rows(op[o], 1024, 512);
        bench_rows(op[o], 32, 8000);
    }
    arena_free(&arena);
}
