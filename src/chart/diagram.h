/* diagram.h - boxes in one or two columns and the arrows between them, as in Figure 1
 * of the paper.
 *
 * The boxes of a column are in the order of computation, from bottom to top. Framed
 * boxes are adjacent: they are the part that is repeated. */
#pragma once

#include "canvas/canvas.h"

typedef enum {
    DIAGRAM_GIVEN, /* an input */
    DIAGRAM_EMBEDDING,
    DIAGRAM_POSITION,
    DIAGRAM_ATTENTION,
    DIAGRAM_FEED_FORWARD,
    DIAGRAM_NORM,
    DIAGRAM_RECURRENT,
    DIAGRAM_JOINED, /* rows that become one: by mean, concatenated, or the last one */
    DIAGRAM_LINEAR,
    DIAGRAM_SOFTMAX,
    DIAGRAM_KINDS
} DiagramKind;

enum { DIAGRAM_COLUMNS = 2, DIAGRAM_ARROWS = 2 };

/* What goes around other boxes into this one: nothing, the input of the frame, or the
 * output of the box with that number. */
enum { BYPASS_NONE = -2, BYPASS_ENTRY = -1 };

typedef struct {
    DiagramKind kind;
    const char *label, *shape;
    int column; /* 0 or 1 */
    bool framed, is_here;
    int bypass; /* source box of a bypass, or see above */
} DiagramBox;

/* An arrow from one column to the other. */
typedef struct {
    int from, to;      /* boxes */
    const char *label; /* a few letters: "K, V" */
} DiagramArrow;

typedef struct {
    const char *title; /* "encoder 0..1 ×2" */
    const char *note;  /* "one layer used twice", or NULL */
    const char *here;  /* "you are here: layer 1", or NULL */
} DiagramFrame;

typedef struct {
    const DiagramBox *box;
    int count;
    DiagramFrame frame[DIAGRAM_COLUMNS];
    DiagramArrow arrow[DIAGRAM_ARROWS];
    int arrows;
    const char *note; /* what the drawing does not show; or NULL */
} Diagram;

/* Return the number of columns with boxes. */
int diagram_columns(const Diagram *diagram);

/* Return the box next to it in its column, above (step 1) or below (-1); or -1. */
int diagram_next(const Diagram *diagram, int box, int step);

/* The layout of a diagram. */
typedef struct DiagramLayout {
    const Diagram *diagram;
    double width, height;
    void (*draw)(const struct DiagramLayout *layout, Canvas *canvas, Point at);
    Box *box;                   /* position of each box */
    Box frame[DIAGRAM_COLUMNS]; /* of width 0 if the column has none */
    bool is_above;              /* the second column is above the first one */
} DiagramLayout;

/* Lay out `diagram` on the canvas; the layout is in the canvas's arena. In text the
 * columns are side by side if canvas->metrics.most allows. */
DiagramLayout diagram_plan(const Diagram *diagram, Canvas *canvas);
