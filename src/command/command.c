#include "command/command.h"

#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "store/config.h"
#include "text/keyboard.h"
#include "window/text.h"

const Flag flags_model[] = {
    {"model", 0, "DIR",
     N_("a model folder, or the name of a model that comes with glassbox")},
    {"option", 0, "NAME=VALUE ...", N_("an option of the model to change")},
    {0},
};
const Flag flags_sentence[] = {
    {"source", 0, "TEXT",
     N_("the text that the model reads; | separates the sentences of a batch")},
    {"source-ids", 0, "IDS",
     N_("the same as ids: 5,7,9,2 or, for a batch, 5,7,9,2|5,2")},
    {"limit", 0, "N", N_("tokens to generate if no target is given")},
    {0},
};
const Flag flags_target[] = {
    {"target", 0, "TEXT", N_("the text that the decoder reads (teacher forcing)")},
    {"target-ids", 0, "IDS", N_("the same as ids, starting with <start>: 1,8,4")},
    {"picks", 0, "LIST",
     N_("tokens picked instead of the model's, as steps and ids: 5=308,7=12")},
    {"batch", 0, "N", N_("the sentence of a batch to show; the first is 0")},
    {0},
};
const Flag flags_toy[] = {
    {"toy", 0, "VECTORS", N_("numbers for attention, as for :toy")},
    {0},
};
const Flag flags_output[] = {
    {"output", 'o', "FILE", N_("the file to write")},
    {"force", 0, NULL, N_("overwrite an existing file")},
    {0},
};
const Flag flags_folder[] = {
    {"output", 'o', "DIR", N_("the folder to write")},
    {"force", 0, NULL, N_("overwrite an existing file")},
    {0},
};
const Flag flags_display[] = {
    {"width", 0, "N", N_("columns to print")},
    {"color", 0, "MODE", N_("auto, never, 256 or true")},
    {"language", 0, "NAME", N_("auto, en or ko")},
    {0},
};

const Flag *const flags_shared[] = {flags_model, flags_sentence, flags_target,
                                    flags_toy,   flags_figure,   flags_display,
                                    NULL};

const Command *command_find(const char *name) {
    for (const Command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0) return *command;
    return NULL;
}

const Flag *command_flag(const Command *command, int i) {
    for (int g = 0; g <= FLAG_GROUPS; g++) {
        const Flag *group = g < FLAG_GROUPS ? command->flags[g] : flags_display;
        for (const Flag *flag = group; flag && flag->name; flag++)
            if (i-- == 0) return flag;
    }
    return NULL;
}

const Flag *command_flag_named(const Command *command, const char *name) {
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++)
        if (strcmp(flag->name, name) == 0) return flag;
    return NULL;
}

/* Read "--name=value", or "--name" with the value in the next word. */
static bool read_flag(Arguments *arguments, const char *const *word, int words, int *w,
                      Arena *arena, Error *error) {
    const char *written = word[*w] + 1 + (word[*w][1] == '-');
    size_t length = strcspn(written, "=");
    const char *name = arena_copy(arena, written, length); /* "source" or "o" */
    const Command *command = arguments->command;
    const Flag *flag;
    for (int i = 0; (flag = command_flag(command, i)); i++)
        if (strcmp(flag->name, name) == 0 ||
            (flag->letter && name[0] == flag->letter && !name[1]))
            break;
    const Option *key =
        !flag && command->takes_options ? option_find_flag(config_keys, name) : NULL;
    if (!flag && !key) {
        Nearest nearest = {.word = name};
        for (int i = 0; (flag = command_flag(command, i)); i++)
            nearest_offer(&nearest, flag->name);
        for (key = config_keys; command->takes_options && key->name; key++)
            nearest_offer(&nearest, key->name);
        return fail(error, "%s has no option --%s%s", command->name, name,
                    nearest_question(&nearest, arena));
    }
    const char *full = flag ? flag->name : key->name;
    bool has_value = !flag || flag->value;
    bool repeats = flag && flag->value && strstr(flag->value, "...");
    if (!repeats && arguments_flag(arguments, full))
        return fail(error, "--%s is given twice", full);
    const char *value = written[length] == '=' ? written + length + 1 : NULL;
    if (value && !has_value) return fail(error, "--%s takes no value", full);
    if (!value && has_value) {
        if (*w + 1 == words) return fail(error, "--%s needs a value", full);
        value = word[++*w];
    }
    arguments->flag[arguments->flags] = full;
    arguments->value[arguments->flags++] = value ? value : "";
    return true;
}

/* A word that starts with - is a flag, unless it is a number such as -1 or -inf. */
static bool is_flag(const char *word) {
    return word[0] == '-' && word[1] && !strchr("0123456789.", word[1]) &&
           strcmp(word, "-inf") != 0;
}

bool command_read_arguments(const char *const *word, int words, Arguments *arguments,
                            Arena *arena, Error *error) {
    if (words > WORDS_MAX) return fail(error, "more than %d words", WORDS_MAX);
    bool only_words = false;
    for (int w = 1; w < words; w++) {
        if (!only_words && strcmp(word[w], "--") == 0) {
            only_words = true;
        } else if (!only_words && is_flag(word[w])) {
            if (!read_flag(arguments, word, words, &w, arena, error)) return false;
        } else {
            arguments->word[arguments->words++] = word[w];
        }
    }
    const Command *command = arguments->command;
    if (arguments->words >= command->words.min &&
        arguments->words <= command->words.max)
        return true;
    return command_fail_usage(command, error);
}

bool command_fail_usage(const Command *command, Error *error) {
    if (!command->arguments) return fail_usage(error, "usage: %s", command->name);
    fail_usage(error, "usage: %s %s", command->name, command->arguments);
    add_detail(error, "for example: %s", command->example);
    return false;
}

Needs command_needs(const Arguments *arguments) {
    const Command *command = arguments->command;
    if (arguments_flag(arguments, "toy")) return (Needs){0};
    return command->needs_of ? command->needs_of(arguments) : command->needs;
}

void command_fail_unknown(const char *name, Arena *arena, Error *error) {
    /* The keyboard may be in Hangul mode. */
    Nearest nearest = {.word = keyboard_keys(name, arena)};
    for (const Command *const *command = commands; *command; command++)
        nearest_offer(&nearest, (*command)->name);
    const char *question = nearest_question(&nearest, arena);
    if (*question)
        fail(error, "there is no command '%s'%s", name, question);
    else
        fail(error, "there is no command '%s'; :help lists them", name);
}

bool command_parse(const char *const *word, int words, Arguments *arguments,
                   Arena *arena, Error *error) {
    *arguments = (Arguments){.command = command_find(word[0])};
    if (arguments->command)
        return command_read_arguments(word, words, arguments, arena, error);
    command_fail_unknown(word[0], arena, error);
    return false;
}

bool command_asks_help(const char *const *word, int words) {
    for (int w = 1; w < words && strcmp(word[w], "--") != 0; w++)
        if (strcmp(word[w], "--help") == 0 || strcmp(word[w], "-h") == 0) return true;
    return false;
}

/* Position in a line: the open quote and the number of open brackets. */
typedef struct {
    char quote; /* '\0': none */
    int depth;
} Scan;

/* Quotes group words. Inside brackets they belong to an address. */
static bool is_mark(const Scan *scan, char c) {
    if (scan->quote) return c == scan->quote;
    return c == '"' || (c == '\'' && scan->depth == 0);
}

/* Advance by one character. */
static void step_over(Scan *scan, char c) {
    if (is_mark(scan, c))
        scan->quote = scan->quote ? '\0' : c;
    else if (!scan->quote && c == '[')
        scan->depth++;
    else if (!scan->quote && c == ']' && scan->depth > 0)
        scan->depth--;
}

static bool is_escape(const Scan *scan, const char *c) {
    return scan->quote && c[0] == '\\' && c[1] != '\0';
}

/* Remove the quotes outside of brackets. */
static const char *unquote(const char *from, const char *end, Arena *arena) {
    char *word = arena_copy(arena, from, (size_t)(end - from));
    char *to = word;
    Scan scan = {0};
    for (const char *c = word; *c; c++) {
        bool plain = scan.depth > 0;
        bool escape = is_escape(&scan, c);
        bool mark = !escape && is_mark(&scan, *c);
        if (escape && plain) *to++ = *c;
        if (escape) c++;
        if (!escape) step_over(&scan, *c);
        if (!mark || plain) *to++ = *c;
    }
    *to = '\0';
    return word;
}

bool command_split(const char *line, Arena *arena, const char **word, int *words,
                   Error *error) {
    *words = 0;
    for (const char *c = line + strspn(line, " \t"); *c; c += strspn(c, " \t")) {
        /* A word ends at a space outside of quotes and brackets. */
        const char *end = c;
        Scan scan = {0};
        for (; *end; end++) {
            if (!scan.quote && scan.depth == 0 && (*end == ' ' || *end == '\t')) break;
            if (is_escape(&scan, end))
                end++;
            else
                step_over(&scan, *end);
        }
        if (scan.quote)
            return fail(error, "a quotation mark is not closed; as a "
                               "label it is written \"\\\"\"");
        if (*words == WORDS_MAX)
            return fail(error, "a command has at most %d words", WORDS_MAX);
        word[(*words)++] = unquote(c, end, arena);
        c = end;
    }
    return true;
}
