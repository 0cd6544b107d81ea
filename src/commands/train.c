#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "commands/commands.h"
#include "data/corpus.h"
#include "grammar/grammar.h"
#include "learn/training.h"
#include "player/lesson_exec.h"
#include "present/figures.h"
#include "session/models.h"

static const Flag flags_train[] = {
    {"set", 0, "KEY=VALUE ...", N_("another value for a key of the recipe")},
    {"resume", 0, NULL, N_("continue from the checkpoint in the recipe's output")},
    {"force", 0, NULL, N_("overwrite files that the output folder already has")},
    {"keys", 0, NULL, N_("list the keys of a recipe")},
    {0},
};

static const Flag flags_data[] = {
    {"from", 0, "COLUMN", N_("the column of the source: its name or number")},
    {"to", 0, "COLUMN", N_("the column of the target; \"\": none")},
    {"header", 0, "KIND", N_("whether the first row is a header: auto, yes or no")},
    {"words", 0, "N", N_("maximum size of a vocabulary learned from it")},
    {"examples", 0, "N", N_("pairs to print")},
    {0},
};

static bool run_train(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *set[WORDS_MAX];
    Recipe recipe;
    Trained trained;
    if (arguments_flag(arguments, "keys")) {
        int count = 0;
        while (recipe_keys[count].name) count++;
        ListItem *item = ARENA_ARRAY(arena, ListItem, count + 1);
        for (int k = 0; k < count; k++) {
            const Option *key = &recipe_keys[k];
            item[k] = (ListItem){.name = key->name,
                                 .value = *key->otherwise ? key->otherwise : "-",
                                 .text = arena_print(arena, "%s (%s)", tr(key->help),
                                                     option_range(key, arena))};
        }
        item[count] = (ListItem){
            .name = "model",
            .value = "-",
            .text = tr("an object with keys of config.json, such as d_model")};
        page_list(&session->page, LIST_RECIPE_KEYS, item, count + 1);
        return true;
    }
    if (arguments->words == 0) return fail(error, "train needs a recipe: a JSON file");
    int sets = 0;
    for (int f = 0; f < arguments->flags; f++)
        if (strcmp(arguments->flag[f], "set") == 0) set[sets++] = arguments->value[f];
    if (!recipe_read(&recipe, arguments->word[0], set, sets, arena, error))
        return false;
    bool in_lesson = session->lesson.is_typing;
    if (in_lesson && !lesson_exec_allows_recipe(&recipe, arena, error)) return false;
    Training training = {
        .recipe = &recipe,
        .steps_max = in_lesson ? LESSON_STEPS_MAX : 0,
        .resumes = arguments_flag(arguments, "resume") != NULL,
        .replaces = arguments_replace(arguments),
        .command = figures_command(session, arguments, arena),
        .messages = &session->messages,
    };
    if (!training_run(&training, &trained, error)) return false;
    const char *loss = "";
    const char *valid = "";
    if (isfinite(trained.loss)) loss = trf(arena, ", loss %.4f", trained.loss);
    if (isfinite(trained.accuracy))
        valid = trf(arena, ", validation loss %.4f, accuracy %.2f%%",
                    trained.valid_loss, 100 * trained.accuracy);
    page_line(&session->page,
              trained.signal ? N_("stopped and saved %s: %d steps%s%s")
                             : N_("wrote %s: %d steps%s%s"),
              session_safe(session, recipe.output), trained.steps, loss, valid);
    /* At a prompt, Ctrl-C ends only the training. */
    if (session->input.is_prompt && interrupt_signal() == SIGINT) interrupt_answer();
    return true;
}

/* Describe one side of `corpus`: in tokens of `model` or, if it is NULL, with at most
 * `words` words learned from it. */
static bool say_side(Page *page, const Corpus *corpus, bool is_target,
                     const Model *model, int words, Error *error) {
    Survey survey;
    const Tokenizer *tokenizer = !model      ? NULL
                                 : is_target ? &model->target
                                             : &model->source;
    if (!corpus_survey(&survey, corpus, is_target, tokenizer, words, error))
        return false;
    page_line(page,
              "%s: %lld tokens, %.1f per sentence, %d to %d; vocabulary %d, unknown "
              "%.2f%%",
              is_target ? tr("target") : tr("source"), survey.tokens,
              (double)survey.tokens / corpus->count, survey.shortest, survey.longest,
              survey.words,
              survey.tokens ? 100.0 * (double)survey.unknown / (double)survey.tokens
                            : 0);
    Frequency *bar = ARENA_ARRAY(page->arena, Frequency, SURVEY_BARS);
    FrequenciesBlock lengths = {.bar = bar, .max = 1};
    for (int b = 0; b < SURVEY_BARS && b * survey.step < survey.longest; b++) {
        int first = b * survey.step + 1;
        if (survey.bar[b] > lengths.max) lengths.max = survey.bar[b];
        bar[lengths.count++] =
            (Frequency){first, first + survey.step - 1, survey.bar[b]};
    }
    page_say(page, (Block){.kind = BLOCK_FREQUENCIES, .frequencies = lengths});
    return true;
}

static bool say_data(Session *session, const CorpusFile *file, const Model *model,
                     int words, int examples, Error *error) {
    Page *page = &session->page;
    Corpus corpus;
    if (!corpus_read(&corpus, file, &session->scratch, error)) return false;
    const char *path = session_safe(session, corpus.path);
    page_line(page,
              corpus.has_targets  ? corpus.has_header ? N_("%s: %d pairs, a header")
                                                      : N_("%s: %d pairs, no header")
               : corpus.has_header ? N_("%s: %d texts, a header")
                                  : N_("%s: %d texts, no header"),
              path, corpus.count);
    for (int b = 0; b < corpus.bad_count && b < BAD_ROWS_KEPT; b++)
        page_line(page, "%s:%d: skipped: %s", path, corpus.bad[b].line,
                  corpus.bad[b].problem);
    if (corpus.bad_count) page_line(page, "%d bad rows skipped", corpus.bad_count);
    if (!say_side(page, &corpus, false, model, words, error) ||
        (corpus.has_targets && !say_side(page, &corpus, true, model, words, error)))
        return false;
    if (examples > corpus.count) examples = corpus.count;
    if (examples) page_line(page, "examples:");
    for (int e = 0; e < examples; e++) {
        const CorpusPair *pair = &corpus.pair[(long long)corpus.count * e / examples];
        SampleBlock sample = {
            .line = pair->line,
            .source = session_safe(session, pair->source),
            .target = *pair->target ? session_safe(session, pair->target) : NULL,
        };
        page_say(page, (Block){.kind = BLOCK_SAMPLE, .sample = sample});
    }
    return true;
}

/* The session keeps its model. */
static bool run_data(Session *session, const Arguments *arguments, Error *error) {
    int words = 8000;
    int examples = 5;
    const char *from = arguments_flag(arguments, "from");
    const char *name = arguments_flag(arguments, "model");
    CorpusFile file = {
        .path = arguments->word[0],
        .source = from ? from : "1",
        .target = arguments_flag(arguments, "to"),
    };
    if (!arguments_number(arguments, "words", 5, 1 << 20, &words, error) ||
        !arguments_number(arguments, "examples", 0, 1000, &examples, error) ||
        !arguments_choice(arguments, "header", header_kinds, &file.header, error))
        return false;
    if (!name) return say_data(session, &file, NULL, words, examples, error);
    Model model;
    if (!models_open(&model, name, &session->scratch, error)) return false;
    bool done = say_data(session, &file, &model, words, examples, error);
    model_free(&model);
    return done;
}

const Command command_train = {
    .name = "train",
    .group = GROUP_TRAINING,
    .arguments = "RECIPE",
    .summary = N_("train a model from a recipe"),
    .details =
        N_("RECIPE is a JSON file; --keys lists the possible keys. Ctrl-C stops and "
           "saves; --resume continues. The loss is the mean over the target's "
           "tokens, without padding. Shorter sources are padded, except for seq2seq, "
           "which would read the padding: there all sources of a batch have the same "
           "length."),
    .example = ":train --keys",
    .words = {0, 1},
    .flags = {flags_train},
    .choice = CHOICE_FILE,
    .run = run_train,
};

const Command command_data = {
    .name = "data",
    .group = GROUP_TRAINING,
    .arguments = "FILE",
    .summary = N_("describe a data file: lengths, tokens, examples"),
    .details = N_("FILE is .tsv, .csv or plain lines. With --model, its tokenizers "
                  "are used; otherwise a word vocabulary is learned."),
    .example = ":data pairs.tsv --words 2000",
    .words = {1, 1},
    .flags = {flags_data, flags_model},
    .choice = CHOICE_FILE,
    .run = run_data,
};

static const Flag flags_grammar[] = {
    {.name = "reversed", .help = N_("the target becomes the source")},
    {0},
};

static bool run_grammar(Session *session, const Arguments *arguments, Error *error) {
    const char *folder = arguments_flag(arguments, "output");
    if (!folder)
        return fail(error, "grammar needs a folder for its files; give -o "
                           "DIR");
    bool reversed = arguments_flag(arguments, "reversed") != NULL;
    bool replace = arguments_flag(arguments, "force") != NULL;
    Arena arena = {0};
    Grammar *grammar;
    double nats[SPLITS];
    bool done =
        grammar_read(arguments->word[0], &arena, &grammar, error) &&
        (!session->lesson.is_typing || lesson_exec_allows_grammar(grammar, error)) &&
        grammar_export(grammar, folder, reversed, replace, nats, error);
    if (done)
        for (int s = 0; s < SPLITS; s++)
            page_line(&session->page, "wrote %s/%s.tsv", session_safe(session, folder),
                      split_names[s]);
    if (done && !grammar->target)
        page_prose(&session->page,
                   trf(&arena,
                       "A text of test.tsv has %.2f nats on average: the sum of -ln "
                       "p of the choices that made it. A model that knew the grammar "
                       "exactly would have this loss per text.",
                       nats[SPLIT_TEST]));
    arena_free(&arena);
    return done;
}

const Command command_grammar = {
    .name = "grammar",
    .group = GROUP_TRAINING,
    .arguments = "FILE -o DIR",
    .summary = N_("generate data sets from a grammar"),
    .details =
        N_("Training, validation and test files have a source, a target and, for "
           "each target word, the source word that made it; without a target in the "
           "grammar, lines of text. No tested sentence is trained on."),
    .example = ":grammar classifier.json -o sentences --force",
    .words = {1, 1},
    .flags = {flags_folder, flags_grammar},
    .choice = CHOICE_FILE,
    .run = run_grammar,
};
