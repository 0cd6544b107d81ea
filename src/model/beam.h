/* beam.h - beam search: a target whose words together are probable, not one word after
 * the other.
 *
 * At each step every hypothesis is continued by every token, and the `width` best of
 * all continuations stay in the beam; one that ends leaves it and is finished
 * (Sutskever, Vinyals and Le 2014, section 3.2). Longer sentences have smaller
 * probabilities, so the finished ones are compared by
 *
 *     score(Y) = log P(Y | X) / lp(Y),   lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha
 *
 * with |Y| tokens, <end> among them (Wu and others 2016, "Google's Neural Machine
 * Translation System", section 7, equation 14, without the coverage penalty). The
 * search ends when the beam is empty or nothing in it can overtake the best that is
 * finished: log P only falls, and lp is at most that of the longest target. It does not
 * end with the `width`-th that is finished, since a better one may still be open. */
#pragma once

#include "model/generate.h"

enum { BEAM_WIDTH_MOST = 64 };

typedef struct {
    int width;    /* 1 to BEAM_WIDTH_MOST; 1 is greedy decoding */
    double alpha; /* of the length penalty; 0: none; the paper (6.1) has 4 and 0.6 */
    int limit;    /* tokens of a target */
    bool cached;  /* keep keys and values where that gives the same numbers */
} BeamWish;

typedef enum {
    BEAM_GROWN,    /* it was continued: others begin with it */
    BEAM_FINISHED, /* with <end> */
    BEAM_PRUNED,   /* it fell out of the best */
    BEAM_LEFT,     /* unfinished when the search ended */
} BeamEnd;

/* A hypothesis: the tokens on the way from the root to it. */
typedef struct {
    int id;                 /* its last token; the root's is <start> */
    int parent;             /* a node; -1 of the root */
    int tokens;             /* how many, without <start> */
    double token_log;       /* log P of its last token after the others, */
    double log_probability; /* and the sum of those of all */
    double score;           /* that sum over lp */
    int rank;               /* among the continuations of its step, the best being 0 */
    BeamEnd end;
} BeamNode;

/* The nodes, parents before children. Of what was pruned it holds, for each hypothesis
 * that has no continuation in the beam, the best that it had. */
typedef struct {
    BeamNode *node;
    int count, capacity;
    int best; /* the finished node of the best score; where none is, the best left */
} Beam;

/* lp of a target of so many tokens. */
double beam_length_penalty(int tokens, double alpha);

/* Search from what the encoder made of one sentence; the nodes in `arena`. `tape` has
 * what made `source`, and gets the failure if there is one: a model that cannot
 * generate, or logits without a number. */
Beam beam_search(Tape *tape, const Model *model, const Encoded *source,
                 const BeamWish *wish, Arena *arena);

/* The target at a node, without <start>, in `arena`. */
Generated beam_target(const Beam *beam, int node, Arena *arena);

/* How many tokens of `target` were in the beam before it fell out; all of them where it
 * stayed. */
int beam_lost(const Beam *beam, const Generated *target);
