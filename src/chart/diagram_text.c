/* A diagram in letters, whose lines are box-drawing letters: where lines meet stands
 * the letter that joins them. */
#include "chart/diagram.h"
#include "text/unicode.h"

/* Cells: beside a frame for the mark, between two columns for arrows, and in front of
 * a label for the line that goes around boxes. */
enum { MARK = 2, GUTTER = 8, RAIL = 3, EDGE = 2, EDGES = 2 * EDGE, RAILS_AT = 7 };

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, WAYS = 16 };

static const char *const joints[WAYS] = {
    [UP] = "│",
    [DOWN] = "│",
    [UP | DOWN] = "│",
    [LEFT] = "─",
    [RIGHT] = "─",
    [LEFT | RIGHT] = "─",
    [UP | LEFT] = "┘",
    [DOWN | LEFT] = "┐",
    [UP | RIGHT] = "└",
    [DOWN | RIGHT] = "┌",
    [UP | DOWN | LEFT] = "┤",
    [UP | DOWN | RIGHT] = "├",
    [LEFT | RIGHT | UP] = "┴",
    [LEFT | RIGHT | DOWN] = "┬",
    [UP | DOWN | LEFT | RIGHT] = "┼",
};

static bool has_bypass(const Diagram *diagram, int column) {
    for (int b = 0; b < diagram->count; b++)
        if (diagram->box[b].column == column && diagram->box[b].bypass != BYPASS_NONE)
            return true;
    return false;
}

static int indent_of(const Diagram *diagram, const DiagramBox *box) {
    return box->framed && has_bypass(diagram, box->column) ? RAIL : 0;
}

/* How wide a column is whose boxes have label and shape in one line, or in two. */
static int column_width(const Diagram *diagram, bool in_one_line) {
    int most = 0;
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *box = &diagram->box[b];
        int label = unicode_width(box->label);
        int shape = unicode_width(box->shape);
        int longer = label > shape ? label : shape;
        int width =
            indent_of(diagram, box) + (in_one_line ? label + 1 + shape : longer);
        if (width > most) most = width;
    }
    for (int column = 0; column < diagram_columns(diagram); column++) {
        int title = unicode_width(diagram->frame[column].title);
        if (title > most) most = title;
    }
    return most + EDGES;
}

/* Is it the lowest of the boxes above the frame? An arrow leads up into it; between the
 * others there is none, which keeps a map on one screen. */
static bool stands_on_frame(const Diagram *diagram, int box) {
    int below = diagram_next(diagram, box, -1);
    return !diagram->box[box].framed && below >= 0 && diagram->box[below].framed;
}

/* Place the boxes of a column from `top` on downwards; gives the row below them. */
static int place_column(DiagramLayout *layout, int column, int left, int width,
                        int top) {
    const Diagram *diagram = layout->diagram;
    Box *frame = &layout->frame[column];
    int y = top;
    bool inside = false;
    for (int b = diagram_last(diagram, column); b >= 0;
         b = diagram_next(diagram, b, -1)) {
        const DiagramBox *box = &diagram->box[b];
        if (box->framed && !inside) {
            *frame = (Box){left, y, width, 0};
            y += 1 + (diagram->frame[column].note != NULL) +
                 (diagram->frame[column].here != NULL);
        }
        y += inside && !box->framed;
        if (inside && !box->framed) frame->height = y - frame->y;
        inside = box->framed;
        int room = width - EDGES - indent_of(diagram, box);
        int lines =
            (unicode_width(box->label) + 1 + unicode_width(box->shape) <= room ? 1 : 2);
        layout->box[b] = (Box){left + EDGE, y, width - EDGES, lines};
        y += lines + stands_on_frame(diagram, b);
    }
    if (inside) frame->height = ++y - frame->y;
    return y;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* A layout being drawn. */
typedef struct {
    const DiagramLayout *layout;
    Canvas *canvas;
    Point at;
    unsigned char *ends; /* of each cell: to which of its neighbours a line leads */
} Drawing;

static void add_end(const Drawing *drawing, int x, int y, int end) {
    int width = (int)drawing->layout->width;
    if (x < 0 || y < 0 || x >= width || y >= (int)drawing->layout->height) return;
    unsigned char *ends = &drawing->ends[y * width + x];
    *ends = (unsigned char)(*ends | end);
}

/* A line from cell to cell, level in row `y` or upright in column `x`. */
static void add_level(const Drawing *drawing, int y, int from, int to) {
    int right = from < to ? to : from;
    for (int x = from < to ? from : to; x < right; x++) {
        add_end(drawing, x, y, RIGHT);
        add_end(drawing, x + 1, y, LEFT);
    }
}

static void add_upright(const Drawing *drawing, int x, int from, int to) {
    int bottom = from < to ? to : from;
    for (int y = from < to ? from : to; y < bottom; y++) {
        add_end(drawing, x, y, DOWN);
        add_end(drawing, x, y + 1, UP);
    }
}

static void write(const Drawing *drawing, double x, double y, Style style,
                  const char *text) {
    drawing->canvas->text(drawing->canvas,
                          (Point){drawing->at.x + x, drawing->at.y + y}, style, text);
}

static int right_of(const DiagramLayout *layout, int column) {
    const Box *frame = &layout->frame[column];
    return (int)(frame->x + frame->width) - 1;
}

static void write_arrow(const Drawing *drawing, int a) {
    const DiagramLayout *layout = drawing->layout;
    const DiagramArrow *arrow = &layout->diagram->arrow[a];
    int edge = right_of(layout, 0);
    double row = layout->box[arrow->to].y;
    int width = unicode_width(arrow->label);
    write(drawing, layout->is_above ? edge + 1 : edge + GUTTER, row, (Style){0},
          layout->is_above ? "◀" : "▶");
    write(drawing, layout->is_above ? edge + 2 : edge + GUTTER - 1 - width, row,
          (Style){0}, arrow->label);
}

static void write_box(const Drawing *drawing, int b) {
    const DiagramLayout *layout = drawing->layout;
    const Diagram *diagram = layout->diagram;
    const DiagramBox *box = &diagram->box[b];
    const Box *place = &layout->box[b];
    int indent = indent_of(diagram, box);
    int room = (int)place->width - indent;
    Style style = {.bold = box->is_here};
    write(drawing, place->x + indent, place->y, style,
          unicode_cut(box->label, room, drawing->canvas->arena));
    const char *shape = unicode_cut(box->shape, room, drawing->canvas->arena);
    write(drawing, place->x + place->width - unicode_width(shape),
          place->y + place->height - 1, style, shape);
    if (box->bypass != BYPASS_NONE)
        write(drawing, place->x + 1, place->y, (Style){0}, "▶");
    if (!box->is_here) return;
    bool right = box->column == 1 && !layout->is_above;
    write(drawing,
          right ? right_of(layout, 1) + MARK : layout->frame[box->column].x - MARK,
          place->y, (Style){.bold = true}, right ? "◀" : "▶");
}

static void write_frame(const Drawing *drawing, int column) {
    const Box *frame = &drawing->layout->frame[column];
    const DiagramFrame *words = &drawing->layout->diagram->frame[column];
    int room = (int)frame->width - EDGES;
    const char *title =
        arena_print(drawing->canvas->arena, " %s ",
                    unicode_cut(words->title, room, drawing->canvas->arena));
    write(drawing, (int)(frame->x + (frame->width - unicode_width(title)) / 2),
          frame->y, (Style){0}, title);
    double row = frame->y + 1;
    if (words->note)
        write(drawing, frame->x + EDGE, row++, (Style){0},
              unicode_cut(words->note, room, drawing->canvas->arena));
    if (words->here)
        write(drawing, frame->x + EDGE, row, (Style){.bold = true},
              unicode_cut(words->here, room, drawing->canvas->arena));
}

static void draw(const DiagramLayout *layout, Canvas *canvas, Point at) {
    const Diagram *diagram = layout->diagram;
    int columns = diagram_columns(diagram);
    int width = (int)layout->width;
    int height = (int)layout->height;
    const Drawing drawing = {layout, canvas, at,
                             ARENA_ARRAY(canvas->arena, unsigned char, width *height)};
    for (int c = 0; c < columns; c++) {
        const Box *frame = &layout->frame[c];
        int top = (int)frame->y;
        int bottom = top + (int)frame->height - 1;
        add_level(&drawing, top, (int)frame->x, right_of(layout, c));
        add_level(&drawing, bottom, (int)frame->x, right_of(layout, c));
        add_upright(&drawing, (int)frame->x, top, bottom);
        add_upright(&drawing, right_of(layout, c), top, bottom);
    }
    /* "├▶" where something goes around the boxes below. */
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *box = &layout->diagram->box[b];
        const Box *frame = &layout->frame[box->column];
        if (box->bypass == BYPASS_NONE) continue;
        int rail = (int)layout->box[b].x;
        bool enters = box->bypass == BYPASS_ENTRY;
        int from = enters ? (int)(frame->y + frame->height) - 1
                          : (int)layout->box[box->bypass].y;
        add_upright(&drawing, rail, from, (int)layout->box[b].y);
        add_level(&drawing, (int)layout->box[b].y, rail, rail + 1);
        if (!enters) add_level(&drawing, from, rail, rail + 1);
    }
    /* From the right edge of the first column to the left edge of the second, or where
     * that is above, around to its right edge. */
    for (int a = 0; a < diagram->arrows; a++) {
        const DiagramArrow *arrow = &layout->diagram->arrow[a];
        int from = (int)layout->box[arrow->from].y;
        int to = (int)layout->box[arrow->to].y;
        int edge = right_of(layout, 0);
        int rail = edge + 1 + a + (layout->is_above ? RAILS_AT - 1 : 0);
        int end = layout->is_above ? edge + 2 : edge + GUTTER;
        add_level(&drawing, from, edge, rail);
        add_upright(&drawing, rail, from, to);
        add_level(&drawing, to, rail, end);
    }
    for (int cell = 0; cell < width * height; cell++)
        if (joints[drawing.ends[cell]])
            write(&drawing, cell % width, cell / width, (Style){0},
                  joints[drawing.ends[cell]]);
    for (int c = 0; c < columns; c++) write_frame(&drawing, c);
    for (int a = 0; a < diagram->arrows; a++) write_arrow(&drawing, a);
    for (int b = 0; b < diagram->count; b++) write_box(&drawing, b);
    for (int b = 0; b < diagram->count; b++) { /* into the frame and out of it */
        const Box *place = &layout->box[b];
        int below = diagram_next(diagram, b, -1);
        bool is_lowest =
            diagram->box[b].framed && below >= 0 && !diagram->box[below].framed;
        if (is_lowest || stands_on_frame(diagram, b))
            write(&drawing, (int)(place->x + place->width / 2),
                  place->y + place->height, (Style){0}, "▲");
    }
}

DiagramLayout diagram_plan_text(const Diagram *diagram, Canvas *canvas) {
    DiagramLayout layout = {.diagram = diagram, .draw = draw};
    layout.box = ARENA_ARRAY(canvas->arena, Box, diagram->count);
    int most = (int)canvas->metrics.most;
    int wanted = column_width(diagram, true);
    int half = (most - GUTTER) / 2 - MARK;
    if (diagram_columns(diagram) == 1) {
        int width = smaller(wanted, most - MARK);
        layout.height = place_column(&layout, 0, MARK, width, 0);
        layout.width = MARK + width;
    } else if (column_width(diagram, false) <= half) {
        int width = smaller(wanted, half);
        int second = MARK + width + GUTTER;
        const double height[DIAGRAM_COLUMNS] = {
            place_column(&layout, 0, MARK, width, 0),
            place_column(&layout, 1, second, width, 0)};
        diagram_align(&layout, height);
        layout.width = second + width + MARK;
    } else {
        int width = smaller(wanted, most - MARK - GUTTER - 1);
        int bottom = place_column(&layout, 1, MARK, width, 0);
        layout.height = place_column(&layout, 0, MARK, width, bottom + 1);
        layout.width = MARK + width + GUTTER + 1;
        layout.is_above = true;
    }
    return layout;
}
