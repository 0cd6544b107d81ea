/* command.h - the commands, all in one table.
 *
 * Dispatch, checking of arguments, :help, tab completion, the man page and
 * lessons/REFERENCE.md are made from it, so a new command is one function and one row.
 * A command is typed as ":why ADDRESS" at the prompt and as "glassbox why ADDRESS" in a
 * shell. */
#pragma once

#include "base/error.h"
#include "command/arguments.h"

typedef struct Session Session; /* session/session.h */

enum { FLAG_GROUPS = 14 };

/* Something written as --name VALUE, --name=VALUE or, without a value, --name. */
typedef struct {
    const char *name;
    char letter;       /* also -o; '\0': none */
    const char *value; /* what help calls its value; NULL: a switch; with ... at its
                          end it may be given again and again */
    const char *help;
} Flag;

/* Which flags a command takes; arrays end with a row without name. */
extern const Flag flags_model[];    /* --model */
extern const Flag flags_sentence[]; /* --source, --source-ids, --limit */
extern const Flag flags_target[];   /* --target, --target-ids, --picks, --batch */
extern const Flag flags_toy[];      /* --toy, which stands for model and sentence */
extern const Flag flags_output[];   /* -o, --force */
extern const Flag flags_figure[];   /* how a saved figure looks: figure_flags.c */
extern const Flag flags_display[];  /* --width, --color: taken by every command */

/* Those of them that a person knows from elsewhere: all but flags_output; ends with
 * NULL. */
extern const Flag *const flags_shared[];

typedef enum {
    CHOICE_NONE,
    CHOICE_ADDRESS,
    CHOICE_COMMAND,
    CHOICE_STAGE,
    CHOICE_FILE,
    CHOICE_SETTING,
    CHOICE_MODEL,
    CHOICE_OPTION,
    CHOICE_PRESET,
    CHOICE_TRUTH,
    CHOICE_TERM,
    CHOICE_LENS
} Choice;

/* What must be at hand before a command can run: a model (--model, the one at hand, or
 * the default one, of a prompt the first one of the language), and a sentence
 * (--source, or the one at hand), or only if there is one. */
typedef struct {
    bool model, run, run_if_any, first_model;
} Needs;

/* The parts of :help, in its order. */
typedef enum {
    GROUP_NONE, /* of no command */
    GROUP_WALK,
    GROUP_LOOK,
    GROUP_EXPLAIN,
    GROUP_CHANGE,
    GROUP_DECODING,
    GROUP_FILES,
    GROUP_LESSONS,
    GROUP_MODELS,
    GROUP_TRAINING,
    GROUP_PROGRAM,
    GROUPS
} Group;

/* `name` is what is typed after :help. */
typedef struct {
    const char *name, *title;
} CommandGroup;
extern const CommandGroup command_groups[GROUPS];

/* All texts but `arguments` are there. */
typedef struct Command {
    const char *name;
    Group group;
    bool is_first;         /* one of the dozen commands that :help shows first */
    const char *arguments; /* as help shows them: "ADDRESS[cell]"; NULL: none */
    const char *summary;   /* one line, begins with a verb */
    const char *details;   /* a paragraph */
    const char *example;   /* runs as it stands, at the prompt, after a sentence;
                             a file it reads is the person's */
    struct {
        int least, most;
    } words; /* how many it takes */
    const Flag *flags[FLAG_GROUPS];
    bool takes_options; /* every key of config.json is a flag too */
    Needs needs;
    Needs (*needs_of)(const Arguments *arguments); /* where it follows from the words */
    bool shows_here;  /* its words are addresses; none: what the stage shows */
    bool reads_words; /* it finds out by itself which of its words are addresses */
    bool only_prompt; /* no subcommand: it makes sense only after another line */
    bool pages;       /* at a prompt, what is longer than the screen is held back */
    Choice choice;    /* what completes a word */
    bool (*run)(Session *session, const Arguments *arguments, Error *error);
} Command;

/* All of them; ends with NULL. */
extern const Command *const commands[];

/* The row with that name, or NULL. */
const Command *command_find(const char *name);

/* Split a line at spaces; those in "quotes" and [brackets] stay. `words` in `arena`. */
bool command_split(const char *line, Arena *arena, const char **word, int *words,
                   Error *error);

/* Take the command `word[0]` and the words behind it apart, without running it; all in
 * `arena`. */
bool command_parse(const char *const *word, int words, Arguments *arguments,
                   Arena *arena, Error *error);

/* The same of the words behind a command that is known, which need not be in the table.
 */
bool command_read_arguments(const char *const *word, int words, Arguments *arguments,
                            Arena *arena, Error *error);

/* There is no command of that name: which one may be meant. */
void command_fail_unknown(const char *name, Arena *arena, Error *error);

/* What this line needs. */
Needs command_needs(const Arguments *arguments);

/* Is --help or -h among the words? Then it is :help of the command that runs. */
bool command_asks_help(const char *const *word, int words);

/* The flag that the command takes by that name, or NULL. */
const Flag *command_flag_named(const Command *command, const char *name);

/* The i-th flag that the command takes, or NULL; keys of config.json are not among
 * them. */
const Flag *command_flag(const Command *command, int i);
