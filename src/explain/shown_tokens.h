/* shown_tokens.h - show part of a long sentence: a window of tokens, or tokens by name,
 * some of them joined. The run does not change: every number keeps its address. */
#pragma once

#include "tensor/address.h"

enum { SHOWN_MAX = 64 };

typedef struct {
    int from, to;             /* a window along token axes; 0, 0: none */
    const char *const *token; /* or these: "부산", "부산+에서", "3" */
    int tokens;
} ShownTokens;

/* Return true if the axis has the name of a token axis. */
bool is_of_tokens(const Axis *axis);

/* Return the shown tokens as typed, in `arena`; "" if all are shown. */
const char *shown_print(const ShownTokens *shown, Arena *arena);

/* Return the part of the slice to show. With a window it is a part of the same tensor;
 * with tokens by name it is a new tensor in `arena` with the same name: for joined
 * tokens, key columns are added and other rows averaged. Axes that have none of the
 * tokens, or that the slice has already narrowed, are left as they are. */
Slice shown_slice(const ShownTokens *shown, const Slice *slice, Arena *arena);

/* Check that each token, and each part of joined tokens, is on one of the axes. Fail
 * with the first that is not. */
bool shown_check(const ShownTokens *shown, const Axis *axis, const Axis *other, int row,
                 Arena *arena, Error *error);

/* Return how many tokens of the axis, from `first`, make up the word of `length` bytes,
 * ignoring the leading · of the first; 0 if they do not. */
int pieces_from(const Axis *axis, int row, int first, const char *word, size_t length);
