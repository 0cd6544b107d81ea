#include "shell/complete.h"

#include <string.h>

#include "shell/command.h"

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

typedef const char *Choose(const Session *session, int i, Arena *arena);

static Choose *const choosers[] = {
    [CHOICE_COMMAND] = choose_command,
    [CHOICE_ADDRESS] = choose_address,
    [CHOICE_STAGE] = choose_stage,
    [CHOICE_SETTING] = choose_setting,
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

const char *complete_word(const Session *session, const char *line, const char *word,
                          int i, Arena *arena) {
    if (line[0] == ':' && !strchr(line, ' ')) return complete_command(word, i, arena);
    const Command *command = command_of(line, arena);
    if (!command) return NULL;
    if (word[0] == '-') return complete_flag(command, word, i, arena);
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
                 (command->choice == CHOICE_FILE || strcmp(flag, "-o") == 0 ||
                  strcmp(flag, "--output") == 0 || strcmp(flag, "--model") == 0);
    arena_free(&arena);
    return wants;
}
