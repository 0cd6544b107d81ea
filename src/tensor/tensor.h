/* tensor.h - a block of numbers whose axes have names and labels.
 *
 * Numbers are stored in row-major order, and a tensor is never a view of another one: a
 * table shows the numbers as they are in memory. */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

/* The type of every number of a model. float, like the weights that users load; the
 * gradient checks build with -DNUMBER=double, which makes them five digits more
 * precise. */
#ifndef NUMBER
#define NUMBER float
#endif
typedef NUMBER Number;

/* NOWHERE: not in a layer, not in a decoding step. */
enum { RANK_MAX = 4, STEP_NONE = -1, NOWHERE = -1 };

typedef struct {
    const char *name;          /* "batch", "head", "query", "key", "d_model" */
    int size;                  /* number of indices */
    const char *const *labels; /* label_rows x size words, or NULL: show the index */
    int label_rows;            /* 1: every row of the batch has the same labels */
    /* Display names of the labels: `size` words for each language (name_rows of them).
     * Addresses and files keep the labels. NULL: use the labels. */
    const char *const *names;
    int name_rows;
} Axis;

typedef struct {
    const char *name;       /* its address: "encoder.0.self_attention.weights" */
    const char *short_name; /* its last part: "weights" */
    int rank;
    Axis axis[RANK_MAX];
    Number *data;
    Number *grad; /* d loss / d data, same layout; NULL if nothing learns, and while a
                     tape recycles it, see tape.h */
    bool
        grad_written; /* false: `grad` is not set yet, the first writer overwrites it */
    bool holds_ids;   /* whole numbers that select rows of a table, or mark positions */
    int step;         /* the step of the tape that computed it, or STEP_NONE */
    /* "mean", "max" or "min" if an axis was reduced to size 1 for a figure: see
     * explain/reduction.h. Usually NULL. */
    const char *reduced[RANK_MAX];
} Tensor;

/* Return a tensor in `arena` with `rank` axes; its numbers are not set. `name` is kept,
 * not copied. The product of the sizes must fit in an int. */
Tensor *tensor_new(Arena *arena, const char *name, int rank, const Axis *axis);

/* Return how many numbers the tensor has, and the size of its last axis. */
int tensor_size(const Tensor *tensor);
int tensor_row(const Tensor *tensor);

/* Return true if both have the same axis sizes. */
bool tensor_same_shape(const Tensor *a, const Tensor *b);

/* Return the distance in cells between neighbors along axis `a`. */
int tensor_stride(const Tensor *tensor, int a);

/* Return the index of the cell along axis `a`. */
int tensor_index(const Tensor *tensor, int a, int cell);

/* Return the cell at `index`, which has a number for each axis. */
int tensor_cell(const Tensor *tensor, const int *index);

/* Return the axis with that name, or -1. */
int tensor_axis(const Tensor *tensor, const char *name);

/* Rename axis `a` after its role from here on, such as "query" or "key" for a token.
 * Does nothing if the tensor is NULL, from a failed tape. */
void tensor_name_axis(Tensor *tensor, int a, const char *name);

/* Return the label at `index` of the axis for sentence `row` of the batch, or NULL. */
const char *axis_label(const Axis *axis, int row, int index);

/* Do the sentences `from` up to, but not including, `to` of the batch have different
 * labels? */
bool axis_labels_differ(const Axis *axis, int from, int to);

/* Return "encoder.0.self_attention.scores [batch 1, head 4, query 3, key 3]", in
 * `arena`. */
const char *tensor_describe(const Tensor *tensor, Arena *arena);

/* Prepare a number for printing: NaN loses its sign, which has no meaning but would
 * make printf() write -nan. */
double tensor_printed(double number);

/* The part of the description in brackets: "[batch 2, token 3]". */
typedef struct {
    char text[256];
} ShapeText;
ShapeText shape_text(const Tensor *tensor);

/* Return the factor by which a writer to grad multiplies its old content: 0 the first
 * time, then 1. */
Number tensor_grad_factor(Tensor *tensor);

/* For a writer that adds to only part of grad: set it to zero unless it is already
 * set. */
void tensor_begin_grad(Tensor *tensor);
