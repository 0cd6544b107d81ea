/* Lines typed at the prompt, with tiny models: sentences, and every command of the
 * table. Each error must have a message, and the output must be safe for a terminal.
 *
 * Random letters hardly ever spell a command, or an address that it accepts. So five
 * bytes that cannot occur in UTF-8 are choices, and the next byte selects one:
 *
 *     F8  a command with its colon        F9  a tab completion of the last word
 *     FA  a flag of the line's command    FB  the example of a command
 *     FC  a number, a sentence, a file, a model, a name
 *
 * They come from the program's tables, so new commands, flags and addresses are tried
 * automatically. Each # at the start of the input selects the next preset. An empty
 * input types every example. With FUZZ_SHOW in the environment the lines are printed: a
 * finding is stored as this text, which stays the same when the tables grow. */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

#include "base/language.h"
#include "base/threads.h"
#include "command/command.h"
#include "fuzz.h"
#include "player/lesson_exec.h"
#include "player/lessons.h"
#include "player/line.h"
#include "prompt/complete.h"
#include "prompt/dispatch.h"
#include "session/session.h"
#include "session/stops.h"
#include "window/text.h"

/* Maximum lines of an input, choices of a line. */
enum { LINES = 16, CHOICES = 24 };

/* Input files for commands, small so that they are fast. */
static const struct {
    const char *name, *text;
} files[] = {
    {"notes.txt", "나는 어제 친구를 만났다. a b ab abc\n나는 오늘 만났다\n"},
    {"pairs.tsv", "a b\tb a\nab\tba\n나는\ta\nb\tb\n"},
    {"lines.txt", "# some lines\na b\n:target b a\n:learn\n\n:learn undo\n"},
    {"recipe.json",
     "{\"preset\": \"paper\", \"model\": {\"d_model\": 4, \"attention_heads\": 2, "
     "\"d_ff\": 4, \"encoder_layers\": 1, \"decoder_layers\": 1, \"max_length\": 12}, "
     "\"vocabulary\": 265, \"data\": \"pairs.tsv\", \"validation\": \"pairs.tsv\", "
     "\"batch\": 2, \"epochs\": 2, \"threads\": 1, \"plot\": \"none\", "
     "\"output\": \"out\"}"},
    {"classifier.json",
     "{\"source\": \"ko\", \"target\": \"en\", \"files\": [\"words.json\"], "
     "\"sentences\": {\"training\": 3, \"test\": 1}, \"word_at_least\": 0}"},
    {"words.json",
     "{\"noun\": {\"fields\": [\"ko\", \"en\"], \"words\": [[\"사과\", \"apple\"], "
     "[\"주스\", \"juice\"]]}, \"sentence\": {\"rules\": [{\"ko\": "
     "\"{N.ko}을/를 {M.ko}\", \"en\": \"a {N.en} {M.en}\", \"slots\": {\"N\": "
     "\"noun\", \"M\": \"noun\"}}]}}"},
    {"lesson.md",
     "---\ntitle: One\nlanguage: en\nminutes: 5\nneeds: none\nmodel: paper\n---\n# "
     "One\n\nWords.\n\n```glassbox\n> a b\n...\n> :trace -o x.json "
     "--force\n...\n```\n\n"
     "```predict\nask: Which?\nright: a\nwrong: b -- no\nhint: c\nwhy: d\n```\n\n"
     "```question\nask: Hide a.\ntrue: sum encoder.0.self_attention.weights[query=0, "
     "key=0] = 0\nanswer: :mask key 0\nhint: b\nwhy: c\n```\n\n```figure a.svg\n:draw "
     "encoder.0.self_attention.weights\n```\n"},
};

/* Words that are in no table. */
static const char *const words[] = {
    "0",        "1",
    "2",        "3",
    "7",        "-1",
    "0.5",      "1e30",
    "nan",      "=",
    "1:2",      "2147483647",
    "first",    "b",
    "now",      "unchanged",
    "all",      "from",
    "key",      "undo",
    "a",        "a b",
    "b a ab",   "나는",
    "a b | b",  "나는 만났다.",
    "check",    "page",
    "run",      "report",
    "x.png",    "x.svg",
    "x.tex",    "x.html",
    "x.npz",    "x.csv",
    "x.txt",    "x.json",
    "x",        "5,7,9,2|5,2",
    "1,8,4",    "5=9,2=3",
    "steps=3",  "d_model=4",
    "d_ff=8",   ".grad",
    "[0, 0]",   "[mean]",
    "[head=0]",
};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Commands run in `work`, which has hard links to the files of `kept`. Writing replaces
 * a link, so `kept` does not change. */
static const char *kept, *work;
static int presets_count, commands_count;

static void save_tiny_model(const char *preset, const char *folder) {
    const char *text = files[0].text;
    const Clean clean = {.text = text, .length = (int)strlen(text)};
    Arena arena = {0};
    Error error;
    Tokenizer tokenizer;
    Config config;
    Model model;
    MUST(tokenizer_learn(&tokenizer, (TokenizerOptions){TOKENIZER_BPE, 270, false},
                         &clean, &arena, &error));
    MUST(file_make_folder(folder, &error));
    MUST(tokenizer_save(&tokenizer, folder, "", true, &error));
    MUST(config_preset(&config, preset, &arena, &error));
    config.d_model = 4;
    config.d_ff = config.d_ff ? 4 : 0;
    config.hidden_size = config.hidden_size ? 4 : 0;
    config.attention_heads = config.attention_heads > 1 ? 2 : 1;
    config.encoder_layers = config.encoder_layers > 0;
    config.decoder_layers = config.decoder_layers > 0;
    config.labels[1] = "b\x1b[31m\xc2\x9b|"; /* as hostile as the words */
    config.max_length = 48;                  /* the examples have up to 41 tokens */
    MUST(model_new(&model, &config, 1, folder, &error));
    MUST(model_save(&model, folder, true, &error));
    model_free(&model);
    arena_free(&arena);
}

static FolderLock keeping, working;

static void leave(void) {
    scratch_folder_remove(&working);
    scratch_folder_remove(&keeping);
}

static void prepare(void) {
    static Arena lasting;
    Error error;
    setenv("TMPDIR", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", 1);
    MUST(scratch_folder_make(&keeping, &lasting, &error));
    MUST(scratch_folder_make(&working, &lasting, &error));
    kept = keeping.folder;
    work = file_join(&lasting, working.folder, "work"); /* made again for each input */
    MUST(atexit(leave) == 0);
    setenv("HOME", work, 1); /* where lessons and their progress are stored */
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_STATE_HOME");
    unsetenv("XDG_CONFIG_HOME");
    MUST(freopen("/dev/null", "r", stdin) != NULL); /* :generate may read it */
    for (int f = 0; f < COUNT(files); f++)
        MUST(file_save(file_join(&lasting, kept, files[f].name), files[f].text,
                       strlen(files[f].text), false, &error));
    for (const char *name; (name = presets[presets_count].name); presets_count++) {
        const char *folder = file_join(&lasting, kept, name);
        save_tiny_model(name, folder);
        MUST(file_save(file_join(&lasting, folder, "held-out.tsv"), files[1].text,
                       strlen(files[1].text), false, &error));
    }
    while (commands[commands_count]) commands_count++;
}

static void link_files(const char *from, const char *to) {
    Arena arena = {0};
    struct stat status;
    DIR *all = opendir(from);
    MUST(all != NULL);
    for (const struct dirent *entry; (entry = readdir(all));) {
        if (entry->d_name[0] == '.') continue;
        const char *file = file_join(&arena, from, entry->d_name);
        const char *same = file_join(&arena, to, entry->d_name);
        MUST(stat(file, &status) == 0);
        if (S_ISDIR(status.st_mode)) {
            MUST(mkdir(same, 0700) == 0);
            link_files(file, same);
        } else {
            MUST(link(file, same) == 0);
        }
    }
    closedir(all);
    arena_free(&arena);
}

/* Are all numbers in it at most `max`? */
static bool is_at_most(const char *text, double max) {
    for (size_t i = 0; text[i]; i += strspn(text + i, "0123456789")) {
        i += strcspn(text + i, "0123456789");
        if (strtod(text + i, NULL) > max) return false;
    }
    return true;
}

/* Does it only use files inside the folder, and finish soon? Commands that only display
 * something may have any numbers; in commands that make models, files or pictures,
 * numbers determine the amount of work. `writes` is set if it may create files. */
static bool is_harmless(const char *typed, bool *writes, Arena *arena) {
    enum {
        ELEMENTS_MAX = 32,
        NUMBER_MAX = 99,
        FILE_NUMBER_MAX = 4096,
        LARGEST = 1 << 20
    };
    const char *word[WORDS_MAX];
    int count;
    Arguments arguments;
    Bytes script;
    Error error;
    const char *line = dispatch_command(typed);
    if (!line || !command_split(line, arena, word, &count, &error) || !count ||
        !command_parse(word, count, &arguments, arena, &error))
        return true;
    const Command *command = arguments.command;
    bool reads = command->choice == CHOICE_FILE;
    bool sizes = command->takes_options || command->choice == CHOICE_OPTION;
    bool makes = lesson_exec_writes(typed, arena);
    double max = sizes   ? ELEMENTS_MAX
                 : reads ? FILE_NUMBER_MAX
                 : makes ? NUMBER_MAX
                         : INFINITY;
    *writes = *writes || reads || makes;
    for (int w = 0; w < arguments.words; w++)
        if (!lesson_exec_stays(arguments.word[w], NULL, arena, &error) ||
            !is_at_most(arguments.word[w], max))
            return false;
    for (int f = 0; f < arguments.flags; f++) {
        const Flag *flag = command_flag_named(command, arguments.flag[f]);
        bool sets = flag && flag->value && strstr(flag->value, "..."); /* NAME=VALUE */
        const char *value = arguments.value[f];
        const char *sign = strchr(value, '=');
        if (!lesson_exec_stays(value, NULL, arena, &error) ||
            (sign && !lesson_exec_stays(sign + 1, NULL, arena, &error)) ||
            !is_at_most(value, sets ? ELEMENTS_MAX : max))
            return false;
    }
    /* The presets are as large as in the tutorials. */
    if (command->takes_options && arguments_flag(&arguments, "output") &&
        !(arguments_flag(&arguments, "d_model") && arguments_flag(&arguments, "d_ff")))
        return false;
    if (strcmp(command->name, "read") != 0 ||
        !file_read_regular(arguments.word[0], LARGEST, arena, &script, &error))
        return true;
    char *rest = arena_copy(arena, script.bytes, script.size);
    for (char *each; (each = strsep(&rest, "\r\n"));) {
        const char *read = dispatch_command(each);
        bool again = read && strncmp(read + strspn(read, " "), "read", 4) == 0;
        if (!again && !is_harmless(each, writes, arena)) return false;
    }
    return true;
}

/* Return the line with its choices expanded, in `arena`. */
static const char *write_out(const Session *session, const char *line, Arena *arena) {
    const char *text = "";
    for (int choices = 0; *line; choices++) {
        size_t plain =
            choices < CHOICES ? strcspn(line, "\xf8\xf9\xfa\xfb\xfc") : strlen(line);
        text = arena_print(arena, "%s%.*s", text, (int)plain, line);
        if (!line[plain]) break;
        int kind = (unsigned char)line[plain];
        int choice = (unsigned char)line[plain + 1];
        line += plain + 1 + (choice != 0);
        const Command *command = commands[choice % commands_count];
        if (kind == 0xF8) text = arena_print(arena, "%s:%s ", text, command->name);
        if (kind == 0xFB) text = arena_print(arena, "%s%s", text, command->example);
        /* Addresses are completed part by part. */
        for (int part = 0; kind == 0xF9 && part < 6; part++) {
            const char *space = strrchr(text, ' ');
            const char *word = space ? space + 1 : text;
            int count;
            const char *const *found =
                complete_words(session, text, word, arena, &count);
            if (count)
                text = arena_print(arena, "%.*s%s", (int)(word - text), text,
                                   found[(choice + 7 * part) % count]);
            if (!count || text[strlen(text) - 1] != '.') break;
        }
        if (kind == 0xFA && *text == ':') {
            int flags = 0;
            command = command_find(arena_copy(arena, text + 1, strcspn(text + 1, " ")));
            while (command && command_flag(command, flags)) flags++;
            if (flags)
                text = arena_print(arena, "%s --%s ", text,
                                   command_flag(command, choice % flags)->name);
        }
        if (kind == 0xFC) {
            choice %= COUNT(words) + COUNT(files) + presets_count;
            int file = choice - COUNT(words), preset = file - COUNT(files);
            text = arena_print(arena, "%s%s ", text,
                               preset >= 0 ? presets[preset].name
                               : file >= 0 ? files[file].name
                                           : words[choice]);
        }
    }
    return text;
}

/* Remove color sequences, which an option enables and the program itself writes. */
static size_t without_colors(char *text, size_t size) {
    size_t left = 0;
    for (size_t i = 0; i < size; i++) {
        size_t end = i + 2;
        while (end < size && (isdigit((unsigned char)text[end]) || text[end] == ';'))
            end++;
        if (text[i] == '\x1b' && i + 1 < size && text[i + 1] == '[' && end < size &&
            text[end] == 'm')
            i = end;
        else
            text[left++] = text[i];
    }
    return left;
}

static void run_line(Session *session, const char *line, bool *writes, Arena *arena) {
    Error error;
    int count;
    const char *space = strrchr(line, ' ');
    const char *word = space ? space + 1 : line;
    if (getenv("FUZZ_SHOW")) fprintf(stderr, "%s\n", line);
    complete_words(session, line, word, arena, &count);
    complete_wants_file(line, word);
    if (!is_harmless(line, writes, arena)) return;
    bool done = line_run(session, line, &error);
    if (getenv("FUZZ_SHOW") && !done) fprintf(stderr, "    %s\n", error.message);
    MUST(done || *error.message);
    MUST(session->run->stage >= -1 && session->run->stage <= stops_all(session));
}

static void run_examples(Session *session, bool *writes, Arena *arena) {
    for (int c = 0; c < commands_count && !session->input.done; c++) {
        run_line(session, "a b", writes, arena);
        run_line(session, commands[c]->example, writes, arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool is_new = true; /* `work` may contain something other than links */
    char *printed = NULL;
    size_t length = 0;
    size_t preset = 0;
    Arena arena = {0};
    Error error;
    if (!kept) prepare();
    if (is_new) {
        folder_remove_all(work);
        MUST(mkdir(work, 0700) == 0);
        link_files(kept, work);
        is_new = false;
    }
    int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    MUST(before >= 0 && chdir(work) == 0);
    threads_limit(1); /* these two outlive a session */
    language_choose(0);
    while (preset < size && data[preset] == '#') preset++;
    char *rest = arena_copy(&arena, (const char *)data + preset, size - preset);
    for (size_t i = 0; i < size - preset; i++)
        if (!rest[i]) rest[i] = '\xff'; /* as in a line of the prompt */
    Session *session = session_new(&arena);
    session->input.by_line = true;
    session->options.limit = 2;
    MUST(session_open(session, presets[preset % (size_t)presets_count].name, &error));
    FILE *out = open_memstream(&printed, &length);
    MUST(out != NULL);
    const Display *options = &session->options;
    TextWindow *window = window_text_new(&arena, out, &options->width, &options->color);
    session->page.window = session->messages.window = &window->window;
    if (size == 0) run_examples(session, &is_new, &arena);
    for (int l = 0; size && l < LINES && rest && !session->input.done; l++)
        run_line(session, write_out(session, strsep(&rest, "\n"), &arena), &is_new,
                 &arena);
    fclose(out);
    must_be_safe(printed, without_colors(printed, length), true);
    free(printed);
    session_free(session);
    window_text_free(window);
    arena_free(&arena);
    MUST(fchdir(before) == 0);
    close(before);
    return 0;
}

/* Called by libFuzzer; replay.c does not use it. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* Mutate bytes as usual, or insert a line: interesting states usually need several
 * lines, which mutations of single bytes hardly ever make. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed) {
    static const char *const lines[] = {
        /* The byte after a choice is random. */
        "\xf8.",
        "\xf8.\xf9.",
        "\xf8.\xf9. ",
        "\xf8.\xf9.[\xf9.",
        "\xf8.\xf9.[0, 0, 0]",
        "\xf8.\xf9.\xfc.",
        "\xf8.\xf9. \xfc.\xfc.",
        "\xf8.\xf9. \xfa.\xfc.",
        "\xf8.\xfa.\xfc.",
        "\xf8.\xfa.\xf9.",
        "\xf8.\xfc.",
        "\xf8.\xfc.\xfc.\xfc.",
        "\xfb.",
        "\xfb. \xfa.\xfc.",
        "\xfc.",
        "a b",
        "a b | b",
        "b a ab",
        ":target b",
        ":learn b a",
        "",
    };
    const char *line = lines[(size_t)rand_r(&seed) % (size_t)COUNT(lines)];
    size_t length = strlen(line);
    if (rand_r(&seed) % 2 || size + length + 1 > max)
        return LLVMFuzzerMutate(data, size, max);
    size_t at = 0; /* after one of the lines */
    for (int l = rand_r(&seed) % LINES; l > 0 && at < size; l--) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        at = end ? (size_t)(end - data) + 1 : size;
    }
    memmove(data + at + length + 1, data + at, size - at);
    for (size_t i = 0; i < length; i++)
        data[at + i] = i && line[i] == '.' ? (uint8_t)rand_r(&seed) : (uint8_t)line[i];
    data[at + length] = '\n';
    return size + length + 1;
}
