/* change_new.h - the rows of explain/change.h, made of what a person means: a cell, a
 * head, a layer, a key, a token. Each fails, and changes nothing, where there is no
 * such thing in the run; `text` is how it was typed. */
#pragma once

#include "explain/change.h"

/* What changes are made of, and where their rows live. */
typedef struct {
    const Record *record; /* with a run */
    Arena *arena;
    const char *text;
} ChangeSource;

/* The numbers of `slice` are `value`: one for all, or one for each. */
void change_new_set(const ChangeSource *source, const Slice *slice, const Number *value,
                    int values, Change *change);

/* No query looks there: cells of scores, masked scores or weights. */
bool change_new_mask(const ChangeSource *source, const Slice *slice, Change *change,
                     Error *error);

/* Nothing looks at the source's tokens from `first` up to, and without, `last`. */
bool change_new_mask_key(const ChangeSource *source, int first, int last,
                         Change *change, Error *error);

/* What head `head` of each attention at `place` ("encoder.0", or one box of it) brings
 * is 0. */
bool change_new_mask_head(const ChangeSource *source, const char *place, int head,
                          Change *change, Error *error);

/* What the sublayers of the layer at `place` add is 0. */
bool change_new_mask_layer(const ChangeSource *source, const char *place,
                           Change *change, Error *error);

/* No positions are added; nothing is hidden from any query. */
bool change_new_no_position(const ChangeSource *source, Change *change, Error *error);
bool change_new_no_mask(const ChangeSource *source, Change *change, Error *error);

/* The ids of what was typed: the source's, or without an encoder the text's. */
const Tensor *change_ids(const Tape *run);

/* Tokens of what was typed: `first` up to, and without, `last`. */
typedef struct {
    int first, last;
} TokenSpan;

/* Two words of it change places, and what is between them makes room. Fails where they
 * overlap. */
bool change_new_swap(const ChangeSource *source, TokenSpan one, TokenSpan other,
                     Change *change, Error *error);

/* Numbers of the slice of a weight. */
void change_new_edit(const ChangeSource *source, const Slice *slice,
                     const Number *value, int values, Change *change);
