/* weights.h - every number that the model learns, in one list.
 *
 * The boxes of the model declare what they need; then the list is filled once, from a
 * file or with initial values. */
#pragma once

#include "base/error.h"
#include "ops/parameters.h"
#include "store/config.h"
#include "store/safetensors.h"
#include "tensor/tensor.h"

typedef enum {
    INITIAL_MATRIX, /* uniform, so that a product keeps the size: Glorot, Bengio 2010 */
    INITIAL_EMBEDDING, /* uniform, of deviation 1 / sqrt(d_model): section 3.4 scales it
                        */
    INITIAL_ZERO,
    INITIAL_ONE,
} Initial;

typedef struct {
    Tensor *tensor;
    Initial initial;
    /* Its numbers before a step of learning that can be taken back, in memory of
     * whoever took the step; NULL: it has not learned. */
    const Number *unlearned;
    /* In a file of another family: its key there, and which part of it this is, as
     * Python indexes it: ["h.0.attn.c_attn.weight"][:, 24:48].T; NULL: its own name. */
    const char *index;
} Weight;

typedef struct {
    Arena arena; /* owns the tensors */
    Weight *weight;
    int count, capacity;
} Weights;

/* Declare a tensor named `place`.`name`; it has no numbers yet. */
Tensor *weights_add(Weights *weights, const char *place, const char *name,
                    Initial initial, int rank, const Axis *axis);

/* Declare place.weight [out, in] and, where it has one, place.bias [out]. */
Linear weights_linear(Weights *weights, const char *place, Axis out, int in,
                      bool has_bias);

/* Declare the gain place.weight and place.bias, both [d_model], as far as the norm has
 * them. */
Norm weights_norm(Weights *weights, const char *place, const Config *config);

/* Initial values; the same seed gives the same bytes on every machine. */
void weights_initialise(Weights *weights, unsigned long long seed);

/* Whether memory can hold what was declared. Fails when there are more than WEIGHTS_MAX
 * numbers: 2 GiB of floats, and the larger model of the paper has 213 million. */
enum { WEIGHTS_MAX = 1 << 29 };
bool weights_check(const Weights *weights, Error *error);

/* The values of `file`, which must hold each tensor in its shape and no others, by the
 * names and layouts of the family, or with NULL ours. The file's arena must outlive the
 * weights. An error lists up to ten that are wrong. */
bool weights_take(Weights *weights, const SafeTensors *file, const Family *family,
                  Error *error);

/* The tensor with that name, or NULL. */
Tensor *weights_find(const Weights *weights, const char *name);

/* How many numbers all of them hold. */
long long weights_size(const Weights *weights);

/* A tensor with numbers that are NaN or infinite; the first of them is cell `first`. */
typedef struct {
    const Tensor *tensor;
    int nans, infinities, first;
} Broken;

/* The next such tensor from number `*next` on, which moves behind it; false where there
 * is none. Begin with 0. */
bool weights_broken(const Weights *weights, int *next, Broken *broken);

/* "tensor lm_head.weight: 3 NaN, first at [0,7]", in `arena`. */
const char *weights_describe_broken(const Broken *broken, Arena *arena);

void weights_free(Weights *weights);
