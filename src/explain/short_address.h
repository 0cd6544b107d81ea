/* short_address.h - the meaning of a short address at the current stop: "weights" means
 * those of the current box, "weights head 2" one of its heads, and "[query=나는]" a row
 * of the tensor shown.
 *
 * Guesses are reported: if a name matches several addresses, a note says which one was
 * chosen and why. */
#pragma once

#include "explain/record.h"

/* The name of a stage that shows one tensor: "encoder.0.weights" for
 * encoder.0.self_attention.weights. */
typedef struct {
    const char *name, *address;
} NamedStage;

/* The current stop. */
typedef struct {
    Record record;
    const NamedStage *stage;
    int stages;
    const char *const *shown; /* addresses that the stop shows, in order */
    int count;                /* 0: not at a stop */
} WalkPlace;

/* Full addresses, with brackets as address_slice() reads them. */
typedef struct {
    const char **address;
    int count;
    const char *note; /* how a short name was read; NULL: it was unambiguous */
} Meant;

/* Return the full address for `typed`, in `arena`: the one that ends in it. If several
 * do, return the one nearest to `here` and set `*note` to say so (else leave it as it
 * is). The name of a stage means the tensor that it shows. Full addresses, patterns
 * with * and unknown names are returned unchanged. */
const char *short_address(const WalkPlace *here, const char *typed, Arena *arena,
                          const char **note);

/* Read the words of a command: addresses, "head 2", "layer 1", brackets. Without an
 * address, they apply to all tensors shown here. Fail if nothing is shown, or if no
 * tensor has such a head, layer or bracket. The result is in `arena`. */
bool short_meant(const WalkPlace *here, const char *const *word, int words,
                 Arena *arena, Meant *meant, Error *error);

/* Return the i-th word that takes a number: "head", "layer"; NULL after the last. */
const char *short_choice(int i);
