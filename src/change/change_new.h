/* change_new.h - make the overrides of explain/change.h from what the user names: a
 * cell, a head, a layer, a key, a token. If the run has no such thing, fail and change
 * nothing. `text` is the typed command. */
#pragma once

#include "explain/change.h"

/* The input of a change, and the arena for its overrides. */
typedef struct {
    const Record *record; /* with a run */
    Arena *arena;
    const char *text;
} ChangeSource;

/* Set the numbers of `slice` to `value`: one for all cells or one for each. */
void change_new_set(const ChangeSource *source, const Slice *slice, const Number *value,
                    int values, Change *change);

/* Mask cells of scores, masked scores or weights. */
bool change_new_mask(const ChangeSource *source, const Slice *slice, Change *change,
                     Error *error);

/* Mask the tokens [first, last) of the source in all attentions that read them. */
bool change_new_mask_key(const ChangeSource *source, int first, int last,
                         Change *change, Error *error);

/* Set the output of head `head` to 0 in each attention at `place` ("encoder.0", or one
 * of its boxes). */
bool change_new_mask_head(const ChangeSource *source, const char *place, int head,
                          Change *change, Error *error);

/* Set the outputs of the sublayers of the layer at `place` to 0. */
bool change_new_mask_layer(const ChangeSource *source, const char *place,
                           Change *change, Error *error);

/* Do not add positions; do not mask anything. */
bool change_new_no_position(const ChangeSource *source, Change *change, Error *error);
bool change_new_no_mask(const ChangeSource *source, Change *change, Error *error);

/* Return the typed ids: the source's, or the text's in a decoder-only model. */
const Tensor *change_ids(const Tape *run);

/* Typed tokens [first, last). */
typedef struct {
    int first, last;
} TokenSpan;

/* Swap two words, shifting the tokens between them. Fail if the words overlap. */
bool change_new_swap(const ChangeSource *source, TokenSpan one, TokenSpan other,
                     Change *change, Error *error);

/* Set the numbers of a slice of a weight. */
void change_new_edit(const ChangeSource *source, const Slice *slice,
                     const Number *value, int values, Change *change);
