#include "shell/complete.h"

#include <string.h>

#include "explain/glossary.h"
#include "shell/command.h"
#include "shell/models.h"

/* The row of the command that the line begins with, or NULL. */
static const Command *command_of(const char *line, Arena *arena) {
    if (line[0] != ':') return NULL;
    return command_find(arena_copy(arena, line + 1, strcspn(line + 1, " ")));
}

static const char *choose_command(const Session *session, int i, Arena *arena) {
    (void)session;
    (void)arena;
    return commands[i] ? commands[i]->name : NULL;
}

static const char *choose_address(const Session *session, int i, Arena *arena) {
    (void)arena;
    Record record = session_record(session);
    return record_address(&record, i);
}

static const char *choose_stage(const Session *session, int i, Arena *arena) {
    (void)arena;
    return i < session->walk.count ? session->walk.stage[i].name : NULL;
}

static const char *choose_setting(const Session *session, int i, Arena *arena) {
    (void)session;
    return display_options[i].name ? arena_print(arena, "%s=", display_options[i].name)
                                   : NULL;
}

/* Those that have a name; what names a folder otherwise is a file. */
static const char *choose_model(const Session *session, int i, Arena *arena) {
    (void)session;
    int count;
    const NamedModel *list = models_list(arena, &count);
    return i < count ? list[i].name : NULL;
}

/* A term of several words is completed word by word: see complete_joined(). */
static const char *choose_term(const Session *session, int i, Arena *arena) {
    (void)session;
    (void)arena;
    for (const Glossary *glossary = glossaries; glossary->title; glossary++)
        for (const GlossaryTerm *term = glossary->term; term->term; term++)
            if (i-- == 0) return term->term;
    return NULL;
}

typedef const char *Choose(const Session *session, int i, Arena *arena);

static Choose *const choosers[] = {
    [CHOICE_COMMAND] = choose_command, [CHOICE_ADDRESS] = choose_address,
    [CHOICE_STAGE] = choose_stage,     [CHOICE_SETTING] = choose_setting,
    [CHOICE_MODEL] = choose_model,     [CHOICE_TERM] = choose_term,
};

/* The name of a command, behind its colon. */
static const char *complete_command(const char *word, int i, Arena *arena) {
    for (int c = 0; commands[c]; c++) {
        const char *name = arena_print(arena, ":%s", commands[c]->name);
        if (strncmp(name, word, strlen(word)) == 0 && i-- == 0) return name;
    }
    return NULL;
}

static const char *complete_flag(const Command *command, const char *word, int i,
                                 Arena *arena) {
    const Flag *flag;
    for (int f = 0; (flag = command_flag(command, f)); f++) {
        const char *name = arena_print(arena, "--%s", flag->name);
        if (strncmp(name, word, strlen(word)) == 0 && i-- == 0) return name;
    }
    for (const Option *key = config_keys; command->takes_options && key->name; key++) {
        const char *name = arena_print(arena, "--%s", option_flag(key, arena));
        if (strncmp(name, word, strlen(word)) == 0 && i-- == 0) return name;
    }
    return NULL;
}

/* The part of the line behind a bracket that is still open, or NULL. */
static const char *open_bracket(const char *line) {
    const char *bracket = strrchr(line, '[');
    return bracket && !strchr(bracket, ']') ? bracket : NULL;
}

/* The tensor whose name stands in front of the bracket, or NULL. */
static const Tensor *tensor_before(const Session *session, const char *line,
                                   const char *bracket, Arena *arena) {
    const char *start = bracket;
    while (start > line && start[-1] != ' ' && start[-1] != '\'') start--;
    const char *name = arena_copy(arena, start, (size_t)(bracket - start));
    Record record = session_record(session);
    const Tensor *tensor;
    Error error;
    return record_find(&record, name, arena, &tensor, &error) ? tensor : NULL;
}

/* The i-th name of an axis that begins with `item`, with its =. */
static const char *complete_axis(const Tensor *tensor, const char *item, int i,
                                 Arena *arena) {
    for (int a = 0; a < tensor->rank; a++) {
        const char *name = tensor->axis[a].name;
        if (tensor->axis[a].size > 1 && strncmp(name, item, strlen(item)) == 0 &&
            i-- == 0)
            return arena_print(arena, "%s=", name);
    }
    return NULL;
}

/* The i-th label or index along the axis, where `typed` begins it; the space before a
 * word need not be typed. */
static const char *complete_value(const Axis *axis, int row, const char *typed, int i,
                                  Arena *arena) {
    enum { SPACE_BYTES = sizeof "·" - 1 };
    for (int index = 0; index < axis->size; index++) {
        const char *value = address_label(axis, row, index, arena);
        bool space = strncmp(value, "·", SPACE_BYTES) == 0;
        bool fits = strncmp(value, typed, strlen(typed)) == 0 ||
                    (space && strncmp(value + SPACE_BYTES, typed, strlen(typed)) == 0);
        if (fits && i-- == 0) return value;
    }
    return NULL;
}

/* What can stand inside of brackets: axes, and behind their = labels and indices. */
static const char *complete_cell(const Session *session, const char *line,
                                 const char *bracket, const char *word, int i,
                                 Arena *arena) {
    const Tensor *tensor = tensor_before(session, line, bracket, arena);
    if (!tensor) return NULL;
    const char *item = bracket + 1;
    for (const char *comma; (comma = strchr(item, ','));) item = comma + 1;
    item += strspn(item, " ");
    const char *equals = strchr(item, '=');
    const char *part = equals ? equals + 1 : item;
    const char *end = NULL;
    if (!equals) {
        end = complete_axis(tensor, item, i, arena);
    } else {
        int a = tensor_axis(tensor, arena_copy(arena, item, (size_t)(equals - item)));
        if (a >= 0)
            end = complete_value(&tensor->axis[a], session->row, part, i, arena);
    }
    size_t kept = strlen(word) < strlen(part) ? 0 : strlen(word) - strlen(part);
    return end ? arena_print(arena, "%.*s%s", (int)kept, word, end) : NULL;
}

bool complete_is_whole(const char *line, const char *word) {
    Arena arena = {0};
    const Command *command = command_of(line, &arena);
    arena_free(&arena);
    bool opens = command && strchr(line, ' ') && command->choice == CHOICE_ADDRESS;
    return word[0] && !strchr(word, '=') && (!opens || word[0] == '-');
}

const char *complete_word(const Session *session, const char *line, const char *word,
                          int i, Arena *arena) {
    if (line[0] == ':' && !strchr(line, ' ')) return complete_command(word, i, arena);
    const Command *command = command_of(line, arena);
    if (!command) return NULL;
    if (word[0] == '-') return complete_flag(command, word, i, arena);
    const char *bracket = open_bracket(line);
    if (bracket && command->choice == CHOICE_ADDRESS)
        return complete_cell(session, line, bracket, word, i, arena);
    Choose *chooser = choosers[command->choice];
    const char *choice;
    for (int c = 0; chooser && (choice = chooser(session, c, arena)); c++)
        if (strncmp(choice, word, strlen(word)) == 0 && i-- == 0) return choice;
    return NULL;
}

/* The value of a flag that names a file, or a word of a command that takes files. */
bool complete_wants_file(const char *line, const char *word) {
    Arena arena = {0};
    const Command *command = command_of(line, &arena);
    const char *before = line + strlen(line) - strlen(word);
    while (before > line && before[-1] == ' ') before--;
    const char *start = before;
    while (start > line && start[-1] != ' ') start--;
    const char *flag = arena_copy(&arena, start, (size_t)(before - start));
    bool wants = command && strchr(line, ' ') && word[0] != '-' &&
                 (command->choice == CHOICE_FILE ||
                  (command->choice == CHOICE_MODEL && strchr(word, '/')) ||
                  strcmp(flag, "-o") == 0 || strcmp(flag, "--output") == 0 ||
                  strcmp(flag, "--model") == 0);
    arena_free(&arena);
    return wants;
}
