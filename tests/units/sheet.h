/* sheet.h - a canvas of pixels that notes what is drawn on it: words with the room they
 * take, lines, boxes. So a test can say what no word may do: lie outside of the
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
    Box box; /* empty where it slopes or stands upright */
    Style style;
} SheetWord;

typedef struct {
    Point from, to; /* the first and the last */
    Stroke stroke;
} SheetLine;

typedef struct {
    Box box;
    Color color;
    bool hatched;
} SheetBox;

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Sheet * */
    Arena *arena;
    Canvas *letters; /* which measures; NULL: all letters are of one width */
    double width, height;
    SheetWord *word;
    SheetLine *line;
    SheetBox *box;
    int words, lines, boxes;
    int word_capacity, line_capacity, box_capacity;
} Sheet;

static inline bool sheet_begin(Canvas *canvas, double width, double height,
                               Error *error) {
    Sheet *sheet = (Sheet *)canvas;
    (void)error;
    sheet->width = width;
    sheet->height = height;
    return width > 0 && height > 0;
}

static inline void sheet_note_box(Canvas *canvas, SheetBox box) {
    Sheet *sheet = (Sheet *)canvas;
    ARENA_GROW(sheet->arena, sheet->box, sheet->boxes, sheet->box_capacity);
    sheet->box[sheet->boxes++] = box;
}

static inline void sheet_fill(Canvas *canvas, Box box, Color color) {
    sheet_note_box(canvas, (SheetBox){box, color, false});
}

static inline void sheet_hatch(Canvas *canvas, Box box) {
    sheet_note_box(canvas, (SheetBox){.box = box, .hatched = true});
}

static inline void sheet_line(Canvas *canvas, const Point *point, int count,
                              Stroke stroke) {
    Sheet *sheet = (Sheet *)canvas;
    ARENA_GROW(sheet->arena, sheet->line, sheet->lines, sheet->line_capacity);
    sheet->line[sheet->lines++] = (SheetLine){point[0], point[count - 1], stroke};
}

static inline double sheet_measure(Canvas *canvas, Style style, const char *text) {
    Canvas *letters = ((Sheet *)canvas)->letters;
    if (letters) return letters->measure(letters, style, text);
    return SHEET_CELL * unicode_width(text) * (style.size > 0 ? style.size : 1);
}

static inline void sheet_text(Canvas *canvas, Point at, Style style, const char *text) {
    Sheet *sheet = (Sheet *)canvas;
    double width = sheet_measure(canvas, style, text);
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    double height = SHEET_LINE * 0.7 * (style.size > 0 ? style.size : 1);
    Box box = {at.x - part * width, at.y - height / 2, width, height};
    if (style.angle != 0) box = (Box){at.x, at.y, 0, 0};
    ARENA_GROW(sheet->arena, sheet->word, sheet->words, sheet->word_capacity);
    sheet->word[sheet->words++] = (SheetWord){
        arena_copy(sheet->arena, text, strlen(text)), at, width, box, style};
}

static inline Sheet *sheet_new(Arena *arena) {
    Sheet *sheet = ARENA_ARRAY(arena, Sheet, 1);
    sheet->arena = arena;
    sheet->canvas = (Canvas){.arena = arena,
                             .metrics = {.line = SHEET_LINE,
                                         .letter = SHEET_CELL,
                                         .gap = 8,
                                         .margin = 18,
                                         .colors = true},
                             .begin = sheet_begin,
                             .fill = sheet_fill,
                             .hatch = sheet_hatch,
                             .line = sheet_line,
                             .text = sheet_text,
                             .measure = sheet_measure};
    return sheet;
}

/* The figure on a new sheet, in `arena`; NULL and an error where it cannot be drawn. */
static inline Sheet *sheet_try(const Figure *figure, Arena *arena, Error *error) {
    Sheet *sheet = sheet_new(arena);
    Work work = {
        .figure = figure, .canvas = &sheet->canvas, .arena = arena, .whole = true};
    return figure_draw(&work, error) ? sheet : NULL;
}

static inline Sheet *sheet_of(const Figure *figure, Arena *arena) {
    Error error;
    Sheet *sheet = sheet_try(figure, arena, &error);
    if (!sheet) fail_msg("%s", error.message);
    return sheet;
}

/* The `i`-th word that reads so, or NULL. */
static inline const SheetWord *sheet_find(const Sheet *sheet, const char *text, int i) {
    for (int w = 0; w < sheet->words; w++)
        if (strcmp(sheet->word[w].text, text) == 0 && i-- == 0) return &sheet->word[w];
    return NULL;
}

static inline double sheet_middle(const SheetWord *word) {
    assert_non_null(word);
    return word->box.y + word->box.height / 2;
}

static inline bool sheet_meet(Box a, Box b) {
    const double rounding = 0.01;
    return a.x + a.width > b.x + rounding && b.x + b.width > a.x + rounding &&
           a.y + a.height > b.y + rounding && b.y + b.height > a.y + rounding;
}

/* Every word lies within the picture, and none over another. */
static inline void sheet_check(const Sheet *sheet, const char *name) {
    for (int w = 0; w < sheet->words; w++) {
        Box box = sheet->word[w].box;
        if (box.x < 0 || box.y < 0 || box.x + box.width > sheet->width ||
            box.y + box.height > sheet->height)
            fail_msg("%s: '%s' is cut off", name, sheet->word[w].text);
        for (int other = 0; other < w; other++)
            if (sheet_meet(box, sheet->word[other].box))
                fail_msg("%s: '%s' lies over '%s'", name, sheet->word[w].text,
                         sheet->word[other].text);
    }
}
