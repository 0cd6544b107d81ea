/* recording_canvas.h - a canvas of pixels that records everything drawn on it: words
 * with their boxes, lines, rectangles. So a test can check that no word is outside the
 * picture, or over another one. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "figure/figure_draw.h"
#include "text/unicode.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { SHEET_CELL = 7, SHEET_LINE = 19 };

typedef struct {
    const char *text;
    Point at;
    double width;
    Box box; /* empty if it is sloping or vertical */
    Style style;
} RecordedWord;

typedef struct {
    Point from, to; /* the first and the last */
    Stroke stroke;
} RecordedLine;

typedef struct {
    Box box;
    Color color;
    bool hatched;
} RecordedBox;

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Recording * */
    Arena *arena;
    Canvas *letters; /* for measuring; NULL: all letters have the same width */
    double width, height;
    RecordedWord *word;
    RecordedLine *line;
    RecordedBox *box;
    int words, lines, boxes;
    int word_capacity, line_capacity, box_capacity;
} Recording;

static inline bool recording_begin(Canvas *canvas, double width, double height,
                                   Error *error) {
    Recording *recording = (Recording *)canvas;
    (void)error;
    recording->width = width;
    recording->height = height;
    return width > 0 && height > 0;
}

static inline void recording_note_box(Canvas *canvas, RecordedBox box) {
    Recording *recording = (Recording *)canvas;
    ARENA_GROW(recording->arena, recording->box, recording->boxes,
               recording->box_capacity);
    recording->box[recording->boxes++] = box;
}

static inline void recording_fill(Canvas *canvas, Box box, Color color) {
    recording_note_box(canvas, (RecordedBox){box, color, false});
}

static inline void recording_hatch(Canvas *canvas, Box box) {
    recording_note_box(canvas, (RecordedBox){.box = box, .hatched = true});
}

static inline void recording_line(Canvas *canvas, const Point *point, int count,
                                  Stroke stroke) {
    Recording *recording = (Recording *)canvas;
    ARENA_GROW(recording->arena, recording->line, recording->lines,
               recording->line_capacity);
    recording->line[recording->lines++] =
        (RecordedLine){point[0], point[count - 1], stroke};
}

static inline double recording_measure(Canvas *canvas, Style style, const char *text) {
    Canvas *letters = ((Recording *)canvas)->letters;
    if (letters) return letters->measure(letters, style, text);
    return SHEET_CELL * unicode_width(text) * (style.size > 0 ? style.size : 1);
}

static inline void recording_text(Canvas *canvas, Point at, Style style,
                                  const char *text) {
    Recording *recording = (Recording *)canvas;
    double width = recording_measure(canvas, style, text);
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    double height = SHEET_LINE * 0.7 * (style.size > 0 ? style.size : 1);
    Box box = {at.x - part * width, at.y - height / 2, width, height};
    if (style.angle != 0) box = (Box){at.x, at.y, 0, 0};
    ARENA_GROW(recording->arena, recording->word, recording->words,
               recording->word_capacity);
    recording->word[recording->words++] = (RecordedWord){
        arena_copy(recording->arena, text, strlen(text)), at, width, box, style};
}

static inline Recording *recording_new(Arena *arena) {
    Recording *recording = ARENA_ARRAY(arena, Recording, 1);
    recording->arena = arena;
    recording->canvas = (Canvas){.arena = arena,
                                 .metrics = {.line = SHEET_LINE,
                                             .letter = SHEET_CELL,
                                             .gap = 8,
                                             .margin = 18,
                                             .colors = true},
                                 .begin = recording_begin,
                                 .fill = recording_fill,
                                 .hatch = recording_hatch,
                                 .line = recording_line,
                                 .text = recording_text,
                                 .measure = recording_measure};
    return recording;
}

/* Draw the figure on a new recording, in `arena`; NULL and an error if it cannot be
 * drawn. */
static inline Recording *recording_try(const Figure *figure, Arena *arena,
                                       Error *error) {
    Recording *recording = recording_new(arena);
    Work work = {
        .figure = figure, .canvas = &recording->canvas, .arena = arena, .whole = true};
    return figure_draw(&work, error) ? recording : NULL;
}

static inline Recording *recording_of(const Figure *figure, Arena *arena) {
    Error error;
    Recording *recording = recording_try(figure, arena, &error);
    if (!recording) fail_msg("%s", error.message);
    return recording;
}

/* Return the `i`-th word with this text, or NULL. */
static inline const RecordedWord *recording_find(const Recording *recording,
                                                 const char *text, int i) {
    for (int w = 0; w < recording->words; w++)
        if (strcmp(recording->word[w].text, text) == 0 && i-- == 0)
            return &recording->word[w];
    return NULL;
}

static inline double recording_middle(const RecordedWord *word) {
    assert_non_null(word);
    return word->box.y + word->box.height / 2;
}

static inline bool recording_meet(Box a, Box b) {
    const double rounding = 0.01;
    return a.x + a.width > b.x + rounding && b.x + b.width > a.x + rounding &&
           a.y + a.height > b.y + rounding && b.y + b.height > a.y + rounding;
}

/* Check that every word is inside the picture, and that none overlap. */
static inline void recording_check(const Recording *recording, const char *name) {
    for (int w = 0; w < recording->words; w++) {
        Box box = recording->word[w].box;
        if (box.x < 0 || box.y < 0 || box.x + box.width > recording->width ||
            box.y + box.height > recording->height)
            fail_msg("%s: '%s' is cut off", name, recording->word[w].text);
        for (int other = 0; other < w; other++)
            if (recording_meet(box, recording->word[other].box))
                fail_msg("%s: '%s' lies over '%s'", name, recording->word[w].text,
                         recording->word[other].text);
    }
}
