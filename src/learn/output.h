/* output.h - the files that a training writes into its folder. */
#pragma once

#include "learn/recipe.h"

/* The name of file `i` that a training of this recipe writes there, or removes because
 * it belongs to the model before, in `arena`; NULL behind the last. */
const char *output_name(const Recipe *recipe, int i, Arena *arena);

/* May it write them? Fails where one is what it reads, its data or the recipe, also by
 * a link; and, unless it `replaces`, where one exists. */
bool output_check(const Recipe *recipe, bool replaces, Error *error);
