/* code.h - what a stage computes, as a few lines of NumPy or PyTorch.
 *
 * The lines are made of the steps that ran, so they are true for every model: their
 * inputs are read from a trace (`trace["encoder.0.self_attention.query"]`) and from the
 * weights (`model["model.encoder..."]`), their sizes and options are those at hand,
 * and the last line compares what they find with the trace. */
#pragma once

#include "explain/record.h"

/* "NumPy", "PyTorch". */
extern const char *const code_languages[CODE_LANGUAGES];

/* What a stage shows. */
typedef struct {
    const Tensor *const *tensor;
    const char *const *address; /* of each, as the trace calls it */
    int count;
} CodeAim;

/* The lines, in `arena`. Fails where a step cannot be written so: dropout, which drops
 * at random. */
bool code_stage(const Record *record, const CodeAim *aim, CodeLanguage language,
                Arena *arena, const char **code, Error *error);

/* What has to be above them, once: it reads the trace, and the weights of the model
 * in `folder`. */
const char *code_load(const char *folder, CodeLanguage language, Arena *arena);
