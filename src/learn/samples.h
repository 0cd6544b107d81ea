/* samples.h - a few sentences decoded, to see what a model has learned. */
#pragma once

#include "data/batches.h"
#include "page/page.h"

/* Say `count` examples, spread evenly over all: the source, what the model says, and
 * what was wanted where that differs; nothing where the model generates none. */
void samples_say(const Model *model, const Examples *examples, int count, Page *page);
