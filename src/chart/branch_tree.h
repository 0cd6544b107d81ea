/* branch_tree.h - a tree of sentences that share beginnings: each word once, with its
 * number, and at the end of each branch the reason why it ends. In text a branch is a
 * line; in pictures the tree grows to the right, and a branch is a row. */
#pragma once

#include "canvas/canvas.h"

typedef enum {
    BRANCH_GROWN,    /* other branches follow */
    BRANCH_FINISHED, /* the sentence ends here */
    BRANCH_PRUNED,   /* dropped from the search */
    BRANCH_LEFT,     /* not finished */
    BRANCH_ENDS
} BranchEnd;

typedef struct {
    const char *label, *share; /* "friend" and "0.96"; `share` is "" for the root */
    const char *note;          /* after its end; or NULL */
    int parent;                /* index of its parent; -1 for the first, the root */
    BranchEnd end;
    bool wins; /* it is on the path to the best sentence */
} BranchWord;

typedef struct {
    const BranchWord *branch;
    int count;
    const char *note; /* below the drawing; or NULL */
} BranchTree;

/* A text to draw on the canvas. */
typedef struct {
    Point at;
    Style style;
    const char *text;
} BranchText;

typedef struct BranchTreeLayout {
    const BranchTree *branches;
    double width, height;
    void (*draw)(const struct BranchTreeLayout *layout, Canvas *canvas, Point at);
    BranchText *text; /* in text */
    int texts, capacity;
    Box *box; /* in pictures: for each branch */
} BranchTreeLayout;

/* Lay out the tree on the canvas; the layout is in the canvas's arena. */
BranchTreeLayout branch_tree_plan(const BranchTree *branches, Canvas *canvas);
