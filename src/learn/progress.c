#include "learn/progress.h"

#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 20, BAR = 16, WIDTH_USUAL = 80 };

static const double pause_seconds = 0.1;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int width_of(FILE *out) {
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_USUAL;
    return size.ws_col;
}

Progress progress_new(FILE *out, int first, int total) {
    Progress progress = {.out = out, .first = first, .total = total};
    progress.is_terminal = isatty(fileno(out));
    progress.width = width_of(out);
    progress.every = total / LINES > 0 ? total / LINES : 1;
    progress.began = now();
    return progress;
}

double progress_speed(const Progress *progress) {
    double seconds = now() - progress->began;
    return seconds > 0 ? (double)progress->tokens / seconds : 0;
}

static void keep_loss(Progress *progress, int step, double loss) {
    long long place = (long long)(step - 1) * PROGRESS_LOSSES / progress->total;
    int p = place < PROGRESS_LOSSES ? (int)place : PROGRESS_LOSSES - 1;
    progress->losses[p] += (loss - progress->losses[p]) / ++progress->counts[p];
}

/* The losses so far as blocks of eight heights, the highest one full. */
static void write_curve(const Progress *progress) {
    static const char *const block[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double most = 0;
    for (int p = 0; p < PROGRESS_LOSSES; p++)
        if (progress->counts[p] && progress->losses[p] > most)
            most = progress->losses[p];
    for (int p = 0; p < PROGRESS_LOSSES; p++) {
        double height = most > 0 ? 7.99 * progress->losses[p] / most : 0;
        fputs(progress->counts[p] ? block[(int)height] : " ", progress->out);
    }
}

static void write_bar(const Progress *progress, int step) {
    int filled = (int)((long long)BAR * step / progress->total);
    fputc('[', progress->out);
    for (int i = 0; i < BAR; i++) fputc(i < filled ? '#' : '.', progress->out);
    fputs("] ", progress->out);
}

static void write_left(const Progress *progress, int step) {
    int done = step - progress->first;
    double seconds = (now() - progress->began) / done * (progress->total - step);
    int left = (int)(seconds + 0.5);
    if (left >= 3600)
        fprintf(progress->out, "%d:%02d:%02d left", left / 3600, left / 60 % 60,
                left % 60);
    else
        fprintf(progress->out, "%d:%02d left", left / 60, left % 60);
}

static void write_facts(const Progress *progress, int step, double loss) {
    fprintf(progress->out, "step %d of %d  loss %.4f  %.0f tokens/s  ", step,
            progress->total, loss, progress_speed(progress));
    write_left(progress, step);
}

void progress_step(Progress *progress, int step, double loss, long long tokens) {
    /* What bar, curve and facts take at most: a line that wraps cannot be rewritten. */
    enum { FACTS_CELLS = 64, BAR_CELLS = BAR + 3, CURVE_CELLS = PROGRESS_LOSSES + 2 };
    progress->tokens += tokens;
    /* Batches of so many tokens are not as many in each epoch. */
    if (step > progress->total) progress->total = step;
    keep_loss(progress, step, loss);
    if (!progress->is_terminal) {
        if (step % progress->every && step != progress->total) return;
        write_facts(progress, step, loss);
        fputc('\n', progress->out);
        fflush(progress->out);
        return;
    }
    if (now() - progress->shown < pause_seconds && step != progress->total) return;
    progress->shown = now();
    fputs("\r\x1b[K", progress->out);
    if (progress->width > FACTS_CELLS + BAR_CELLS) write_bar(progress, step);
    write_facts(progress, step, loss);
    if (progress->width > FACTS_CELLS + BAR_CELLS + CURVE_CELLS) {
        fputs("  ", progress->out);
        write_curve(progress);
    }
    fflush(progress->out);
    progress->has_line = true;
}

void progress_pause(Progress *progress) {
    if (progress->has_line) fputc('\n', progress->out);
    progress->has_line = false;
    progress->paused = now();
}

void progress_continue(Progress *progress) {
    progress->began += now() - progress->paused;
}
