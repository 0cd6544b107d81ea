/* branches.h - a tree of sentences that begin alike: each word once, with what belongs
 * to it, and at the end of each branch why it ends there. In letters a branch is a
 * line; in pictures the tree grows to the right, and a branch is a row. */
#pragma once

#include "canvas/canvas.h"

typedef enum {
    BRANCH_GROWN,    /* others follow */
    BRANCH_FINISHED, /* the sentence ends here */
    BRANCH_PRUNED,   /* it was given up */
    BRANCH_LEFT,     /* it was never finished */
    BRANCH_ENDS
} BranchEnd;

typedef struct {
    const char *label, *share; /* "friend" and "0.96"; the root has the share "" */
    const char *note;          /* behind its end; NULL: nothing */
    int parent;                /* comes before it; -1 of the first, the root */
    BranchEnd end;
    bool wins; /* it lies on the way to the best one */
} BranchWord;

typedef struct {
    const BranchWord *branch;
    int count;
    const char *note; /* below the drawing; or NULL */
} Branches;

/* A text on its way to the canvas. */
typedef struct {
    Point at;
    Style style;
    const char *text;
} BranchText;

typedef struct BranchesLayout {
    const Branches *branches;
    double width, height;
    void (*draw)(const struct BranchesLayout *layout, Canvas *canvas, Point at);
    BranchText *text; /* in letters */
    int texts, capacity;
    Box *box; /* in pictures: of each branch */
} BranchesLayout;

/* How they stand on the canvas; what is kept lives in the canvas's arena. */
BranchesLayout branches_plan(const Branches *branches, Canvas *canvas);
