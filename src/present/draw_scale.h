/* draw_scale.h - figures that can be compared: a scale given by the user, and several
 * files under one scale. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"
#include "session/session.h"

/* --range, --log and --best: how numbers are shown; and --same-scale. */
extern const Flag flags_scale[], flags_files[];

/* Apply them to `figure`. Fail if a value is invalid, or if the figure has no colors or
 * no bars. */
bool draw_scale(const Arguments *arguments, Figure *figure, Error *error);

/* Return true if -o is a pattern, "head-*.png", that writes each part of the figure to
 * its own file. */
bool draw_is_split(const Arguments *arguments);

/* Write the parts of `figure`, one per slice (or one per matrix of a single slice) to
 * files named by replacing the star with what distinguishes the part; --same-scale uses
 * one scale. Fail, before anything is written, if a file exists without --force or a
 * part cannot be drawn. */
bool draw_split(Session *session, const Arguments *arguments, const Figure *figure,
                Error *error);

/* Read --blank and --seed. Fail on invalid values, and on figures without cells. */
bool draw_worksheet_read(const Arguments *arguments, Figure *figure, Error *error);

/* Write the worksheet to `path` and the key to "sheet-key.png" next to it, and report
 * both. If one of them exists, write neither. */
bool draw_worksheet_save(Session *session, const Arguments *arguments,
                         const Figure *figure, const char *path, Error *error);
