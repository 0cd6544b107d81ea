/* beam.h - beam search: look for the target that is most probable as a whole, rather
 * than choosing each token greedily.
 *
 * At each step every hypothesis is extended by every token, and the `width` best
 * extensions stay in the beam; one with <end> leaves it and is finished (Sutskever,
 * Vinyals and Le 2014, section 3.2). Longer sentences have smaller probabilities, so
 * finished hypotheses are compared by
 *
 *     score(Y) = log P(Y | X) / lp(Y),   lp(Y) = (5 + |Y|)^alpha / (5 + 1)^alpha
 *
 * where |Y| is the number of tokens including <end> (Wu et al. 2016, "Google's Neural
 * Machine Translation System", section 7, equation 14, without the coverage penalty).
 * The search ends when the beam is empty or nothing in it can beat the best finished
 * hypothesis: log P can only decrease, and lp is at most that of the longest target. It
 * does not end when `width` hypotheses are finished, since a better one may still be
 * unfinished. */
#pragma once

#include "model/generate.h"

enum { BEAM_WIDTH_MAX = 64 };

typedef struct {
    int width;    /* 1 to BEAM_WIDTH_MAX; 1 is greedy decoding */
    double alpha; /* of the length penalty; 0: none; the paper (6.1): 0.6 and width 4 */
    int limit;    /* maximum number of tokens in a target */
    bool cached;  /* use a key/value cache if it gives the same numbers */
} BeamOptions;

typedef enum {
    BEAM_GROWN,    /* other nodes extend it */
    BEAM_FINISHED, /* with <end> */
    BEAM_PRUNED,   /* not among the best */
    BEAM_LEFT,     /* unfinished when the search ended */
} BeamEnd;

/* A hypothesis: the tokens on the path from the root to this node. */
typedef struct {
    int id;                 /* its last token; <start> for the root */
    int parent;             /* index of a node; -1 for the root */
    int tokens;             /* number of tokens, without <start> */
    double token_log;       /* log P of its last token given the others, */
    double log_probability; /* and the sum of those of all tokens */
    double score;           /* that sum / lp */
    int rank;               /* among the candidates of its step; 0 is the best */
    BeamEnd end;
} BeamNode;

/* The nodes, parents before children. A pruned node is kept only if it is the best
 * extension of a hypothesis with no extension in the beam. */
typedef struct {
    BeamNode *node;
    int count, capacity;
    int best; /* the finished node with the best score; if none finished, the best
                 unfinished one */
} Beam;

/* Return lp of a target with `tokens` tokens. */
double beam_length_penalty(int tokens, double alpha);

/* Search from the encoder's output for one sentence; the nodes are in `arena`. `source`
 * was computed on `tape`, which fails if the model cannot generate or all logits are
 * NaN. */
Beam beam_search(Tape *tape, const Model *model, const Encoded *source,
                 const BeamOptions *options, Arena *arena);

/* Return the target at a node, without <start>, in `arena`. */
Generated beam_target(const Beam *beam, int node, Arena *arena);

/* Return how many tokens of `target` were in the beam before it was pruned; if it was
 * not, all of them. */
int beam_lost(const Beam *beam, const Generated *target);
