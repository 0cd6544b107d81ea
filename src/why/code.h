/* code.h - the computation of a stage in a few lines of NumPy or PyTorch.
 *
 * The lines are generated from the steps that ran, so they are correct for every model:
 * inputs are read from a trace (`trace["encoder.0.self_attention.query"]`) and from the
 * weights (`model["model.encoder..."]`), sizes and options are those of the run, and
 * the last line compares the result with the trace. */
#pragma once

#include "explain/record.h"

/* "NumPy", "PyTorch". */
extern const char *const code_languages[CODE_LANGUAGES];

/* The tensors of a stage. */
typedef struct {
    const Tensor *const *tensor;
    const char *const *address; /* address of each in the trace */
    int count;
} CodeAim;

/* Return the lines, in `arena`. Fail if a step cannot be written as code: dropout is
 * random. */
bool code_stage(const Record *record, const CodeAim *aim, CodeLanguage language,
                Arena *arena, const char **code, Error *error);

/* Return the lines that go before them, once: they load the trace and the weights of
 * the model in `folder`. */
const char *code_load(const char *folder, CodeLanguage language, Arena *arena);
