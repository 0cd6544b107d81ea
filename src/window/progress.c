#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/clock.h"
#include "base/language.h"
#include "window/text.h"

const Styled *progress_curve(const ProgressBlock *progress, int width, int rows,
                             Colors colors, Arena *arena) {
    double *x = ARENA_ARRAY(arena, double, progress->shares);
    double *y = ARENA_ARRAY(arena, double, progress->shares);
    Series series = {.name = tr("loss"), .x = x, .y = y};
    for (int s = 0; s < progress->shares; s++) {
        if (progress->counts[s] == 0) continue;
        x[series.count] = (s + 0.5) * progress->total / progress->shares;
        y[series.count++] = progress->losses[s];
    }
    if (series.count < 2) return NULL;
    Plot plot = {.x_title = tr("step"),
                 .y_title = tr("loss"),
                 .series = &series,
                 .count = 1,
                 .rows = rows};
    Figure figure = {.kind = FIGURE_CURVES, .title = "", .plot = &plot};
    Error error;
    return figure_text(&figure, width, colors, arena, &error);
}

const char *progress_facts(const ProgressBlock *progress, Arena *arena) {
    int left = (int)(progress->seconds + 0.5);
    const char *time = left >= 3600 ? trf(arena, "%d:%02d:%02d left", left / 3600,
                                          left / 60 % 60, left % 60)
                                    : trf(arena, "%d:%02d left", left / 60, left % 60);
    return arena_print(arena, "%s%s",
                       trf(arena, "step %d of %d  loss %.4f  %.0f tokens/s  ",
                           progress->step, progress->total, progress->loss,
                           progress->speed),
                       time);
}

enum { LINES = 20, BAR = 16, WIDTH_USUAL = 80 };
enum { CURVE_ROWS = 8, CURVE_LINES = CURVE_ROWS + 4 };

/* Move the cursor to the first line of the previous progress report. */
static void go_up(const TextWindow *text) {
    fputc('\r', text->out);
    if (text->progress_lines > 1)
        fprintf(text->out, "\x1b[%dA", text->progress_lines - 1);
}

void window_progress_clear(TextWindow *text) {
    if (!text->progress_lines) return;
    go_up(text);
    fputs("\x1b[J", text->out);
    text->progress_lines = 0;
}

/* At most ten updates per second in a terminal, and at most LINES lines elsewhere. */
void window_progress(TextWindow *text, const Block *block) {
    const double pause_seconds = 0.1;
    const ProgressBlock *progress = &block->progress;
    const char *kind = getenv("TERM");
    if (!text->is_terminal || !kind || !*kind || strcmp(kind, "dumb") == 0) {
        int every = progress->total / LINES > 0 ? progress->total / LINES : 1;
        bool due = progress->step % every == 0 || progress->step == progress->total;
        if (progress->ended || !due) return;
        fprintf(text->out, "%s\n", progress_facts(progress, &text->arena));
        fflush(text->out);
        return;
    }
    if (!progress->ended && clock_seconds() - text->shown < pause_seconds) return;
    text->shown = clock_seconds();
    FILE *out = text->out;
    /* Limit the widths of bar and facts, because a wrapped line cannot be redrawn. */
    enum { FACTS_CELLS = 64, BAR_CELLS = BAR + 3, ROWS_LEFT = 6 };
    struct winsize size = {0};
    if (ioctl(fileno(out), TIOCGWINSZ, &size) != 0) size = (struct winsize){0};
    if (size.ws_col == 0) size.ws_col = WIDTH_USUAL;
    if (text->progress_lines) go_up(text);
    text->progress_lines = 1;
    if (size.ws_row >= CURVE_LINES + ROWS_LEFT) {
        const char *line = styled_text(progress_curve(
            progress, size.ws_col - 1, CURVE_ROWS, COLORS_NONE, &text->arena));
        for (const char *end; line && (end = strchr(line, '\n')); line = end + 1) {
            fprintf(out, "%.*s\x1b[K\n", (int)(end - line), line);
            text->progress_lines++;
        }
    }
    if (size.ws_col > FACTS_CELLS + BAR_CELLS) {
        int filled = (int)((long long)BAR * progress->step / progress->total);
        fputc('[', out);
        for (int i = 0; i < BAR; i++) fputc(i < filled ? '#' : '.', out);
        fputs("] ", out);
    }
    fprintf(out, "%s\x1b[K", progress_facts(progress, &text->arena));
    if (progress->ended) {
        fputc('\n', out);
        text->progress_lines = 0;
    }
    fflush(out);
}

void window_counting(TextWindow *text, const Block *block) {
    const CountingBlock *counting = &block->counting;
    if (!text->is_terminal) return;
    if (counting->done < counting->all) {
        fputs("\r", text->out);
        fprintf(text->out, tr("%d of %d %s"), counting->done, counting->all,
                tr(counting->what));
    } else
        fprintf(text->out, "\r%40s\r", "");
    fflush(text->out);
}
