/* draw_scale.h - figures that can be put beside each other: the scale that a person
 * asks for, and several files under one scale. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* --range, --log and --best: how numbers are shown; and --same-scale. */
extern const Flag flags_scale[], flags_files[];

/* Take them into `figure`. Fails where they cannot be read, or where the figure has no
 * colours, or no bars. */
bool draw_scale(const Arguments *arguments, Figure *figure, Error *error);

/* Is -o a pattern, "head-*.png", for a file of each part of the figure? */
bool draw_is_split(const Arguments *arguments);

/* Write the parts of `figure`, one for each slice, or of one slice for each of its
 * matrices, with what tells it from the others in place of the star; under one scale
 * with --same-scale. Fails, before anything is written, where a file exists or --force
 * is missing, or a part cannot be drawn. */
bool draw_split(Session *session, const Arguments *arguments, const Figure *figure,
                Error *error);

/* --blank, --seed. Fails on wrong values, and on figures without cells. */
bool draw_worksheet_read(const Arguments *arguments, Figure *figure, Error *error);

/* Write the worksheet to `path` and the key to "sheet-key.png" beside it, and say so.
 * Where one of them exists already, neither is written. */
bool draw_worksheet_save(Session *session, const Arguments *arguments,
                         const Figure *figure, const char *path, Error *error);
