#include "chart/diagram.h"

#include <math.h>

#include "canvas/palette.h"

/* Pixels. */
static const double pad = 12;     /* beside label and shape */
static const double rise = 18;    /* between two boxes */
static const double rail = 30;    /* beside the boxes of a frame, for lines around */
static const double edge = 12;    /* between the boxes of a frame and its other side */
static const double gutter = 76;  /* between two frames */
static const double head = 4.5;   /* of an arrow */
static const double between = 16; /* from label to shape */
static const double part = 0.5;   /* lines lie on the middle of a pixel */

/* The colours of Figure 1, by kind. */
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

static const Style title_style = {.bold = true};
static const Style shape_style = {.size = 0.92};
static const Style arrow_style = {.size = 0.85};

int diagram_columns(const Diagram *diagram) {
    int columns = 0;
    for (int b = 0; b < diagram->count; b++)
        if (diagram->box[b].column >= columns) columns = diagram->box[b].column + 1;
    return columns;
}

int diagram_next(const Diagram *diagram, int box, int step) {
    int column = diagram->box[box].column;
    for (int b = box + step; b >= 0 && b < diagram->count; b += step)
        if (diagram->box[b].column == column) return b;
    return -1;
}

int diagram_last(const Diagram *diagram, int column) {
    int b = diagram->count - 1;
    while (b >= 0 && diagram->box[b].column != column) b--;
    return b;
}

void diagram_align(DiagramLayout *layout, const double *height) {
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
} Drawing;

static double box_height(const Canvas *canvas) {
    return round(1.45 * canvas->metrics.line);
}

/* Place the boxes of a column from `top` on downwards; gives where it ends. Lines
 * around boxes run at the outer side: left in the first column, right in the second. */
static double place_column(DiagramLayout *layout, Canvas *canvas, int column,
                           double left, double width) {
    const Diagram *diagram = layout->diagram;
    Box *frame = &layout->frame[column];
    double boxes = left + (column == 0 ? rail : edge);
    double y = 0;
    bool inside = false;
    for (int b = diagram_last(diagram, column); b >= 0;
         b = diagram_next(diagram, b, -1)) {
        bool framed = diagram->box[b].framed;
        if (framed && !inside) {
            int lines = 1 + (diagram->frame[column].note != NULL) +
                        (diagram->frame[column].here != NULL);
            *frame = (Box){left, y, rail + width + edge, 0};
            y += lines * canvas->metrics.line + rise;
        } else if (!framed && inside) {
            frame->height = y - frame->y;
            y += rise;
        }
        inside = framed;
        layout->box[b] = (Box){boxes, y, width, box_height(canvas)};
        y += box_height(canvas) + rise;
    }
    if (inside) frame->height = y - frame->y;
    return inside ? y : y - rise;
}

static void fill(const Drawing *drawing, Box box, Color color) {
    box.x += drawing->at.x;
    box.y += drawing->at.y;
    drawing->canvas->fill(drawing->canvas, box,
                          theme_color(drawing->canvas->theme, color));
}

static void line(const Drawing *drawing, const Point *point, int count, Stroke stroke) {
    enum { MOST = 4 };
    Point moved[MOST];
    for (int i = 0; i < count; i++)
        moved[i] = (Point){floor(drawing->at.x + point[i].x) + part,
                           floor(drawing->at.y + point[i].y) + part};
    drawing->canvas->line(drawing->canvas, moved, count, stroke);
}

static void write(const Drawing *drawing, double x, double y, Style style,
                  const char *text) {
    drawing->canvas->text(drawing->canvas,
                          (Point){drawing->at.x + x, drawing->at.y + y}, style, text);
}

static void outline(const Drawing *drawing, Box box, Stroke stroke) {
    double left = floor(drawing->at.x + box.x) + part;
    double top = floor(drawing->at.y + box.y) + part;
    double right = floor(drawing->at.x + (box.x + box.width)) + part;
    double bottom = floor(drawing->at.y + (box.y + box.height)) + part;
    canvas_outline(drawing->canvas, (Box){left, top, right - left, bottom - top}, 0,
                   stroke);
}

static const Stroke plain = {.width = 1};
static const Stroke strong = {.width = 2.6};

/* An arrow along the points. */
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

static double middle(const Box *box) {
    return box->x + box->width / 2;
}

static void draw_box(const Drawing *drawing, int b) {
    const Box *box = &drawing->layout->box[b];
    const DiagramBox *drawn = &drawing->layout->diagram->box[b];
    double row = box->y + box->height / 2;
    fill(drawing, *box, colors[drawn->kind]);
    outline(drawing, *box, drawn->is_here ? strong : plain);
    write(drawing, box->x + pad, row, (Style){.bold = drawn->is_here}, drawn->label);
    Style shape = shape_style;
    shape.align = ALIGN_END;
    write(drawing, box->x + box->width - pad, row, shape, drawn->shape);
}

static void draw(const DiagramLayout *layout, Canvas *canvas, Point at) {
    const Diagram *diagram = layout->diagram;
    const Drawing drawing = {layout, canvas, at};
    for (int c = 0; c < diagram_columns(diagram); c++) {
        const Box *frame = &drawing.layout->frame[c];
        const DiagramFrame *words = &drawing.layout->diagram->frame[c];
        double x = frame->x + (c == 0 ? rail : edge);
        double line = drawing.canvas->metrics.line;
        fill(&drawing, *frame, paper_of_frame);
        outline(&drawing, *frame, (Stroke){.color = color_grey, .width = 1});
        write(&drawing, x, frame->y + 4 + line / 2, title_style, words->title);
        double row = frame->y + 4 + 1.5 * line;
        if (words->note) write(&drawing, x, row, (Style){0}, words->note);
        if (words->note) row += line;
        if (words->here) write(&drawing, x, row, (Style){.bold = true}, words->here);
    }
    for (int b = 0; b < diagram->count; b++) { /* up into a box, from the one below */
        const Box *box = &layout->box[b];
        int below = diagram_next(diagram, b, -1);
        const Point way[] = {{middle(box), below < 0 ? 0 : layout->box[below].y},
                             {middle(box), box->y + box->height}};
        if (below >= 0) arrow(&drawing, way, 2);
    }
    /* Around the boxes below: it leaves the way up just above the box where it begins,
     * or just inside the frame. */
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *drawn = &layout->diagram->box[b];
        if (drawn->bypass == BYPASS_NONE) continue;
        const Box *box = &layout->box[b];
        const Box *frame = &layout->frame[drawn->column];
        bool left = drawn->column == 0;
        double from = drawn->bypass == BYPASS_ENTRY
                          ? frame->y + frame->height - rise / 2
                          : layout->box[drawn->bypass].y - rise / 2;
        double x = left ? frame->x + rail / 2 : frame->x + frame->width - rail / 2;
        double to = box->y + box->height / 2;
        const Point way[] = {{middle(box), from},
                             {x, from},
                             {x, to},
                             {left ? box->x : box->x + box->width, to}};
        arrow(&drawing, way, 4);
    }
    /* From the side of the encoder's last box to the side of the decoder's. */
    for (int a = 0; a < diagram->arrows; a++) {
        enum { APART = 12 };
        const DiagramArrow *of = &layout->diagram->arrow[a];
        const Box *from = &layout->box[of->from];
        const Box *to = &layout->box[of->to];
        double y = from->y + from->height / 2;
        double end = to->y + to->height / 2;
        double x = layout->frame[0].x + layout->frame[0].width + APART * (a + 1);
        const Point way[] = {
            {from->x + from->width, y}, {x, y}, {x, end}, {to->x, end}};
        arrow(&drawing, way, 4);
        write(&drawing, layout->frame[1].x - 4, end - drawing.canvas->metrics.line / 2,
              (Style){.size = arrow_style.size, .align = ALIGN_END}, of->label);
    }
    for (int b = 0; b < diagram->count; b++) draw_box(&drawing, b);
}

DiagramLayout diagram_plan(const Diagram *diagram, Canvas *canvas) {
    if (canvas->metrics.characters) return diagram_plan_text(diagram, canvas);
    DiagramLayout layout = {.diagram = diagram, .draw = draw};
    layout.box = ARENA_ARRAY(canvas->arena, Box, diagram->count);
    /* Of the boxes of both columns, so that they look alike. The words of a frame stand
     * at the left of the way up, which leads through the middle. */
    double most = 0;
    for (int b = 0; b < diagram->count; b++) {
        const DiagramBox *box = &diagram->box[b];
        const Style label = {.bold = box->is_here};
        double width = canvas->measure(canvas, label, box->label) + between +
                       canvas->measure(canvas, shape_style, box->shape);
        most = fmax(most, width);
    }
    most = ceil(most) + 2 * pad;
    for (int c = 0; c < diagram_columns(diagram); c++) {
        const char *const words[] = {diagram->frame[c].title, diagram->frame[c].note,
                                     diagram->frame[c].here};
        for (int w = 0; w < 3; w++)
            if (words[w])
                most = fmax(most,
                            2 * (canvas->measure(canvas, title_style, words[w]) + pad));
    }
    double width = most;
    double frame = rail + width + edge;
    double height[DIAGRAM_COLUMNS] = {0};
    int columns = diagram_columns(diagram);
    for (int c = 0; c < columns; c++)
        height[c] = place_column(&layout, canvas, c, c * (frame + gutter), width);
    diagram_align(&layout, height);
    /* One more for the line along the right and the lower edge. */
    layout.width = columns * frame + (columns - 1) * gutter + 1;
    layout.height += 1;
    return layout;
}
