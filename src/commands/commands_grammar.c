#include "base/file.h"
#include "base/language.h"
#include "commands/commands.h"
#include "grammar/grammar.h"
#include "player/lesson_exec.h"

static const Flag flags_grammar[] = {
    {.name = "reversed", .help = N_("the target becomes the source")},
    {0},
};

static bool run_grammar(Session *session, const Arguments *arguments, Error *error) {
    const char *folder = arguments_flag(arguments, "output");
    if (!folder) return fail(error, "grammar needs a folder for its files: -o DIR");
    bool reversed = arguments_flag(arguments, "reversed") != NULL;
    bool replace = arguments_flag(arguments, "force") != NULL;
    Arena arena = {0};
    Grammar *grammar;
    bool done =
        grammar_read(arguments->word[0], &arena, &grammar, error) &&
        (!session->player.is_typing || lesson_exec_allows_grammar(grammar, error)) &&
        file_make_folder(folder, error) &&
        grammar_export(grammar, folder, reversed, replace, error);
    if (done)
        for (int s = 0; s < SPLITS; s++)
            page_line(&session->page, "wrote %s/%s.tsv", session_safe(session, folder),
                      split_names[s]);
    arena_free(&arena);
    return done;
}

const Command command_grammar = {
    .name = "grammar",
    .group = N_("Training"),
    .arguments = "FILE -o DIR",
    .summary = N_("write the sentences of a grammar, to learn from and to test with"),
    .details =
        N_("Training, validation and test become files of source, target and, for "
           "each word of the target, the word of the source that made it. What is "
           "tested was never trained on."),
    .example = ":grammar classifier.json -o sentences --force",
    .least = 1,
    .most = 1,
    .flags = {flags_output, flags_grammar},
    .choice = CHOICE_FILE,
    .run = run_grammar,
};
