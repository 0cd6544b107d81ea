/* path_page.h - the picture of a stop on the path, small enough for the whole stop to
 * fit in a terminal of 80 columns and 24 lines. */
#pragma once

#include "walk/path_shapes.h"

/* Add the picture, with as many rows as fit between the text already on the page and
 * the `here` text that follows. */
void path_say_picture(const PathStop *stop, Page *page);

/* Return the number of lines left on a stop's page after `here` is added. The page must
 * start at the stop's heading. */
int path_lines_left(const Here *here, const Page *page);
