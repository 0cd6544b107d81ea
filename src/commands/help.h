/* help.h - help, generated from the tables. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* Print the first commands and the names of the groups: at most a screen. */
void help_first(Page *page);

/* Print the commands of one group, or of all. */
void help_group(Group group, Page *page);
void help_all(Page *page);

/* Print the help of one command. */
void help_command(const Command *command, Page *page);

/* Print the flags that many commands share, with their help. */
void help_flags(Page *page);

/* Print the options of a model: the main ones, or all. */
void help_options(bool all, Page *page);

/* Print the kinds of figures, each with a line that draws one. */
void help_figures(Page *page);

enum { TOPIC_ROWS = 10 };

/* A topic besides the commands. `name` is typed after :help. */
typedef struct {
    const char *name, *title, *text;
    struct {
        const char *name, *text;
    } row[TOPIC_ROWS]; /* maximum number of rows */
} Topic;
extern const Topic topics[]; /* terminated by a row without a name */

void help_topic(const Topic *topic, Page *page);

/* Return all tables as Markdown: lessons/REFERENCE.md. */
const char *help_reference(Arena *arena);

/* Return the manual page, in the format of man(7). */
const char *help_manual(Arena *arena);

/* Return the completion for a shell: bash, zsh or fish. NULL: not one of them. */
const char *help_completion(const char *shell, Arena *arena);

/* Print how to start the program, for `glassbox --help`. */
void help_program(Page *page);
