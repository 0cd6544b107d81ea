/* path_page.h - a stop of the path: what goes in and what comes out, and a picture, in
 * so few lines that the whole stop fits a terminal of 80 columns and 24 lines. */
#pragma once

#include "walk/depth.h"
#include "walk/followed.h"

typedef struct {
    const Story *story;
    const Stage *stage; /* one of place->walk */
    const StoryPlace *place;
    const Here *here;
    const Followed *followed;
    int head; /* that is shown */
} PathStop;

/* The formulas, and one line with the shapes of what goes in and what comes out. */
void path_say_shapes(const PathStop *stop, Page *page);

/* The picture, with as many rows as there is room for; the page holds what was said of
 * the stop before, `here` is what follows. */
void path_say_picture(const PathStop *stop, Page *page);

/* One line with the shapes of a step of the decoding. */
void path_say_decoding(const Story *story, Page *page);

/* How many lines are left of a stop's, when `here` has been said, too. The page holds
 * the stop from its heading on. */
int path_lines_left(const Here *here, const Page *page);
