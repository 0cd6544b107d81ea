/* because.h - why is this number as it is? It is followed along its largest parts, back
 * to heads, tokens and words, as a tree.
 *
 * The values of a node's children and of its rest add up to its own. A share is the
 * size of a value beside the sizes of its siblings, so that shares add up to 1 where
 * parts speak against each other, too. See flow.h for what is taken as it is. */
#pragma once

#include "page/page.h"
#include "why/parts.h"

typedef struct BecauseNode {
    Part part;
    double share;     /* of its parent, without its sign */
    const char *text; /* what happened there */
    Place place;      /* a number of the run that says so, or empty */
    int number;       /* to open it by; 0: it leads no further */
    struct BecauseNode *child;
    int children;                  /* the largest of its parts, */
    int rest;                      /* how many others there are, */
    double rest_value, rest_share; /* and what they come to */
} BecauseNode;

typedef struct {
    const Tensor *tensor; /* NULL: nothing was asked */
    int cell;
    const char *address;
    double value;
    const char *given; /* what the number is, where nothing computed it; or NULL */
    const char *words; /* that the root comes from over all ways, "친구 64 %"; or "" */
    BecauseNode root;
    int numbers; /* the highest number of a node */
} Because;

/* All in `arena`. */
Because because_of(const Record *record, const Tensor *tensor, int cell, Arena *arena);

/* The tree of the branch with that number; false where there is none. */
bool because_open(const Record *record, const Because *because, int number,
                  Arena *arena, Because *opened);

/* Say the tree, and what its shares are. */
void because_say(const Because *because, Page *page);
