/* weights.h - all parameters of a model, in one list.
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
    INITIAL_MATRIX,    /* uniform, so products keep their scale: Glorot, Bengio 2010 */
    INITIAL_EMBEDDING, /* uniform, with deviation 1 / sqrt(d_model): section 3.4 scales
                          it */
    INITIAL_ZERO,
    INITIAL_ONE,
} Initial;

typedef struct {
    Tensor *tensor;
    Initial initial;
    /* Its numbers before a training step that can be undone, in memory that belongs to
     * the code that made the step; NULL: unchanged. */
    const Number *unlearned;
    /* In a file of another family: its key and the part, as a Python index:
     * ["h.0.attn.c_attn.weight"][:, 24:48].T; NULL: its own name. */
    const char *index;
} Weight;

typedef struct {
    Arena arena; /* owns the tensors */
    Weight *weight;
    int count, capacity;
} Weights;

/* Declare a tensor named `place`.`name`, without numbers yet. */
Tensor *weights_add(Weights *weights, const char *place, const char *name,
                    Initial initial, int rank, const Axis *axis);

/* Declare place.weight [out, in] and, if `has_bias`, place.bias [out]. */
Linear weights_linear(Weights *weights, const char *place, Axis out, int in,
                      bool has_bias);

/* Declare the gain place.weight and place.bias, both [d_model], if the norm has
 * them. */
Norm weights_norm(Weights *weights, const char *place, const Config *config);

/* Set initial values; the same seed gives the same bytes on every machine. */
void weights_initialise(Weights *weights, unsigned long long seed);

/* Check that the declared weights fit in memory. Fails if there are more than
 * WEIGHTS_MAX numbers: 2 GiB of floats; the larger model of the paper has 213
 * million. */
enum { WEIGHTS_MAX = 1 << 29 };
bool weights_check(const Weights *weights, Error *error);

/* Copy the values of `file`, which must contain exactly these tensors with these
 * shapes, with the names and layouts of the family, or ours if it is NULL. The file's
 * arena must outlive the weights. An error lists up to ten tensors. */
bool weights_take(Weights *weights, const SafeTensors *file, const Family *family,
                  Error *error);

/* Return the tensor with that name, or NULL. */
Tensor *weights_find(const Weights *weights, const char *name);

/* Return the total number of parameters. */
long long weights_size(const Weights *weights);

/* A tensor with numbers that are NaN or infinite; the first of them is cell `first`. */
typedef struct {
    const Tensor *tensor;
    int nans, infinities, first;
} Broken;

/* Find the next such tensor, starting at number `*next`, and advance `*next`. False if
 * there are no more. Start with 0. */
bool weights_broken(const Weights *weights, int *next, Broken *broken);

/* Return "tensor lm_head.weight: 3 NaN, first at [0,7]", in `arena`. */
const char *weights_describe_broken(const Broken *broken, Arena *arena);

void weights_free(Weights *weights);
