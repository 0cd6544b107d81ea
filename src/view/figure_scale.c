/* The scale of all that a figure shows. */
#include "view/figure_work.h"

/* The one that was named, or what the paper wants. */
static const Palette *palette_of(const Work *work) {
    const Theme *theme = work->canvas ? work->canvas->theme : NULL;
    bool wanted = !work->figure->palette && theme && theme->palette;
    return wanted ? palette_find(theme->palette) : work->figure->palette;
}

/* The matrices that are drawn, or in a moving picture all that ever are. */
static Work ever_drawn(const Work *work) {
    const Figure *figure = work->figure;
    Work all = {.figure = figure, .arena = work->arena};
    figure_collect(&all);
    for (int f = 0; f < figure->frames; f++) {
        Figure frame = *figure;
        if (!figure->frame[f].slice) continue;
        frame.slice = figure->frame[f].slice;
        all.figure = &frame;
        figure_collect(&all);
    }
    return all;
}

bool figure_fit_scale(Work *work, Error *error) {
    const Figure *figure = work->figure;
    const Palette *palette = palette_of(work);
    const Work all = ever_drawn(work);
    work->scale = scale_fit(all.matrix, all.count, figure->scale, palette);
    if (!scale_grant(&work->scale, &figure->wish, all.matrix, all.count, palette,
                     error))
        return false;
    if (figure->hatched && work->scale.hatched) work->scale.hatched = figure->hatched;
    if (figure->shared) {
        work->scale = *figure->shared;
        if (palette) work->scale.palette = palette;
    }
    return true;
}

bool figure_scale(const Figure *figure, Arena *arena, Scale *scale, Error *error) {
    Work work = {.figure = figure, .arena = arena};
    if (!figure_check(figure, error)) return false;
    figure_collect(&work);
    if (!figure_fit_scale(&work, error)) return false;
    *scale = work.scale;
    return true;
}
