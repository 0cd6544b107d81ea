/* command.h - the table of commands.
 *
 * Dispatch, checking of arguments, :help, tab completion, the man page and
 * lessons/REFERENCE.md are generated from it, so a new command is one function and one
 * row. A command is typed as ":why ADDRESS" at the prompt and as "glassbox why ADDRESS"
 * in a shell. */
#pragma once

#include "base/error.h"
#include "command/arguments.h"

typedef struct Session Session; /* session/session.h */

enum { FLAG_GROUPS = 14 };

/* A flag: --name VALUE, --name=VALUE or, without a value, --name. */
typedef struct {
    const char *name;
    char letter;       /* also -o; '\0': none */
    const char *value; /* name of its value in help; NULL: a switch; ending in "...":
                          the flag may be repeated */
    const char *help;
} Flag;

/* Groups of flags that commands take; arrays are terminated by a row without a name. */
extern const Flag flags_model[];    /* --model */
extern const Flag flags_sentence[]; /* --source, --source-ids, --limit */
extern const Flag flags_target[];   /* --target, --target-ids, --picks, --batch */
extern const Flag flags_toy[];      /* --toy, instead of model and sentence */
extern const Flag flags_output[];   /* -o, --force */
extern const Flag flags_folder[];   /* the same for a folder */
extern const Flag flags_figure[];   /* style of a saved figure: figure_flags.c */
extern const Flag flags_display[];  /* --width, --color: for every command */

/* The groups that several commands share and :help explains once: all except
 * flags_output; terminated by NULL. */
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

/* What a command needs before it can run: a model (--model, the current one, or the
 * default one, which at a prompt depends on the language), and a sentence (--source, or
 * the current one); or a sentence if there is one. */
typedef struct {
    bool model, run, run_if_any, first_model;
} Needs;

/* The groups of :help, in order. */
typedef enum {
    GROUP_NONE, /* for no command */
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

/* `name` is typed after :help. */
typedef struct {
    const char *name, *title;
} CommandGroup;
extern const CommandGroup command_groups[GROUPS];

/* All texts except `arguments` are required. */
typedef struct Command {
    const char *name;
    Group group;
    bool is_first;         /* one of the dozen commands that :help lists first */
    const char *arguments; /* as printed by help: "ADDRESS[cell]"; NULL: none */
    const char *summary;   /* one line, starts with a verb */
    const char *details;   /* a paragraph */
    const char *example;   /* runs as written, at the prompt, after a sentence; if it
                              reads a file, the user must have it */
    struct {
        int min, max;
    } words; /* how many it takes */
    const Flag *flags[FLAG_GROUPS];
    bool takes_options; /* every key of config.json is also a flag */
    Needs needs;
    Needs (*needs_of)(const Arguments *arguments); /* if it depends on the words */
    bool shows_here;  /* words are addresses; the default is the tensor of the stage */
    bool reads_words; /* the command itself finds the addresses among its words */
    bool only_prompt; /* not a subcommand: needs a previous line */
    bool pages;       /* at a prompt, long output is shown one screenful at a time */
    Choice choice;    /* completion of a word */
    bool (*run)(Session *session, const Arguments *arguments, Error *error);
} Command;

/* All commands; terminated by NULL. */
extern const Command *const commands[];

/* Return the command with that name, or NULL. */
const Command *command_find(const char *name);

/* Split a line at spaces outside of "quotes" and [brackets]. `words` is in `arena`. */
bool command_split(const char *line, Arena *arena, const char **word, int *words,
                   Error *error);

/* Parse the command `word[0]` and the words after it, without running it; all in
 * `arena`. */
bool command_parse(const char *const *word, int words, Arguments *arguments,
                   Arena *arena, Error *error);

/* The same for the words after a given command, which need not be in the table. */
bool command_read_arguments(const char *const *word, int words, Arguments *arguments,
                            Arena *arena, Error *error);

/* Fail with the arguments of the command and its example. */
bool command_fail_usage(const Command *command, Error *error);

/* Fail with the most similar name. */
void command_fail_unknown(const char *name, Arena *arena, Error *error);

/* Return what this line needs. */
Needs command_needs(const Arguments *arguments);

/* Return true if --help or -h is one of the words. The line then runs :help. */
bool command_asks_help(const char *const *word, int words);

/* Return the command's flag of that name, or NULL. */
const Flag *command_flag_named(const Command *command, const char *name);

/* Return the i-th flag of the command, or NULL; keys of config.json are not included.
 */
const Flag *command_flag(const Command *command, int i);
