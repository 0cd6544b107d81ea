/* code.h - what a stage computes, as a few lines of NumPy or PyTorch.
 *
 * The lines are made of the steps that ran, so they are true for every model: their
 * inputs are read from a trace (`trace["encoder.0.self_attention.query"]`) and from the
 * weights (`model["model.encoder..."]`), their sizes and options are those at hand,
 * and the last line compares what they find with the trace. */
#pragma once

#include "explain/record.h"

typedef enum { CODE_NUMPY, CODE_TORCH, CODE_LANGUAGES } CodeLanguage;

/* "NumPy", "PyTorch". */
extern const char *const code_languages[CODE_LANGUAGES];

/* How one kind of step is written. In a line $y stands for the output, $0, $1 ... for
 * the inputs, $* for all of them, and
 *   $n  the number of the setting          $c  its count
 *   $s  the sizes of the output: 1, 11, 96
 *   $h  the same before heads change place with tokens: 1, 11, 4, 24
 *   $d  the diagonal from which on keys come later, for triu()
 *   $m  queries, keys: 11, 11
 *   $p  from and to which position: 0, 11
 *   $t  the token and $r the columns of a gate: 3, 0:64 */
typedef struct {
    const Op *op;
    bool (*holds)(const Step *step); /* NULL: for every step of that kind */
    const char *line[CODE_LANGUAGES];
} CodeRow;

/* The first one of a step's operation that holds is its row; ends with one without
 * operation. */
extern const CodeRow code_rows[];

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

/* What has to stand above them, once: it reads the trace, and the weights of the model
 * in `folder`. */
const char *code_load(const char *folder, CodeLanguage language, Arena *arena);
