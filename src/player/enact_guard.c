/* What a lesson may type. */
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/language.h"
#include "command/command.h"
#include "player/enact.h"
#include "prompt/dispatch.h"
#include "session/session.h"

/* What belongs to the person, not to a lesson. */
static const char *const kept_back[] = {"lesson", "hint", "answer", "skip", "where",
                                        "stop",   "read", "screen", "quit", NULL};

/* Commands that write although they have no -o. */
static const char *const writers[] = {"train", "draw", NULL};

static bool is_among(const char *word, const char *const *list) {
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

/* A path that leads out of the folder by what stands in it. */
static bool leads_away(const char *path) {
    if (*path == '/' || *path == '~') return true;
    for (const char *c = path; (c = strstr(c, "..")); c += 2)
        if ((c == path || c[-1] == '/') && (c[2] == '/' || c[2] == '\0')) return true;
    return false;
}

/* A path that leads somewhere else by a link in the folder. */
static bool passes_link(const char *path, const char *folder, Arena *arena) {
    struct stat status;
    for (const char *c = path; *c; c++) {
        if (c[1] && c[1] != '/') continue;
        const char *part = arena_copy(arena, path, (size_t)(c + 1 - path));
        if (lstat(file_join(arena, folder, part), &status) == 0 &&
            S_ISLNK(status.st_mode))
            return true;
    }
    return false;
}

bool enact_stays(const char *path, const char *folder, Arena *arena, Error *error) {
    if (leads_away(path))
        return fail(error,
                    "a lesson may not name '%s': its files have plain names, in its "
                    "own folder",
                    path);
    if (folder && passes_link(path, folder, arena))
        return fail(error, "a lesson may not name '%s': that is a link, and leads away",
                    path);
    return true;
}

/* The command that a line is, taken apart. False where it is none, and where it cannot
 * be taken apart: it fails then before it does anything. */
static bool command_of(const char *typed, Arguments *arguments, Arena *arena) {
    const char **word = ARENA_ARRAY(arena, const char *, WORDS_MAX);
    const char *line = dispatch_command(typed);
    int words = 0;
    Error unread;
    return line && command_split(line, arena, word, &words, &unread) && words &&
           command_parse(word, words, arguments, arena, &unread);
}

/* "data=/etc/passwd" is no path, but what stands behind its sign may be one. */
static bool value_stays(const char *value, const char *folder, Arena *arena,
                        Error *error) {
    const char *sign = strchr(value, '=');
    return enact_stays(value, folder, arena, error) &&
           (!sign || enact_stays(sign + 1, folder, arena, error));
}

bool enact_allows(const char *typed, const char *folder, Arena *arena, Error *error) {
    Arguments arguments;
    if (!command_of(typed, &arguments, arena)) return true;
    if (is_among(arguments.command->name, kept_back))
        return fail(error, ":%s is yours to type, not a lesson's",
                    arguments.command->name);
    for (int w = 0; w < arguments.words; w++)
        if (!enact_stays(arguments.word[w], folder, arena, error)) return false;
    for (int f = 0; f < arguments.flags; f++)
        if (!value_stays(arguments.value[f], folder, arena, error)) return false;
    return true;
}

bool enact_allows_recipe(const Recipe *recipe, Arena *arena, Error *error) {
    for (const Option *key = recipe_keys; key->name; key++)
        if (key->kind == &recipe_path_kind &&
            !enact_stays(option_print(key, recipe, arena), ".", arena, error))
            return false;
    return true;
}

bool enact_allows_grammar(const Grammar *grammar, Error *error) {
    long long sentences = 0;
    for (int s = 0; s < SPLITS; s++) sentences += grammar->size[s];
    return sentences <= LESSON_SENTENCES_MAX ||
           fail(error, "%s asks for %lld sentences; a lesson may take %d",
                grammar->path, sentences, LESSON_SENTENCES_MAX);
}

bool enact_writes(const char *typed, Arena *arena) {
    Arguments arguments;
    return command_of(typed, &arguments, arena) &&
           (is_among(arguments.command->name, writers) ||
            arguments_flag(&arguments, "output"));
}

/* Does it read or write a file that has no place but the lesson's folder? */
static bool names_files(const char *typed, Arena *arena) {
    Arguments arguments;
    return command_of(typed, &arguments, arena) &&
           (enact_writes(typed, arena) || arguments.command->choice == CHOICE_FILE ||
            arguments_flag(&arguments, "tokenizer"));
}

static bool step_names_files(const LessonStep *step, Arena *arena) {
    const Quiz *question = step->question;
    if (step->kind == STEP_FIGURE) return true;
    if (step->kind == STEP_TYPED) return names_files(step->typed.text, arena);
    for (int c = 0; question && c < question->commands; c++)
        if (names_files(question->command[c], arena)) return true;
    return false;
}

bool enact_shares_folder(const Lesson *lesson, Arena *arena) {
    if (lesson->files) return true;
    for (int s = 0; s < lesson->steps; s++)
        if (step_names_files(&lesson->step[s], arena)) return true;
    return false;
}
