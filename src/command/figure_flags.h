/* figure_flags.h - the flags that make a saved figure for its place, and the file that
 * says them once for a whole hand-out. */
#pragma once

#include "command/command.h"
#include "figure/figure.h"

/* In the current folder: {"theme": "print", "width": "12cm"}. */
#define FIGURE_FILE "figures.json"

/* What the flags say, and where they say nothing FIGURE_FILE, which may also name the
 * palette and the scale. What came from there is in `arguments` afterwards as if it
 * had been typed, so that the command of the figure names it; in `arena`. Fails on
 * values that are not as they must be. */
bool figure_flags_read(Arguments *arguments, FigureLook *look, Arena *arena,
                       Error *error);

/* The flags that only the `settled` arguments have, as they would be typed behind the
 * line: " --theme dark"; in `arena`. */
const char *figure_flags_told(const Arguments *typed, const Arguments *settled,
                              Arena *arena);

/* The i-th value that "--theme", "--palette" and the like may have, for a command that
 * takes that flag; NULL after the last, and of other words. */
const char *figure_flags_choice(const Command *command, const char *flag, int i);

/* Does the command save figures that take these flags? */
bool figure_flags_taken(const Command *command);

/* Is it the --width of a picture, such as 12cm, for a command that makes one? If not,
 * it is in columns. */
bool figure_flags_has_width(const Arguments *arguments);
