/* figure_flags.h - flags for the style of a saved figure, and a file with defaults for
 * a set of figures. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"

/* In the current folder: {"theme": "print", "width": "12cm"}. */
#define FIGURE_FILE "figures.json"

/* Read the flags, then FIGURE_FILE for those that were not given; the file may also
 * contain the palette and the scale. Values of the file are added to `arguments` as if
 * they had been typed, so that the figure's command is complete; allocated in `arena`.
 * Fail on invalid values. */
bool figure_flags_read(Arguments *arguments, FigureLook *look, Arena *arena,
                       Error *error);

/* Return the flags that only `settled` has, as they would be typed at the end of the
 * line, " --theme dark"; allocated in `arena`. */
const char *figure_flags_told(const Arguments *typed, const Arguments *settled,
                              Arena *arena);

/* Return the i-th value of "--theme", "--palette" and similar flags that the command
 * takes; NULL after the last, and for other words. */
const char *figure_flags_choice(const Command *command, const char *flag, int i);

/* Return true if the command saves figures that take these flags. */
bool figure_flags_taken(const Command *command);

/* Return true if --width is a picture's, such as 12cm, in a command that makes one.
 * Otherwise it is in columns: a number without a unit, if the command prints text. */
bool figure_flags_has_width(const Arguments *arguments);
