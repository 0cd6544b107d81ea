/* recipe_kind.h - the kinds of values that a key of a recipe can have. */
#pragma once

#include "learn/recipe.h"

extern const RecipeKind recipe_count;  /* int, within least and most */
extern const RecipeKind recipe_number; /* double, within least and most */
extern const RecipeKind recipe_truth;  /* bool */
extern const RecipeKind recipe_choice; /* int: an index of choices */
extern const RecipeKind recipe_text;   /* const char * */
extern const RecipeKind recipe_column; /* const char *: a name or a number */
extern const RecipeKind recipe_path;   /* const char * */
extern const RecipeKind recipe_list;   /* snapshots and snapshot_count */
