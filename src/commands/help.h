/* help.h - what there is to type, read from the tables. */
#pragma once

#include "command/command.h"
#include "session/session.h"

/* The first commands and the names of the groups: at most a screen. */
void help_first(Page *page);

/* The commands of one group, or of all. */
void help_group(Group group, Page *page);
void help_all(Page *page);

/* All about one. */
void help_command(const Command *command, Page *page);

/* The options that many commands share, each with its help. */
void help_flags(Page *page);

/* Options of a model: the main ones, or all. */
void help_options(bool all, Page *page);

/* The kinds of figures, each with a line that draws one. */
void help_figures(Page *page);

enum { TOPIC_ROWS = 8 };

/* What to know beside the commands. `name` is what is typed after :help. */
typedef struct {
    const char *name, *title, *text;
    struct {
        const char *name, *text;
    } row[TOPIC_ROWS]; /* at most so many */
} Topic;
extern const Topic topics[]; /* ends with a row without name */

void help_topic(const Topic *topic, Page *page);

/* All tables as one text of Markdown: lessons/REFERENCE.md. */
const char *help_reference(Arena *arena);

/* The manual page, in the language of man(7), and the completion of bash. */
const char *help_manual(Arena *arena);
const char *help_completion(Arena *arena);

/* How to start the program: for `glassbox --help`. */
void help_program(Page *page);
