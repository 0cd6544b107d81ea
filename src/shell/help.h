/* help.h - what there is to type, read from the tables. */
#pragma once

#include "shell/command.h"

/* All commands by group, a line each. */
void help_list(Session *session);

/* All about one. */
void help_command(Session *session, const Command *command);

/* The table of README: "| command | what it does |" lines, from the command table. */
void help_markdown(FILE *out);

/* The manual page, in the language of man(7), and the completion of bash. */
void help_manual(FILE *out);
void help_completion(FILE *out);

/* How to start the program: for `glassbox --help`. */
void help_program(FILE *out);
