/* parameters.h - what an operation is given beside the tensors of a run: what a layer
 * has learned, and what is set. Apart from ops.h, so that a new operation leaves alone
 * who only hands these on. */
#pragma once

#include "tensor/tensor.h"

/* The place of its name among the ACTIVATIONS of ops.h, which begin with "none" and end
 * with NULL. */
typedef int Activation;
enum { ACTIVATION_NONE };
extern const char *const activation_names[];

/* What a linear layer has learned: W [out, in] and b [out], or NULL for none. */
typedef struct {
    Tensor *weight, *bias;
} Linear;

/* What a norm has learned, gain and bias [last axis], and what keeps it from dividing
 * by 0. Without a bias (NULL) it is RMSNorm; without a gain that has learned nothing.
 */
typedef struct {
    Tensor *gain, *bias;
    double epsilon;
} Norm;

/* What a query may not look at. MASK_LATER: keys behind the query; MASK_SELF: also the
 * query's own place. MASK_ADD: `value` is added to a hidden score, instead of
 * put in its place. Flags, to be joined with |. */
enum { MASK_LATER = 1, MASK_SELF = 2, MASK_ADD = 4 };

/* What else is hidden, and what is in a hidden place. */
typedef struct {
    int flags;
    int window; /* keys so many places away from the query or more; 0: none for that */
    double value;
} MaskSetting;
