/* map_words.h - what a map says in words: shapes, titles of frames, notes. */
#pragma once

#include "explain/map.h"

/* "[4, 9, 9]", without a batch of one sentence; before a run the names of the axes,
 * "[head 4, source, source]". In `arena`. */
const char *map_shape(const MapBox *box, const Config *config, Arena *arena);

/* "encoder 0..1 ×2": what the frame holds, in `arena`; and what is to be noted of it,
 * "one layer used twice", or NULL. */
const char *map_title(const Config *config, bool is_decoder, Arena *arena);
const char *map_title_note(const Config *config, bool is_decoder, Arena *arena);

/* What the drawing does not say, in `arena`. */
const char *map_note(const Map *map, const Config *config, Arena *arena);
