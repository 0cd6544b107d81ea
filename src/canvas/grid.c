#include "canvas/canvas.h"

#include <math.h>
#include <string.h>

#include "canvas/palette.h"
#include "text/unicode.h"

enum { BRAILLE = 0x2800 };

typedef struct {
    const char *letter; /* a grapheme inside a text; NULL: a space */
    unsigned char length;
    unsigned char dots; /* Braille dots, used without a letter */
    bool covered;       /* the second half of the wide letter before it */
    bool has_ink, has_paper, bold, faint;
    Color ink, paper;
} Cell;

typedef struct {
    Canvas canvas; /* first, so that a Canvas * is also a Grid * */
    Colors colors;
    int width, height;
    Cell *cell;
} Grid;

static bool begin(Canvas *canvas, double width, double height, Error *error) {
    Grid *grid = (Grid *)canvas;
    if (width * height > GRID_CELLS_MAX)
        return fail(error,
                    "the figure would have %.0f x %.0f characters, but the limit is "
                    "%d; choose a part of the tensor",
                    width, height, GRID_CELLS_MAX);
    grid->width = (int)ceil(width);
    grid->height = (int)ceil(height);
    grid->cell = ARENA_ARRAY(grid->canvas.arena, Cell, grid->width * grid->height + 1);
    return true;
}

static Cell *cell_at(Grid *grid, int column, int row) {
    bool inside = column >= 0 && row >= 0 && column < grid->width && row < grid->height;
    return inside ? &grid->cell[row * grid->width + column] : NULL;
}

/* Half of a wide letter cannot be shown, so clear its other half as well. */
static void clear(Grid *grid, int column, int row) {
    Cell *cell = cell_at(grid, column, row);
    Cell *before = cell_at(grid, column - 1, row);
    Cell *after = cell_at(grid, column + 1, row);
    if (cell->covered && before) before->letter = NULL;
    if (after && after->covered) after->covered = false;
    cell->letter = NULL;
    cell->covered = false;
    cell->dots = 0;
}

static void put(Grid *grid, int column, int row, const char *letter, Style style) {
    int length = unicode_grapheme(letter);
    char one[64];
    if (length <= 0 || length >= (int)sizeof one) return;
    memcpy(one, letter, (size_t)length);
    one[length] = '\0';
    int width = unicode_width(one);
    if (width < 1) return;
    if (!cell_at(grid, column, row) || !cell_at(grid, column + width - 1, row)) return;
    for (int i = 0; i < width; i++) clear(grid, column + i, row);
    for (int i = 0; i < width; i++) {
        Cell *cell = cell_at(grid, column + i, row);
        cell->covered = i > 0;
        cell->bold = style.bold;
        cell->faint = style.faint;
        cell->has_ink = style.color != NULL;
        if (style.color) cell->ink = *style.color;
    }
    Cell *cell = cell_at(grid, column, row);
    cell->letter = letter;
    cell->length = (unsigned char)length;
}

static void fill(Canvas *canvas, Box box, Color color) {
    Grid *grid = (Grid *)canvas;
    if (!grid->colors) return;
    for (int row = (int)box.y; row < (int)(box.y + box.height); row++)
        for (int column = (int)box.x; column < (int)(box.x + box.width); column++) {
            Cell *cell = cell_at(grid, column, row);
            if (!cell) continue;
            cell->has_paper = true;
            cell->paper = color;
        }
}

static void hatch(Canvas *canvas, Box box) {
    Grid *grid = (Grid *)canvas;
    /* A leading space separates hatched cells, if there is room for one. */
    int from = (int)box.x + (box.width > 3);
    Style style = {.color = &color_grey};
    for (int row = (int)box.y; row < (int)(box.y + box.height); row++)
        for (int column = from; column < (int)(box.x + box.width); column++)
            put(grid, column, row, "╱", style);
}

static double measure(Canvas *canvas, Style style, const char *text) {
    (void)canvas;
    if (style.angle == 0) return unicode_width(text);
    int letters = 0;
    for (; *text; text += unicode_grapheme(text)) letters++;
    return letters;
}

static void text(Canvas *canvas, Point at, Style style, const char *text) {
    Grid *grid = (Grid *)canvas;
    text = arena_copy(grid->canvas.arena, text, strlen(text));
    if (style.angle != 0) {
        int row = (int)at.y;
        /* In a picture vertical text is read from the bottom up, so its end is at the
         * top. */
        if (style.align != ALIGN_END) row -= (int)measure(canvas, style, text);
        for (; *text; text += unicode_grapheme(text))
            put(grid, (int)floor(at.x - 0.5), row++, text, style);
        return;
    }
    double part = style.align == ALIGN_END ? 1 : style.align == ALIGN_MIDDLE ? 0.5 : 0;
    int column = (int)floor(at.x - part * unicode_width(text));
    while (*text) {
        int length = unicode_grapheme(text);
        const char *letter = arena_copy(grid->canvas.arena, text, (size_t)length);
        put(grid, column, (int)at.y, letter, style);
        column += unicode_width(letter);
        text += length;
    }
}

static void rule(Grid *grid, Point from, Point to) {
    bool level = fabs(to.x - from.x) > fabs(to.y - from.y);
    int steps = (int)fmax(fabs(to.x - from.x), fabs(to.y - from.y));
    Style style = {.color = &color_grey};
    for (int i = 0; i < steps; i++) {
        int column = (int)(level ? fmin(from.x, to.x) + i : from.x);
        int row = (int)(level ? from.y : fmin(from.y, to.y) + i);
        put(grid, column, row, level ? "─" : "│", style);
    }
}

static void curve(Grid *grid, Point from, Point to, const Stroke *stroke) {
    static const unsigned char bit[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    int steps = 1 + (int)fmax(2 * fabs(to.x - from.x), 4 * fabs(to.y - from.y));
    for (int i = 0; i <= steps; i++) {
        double part = (double)i / steps;
        Point at = {from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)};
        int column = (int)floor(at.x);
        int row = (int)floor(at.y);
        Cell *cell = cell_at(grid, column, row);
        if (!grid->colors) {
            put(grid, column, row, stroke->mark, (Style){0});
        } else if (cell && (!cell->letter || cell->length != 1)) { /* a dot */
            int x = (int)((at.x - column) * 2);
            int y = (int)((at.y - row) * 4);
            cell->letter = NULL;
            cell->dots = (unsigned char)(cell->dots | bit[y][x]);
            cell->has_ink = true;
            cell->ink = stroke->color;
        }
    }
}

static void line(Canvas *canvas, const Point *point, int count, Stroke stroke) {
    Grid *grid = (Grid *)canvas;
    if (stroke.mark && count == 1) curve(grid, point[0], point[0], &stroke);
    for (int i = 1; i < count; i++)
        if (stroke.mark)
            curve(grid, point[i - 1], point[i], &stroke);
        else
            rule(grid, point[i - 1], point[i]);
}

Canvas *grid_new(Arena *arena, int max, Colors colors) {
    Grid *grid = ARENA_ARRAY(arena, Grid, 1);
    grid->canvas = (Canvas){
        .metrics = {.line = 1,
                    .letter = 1,
                    .gap = 1,
                    .max = max,
                    .characters = true,
                    .colors = colors != COLORS_NONE},
        .arena = arena,
        .begin = begin,
        .fill = fill,
        .hatch = hatch,
        .line = line,
        .text = text,
        .measure = measure,
    };
    grid->colors = colors;
    return &grid->canvas;
}

static int color_of(Color color, Colors colors) {
    if (colors == COLORS_256) return palette_terminal(color);
    return (int)lrint(color.red * 255) << 16 | (int)lrint(color.green * 255) << 8 |
           (int)lrint(color.blue * 255);
}

void grid_write(const Canvas *canvas, Styled *lines) {
    const Grid *grid = (const Grid *)canvas;
    for (int row = 0; row < grid->height; row++) {
        const Cell *cells = grid->cell + row * grid->width;
        int width = grid->width;
        for (; width > 0; width--) {
            const Cell *cell = &cells[width - 1];
            bool space = !cell->letter || (cell->length == 1 && *cell->letter == ' ');
            if (!space || cell->dots || cell->covered || cell->has_paper) break;
        }
        for (const Cell *cell = cells; cell < cells + width; cell++) {
            if (cell->covered) continue;
            Look look = look_plain;
            look.bold = cell->bold;
            look.faint = cell->faint;
            if (cell->has_ink) look.ink = color_of(cell->ink, grid->colors);
            if (cell->has_paper) look.paper = color_of(cell->paper, grid->colors);
            if (grid->colors) styled_look(lines, look);
            char dots[8];
            if (cell->letter)
                build_bytes(&lines->text, cell->letter, cell->length);
            else if (cell->dots)
                build_bytes(&lines->text, dots,
                            (size_t)unicode_encode(BRAILLE + cell->dots, dots));
            else
                build_text(&lines->text, " ");
        }
        styled_add(lines, look_plain, "\n");
    }
}
