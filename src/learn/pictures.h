/* pictures.h - what a training leaves to look at: its curves, and how tensors changed.
 */
#pragma once

#include "learn/curve.h"
#include "learn/snapshot.h"
#include "learn/training.h"

/* The name of picture `i` of such a training, in `arena`; NULL behind the last. */
const char *pictures_name(const Recipe *recipe, int i, Arena *arena);

/* Draw them into the folder of the recipe, as it asks for; each says which recipe,
 * data, preset, seed and command it comes from, and after how many steps. */
bool pictures_draw(const Training *training, int steps, const Curve *curve,
                   const Snapshots *snapshots, Error *error);
