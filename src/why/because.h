/* because.h - why does this number have its value? Trace its largest contributions back
 * to heads, tokens and words, as a tree.
 *
 * The values of a node's children and rest add up to its value. A share is |value|
 * divided by the sum of |value| over the siblings, so shares add up to 1 even if
 * contributions have opposite signs. See flow.h for what is treated as constant. */
#pragma once

#include "page/page.h"
#include "why/parts.h"

typedef struct BecauseNode {
    Part part;
    double share;     /* fraction of the parent, without sign */
    const char *text; /* what happened here */
    Place place;      /* a number of the run that shows it, or empty */
    int number;       /* to open the branch; 0: it cannot be opened */
    struct BecauseNode *child;
    int children;                  /* the largest contributions, */
    int rest;                      /* the number of others, */
    double rest_value, rest_share; /* and their sum */
} BecauseNode;

typedef struct {
    const Tensor *tensor; /* NULL: nothing to explain */
    int cell;
    const char *address;
    double value;
    const char *given; /* description of a number that was not computed, or NULL */
    const char *words; /* the words that contribute to the root, summed over all paths,
                          "친구 64%"; or "" */
    BecauseNode root;
    int numbers; /* the highest number of a node */
} Because;

/* Return the tree for a cell, in `arena`. */
Because because_of(const Record *record, const Tensor *tensor, int cell, Arena *arena);

/* Expand the branch with that number. Return false if there is none. */
bool because_open(const Record *record, const Because *because, int number,
                  Arena *arena, Because *opened);

/* Add the tree and an explanation of its shares to a page. */
void because_say(const Because *because, Page *page);
