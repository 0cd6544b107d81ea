#include "shell/progress_text.h"

#include "base/language.h"

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
