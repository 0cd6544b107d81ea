/* diagram.h - boxes in one or two columns and the arrows between them: what Figure 1 of
 * the paper is made of.
 *
 * The boxes of a column come in the order in which they compute and stand bottom up.
 * Those that are framed follow each other: they are the part that is repeated. */
#pragma once

#include "canvas/canvas.h"

typedef enum {
    DIAGRAM_GIVEN, /* what goes in */
    DIAGRAM_EMBEDDING,
    DIAGRAM_POSITION,
    DIAGRAM_ATTENTION,
    DIAGRAM_FEED_FORWARD,
    DIAGRAM_NORM,
    DIAGRAM_RECURRENT,
    DIAGRAM_JOINED, /* rows that become one: by mean, side by side, the last alone */
    DIAGRAM_LINEAR,
    DIAGRAM_SOFTMAX,
    DIAGRAM_KINDS
} DiagramKind;

enum { DIAGRAM_COLUMNS = 2, DIAGRAM_ARROWS = 2 };

/* What goes around other boxes into this one: nothing, what goes into the frame, or
 * what comes out of the box of that number. */
enum { BYPASS_NONE = -2, BYPASS_ENTRY = -1 };

typedef struct {
    DiagramKind kind;
    const char *label, *shape;
    int column; /* 0 or 1 */
    bool framed, is_here;
    int bypass; /* the box from which, or see above */
} DiagramBox;

/* From one column to the other. */
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
    const char *note; /* what the drawing does not say; or NULL */
} Diagram;

/* How many columns have boxes. */
int diagram_columns(const Diagram *diagram);

/* The box next to it in its column, above (step 1) or below (-1); -1: there is none. */
int diagram_next(const Diagram *diagram, int box, int step);

/* A diagram on its way to a canvas. */
typedef struct DiagramLayout {
    const Diagram *diagram;
    double width, height;
    void (*draw)(const struct DiagramLayout *layout, Canvas *canvas, Point at);
    Box *box;                   /* of each box: where it is */
    Box frame[DIAGRAM_COLUMNS]; /* of no width where the column has none */
    bool is_above;              /* the second column is above the first one */
} DiagramLayout;

/* How `diagram` stands on the canvas; what is kept lives in the canvas's arena. In
 * letters the columns are beside each other where canvas->metrics.most leaves room.
 */
DiagramLayout diagram_plan(const Diagram *diagram, Canvas *canvas);
