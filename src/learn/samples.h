/* samples.h - a few sentences decoded, to see what a model has learned. */
#pragma once

#include <stdio.h>

#include "data/examples.h"

/* Print `count` examples, spread evenly over all: the source, what the model says, and
 * what was wanted where that differs; nothing where the model generates none. */
void samples_print(const Model *model, const Examples *examples, int count, FILE *out);
