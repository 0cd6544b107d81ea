/* help.h - what there is to type, read from the tables. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* All commands by group, a line each. */
void help_list(Page *page);

/* All about one. */
void help_command(const Command *command, Page *page);

/* The options that many commands share, each with its help. */
void help_flags(Page *page);

/* The kinds of figures, each with a line that draws one. */
void help_figures(Page *page);

/* The table of README: "| command | what it does |" lines, from the command table. */
const char *help_markdown(Arena *arena);

/* The manual page, in the language of man(7), and the completion of bash. */
const char *help_manual(Arena *arena);
const char *help_completion(Arena *arena);

/* How to start the program: for `glassbox --help`. */
void help_program(Page *page);
