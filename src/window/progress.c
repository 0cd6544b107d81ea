#include "window/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/clock.h"
#include "base/language.h"
#include "window/text.h"

const char *progress_curve(const ProgressBlock *progress, int width, int rows,
                           Colors colors, Arena *arena) {
    double *x = ARENA_ARRAY(arena, double, progress->shares);
    double *y = ARENA_ARRAY(arena, double, progress->shares);
    Series series = {.name = said("loss"), .x = x, .y = y};
    for (int s = 0; s < progress->shares; s++) {
        if (progress->counts[s] == 0) continue;
        x[series.count] = (s + 0.5) * progress->total / progress->shares;
        y[series.count++] = progress->losses[s];
    }
    if (series.count < 2) return "";
    Plot plot = {.x_title = said("step"),
                 .y_title = said("loss"),
                 .series = &series,
                 .count = 1,
                 .rows = rows};
    Figure figure = {.kind = FIGURE_CURVES, .title = "", .plot = &plot};
    Error error;
    const char *lines = figure_text(&figure, width, colors, arena, &error);
    return lines ? lines : "";
}

const char *progress_facts(const ProgressBlock *progress, Arena *arena) {
    int left = (int)(progress->seconds + 0.5);
    const char *time = left >= 3600 ? say(arena, "%d:%02d:%02d left", left / 3600,
                                          left / 60 % 60, left % 60)
                                    : say(arena, "%d:%02d left", left / 60, left % 60);
    return arena_print(arena, "%s%s",
                       say(arena, "step %d of %d  loss %.4f  %.0f tokens/s  ",
                           progress->step, progress->total, progress->loss,
                           progress->speed),
                       time);
}

enum { LINES = 20, BAR = 16, WIDTH_USUAL = 80 };
enum { CURVE_ROWS = 8, CURVE_LINES = CURVE_ROWS + 4 };

/* Rows and columns of the terminal. */
static struct winsize terminal_size(const TextWindow *text) {
    struct winsize size;
    if (ioctl(fileno(text->out), TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
    if (size.ws_col == 0) size.ws_col = WIDTH_USUAL;
    return size;
}

/* Lines can be written again there. */
static bool is_screen(const TextWindow *text) {
    const char *kind = getenv("TERM");
    return text->is_terminal && kind && *kind && strcmp(kind, "dumb") != 0;
}

/* Line by line over what stood there. */
static int write_curve(const TextWindow *text, const char *lines) {
    int count = 0;
    for (const char *end; (end = strchr(lines, '\n')); lines = end + 1, count++)
        fprintf(text->out, "%.*s\x1b[K\n", (int)(end - lines), lines);
    return count;
}

static void write_bar(const TextWindow *text, const ProgressBlock *progress) {
    int filled = (int)((long long)BAR * progress->step / progress->total);
    fputc('[', text->out);
    for (int i = 0; i < BAR; i++) fputc(i < filled ? '#' : '.', text->out);
    fputs("] ", text->out);
}

/* Back to the first of the lines to be written again. */
static void go_up(const TextWindow *text) {
    fputc('\r', text->out);
    if (text->standing > 1) fprintf(text->out, "\x1b[%dA", text->standing - 1);
}

void window_progress_clear(TextWindow *text) {
    if (!text->standing) return;
    go_up(text);
    fputs("\x1b[J", text->out);
    text->standing = 0;
}

static void write_screen(TextWindow *text, const ProgressBlock *progress) {
    /* What bar and facts take at most: a line that wraps cannot be written again. */
    enum { FACTS_CELLS = 64, BAR_CELLS = BAR + 3, ROWS_LEFT = 6 };
    struct winsize size = terminal_size(text);
    if (text->standing) go_up(text);
    text->standing = 1;
    if (size.ws_row >= CURVE_LINES + ROWS_LEFT)
        text->standing +=
            write_curve(text, progress_curve(progress, size.ws_col - 1, CURVE_ROWS,
                                             COLORS_NONE, &text->arena));
    if (size.ws_col > FACTS_CELLS + BAR_CELLS) write_bar(text, progress);
    fputs(progress_facts(progress, &text->arena), text->out);
    fputs("\x1b[K", text->out);
}

/* On a screen ten times a second at most. */
static void show_screen(TextWindow *text, const ProgressBlock *progress) {
    static const double pause_seconds = 0.1;
    if (!progress->ended && clock_seconds() - text->shown < pause_seconds) return;
    text->shown = clock_seconds();
    write_screen(text, progress);
    if (progress->ended) {
        fputc('\n', text->out);
        text->standing = 0;
    }
    fflush(text->out);
}

/* Where lines stay, a few of them. */
static void show_line(TextWindow *text, const ProgressBlock *progress) {
    int every = progress->total / LINES > 0 ? progress->total / LINES : 1;
    bool due = progress->step % every == 0 || progress->step == progress->total;
    if (progress->ended || !due) return;
    fputs(progress_facts(progress, &text->arena), text->out);
    fputc('\n', text->out);
    fflush(text->out);
}

void window_progress(TextWindow *text, const Block *block) {
    if (is_screen(text))
        show_screen(text, &block->progress);
    else
        show_line(text, &block->progress);
}

void window_counting(TextWindow *text, const Block *block) {
    const CountingBlock *counting = &block->counting;
    if (!text->is_terminal) return;
    if (counting->done < counting->all) {
        fputs("\r", text->out);
        fprintf(text->out, said("%d of %d %s"), counting->done, counting->all,
                said(counting->what));
    } else
        fprintf(text->out, "\r%40s\r", "");
    fflush(text->out);
}
