/* gradient_way.h - how a gradient comes back through one step to a number that it read:
 * what gradients_explain() is made of. */
#pragma once

#include "explain/gradients.h"

/* A number that a step read, and the terms collected for it. */
typedef struct {
    const Gradients *gradients;
    const Step *step;
    int input; /* of the step: the tensor with the number */
    int cell;
    Arena *arena;
    Term *term;
    int count, capacity;
} GradientWay;

/* Add the terms of the step. */
void gradient_way(GradientWay *way);

/* Add one term. */
void gradient_add(GradientWay *way, Term term);
