/* fold.h - sentences cut into lines where characters are cells. */
#pragma once

#include <stddef.h>

/* Bytes of the words from `text` on that fit into `width` cells; of a word that is
 * wider than a line the letters that fit, at least one. 0 at the end. The spaces behind
 * belong to no line. */
size_t fold_line(const char *text, int width);
