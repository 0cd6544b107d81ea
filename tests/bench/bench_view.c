/* bench_view - how long a figure takes, from a tensor in memory to the file on the
 * disk. Prints the first figure of the process, which starts Pango and fontconfig, and
 * then the fastest and the median of some more. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "figure/figure.h"

enum { ROUNDS = 15 };

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static const char *const words[] = {"나는", "학생",     "입니다",
                                    "오늘", "학교에서", "배웠습니다"};

/* Rows that sum to 1, with different numbers in all cells. */
static Tensor *weights(Arena *arena, int tokens) {
    const char **labels = ARENA_ARRAY(arena, const char *, tokens);
    for (int i = 0; i < tokens; i++) labels[i] = words[i % 6];
    Axis axis[] = {{.name = "query", .size = tokens, .labels = labels, .label_rows = 1},
                   {.name = "key", .size = tokens, .labels = labels, .label_rows = 1}};
    Tensor *tensor = tensor_new(arena, "encoder.0.self_attention.weights", 2, axis);
    for (int i = 0; i < tokens; i++)
        for (int j = 0; j < tokens; j++) {
            int part = 1 + (i * 7 + j * 3) % tokens;
            tensor->data[i * tokens + j] =
                (Number)(2.0 * part / (tokens * (tokens + 1.0)));
        }
    return tensor;
}

static double draw_once(int tokens, Annotate annotate, const char *path) {
    Arena arena = {0};
    Slice slice = slice_all(weights(&arena, tokens));
    Fact fact[] = {{"sentence", "나는 학생 입니다"}, {"seed", "7"}};
    Figure figure = {.kind = FIGURE_HEATMAP,
                     .slice = &slice,
                     .slices = 1,
                     .fact = fact,
                     .facts = 2,
                     .annotate = annotate};
    Error error;
    const char *warning;
    double start = milliseconds();
    if (!figure_save(&figure, path, true, &arena, &warning, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(EXIT_FAILURE);
    }
    double taken = milliseconds() - start;
    arena_free(&arena);
    return taken;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return (left > right) - (left < right);
}

static void draw_often(int tokens, Annotate annotate, const char *path) {
    const int rounds = getenv("SMOKE") ? 1 : ROUNDS;
    double taken[ROUNDS];
    for (int i = 0; i < rounds; i++) taken[i] = draw_once(tokens, annotate, path);
    qsort(taken, (size_t)rounds, sizeof *taken, compare);
    printf("%3d x %-3d %s %-10s %7.1f ms, middle %7.1f ms\n", tokens, tokens,
           annotate == ANNOTATE_ALWAYS ? "with numbers" : "plain       ",
           strrchr(path, '.'), taken[0], taken[rounds / 2]);
}

int main(void) {
    char folder[] = "/tmp/bench_view.XXXXXX";
    static const char *const endings[] = {".png", ".svg", ".pdf", ".txt"};
    char path[64];
    if (!mkdtemp(folder)) {
        perror(folder);
        return EXIT_FAILURE;
    }
    snprintf(path, sizeof path, "%s/figure.png", folder);
    printf(" 12 x 12  first in the process %7.1f ms\n",
           draw_once(12, ANNOTATE_ALWAYS, path));
    for (int i = 0; i < 4; i++) {
        remove(path);
        snprintf(path, sizeof path, "%s/figure%s", folder, endings[i]);
        draw_often(12, ANNOTATE_ALWAYS, path);
        draw_often(64, ANNOTATE_ALWAYS, path);
        draw_often(64, ANNOTATE_NEVER, path);
        draw_often(512, ANNOTATE_NEVER, path);
    }
    remove(path);
    remove(folder);
    return EXIT_SUCCESS;
}
