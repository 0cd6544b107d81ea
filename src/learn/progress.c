#include "learn/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "view/figure.h"

enum { LINES = 20, BAR = 16, WIDTH_USUAL = 80 };
enum { CURVE_ROWS = 8, CURVE_LINES = CURVE_ROWS + 4 };

static const double pause_seconds = 0.1;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Rows and columns of the terminal. */
static struct winsize size_of(FILE *out) {
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
    if (size.ws_col == 0) size.ws_col = WIDTH_USUAL;
    return size;
}

/* Lines can be written again there. */
static bool is_screen(FILE *out) {
    const char *kind = getenv("TERM");
    return isatty(fileno(out)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

Progress progress_new(FILE *out, int first, int total) {
    Progress progress = {.out = out, .first = first, .step = first, .total = total};
    progress.is_terminal = is_screen(out);
    progress.every = total / LINES > 0 ? total / LINES : 1;
    progress.began = now();
    return progress;
}

double progress_speed(const Progress *progress) {
    double seconds = now() - progress->began;
    return seconds > 0 ? (double)progress->tokens / seconds : 0;
}

static void keep_loss(Progress *progress) {
    long long place =
        (long long)(progress->step - 1) * PROGRESS_LOSSES / progress->total;
    int p = place < PROGRESS_LOSSES ? (int)place : PROGRESS_LOSSES - 1;
    progress->losses[p] +=
        (progress->loss - progress->losses[p]) / ++progress->counts[p];
}

/* The losses so far, in `arena`; "" while there are fewer than two. */
static const char *curve(const Progress *progress, int width, Arena *arena) {
    double x[PROGRESS_LOSSES];
    double y[PROGRESS_LOSSES];
    Series series = {.name = "loss", .x = x, .y = y};
    for (int p = 0; p < PROGRESS_LOSSES; p++) {
        if (progress->counts[p] == 0) continue;
        x[series.count] = (p + 0.5) * progress->total / PROGRESS_LOSSES;
        y[series.count++] = progress->losses[p];
    }
    if (series.count < 2) return "";
    Plot plot = {.x_title = "step",
                 .y_title = "loss",
                 .series = &series,
                 .count = 1,
                 .rows = CURVE_ROWS};
    Figure figure = {.kind = FIGURE_CURVES, .title = "", .plot = &plot};
    Error error;
    const char *text = figure_text(&figure, width, COLORS_NONE, arena, &error);
    return text ? text : "";
}

/* Line by line over what stood there. */
static int write_curve(const Progress *progress, const char *text) {
    int lines = 0;
    for (const char *end; (end = strchr(text, '\n')); text = end + 1, lines++)
        fprintf(progress->out, "%.*s\x1b[K\n", (int)(end - text), text);
    return lines;
}

static void write_bar(const Progress *progress) {
    int filled = (int)((long long)BAR * progress->step / progress->total);
    fputc('[', progress->out);
    for (int i = 0; i < BAR; i++) fputc(i < filled ? '#' : '.', progress->out);
    fputs("] ", progress->out);
}

static void write_left(const Progress *progress) {
    int done = progress->step - progress->first;
    double seconds =
        (now() - progress->began) / done * (progress->total - progress->step);
    int left = (int)(seconds + 0.5);
    if (left >= 3600)
        fprintf(progress->out, "%d:%02d:%02d left", left / 3600, left / 60 % 60,
                left % 60);
    else
        fprintf(progress->out, "%d:%02d left", left / 60, left % 60);
}

static void write_facts(const Progress *progress) {
    fprintf(progress->out, "step %d of %d  loss %.4f  %.0f tokens/s  ", progress->step,
            progress->total, progress->loss, progress_speed(progress));
    write_left(progress);
}

static void write_line(const Progress *progress) {
    write_facts(progress);
    fputc('\n', progress->out);
    fflush(progress->out);
}

/* Back to the first of the lines to be written again. */
static void go_up(const Progress *progress) {
    fputc('\r', progress->out);
    if (progress->lines > 1) fprintf(progress->out, "\x1b[%dA", progress->lines - 1);
}

static void write_screen(Progress *progress) {
    /* What bar and facts take at most: a line that wraps cannot be written again. */
    enum { FACTS_CELLS = 64, BAR_CELLS = BAR + 3, ROWS_LEFT = 6 };
    struct winsize size = size_of(progress->out);
    Arena arena = {0};
    if (progress->lines) go_up(progress);
    progress->lines = 1;
    if (size.ws_row >= CURVE_LINES + ROWS_LEFT)
        progress->lines +=
            write_curve(progress, curve(progress, size.ws_col - 1, &arena));
    if (size.ws_col > FACTS_CELLS + BAR_CELLS) write_bar(progress);
    write_facts(progress);
    fputs("\x1b[K", progress->out);
    fflush(progress->out);
    arena_free(&arena);
}

void progress_step(Progress *progress, int step, double loss, long long tokens) {
    progress->step = step;
    progress->loss = loss;
    progress->tokens += tokens;
    /* Batches of so many tokens are not as many in each epoch. */
    if (step > progress->total) progress->total = step;
    keep_loss(progress);
    if (progress->is_terminal) {
        if (now() - progress->shown < pause_seconds) return;
        progress->shown = now();
        write_screen(progress);
    } else if (step % progress->every == 0 || step == progress->total) {
        write_line(progress);
    }
}

void progress_pause(Progress *progress) {
    if (progress->lines) {
        go_up(progress);
        fputs("\x1b[J", progress->out);
    }
    progress->lines = 0;
    progress->paused = now();
}

void progress_continue(Progress *progress) {
    progress->began += now() - progress->paused;
}

void progress_end(Progress *progress) {
    if (!progress->is_terminal || progress->step == progress->first) return;
    write_screen(progress);
    fputc('\n', progress->out);
    progress->lines = 0;
}
