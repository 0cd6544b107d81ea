/* What is typed at the prompt, line by line, to a tiny model: sentences, addresses, and
 * the commands that only look. What they print is safe for a terminal. A # in front
 * chooses a classifier. */
#include <ctype.h>

#include "base/threads.h"
#include "fuzz.h"
#include "shell/command.h"
#include "shell/complete.h"
#include "shell/stops.h"
#include "window/text.h"

enum { LINES = 8 };

/* They write no file and read none. */
static const char *const looking[] = {
    "show",   "heat",   "why",    "tokens", "merges", "next", "back",    "goto", "help",
    "stages", "define", "target", "batch",  "decode", "toy",  "options", NULL};

static bool is_looking(const Arguments *arguments) {
    if (arguments_flag(arguments, "output") || arguments_flag(arguments, "model"))
        return false;
    for (const char *const *name = looking; *name; name++)
        if (strcmp(*name, arguments->command->name) == 0) return true;
    return false;
}

/* `preset`: paper, or classifier, whose labels are as hostile as its words. */
static Model tiny_model(const char *preset) {
    static const char text[] = "나는 어제 친구를 만났다. a b ab abc\n나는 오늘 만났다";
    const Clean clean = {.text = text, .length = (int)strlen(text)};
    Arena arena = {0};
    Error error;
    Tokenizer tokenizer;
    Config config;
    Model model;
    MUST(tokenizer_learn(&tokenizer, TOKENIZER_BPE, &clean, 270, &arena, &error));
    MUST(tokenizer_save(&tokenizer, fuzz_folder, "", true, &error));
    MUST(config_preset(&config, preset, &arena, &error));
    config.d_model = config.d_ff = 4;
    config.attention_heads = 2;
    config.encoder_layers = 1;
    config.decoder_layers = config.decoder_layers > 0;
    config.labels[1] = "b\x1b[31m\xc2\x9b|";
    config.max_length = 12;
    threads_limit(1);
    MUST(model_new(&model, &config, 1, fuzz_folder, &error));
    arena_free(&arena);
    return model;
}

/* Colours are asked for by an option and are the program's own. */
static size_t without_colors(char *text, size_t size) {
    size_t kept = 0;
    for (size_t i = 0; i < size; i++) {
        size_t end = i + 2;
        while (end < size && (isdigit((unsigned char)text[end]) || text[end] == ';'))
            end++;
        if (text[i] == '\x1b' && i + 1 < size && text[i + 1] == '[' && end < size &&
            text[end] == 'm')
            i = end;
        else
            text[kept++] = text[i];
    }
    return kept;
}

static void complete(const Session *session, const char *line) {
    Arena arena = {0};
    const char *space = strrchr(line, ' ');
    const char *word = space ? space + 1 : line;
    int count;
    complete_words(session, line, word, &arena, &count);
    complete_wants_file(line, word);
    arena_free(&arena);
}

static bool run_line(Session *session, const char *line, Error *error) {
    const char *word[WORDS_MAX];
    int words;
    Arguments arguments;
    complete(session, line);
    if (*line != ':') {
        Request request = {.source = line, .limit = 2};
        session->command = line;
        return session_run(session, &request, error) && stops_go(session, 0, error) &&
               page_done(&session->page, error);
    }
    if (!command_split(line + 1, &session->scratch, word, &words, error)) return false;
    if (words == 0) return command_line(session, line + 1, error);
    if (!command_parse(word, words, &arguments, &session->scratch, error)) return false;
    return !is_looking(&arguments) || command_line(session, line + 1, error);
}

static void run_lines(Session *session, char *lines) {
    char *rest = lines;
    int count = 0;
    for (char *line; count < LINES && (line = strsep(&rest, "\n")); count++) {
        Error error = {0};
        session_clear(session);
        MUST(run_line(session, line, &error) || *error.message);
        MUST(session->stage >= -1 && session->stage <= stops_all(session));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Model transformer;
    static Model classifier;
    if (!transformer.weights.count) {
        fuzz_file("vocab.json");
        fuzz_file("merges.txt");
        transformer = tiny_model("paper");
        classifier = tiny_model("classifier");
        fuzz_leave();
    }
    char *printed = NULL;
    size_t length = 0;
    Arena arena = {0};
    Session *session = session_new(&arena);
    bool classifies = size && *data == '#';
    session->model = classifies ? classifier : transformer;
    session->has_model = true;
    FILE *out = open_memstream(&printed, &length);
    MUST(out);
    const Display *options = &session->options;
    TextWindow *window = window_text_new(&arena, out, &options->width, &options->color);
    session->page.window = session->messages.window = &window->window;
    run_lines(session,
              arena_copy(&arena, (const char *)data + classifies, size - classifies));
    fclose(out);
    must_be_safe(printed, without_colors(printed, length), true);
    free(printed);
    session->has_model = false; /* it is kept for the next input */
    session_free(session);
    window_text_free(window);
    arena_free(&arena);
    return 0;
}
