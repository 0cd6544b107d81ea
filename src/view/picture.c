#include "view/picture.h"

#include <math.h>

const double stroke_dashes[STROKE_DASHES][4] = {
    {0}, {8, 4, 8, 4}, {2, 3, 2, 3}, {9, 3, 2, 3}, {14, 5, 14, 5}};

static double measure(Canvas *canvas, Style style, const char *text) {
    return letters_run(((Picture *)canvas)->letters, style, text)->width;
}

void picture_start(Picture *picture, Arena *arena, const PictureWish *wish,
                   bool whole) {
    picture->arena = arena;
    picture->wish = *wish;
    if (!picture->wish.theme) picture->wish.theme = theme_named(THEME_LIGHT);
    if (picture->wish.density <= 0) picture->wish.density = 1;
    picture->letters = letters_new(arena, wish->font, wish->body, whole);
    picture->canvas.metrics = letters_metrics(picture->letters);
    picture->canvas.theme = picture->wish.theme;
    picture->canvas.measure = measure;
    picture->factor = 1;
}

bool picture_size(Picture *picture, double width, double height, double density,
                  Error *error) {
    picture->width = ceil(fmax(width, picture->width));
    picture->height = ceil(fmax(height, picture->height));
    if (picture->wish.width > 0) picture->factor = picture->wish.width / picture->width;
    double across = picture->width * density * picture->factor;
    double down = picture->height * density * picture->factor;
    return (fmax(across, down) <= IMAGE_SIDE_MOST &&
            across * down <= IMAGE_PIXELS_MOST) ||
           fail(error,
                "the picture would have %.0f x %.0f pixels, and at most %d a side "
                "and %d million in all are drawn: choose a part of the tensor, or a "
                "smaller size",
                across, down, IMAGE_SIDE_MOST, IMAGE_PIXELS_MOST / 1000 / 1000);
}

const TextRun *picture_run(Picture *picture, Style style, const char *text,
                           double *left) {
    TextRun *run = letters_run(picture->letters, style, text);
    letters_count(picture->letters, run);
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    *left = -part * run->width;
    return run;
}

Color picture_ink(const Picture *picture, Style style) {
    const Theme *theme = picture->wish.theme;
    if (style.color) return *style.color;
    return style.faint ? theme->faint : theme->ink;
}

Color picture_color(const Picture *picture, Color color) {
    return theme_color(picture->wish.theme, color);
}

bool picture_save(Canvas *canvas, const char *path, bool replace, const Facts *facts,
                  Error *error) {
    Picture *picture = (Picture *)canvas;
    return picture->save(picture, path, replace, facts, error);
}

int picture_missing(const Canvas *canvas, const char **text) {
    return letters_missing(((const Picture *)canvas)->letters, text);
}

bool picture_spells(const Canvas *canvas) {
    return ((const Picture *)canvas)->spells;
}

void picture_close(Canvas *canvas) {
    Picture *picture = (Picture *)canvas;
    if (picture->close) picture->close(picture);
    letters_close(picture->letters);
}
