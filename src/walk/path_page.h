/* path_page.h - a stop of the path: its inputs, outputs and a picture, short enough
 * that the whole stop fits a terminal of 80 columns and 24 lines. */
#pragma once

#include "walk/depth.h"
#include "walk/followed.h"

typedef struct {
    const Story *story;
    const Stage *stage; /* a stage of place->walk */
    const StoryPlace *place;
    const Here *here;
    const Followed *followed;
    int head; /* the head that is shown */
} PathStop;

/* Add the formulas and one line with the shapes of inputs and outputs. */
void path_say_shapes(const PathStop *stop, Page *page);

/* Add the picture, with as many rows as fit between the text already on the page and
 * the `here` text that follows. */
void path_say_picture(const PathStop *stop, Page *page);

/* Add one line with the shapes of a step of the decoding. */
void path_say_decoding(const Story *story, Page *page);

/* Return the number of lines left on a stop's page after `here` is added. The page must
 * start at the stop's heading. */
int path_lines_left(const Here *here, const Page *page);
