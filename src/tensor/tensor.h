/* tensor.h - a block of numbers whose axes have names and labels.
 *
 * Numbers lie in row-major order and a tensor is never a view of another one: what
 * you see in a table is what lies in memory. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* Every number of a model. float, as in the weights that users bring; the build of the
 * gradient checks says -DNUMBER=double, which makes them five digits sharper. */
#ifndef NUMBER
#define NUMBER float
#endif
typedef NUMBER Number;

/* NOWHERE: in no layer, in no step of a decoding. */
enum { RANK_MAX = 4, STEP_NONE = -1, NOWHERE = -1 };

typedef struct {
    const char *name;          /* "batch", "head", "query", "key", "d_model" */
    int size;                  /* how many indices */
    const char *const *labels; /* label_rows x size words, or NULL: show the index */
    int label_rows;            /* 1: every row of the batch has the same labels */
    /* What people call the labels: for each language (name_rows of them) size words;
     * addresses and files keep the labels. NULL: as the labels say. */
    const char *const *names;
    int name_rows;
} Axis;

typedef struct {
    const char *name;       /* its address: "encoder.0.self_attention.weights" */
    const char *short_name; /* the last part of it: "weights" */
    int rank;
    Axis axis[RANK_MAX];
    Number *data;
    Number *grad; /* d loss / d data, same layout; NULL where nothing learns, and where
                     a tape lends it, see tape.h */
    bool
        grad_written; /* false: `grad` holds nothing yet, the first writer overwrites */
    bool holds_ids;   /* whole numbers: they choose rows of a table, or mark places */
    int step;         /* the step of the tape that made it, or STEP_NONE */
    /* "mean", "max" or "min" of what stood along an axis, which is one long now, in a
     * tensor made for a figure: see explain/reduction.h. Mostly NULL. */
    const char *reduced[RANK_MAX];
} Tensor;

/* A tensor in `arena` with as many axes as `rank` says, its numbers not yet set.
 * `name` is kept, not copied. The product of the sizes must fit an int. */
Tensor *tensor_new(Arena *arena, const char *name, int rank, const Axis *axis);

/* How many numbers it holds, and how many along its last axis. */
int tensor_size(const Tensor *tensor);
int tensor_row(const Tensor *tensor);

/* How many cells lie between two neighbours along axis `a`. */
int tensor_stride(const Tensor *tensor, int a);

/* The index along axis `a` of the cell. */
int tensor_index(const Tensor *tensor, int a, int cell);

/* The axis with that name, or -1. */
int tensor_axis(const Tensor *tensor, const char *name);

/* Call axis `a` by the role it plays from here on: a token as a "query", as a "key".
 * NULL, from a failed tape, is left alone. */
void tensor_name_axis(Tensor *tensor, int a, const char *name);

/* The label at `index` of the axis for the sentence `row` of the batch, or NULL. */
const char *axis_label(const Axis *axis, int row, int index);

/* Are the sentences `from` up to, and without, `to` of the batch labelled otherwise? */
bool axis_labels_differ(const Axis *axis, int from, int to);

/* "encoder.0.self_attention.scores [batch 1, head 4, query 3, key 3]", in `arena`.
 */
const char *tensor_describe(const Tensor *tensor, Arena *arena);

/* As it is printed: of what is no number the sign says nothing, and printf() would
 * write -nan. */
double tensor_printed(double number);

/* Its part in brackets, "[batch 2, token 3]", in `text`. */
typedef struct {
    char text[256];
} ShapeText;
ShapeText shape_text(const Tensor *tensor);

/* What a writer into grad multiplies the old content with: 0 the first time, then 1. */
Number tensor_grad_factor(Tensor *tensor);

/* For a writer that adds to a part of grad only: zeros, unless something is there. */
void tensor_begin_grad(Tensor *tensor);
