/* parameters.h - what an operation needs besides tensors of the run: the parameters of
 * a layer, and settings. Separate from ops.h, so that a new operation does not affect
 * code that only passes these on. */
#pragma once

#include "tensor/tensor.h"

/* Index of its name among the ACTIVATIONS of ops.h, which start with "none" and end
 * with NULL. */
typedef int Activation;
enum { ACTIVATION_NONE };
extern const char *const activation_names[];

/* The parameters of a linear layer: W [out, in], and b [out] or NULL. */
typedef struct {
    Tensor *weight, *bias;
} Linear;

/* The parameters of a norm: gain and bias [last axis], and epsilon, which prevents
 * division by 0. Without a bias (NULL) it is RMSNorm, whose gain may also be
 * missing. */
typedef struct {
    Tensor *gain, *bias;
    double epsilon;
} Norm;

/* What a query cannot attend to. MASK_LATER: keys after the query; MASK_SELF: also the
 * query's own position. MASK_ADD: add `value` to a masked score instead of replacing
 * it. Flags, combined with |. */
enum { MASK_LATER = 1, MASK_SELF = 2, MASK_ADD = 4 };

/* What else is masked, and the value of masked scores. */
typedef struct {
    int flags;
    int window; /* mask keys at least this far from the query; 0: none */
    double value;
} MaskSetting;
