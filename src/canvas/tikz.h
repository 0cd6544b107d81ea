/* tikz.h - a picture written as TikZ, for a text that is set by TeX: its letters are
 * those of the text around it. XeLaTeX or LuaLaTeX set Korean, which the file says.
 *
 * Texts are measured in the fonts of this machine, as TeX's are not known here: each is
 * placed by its start, middle or end, so that others fit as well. What lies on what is
 * the order in the file. Curves and heatmaps are drawn, not given as data. */
#pragma once

#include "canvas/picture.h"

Canvas *tikz_new(Arena *arena, const PictureOptions *options);

/* `text` for TeX, with its special letters as commands, in `arena`. */
const char *tikz_escape(const char *text, Arena *arena);
