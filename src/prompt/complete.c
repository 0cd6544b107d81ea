#include "prompt/complete.h"

#include <string.h>

#include "command/command.h"
#include "command/figure_flags.h"
#include "explain/glossary.h"
#include "explain/lens.h"
#include "explain/short_address.h"
#include "prompt/matches.h"
#include "session/models.h"
#include "session/session.h"

/* Where something is being completed. */
typedef struct {
    const Session *session;
    const Command *command; /* that the line begins with, or NULL */
    const char *line;       /* up to the cursor */
    const char *word;       /* behind its last space */
    const char *before;     /* the word before that */
} Cursor;

static Cursor cursor_new(const Session *session, const char *line, const char *word,
                         Arena *arena) {
    Cursor cursor = {.session = session, .line = line, .word = word};
    if (line[0] == ':')
        cursor.command =
            command_find(arena_copy(arena, line + 1, strcspn(line + 1, " ")));
    const char *end = line + strlen(line) - strlen(word);
    while (end > line && end[-1] == ' ') end--;
    const char *start = end;
    while (start > line && start[-1] != ' ') start--;
    cursor.before = arena_copy(arena, start, (size_t)(end - start));
    return cursor;
}

/* Is the name of the command itself being typed? */
static bool is_name(const Cursor *cursor) {
    return !strchr(cursor->line, ' ');
}

static void add_commands(Matches *matches, const Cursor *cursor) {
    for (int c = 0; commands[c]; c++)
        matches_offer(matches, commands[c]->name, cursor->word);
}

/* Behind an address, words that choose a part of it. */
static void add_addresses(Matches *matches, const Cursor *cursor) {
    bool is_first = cursor->before[0] == ':';
    const char *choice;
    for (int c = 0; cursor->command->shows_here && !is_first && *cursor->word &&
                    (choice = short_choice(c));
         c++)
        matches_offer(matches, arena_print(matches->arena, "%s ", choice),
                      cursor->word);
    if (matches->count == 0) matches_addresses(matches, cursor->session, cursor->word);
}

static void add_stages(Matches *matches, const Cursor *cursor) {
    matches_stages(matches, cursor->session, cursor->word);
}

/* The i-th value of an option, where there are names for them. */
static const char *option_value(const Option *option, int i) {
    static const char *const truths[] = {"false", "true"};
    if (option->kind == &option_truth) return i < 2 ? truths[i] : NULL;
    bool named = option->kind == &option_choice || option->kind == &option_set_of;
    return named ? option_choice_name(option, i) : NULL;
}

/* Names of options, and behind one its values. */
static void add_options(Matches *matches, const Cursor *cursor) {
    const Option *before = option_find_flag(config_keys, cursor->before);
    const char *value;
    for (int i = 0; before && (value = option_value(before, i)); i++)
        matches_offer(matches, value, cursor->word);
    if (before && before->kind->add) matches_offer(matches, "none", cursor->word);
    if (before) return;
    for (const Option *key = config_keys; key->name; key++)
        matches_offer(matches, key->name, cursor->word);
    if (cursor->before[0] == ':') matches_offer(matches, "reset", cursor->word);
}

static void add_presets(Matches *matches, const Cursor *cursor) {
    for (const Preset *preset = presets; preset->name; preset++)
        matches_offer(matches, preset->name, cursor->word);
}

static void add_truths(Matches *matches, const Cursor *cursor) {
    matches_offer(matches, "on", cursor->word);
    matches_offer(matches, "off", cursor->word);
}

static void add_settings(Matches *matches, const Cursor *cursor) {
    for (const Option *option = display_options; option->name; option++) {
        const char *name = arena_print(matches->arena, "%s=", option->name);
        bool is_whole = strncmp(cursor->word, name, strlen(name)) == 0;
        const char *value;
        if (!is_whole) matches_offer(matches, name, cursor->word);
        for (int i = 0; is_whole && (value = option_value(option, i)); i++)
            matches_offer(matches, arena_print(matches->arena, "%s%s", name, value),
                          cursor->word);
    }
}

/* Those that have a name; what names a folder otherwise is a file. */
static void add_models(Matches *matches, const Cursor *cursor) {
    ModelList list;
    Error unread;
    models_list(&list, matches->arena, &unread);
    for (int i = 0; i < list.count; i++)
        matches_offer(matches, list.model[i].name, cursor->word);
}

/* A term may be several words: what was typed of it stands before the cursor's. */
static void add_terms(Matches *matches, const Cursor *cursor) {
    const char *typed = strchr(cursor->line, ' ');
    typed += strspn(typed, " ");
    size_t done = strlen(typed) - strlen(cursor->word);
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++)
            if (strncmp(term->term, typed, strlen(typed)) == 0)
                matches_add(matches, term->term + done);
}

static void add_lenses(Matches *matches, const Cursor *cursor) {
    for (const Lens *lens = lenses; lens->name; lens++)
        matches_offer(matches, lens->name, cursor->word);
}

typedef void Add(Matches *matches, const Cursor *cursor);

static Add *const adders[] = {
    [CHOICE_COMMAND] = add_commands,
    [CHOICE_ADDRESS] = add_addresses,
    [CHOICE_STAGE] = add_stages,
    [CHOICE_SETTING] = add_settings,
    [CHOICE_MODEL] = add_models,
    [CHOICE_TERM] = add_terms,
    [CHOICE_OPTION] = add_options,
    [CHOICE_PRESET] = add_presets,
    [CHOICE_TRUTH] = add_truths,
    [CHOICE_LENS] = add_lenses,
    [CHOICE_FILE] = NULL,
};

static void add_names(Matches *matches, const char *word) {
    for (int c = 0; commands[c]; c++)
        matches_offer(matches, arena_print(matches->arena, ":%s", commands[c]->name),
                      word);
}

static void add_flags(Matches *matches, const Cursor *cursor) {
    Arena *arena = matches->arena;
    const Flag *flag;
    for (int f = 0; (flag = command_flag(cursor->command, f)); f++)
        matches_offer(matches, arena_print(arena, "--%s", flag->name), cursor->word);
    for (const Option *key = config_keys; cursor->command->takes_options && key->name;
         key++)
        matches_offer(matches, arena_print(arena, "--%s", option_flag(key, arena)),
                      cursor->word);
}

/* Behind a flag that has a choice of values. */
static bool add_values(Matches *matches, const Cursor *cursor) {
    const char *value;
    int count = 0;
    while ((value = figure_flags_choice(cursor->command, cursor->before, count))) {
        matches_offer(matches, value, cursor->word);
        count++;
    }
    return count > 0;
}

static bool is_model_wanted(const Cursor *cursor) {
    return cursor->command->choice == CHOICE_MODEL ||
           strcmp(cursor->before, "--model") == 0;
}

static void add_all(Matches *matches, const Cursor *cursor) {
    if (is_name(cursor) && cursor->line[0] == ':') {
        add_names(matches, cursor->word);
        return;
    }
    if (!cursor->command) return;
    const char *bracket = matches_bracket(cursor->line);
    Add *add_words = adders[cursor->command->choice];
    if (bracket && cursor->command->choice == CHOICE_ADDRESS)
        matches_cell(matches, cursor->session, cursor->line, bracket, cursor->word);
    else if (cursor->word[0] == '-')
        add_flags(matches, cursor);
    else if (add_values(matches, cursor))
        return;
    else if (is_model_wanted(cursor))
        add_models(matches, cursor);
    else if (add_words)
        add_words(matches, cursor);
}

bool complete_is_whole(const char *line, const char *word) {
    Arena arena = {0};
    Cursor cursor = cursor_new(NULL, line, word, &arena);
    arena_free(&arena);
    bool grows = cursor.command && !is_name(&cursor) &&
                 (cursor.command->choice == CHOICE_ADDRESS ||
                  cursor.command->choice == CHOICE_STAGE);
    return word[0] && !strchr(word, '=') && (!grows || word[0] == '-');
}

const char *const *complete_words(const Session *session, const char *line,
                                  const char *word, Arena *arena, int *count) {
    Matches matches = {.arena = arena};
    const Cursor cursor = cursor_new(session, line, word, arena);
    add_all(&matches, &cursor);
    *count = matches.count;
    return matches.word;
}

/* The value of a flag that names a file, or a word of a command that takes files. */
bool complete_wants_file(const char *line, const char *word) {
    Arena arena = {0};
    const Cursor cursor = cursor_new(NULL, line, word, &arena);
    bool wants =
        cursor.command && !is_name(&cursor) && word[0] != '-' &&
        (cursor.command->choice == CHOICE_FILE ||
         (is_model_wanted(&cursor) && strchr(word, '/')) ||
         strcmp(cursor.before, "-o") == 0 || strcmp(cursor.before, "--output") == 0);
    arena_free(&arena);
    return wants;
}
