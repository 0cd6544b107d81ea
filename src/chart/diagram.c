#include "chart/diagram.h"

#include <assert.h>
#include <math.h>

#include "canvas/palette.h"
#include "text/unicode.h"

/* Pixels. */
static const double pad = 12;  /* beside label and shape */
static const double rise = 18; /* between two boxes */
static const double rail = 30; /* beside the boxes of a frame, for lines around them */
static const double edge = 12; /* between the boxes of a frame and its other side */
static const double gutter = 76;  /* between two frames */
static const double head = 4.5;   /* of an arrow */
static const double between = 16; /* between label and shape */
static const double part = 0.5;   /* lines are in the middle of a pixel */

/* Cells: beside a frame for the mark, between two columns for arrows, and before a
 * label for the line that goes around boxes. */
enum { MARK = 2, GUTTER = 8, RAIL = 3, EDGE = 2, EDGES = 2 * EDGE, RAILS_AT = 7 };

/* The colors of Figure 1, by kind. */
static const Color colors[DIAGRAM_KINDS] = {
    [DIAGRAM_GIVEN] = {1, 1, 1},
    [DIAGRAM_EMBEDDING] = {0.99, 0.88, 0.88},
    [DIAGRAM_POSITION] = {0.94, 0.94, 0.94},
    [DIAGRAM_ATTENTION] = {1, 0.88, 0.73},
    [DIAGRAM_FEED_FORWARD] = {0.76, 0.91, 0.97},
    [DIAGRAM_NORM] = {0.95, 0.96, 0.76},
    [DIAGRAM_RECURRENT] = {0.87, 0.92, 0.80},
    [DIAGRAM_JOINED] = {0.95, 0.90, 0.98},
    [DIAGRAM_LINEAR] = {0.86, 0.88, 0.95},
    [DIAGRAM_SOFTMAX] = {0.80, 0.92, 0.83},
};
static const Color paper_of_frame = {0.965, 0.965, 0.965};

static const Style shape_style = {.size = 0.92};
static const Stroke plain = {.width = 1};
static const Stroke strong = {.width = 2.6};

int diagram_columns(const Diagram *diagram) {
    int columns = 0;
    for (int b = 0; b < diagram->count; b++)
        if (diagram->box[b].column >= columns) columns = diagram->box[b].column + 1;
    assert(columns <= DIAGRAM_COLUMNS);
    return columns;
}

int diagram_next(const Diagram *diagram, int box, int step) {
    int column = diagram->box[box].column;
    for (int b = box + step; b >= 0 && b < diagram->count; b += step)
        if (diagram->box[b].column == column) return b;
    return -1;
}

/* Indent a label, to leave room for a line around boxes of its column. */
static int indent_of(const Diagram *diagram, const DiagramBox *box) {
    for (int b = 0; b < diagram->count && box->framed; b++)
        if (diagram->box[b].column == box->column &&
            diagram->box[b].bypass != BYPASS_NONE)
            return RAIL;
    return 0;
}

/* Place the boxes of a column, whose frame is `width` wide, from `top` downward; return
 * where it ends. Lines around boxes are on the outer side: left in the first column,
 * right in the second. */
static double place_column(DiagramLayout *layout, const Metrics *metrics, int column,
                           double left, double width, double top) {
    const Diagram *diagram = layout->diagram;
    bool grid = metrics->characters;
    double gap = grid ? 0 : rise;
    double foot = grid; /* the lower edge of a frame is a row of letters */
    Box *frame = &layout->frame[column];
    Box place = {.x = left + (grid          ? EDGE
                              : column == 0 ? rail
                                            : edge),
                 .y = top,
                 .width = width - (grid ? EDGES : rail + edge)};
    bool inside = false;
    for (int b = diagram->count - 1; b >= 0; b--) {
        const DiagramBox *box = &diagram->box[b];
        if (box->column != column) continue;
        if (box->framed && !inside) {
            int lines = 1 + (diagram->frame[column].note != NULL) +
                        (diagram->frame[column].here != NULL);
            *frame = (Box){left, place.y, width, 0};
            place.y += lines * metrics->line + gap;
        } else if (!box->framed && inside) {
            frame->height = place.y + foot - frame->y;
            place.y += foot + gap;
        }
        inside = box->framed;
        place.height = round(1.45 * metrics->line);
        if (grid)
            place.height = unicode_width(box->label) + 1 + unicode_width(box->shape) >
                                   place.width - indent_of(diagram, box)
                               ? 2
                               : 1;
        layout->box[b] = place;
        /* In text only arrows out of a frame get a row, so that a map fits on one
         * screen. */
        int below = diagram_next(diagram, b, -1);
        bool stands_on_frame = !box->framed && below >= 0 && diagram->box[below].framed;
        place.y += place.height + (grid ? stands_on_frame : rise);
    }
    if (!inside) return place.y - gap;
    frame->height = place.y + foot - frame->y;
    return place.y + foot;
}

/* Move the columns down until their frames end at the same height, since all stacks
 * start the same way. `height` is per column; the layout gets the largest. */
static void align_columns(DiagramLayout *layout, const double *height) {
    int columns = diagram_columns(layout->diagram);
    double lowest = 0;
    for (int c = 0; c < columns; c++)
        lowest = fmax(lowest, layout->frame[c].y + layout->frame[c].height);
    for (int c = 0; c < columns; c++) {
        double down = lowest - layout->frame[c].y - layout->frame[c].height;
        layout->frame[c].y += down;
        for (int b = 0; b < layout->diagram->count; b++)
            if (layout->diagram->box[b].column == c) layout->box[b].y += down;
        layout->height = fmax(layout->height, height[c] + down);
    }
}

/* A layout being drawn. */
typedef struct {
    const DiagramLayout *layout;
    Canvas *canvas;
    Point at;
    unsigned char *ends; /* for each cell: the neighbors that lines lead to */
} Drawing;

static void write(const Drawing *drawing, double x, double y, Style style,
                  const char *text) {
    drawing->canvas->text(drawing->canvas,
                          (Point){drawing->at.x + x, drawing->at.y + y}, style, text);
}

static void line(const Drawing *drawing, const Point *point, int count, Stroke stroke) {
    enum { POINTS_MAX = 4 };
    Point moved[POINTS_MAX];
    for (int i = 0; i < count; i++)
        moved[i] = (Point){floor(drawing->at.x + point[i].x) + part,
                           floor(drawing->at.y + point[i].y) + part};
    drawing->canvas->line(drawing->canvas, moved, count, stroke);
}

static void filled_box(const Drawing *drawing, Box box, Color color, Stroke stroke) {
    Canvas *canvas = drawing->canvas;
    double left = floor(drawing->at.x + box.x) + part;
    double top = floor(drawing->at.y + box.y) + part;
    double right = floor(drawing->at.x + (box.x + box.width)) + part;
    double bottom = floor(drawing->at.y + (box.y + box.height)) + part;
    box.x += drawing->at.x;
    box.y += drawing->at.y;
    canvas->fill(canvas, box, theme_color(canvas->theme, color));
    canvas_outline(canvas, (Box){left, top, right - left, bottom - top}, 0, stroke);
}

/* Draw an arrow along the points. */
static void arrow(const Drawing *drawing, const Point *point, int count) {
    Point end = point[count - 1];
    Point before = point[count - 2];
    double length = hypot(end.x - before.x, end.y - before.y);
    Point along = {(end.x - before.x) / length, (end.y - before.y) / length};
    const Point tip[] = {
        {end.x - head * (1.4 * along.x - along.y),
         end.y - head * (1.4 * along.y + along.x)},
        end,
        {end.x - head * (1.4 * along.x + along.y),
         end.y - head * (1.4 * along.y - along.x)},
    };
    line(drawing, point, count, plain);
    line(drawing, tip, 3, plain);
}

static void draw_frame(const Drawing *drawing, int column) {
    const Box *frame = &drawing->layout->frame[column];
    const DiagramFrame *words = &drawing->layout->diagram->frame[column];
    double x = frame->x + (column == 0 ? rail : edge);
    double high = drawing->canvas->metrics.line;
    double row = frame->y + 4 + high / 2;
    filled_box(drawing, *frame, paper_of_frame,
               (Stroke){.color = color_grey, .width = 1});
    write(drawing, x, row, (Style){.bold = true}, words->title);
    if (words->note) write(drawing, x, row += high, (Style){0}, words->note);
    if (words->here) write(drawing, x, row + high, (Style){.bold = true}, words->here);
}

static void draw_picture(const DiagramLayout *layout, Canvas *canvas, Point at) {
    const Diagram *diagram = layout->diagram;
    const Drawing drawing = {layout, canvas, at, NULL};
    for (int c = 0; c < diagram_columns(diagram); c++) draw_frame(&drawing, c);
    for (int b = 0; b < diagram->count; b++) { /* up into a box, from the one below */
        const Box *box = &layout->box[b];
        double middle = box->x + box->width / 2;
        int below = diagram_next(diagram, b, -1);
        if (below >= 0)
            arrow(&drawing,
                  (Point[]){{middle, layout->box[below].y},
                            {middle, box->y + box->height}},
                  2);
    }
    /* Around the boxes below: the line branches off just above the box where it starts,
     * or just inside the frame. */
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *drawn = &diagram->box[b];
        if (drawn->bypass == BYPASS_NONE) continue;
        const Box *box = &layout->box[b];
        const Box *frame = &layout->frame[drawn->column];
        bool left = drawn->column == 0;
        double middle = box->x + box->width / 2;
        double from = drawn->bypass == BYPASS_ENTRY
                          ? frame->y + frame->height - rise / 2
                          : layout->box[drawn->bypass].y - rise / 2;
        double x = left ? frame->x + rail / 2 : frame->x + frame->width - rail / 2;
        double to = box->y + box->height / 2;
        double side = left ? box->x : box->x + box->width;
        arrow(&drawing, (Point[]){{middle, from}, {x, from}, {x, to}, {side, to}}, 4);
    }
    /* From the side of the encoder's last box to the side of the decoder's box. */
    for (int a = 0; a < diagram->arrows; a++) {
        enum { APART = 12 };
        const DiagramArrow *of = &diagram->arrow[a];
        const Box *from = &layout->box[of->from];
        const Box *to = &layout->box[of->to];
        double y = from->y + from->height / 2;
        double end = to->y + to->height / 2;
        double x = layout->frame[0].x + layout->frame[0].width + APART * (a + 1);
        arrow(&drawing,
              (Point[]){{from->x + from->width, y}, {x, y}, {x, end}, {to->x, end}}, 4);
        write(&drawing, layout->frame[1].x - 4, end - canvas->metrics.line / 2,
              (Style){.size = 0.85, .align = ALIGN_END}, of->label);
    }
    for (int b = 0; b < diagram->count; b++) {
        const Box *box = &layout->box[b];
        const DiagramBox *drawn = &diagram->box[b];
        double row = box->y + box->height / 2;
        Style shape = shape_style;
        shape.align = ALIGN_END;
        filled_box(&drawing, *box, colors[drawn->kind],
                   drawn->is_here ? strong : plain);
        write(&drawing, box->x + pad, row, (Style){.bold = drawn->is_here},
              drawn->label);
        write(&drawing, box->x + box->width - pad, row, shape, drawn->shape);
    }
}

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8, WAYS = 16 };

/* The box-drawing character that connects lines from these sides. */
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

static void add_end(const Drawing *drawing, int x, int y, int end) {
    int width = (int)drawing->layout->width;
    if (x < 0 || y < 0 || x >= width || y >= (int)drawing->layout->height) return;
    unsigned char *ends = &drawing->ends[y * width + x];
    *ends = (unsigned char)(*ends | end);
}

/* Draw a line between cells, horizontally in row `y` or vertically in column `x`. */
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

static int right_of(const Box *frame) {
    return (int)(frame->x + frame->width) - 1;
}

/* Draw frames and the lines between boxes, joined where they meet. */
static void draw_lines(const Drawing *drawing) {
    const DiagramLayout *layout = drawing->layout;
    const Diagram *diagram = layout->diagram;
    for (int c = 0; c < diagram_columns(diagram); c++) {
        const Box *frame = &layout->frame[c];
        int left = (int)frame->x;
        int top = (int)frame->y;
        int bottom = top + (int)frame->height - 1;
        add_level(drawing, top, left, right_of(frame));
        add_level(drawing, bottom, left, right_of(frame));
        add_upright(drawing, left, top, bottom);
        add_upright(drawing, right_of(frame), top, bottom);
    }
    /* "├▶" where a line goes around the boxes below. */
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *box = &diagram->box[b];
        const Box *frame = &layout->frame[box->column];
        if (box->bypass == BYPASS_NONE) continue;
        int x = (int)layout->box[b].x;
        int y = (int)layout->box[b].y;
        bool enters = box->bypass == BYPASS_ENTRY;
        int from = enters ? (int)(frame->y + frame->height) - 1
                          : (int)layout->box[box->bypass].y;
        add_upright(drawing, x, from, y);
        add_level(drawing, y, x, x + 1);
        if (!enters) add_level(drawing, from, x, x + 1);
    }
    /* From the right edge of the first column to the left edge of the second, or, if
     * that one is above, around to its right edge. */
    for (int a = 0; a < diagram->arrows; a++) {
        int from = (int)layout->box[diagram->arrow[a].from].y;
        int to = (int)layout->box[diagram->arrow[a].to].y;
        int side = right_of(&layout->frame[0]);
        int x = side + 1 + a + (layout->is_above ? RAILS_AT - 1 : 0);
        add_level(drawing, from, side, x);
        add_upright(drawing, x, from, to);
        add_level(drawing, to, x, layout->is_above ? side + 2 : side + GUTTER);
    }
    int width = (int)layout->width;
    for (int row = 0; row < (int)layout->height; row++)
        for (int column = 0; column < width; column++) {
            const char *joint = joints[drawing->ends[row * width + column]];
            if (joint) write(drawing, column, row, (Style){0}, joint);
        }
}

static void write_box(const Drawing *drawing, int b) {
    const DiagramLayout *layout = drawing->layout;
    const DiagramBox *box = &layout->diagram->box[b];
    const Box *place = &layout->box[b];
    int indent = indent_of(layout->diagram, box);
    int room = (int)place->width - indent;
    Style style = {.bold = box->is_here};
    const char *shape = unicode_cut(box->shape, room, drawing->canvas->arena);
    write(drawing, place->x + indent, place->y, style,
          unicode_cut(box->label, room, drawing->canvas->arena));
    write(drawing, place->x + place->width - unicode_width(shape),
          place->y + place->height - 1, style, shape);
    if (box->bypass != BYPASS_NONE)
        write(drawing, place->x + 1, place->y, (Style){0}, "▶");
    if (!box->is_here) return;
    const Box *frame = &layout->frame[box->column];
    bool right = box->column == 1 && !layout->is_above;
    write(drawing, right ? right_of(frame) + MARK : frame->x - MARK, place->y, style,
          right ? "◀" : "▶");
}

static void draw_text(const DiagramLayout *layout, Canvas *canvas, Point at) {
    const Diagram *diagram = layout->diagram;
    Arena *arena = canvas->arena;
    int cells = (int)layout->width * (int)layout->height;
    const Drawing drawing = {layout, canvas, at,
                             ARENA_ARRAY(arena, unsigned char, cells)};
    draw_lines(&drawing);
    for (int c = 0; c < diagram_columns(diagram); c++) {
        const Box *frame = &layout->frame[c];
        const DiagramFrame *words = &diagram->frame[c];
        int room = (int)frame->width - EDGES;
        const char *title =
            arena_print(arena, " %s ", unicode_cut(words->title, room, arena));
        double middle = (int)(frame->x + (frame->width - unicode_width(title)) / 2);
        double row = frame->y + 1;
        write(&drawing, middle, frame->y, (Style){0}, title);
        if (words->note)
            write(&drawing, frame->x + EDGE, row++, (Style){0},
                  unicode_cut(words->note, room, arena));
        if (words->here)
            write(&drawing, frame->x + EDGE, row, (Style){.bold = true},
                  unicode_cut(words->here, room, arena));
    }
    for (int a = 0; a < diagram->arrows; a++) {
        const char *label = diagram->arrow[a].label;
        int side = right_of(&layout->frame[0]);
        double row = layout->box[diagram->arrow[a].to].y;
        bool above = layout->is_above;
        write(&drawing, side + (above ? 1 : GUTTER), row, (Style){0},
              above ? "◀" : "▶");
        write(&drawing, side + (above ? 2 : GUTTER - 1 - unicode_width(label)), row,
              (Style){0}, label);
    }
    for (int b = 0; b < diagram->count; b++) write_box(&drawing, b);
    for (int b = 0; b < diagram->count; b++) { /* into the frame and out of it */
        const Box *place = &layout->box[b];
        int below = diagram_next(diagram, b, -1);
        if (below >= 0 && diagram->box[b].framed != diagram->box[below].framed)
            write(&drawing, (int)(place->x + place->width / 2),
                  place->y + place->height, (Style){0}, "▲");
    }
}

/* Return the width of a text column with label and shape on one line, or on two. */
static int column_width(const Diagram *diagram, bool in_one_line) {
    int max = 0;
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *box = &diagram->box[b];
        int label = unicode_width(box->label);
        int shape = unicode_width(box->shape);
        int words = in_one_line ? label + 1 + shape : label > shape ? label : shape;
        int width = indent_of(diagram, box) + words;
        if (width > max) max = width;
    }
    for (int column = 0; column < diagram_columns(diagram); column++) {
        int title = unicode_width(diagram->frame[column].title);
        if (title > max) max = title;
    }
    return max + EDGES;
}

static void plan_text(DiagramLayout *layout, const Metrics *metrics) {
    const Diagram *diagram = layout->diagram;
    int max = (int)metrics->max;
    int natural = column_width(diagram, true);
    int half = (max - GUTTER) / 2 - MARK;
    layout->draw = draw_text;
    if (diagram_columns(diagram) == 1) {
        int width = (int)fmin(natural, max - MARK);
        layout->height = place_column(layout, metrics, 0, MARK, width, 0);
        layout->width = MARK + width;
    } else if (column_width(diagram, false) <= half) {
        int width = (int)fmin(natural, half);
        int second = MARK + width + GUTTER;
        const double height[DIAGRAM_COLUMNS] = {
            place_column(layout, metrics, 0, MARK, width, 0),
            place_column(layout, metrics, 1, second, width, 0)};
        align_columns(layout, height);
        layout->width = second + width + MARK;
    } else {
        int width = (int)fmin(natural, max - MARK - GUTTER - 1);
        double bottom = place_column(layout, metrics, 1, MARK, width, 0);
        layout->height = place_column(layout, metrics, 0, MARK, width, bottom + 1);
        layout->width = MARK + width + GUTTER + 1;
        layout->is_above = true;
    }
}

DiagramLayout diagram_plan(const Diagram *diagram, Canvas *canvas) {
    int columns = diagram_columns(diagram);
    DiagramLayout layout = {.diagram = diagram,
                            .draw = draw_picture,
                            .box = ARENA_ARRAY(canvas->arena, Box, diagram->count)};
    if (canvas->metrics.characters) {
        plan_text(&layout, &canvas->metrics);
        return layout;
    }
    /* Both columns have the same width. The words of a frame are to the left of the
     * line through the middle. */
    double max = 0;
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *box = &diagram->box[b];
        const Style label = {.bold = box->is_here};
        double width = canvas->measure(canvas, label, box->label) + between +
                       canvas->measure(canvas, shape_style, box->shape);
        max = fmax(max, width);
    }
    max = ceil(max) + 2 * pad;
    for (int c = 0; c < columns; c++) {
        const DiagramFrame *frame = &diagram->frame[c];
        const char *const words[] = {frame->title, frame->note, frame->here};
        for (int w = 0; w < 3; w++)
            if (words[w])
                max = fmax(
                    max, 2 * (canvas->measure(canvas, (Style){.bold = true}, words[w]) +
                              pad));
    }
    double frame = rail + max + edge;
    double apart = gutter * canvas_growth(canvas);
    double height[DIAGRAM_COLUMNS] = {0};
    for (int c = 0; c < columns; c++)
        height[c] =
            place_column(&layout, &canvas->metrics, c, c * (frame + apart), frame, 0);
    align_columns(&layout, height);
    /* One more for the line along the right and the lower edge. */
    layout.width = columns * frame + (columns - 1) * apart + 1;
    layout.height += 1;
    return layout;
}
