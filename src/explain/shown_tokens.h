/* shown_tokens.h - of a long sentence some tokens are shown: those of a window, or some
 * by name, where several may be joined. Numbers themselves stay as they are: an address
 * finds each of them all the same. */
#pragma once

#include "tensor/address.h"

enum { SHOWN_MOST = 64 };

typedef struct {
    int from, to;             /* a window along axes of tokens; 0, 0: none */
    const char *const *token; /* or these: "부산", "부산+에서", "3" */
    int tokens;
} ShownTokens;

/* Does the axis count tokens, by its name? */
bool is_of_tokens(const Axis *axis);

/* Which they are, as they would be typed, in `arena`; "" where all are shown. */
const char *shown_print(const ShownTokens *shown, Arena *arena);

/* What is to be shown of the slice. With a window it is a part of the same tensor; with
 * tokens by name it is a tensor of its own in `arena`, of the same name: of joined
 * tokens the columns of keys are added, and other rows are their mean. Axes that have
 * none of the tokens, or that the slice has narrowed already, stay whole. */
Slice shown_slice(const ShownTokens *shown, const Slice *slice, Arena *arena);

/* Is each of the tokens, and each part of those that are joined, one of the axis or of
 * the other? Fails with the first that is not. */
bool shown_check(const ShownTokens *shown, const Axis *axis, const Axis *other, int row,
                 Arena *arena, Error *error);

/* How many tokens of the axis from `first` on make up the word of `length` bytes, of
 * which the first is called without the dot of its space; 0 where they do not. */
int pieces_from(const Axis *axis, int row, int first, const char *word, size_t length);
