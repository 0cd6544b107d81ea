/* A lesson that is played to its end, with its files: the lesson, a NUL, its recipe, a
 * NUL, pairs.tsv, a NUL, grammar.json, a NUL, words.json. Next to its folder there are
 * other files, and in the folder links to them. Whatever the lesson types, no file
 * outside is opened, made, changed or removed. Commands that only take long are
 * skipped. */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>

#include "base/language.h"
#include "base/threads.h"
#include "command/command.h"
#include "fuzz.h"
#include "grammar/grammar.h"
#include "learn/recipe.h"
#include "player/lesson_exec.h"
#include "player/lessons.h"
#include "player/line.h"
#include "player/player.h"
#include "prompt/dispatch.h"
#include "session/session.h"
#include "window/text.h"

enum { ENTERS = 24, LINES = 12 };

/* The temporary folder of this process, and in it the folder of the lesson. */
static char root[] = "/tmp/glassbox-play.XXXXXX";
static char mine[sizeof root + 8];

/* Check where an open file is, according to the kernel; O_PATH neither reads nor
 * writes. Libraries may read fonts and devices, but nothing next to the lesson's
 * folder. */
static void check_opened(int file, int flags) {
    char link[64], path[PATH_MAX];
    if (file < 0 || !confine_now().is_on || flags & O_PATH) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    MUST(length > 0);
    path[length] = '\0';
    bool is_mine = strncmp(path, mine, strlen(mine)) == 0 &&
                   (path[strlen(mine)] == '/' || path[strlen(mine)] == '\0');
    bool is_root = strncmp(path, root, strlen(root)) == 0;
    bool writes = (flags & O_ACCMODE) != O_RDONLY;
    MUST(is_mine || (!is_root && (!writes || strncmp(path, "/dev/", 5) == 0)));
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT ? va_arg(rest, mode_t) : 0;
}

int openat(int folder, const char *path, int flags, ...) {
    typedef int Real(int, const char *, int, ...);
    Real *real;
    va_list rest;
    va_start(rest, flags);
    *(void **)&real = dlsym(RTLD_NEXT, "openat");
    int file = real(folder, path, flags, mode_of(flags, rest));
    va_end(rest);
    check_opened(file, flags);
    return file;
}

int open(const char *path, int flags, ...) {
    typedef int Real(const char *, int, ...);
    Real *real;
    va_list rest;
    va_start(rest, flags);
    *(void **)&real = dlsym(RTLD_NEXT, "open");
    int file = real(path, flags, mode_of(flags, rest));
    va_end(rest);
    check_opened(file, flags);
    return file;
}

/* No need to survive a power failure here. */
int fsync(int file) {
    return file >= 0 ? 0 : -1;
}

static void put(const char *folder, const char *name, Bytes bytes) {
    Arena arena = {0};
    Error error;
    MUST(file_save(file_join(&arena, folder, name), bytes.bytes, bytes.size, true,
                   &error));
    arena_free(&arena);
}

static const char *in_root(const char *name, Arena *arena) {
    return file_join(arena, root, name);
}

/* List a folder in the order of readdir(). */
static const char *list(const char *folder, Arena *arena) {
    const char *names = "";
    DIR *all = opendir(folder);
    MUST(all);
    for (const struct dirent *entry; (entry = readdir(all));)
        names = arena_print(arena, "%s%s\n", names, entry->d_name);
    closedir(all);
    return names;
}

/* Return the contents of everything outside the lesson's folder. */
static const char *look_around(Arena *arena) {
    Bytes bytes;
    Error error;
    const char *victim = in_root("outside/victim", arena);
    MUST(file_read(victim, 1 << 10, arena, &bytes, &error));
    return arena_print(arena, "%s|%s|%s|%s", list(root, arena),
                       list(in_root("outside", arena), arena),
                       list(in_root("work", arena), arena), bytes.bytes);
}

static void leave_root(void) {
    folder_remove_all(root);
}

/* Words and weights, which are written again for each input: a lesson may change
 * them. */
static void save_tiny_model(const char *folder) {
    static const char text[] = "나는 어제 친구를 만났다. a b ab abc\n나는 오늘 만났다";
    const Clean clean = {.text = text, .length = (int)strlen(text)};
    Arena arena = {0};
    Error error;
    Tokenizer words;
    Config config;
    Model model;
    MUST(tokenizer_learn(&words, (TokenizerOptions){TOKENIZER_WORDS, 40, false}, &clean,
                         &arena, &error));
    MUST(config_preset(&config, "paper", &arena, &error));
    config.d_model = config.d_ff = 4;
    config.attention_heads = 2;
    config.encoder_layers = config.decoder_layers = 1;
    config.max_length = 12;
    const Tokenizers tokenizers = {.source = words, .target = words};
    MUST(model_new_with(&model, &config, 1, &tokenizers, &error));
    MUST(model_save(&model, folder, false, &error));
    model_free(&model);
    arena_free(&arena);
}

static void begin(void) {
    static const char *const folders[] = {"work", "outside", "lessons/en",
                                          "lessons/files", "tiny"};
    Arena arena = {0};
    Error error;
    MUST(mkdtemp(root) && atexit(leave_root) == 0);
    snprintf(mine, sizeof mine, "%s/mine", root);
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++)
        MUST(file_make_folder(in_root(folders[f], &arena), &error));
    put(root, "outside/victim", (Bytes){"untouched", 9});
    put(root, "work/secret.tsv", (Bytes){"a b\tsecret\n", 11});
    threads_limit(1);
    save_tiny_model(in_root("tiny", &arena));
    arena_free(&arena);
}

/* A number with many digits makes something large. */
static bool has_digits(const char *text, size_t max) {
    for (const char *c = text; *c; c++) {
        size_t digits = strspn(c, "0123456789");
        if (digits > max) return true;
        if (digits) c += digits - 1;
    }
    return false;
}

/* Is the training small? A recipe that cannot be read counts as small. */
static bool is_small_training(const Arguments *arguments, Arena *arena) {
    const char *set[WORDS_MAX];
    int sets = 0;
    Recipe recipe;
    Error error;
    for (int f = 0; f < arguments->flags; f++)
        if (strcmp(arguments->flag[f], "set") == 0) set[sets++] = arguments->value[f];
    const char *path = arguments->words ? arguments->word[0] : "";
    if (!recipe_read(&recipe, file_join(arena, mine, path), set, sets, arena, &error))
        return true;
    const Config *config = &recipe.config;
    return config->d_model <= 8 && config->d_ff <= 8 && config->encoder_layers <= 1 &&
           config->decoder_layers <= 1 && config->max_length <= 64 &&
           config->hidden_size <= 8 && recipe.steps >= 1 && recipe.steps <= 3 &&
           recipe.batch <= 8 && recipe.threads == 1;
}

static bool is_small_grammar(const Arguments *arguments, Arena *arena) {
    Grammar *grammar;
    Error error;
    long long sentences = 0;
    const char *path = arguments->words ? arguments->word[0] : "";
    if (!grammar_read(file_join(arena, mine, path), arena, &grammar, &error))
        return true;
    for (int s = 0; s < SPLITS; s++) sentences += grammar->size[s];
    return sentences <= 50;
}

static bool is_small_new(const Arguments *arguments) {
    static const char *const must[] = {"d_model", "d_ff", "encoder_layers",
                                       "decoder_layers"};
    for (size_t m = 0; m < sizeof must / sizeof *must; m++) {
        const char *value = arguments_flag(arguments, must[m]);
        if (!value || has_digits(value, 1)) return false;
    }
    return true;
}

static bool is_small_line(const char *typed, Arena *arena) {
    const char **word = ARENA_ARRAY(arena, const char *, WORDS_MAX);
    const char *line = dispatch_command(typed);
    int words;
    Arguments arguments;
    Error error;
    if (!line) return strlen(typed) < 200;
    if (!command_split(line, arena, word, &words, &error) || words == 0 ||
        !command_parse(word, words, &arguments, arena, &error))
        return true;
    const char *name = arguments.command->name;
    bool draws = strcmp(name, "draw") == 0;
    for (int f = 0; f < arguments.flags; f++)
        if (has_digits(arguments.value[f], draws ? 1 : 2)) return false;
    if (strcmp(name, "train") == 0) return is_small_training(&arguments, arena);
    if (strcmp(name, "grammar") == 0) return is_small_grammar(&arguments, arena);
    return strcmp(name, "new") != 0 || is_small_new(&arguments);
}

static bool is_small(const char *path, Arena *arena) {
    Lesson lesson;
    Error error;
    int lines = 0;
    if (!lesson_read(&lesson, path, arena, &error)) return false;
    for (int s = 0; s < lesson.steps; s++) {
        const LessonStep *step = &lesson.step[s];
        const Quiz *question = step->question;
        bool types = step->kind == STEP_TYPED || step->kind == STEP_FIGURE;
        if (types && (++lines > LINES || !is_small_line(step->typed.text, arena)))
            return false;
        for (int c = 0; question && c < question->commands; c++)
            if (++lines > LINES || !is_small_line(question->command[c], arena))
                return false;
    }
    return true;
}

static void play(Session *session, const char *path, Arena *arena) {
    Error error = {0};
    MUST(model_open(&session->model, in_root("tiny", arena), &error));
    session->has_model = session->input.by_line = true;
    bool done = player_begin(session, path, mine, &error);
    MUST(done || *error.message);
    for (int e = 0; e < ENTERS && session->lesson.is_open; e++) {
        /* If an answer cannot be computed, do not ask for it again. */
        const char *line = !session->lesson.player->asks ? ""
                           : done                        ? ":answer"
                                                         : ":skip";
        error = (Error){0};
        done = line_run(session, line, &error);
        MUST(done || *error.message);
    }
}

/* The lesson's files are next to it, and copies are already in its folder. */
static void put_files(Bytes rest, Arena *arena) {
    static const char *const names[] = {"recipe.json", "pairs.tsv", "grammar.json",
                                        "words.json"};
    Error error;
    MUST(file_make_folder(mine, &error));
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Bytes part = fuzz_part(&rest);
        put(in_root("lessons/files", arena), names[n], part);
        put(mine, names[n], part);
    }
    MUST(symlink("../outside", file_join(arena, mine, "away")) == 0);
    MUST(symlink("../outside/victim", file_join(arena, mine, "link.tsv")) == 0);
    MUST(symlink("../outside/made", file_join(arena, mine, "link.png")) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena arena = {0};
    Bytes rest = {(const char *)data, size};
    if (!*mine) begin();
    const char *path = in_root("lessons/en/04-any.md", &arena);
    int before_us = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    MUST(before_us >= 0 && chdir(in_root("work", &arena)) == 0);
    put(root, "lessons/en/04-any.md", fuzz_part(&rest));
    put_files(rest, &arena);
    if (is_small(path, &arena)) {
        char *printed = NULL;
        size_t length = 0;
        const char *before = look_around(&arena);
        Session *session = session_new(&arena);
        FILE *out = open_memstream(&printed, &length);
        MUST(out);
        const Display *options = &session->options;
        TextWindow *window =
            window_text_new(&arena, out, &options->width, &options->color);
        session->page.window = session->messages.window = &window->window;
        play(session, path, &arena);
        MUST(!confine_now().is_on);
        fclose(out);
        free(printed);
        session_free(session);
        window_text_free(window);
        language_choose(0);
        threads_limit(1);
        MUST(strcmp(before, look_around(&arena)) == 0);
    }
    folder_remove_all(mine);
    MUST(fchdir(before_us) == 0);
    close(before_us);
    arena_free(&arena);
    return 0;
}
