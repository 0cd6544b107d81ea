/* short_address.h - what a short address means where the walk is: "weights" those
 * of the box at hand, "weights head 2" one of its heads, "[query=나는]" a row of what
 * is shown.
 *
 * Nothing is guessed in silence: where a name fits several addresses, a note says which
 * one was taken and why. */
#pragma once

#include "explain/record.h"

/* Where somebody is. */
typedef struct {
    Record record;
    const char *const *shown; /* the addresses that the stop shows, in order */
    int count;                /* 0: they stand nowhere */
} WalkPlace;

/* What was meant: full addresses, with brackets as address_slice() reads them. */
typedef struct {
    const char **address;
    int count;
    const char *note; /* how a short name was understood; NULL: there was no question */
} Meant;

/* The address that `typed` is short for, in `arena`: the one that ends with it, of
 * several the nearest to `here`, of which `*note` tells (it stays where there is
 * nothing to tell). What is an address already, a pattern with *, or short for none
 * comes back as it is. */
const char *short_address(const WalkPlace *here, const char *typed, Arena *arena,
                          const char **note);

/* What the words of a command mean: addresses, "head 2", "layer 1", brackets alone. No
 * address means all that is shown here. Fails where nothing is shown, or where no
 * tensor of those meant has such a head, layer or bracket. All in `arena`. */
bool short_meant(const WalkPlace *here, const char *const *word, int words,
                 Arena *arena, Meant *meant, Error *error);

/* The i-th word behind which a number stands: "head", "layer"; NULL after the last. */
const char *short_choice(int i);
