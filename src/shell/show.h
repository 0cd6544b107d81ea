/* show.h - a session's things as text: stages, tensors, tokens, decodings. */
#pragma once

#include "shell/session.h"

/* Title, text, formula, shapes and numbers of a stage of the walk. `number` of `count`.
 */
bool show_stage(Session *session, const Stage *stage, int number, int count,
                Error *error);

/* The slices as tables of numbers, with labels. */
void show_table(Session *session, const Slice *slice);

/* The slices as one heatmap or a grid of them. */
bool show_heatmap(Session *session, const Slice *slices, int count, Error *error);

/* The best candidates of each row of logits or probabilities, as bars. */
void show_bars(Session *session, const Tensor *tensor);

/* How the sentence that is shown became tokens and ids: the first stop of the walk. */
void show_tokens(Session *session, int number, int count);

/* The merges by which byte pairs became the tokens of one word or of all. */
bool show_merges(Session *session, const char *word, Error *error);

/* Step `step` of the decoding: the candidates, the choice, and what it looked at. */
bool show_step(Session *session, int step, int number, int count, Error *error);

/* All steps of the decoding, a line each, and the sentence that came of it. */
void show_decoding(Session *session);

/* A heading: "7/92  Softmax: attention weights        encoder.0.weights". */
void show_heading(Session *session, int number, int count, const char *title,
                  const char *name);

/* `text` in lines that fit the width and are not too long to be read. */
void show_text(Session *session, const char *text);

/* `text` in lines that begin with `indent` spaces and fit the width. */
void show_folded(Session *session, int indent, const char *text);
