#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "command/figure_flags.h"
#include "commands/commands.h"
#include "present/branches_page.h"
#include "present/figures.h"
#include "present/show_beam.h"
#include "present/show_forcing.h"
#include "present/show_sampling.h"
#include "session/decoding.h"
#include "session/stops.h"

/* Decoding strategies other than greedy. */

static const Flag flags_beam[] = {
    {"penalty", 0, "ALPHA",
     N_("exponent of the length penalty ((5 + tokens) / 6)^ALPHA; default 0.6; 0: "
        "none")},
    {0},
};

static bool run_beam(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    Figure figure = {0};
    Arguments told = *arguments;
    if (!path) return show_beam_page(session, arguments, error);
    if (!show_beam(session, arguments, &figure, error) ||
        !figure_flags_read(&told, &figure.look, arena, error))
        return false;
    show_beam_tell(session, &told, arena);
    figures_add_facts(session, &told, NULL, NULL, &figure, arena);
    return figures_save(session, arguments, &figure, path, error);
}

static const Flag flags_sample[] = {
    {"temperature", 0, "T",
     N_("divides the logits: below 1 favors the likely tokens, above 1 the others; "
        "default 1")},
    {"top-k", 0, "N", N_("keeps only the N most probable tokens")},
    {"top-p", 0, "P", N_("keeps only the fewest tokens whose probabilities sum to P")},
    {"seed", 0, "N", N_("seed of the random draws; default 1")},
    {"count", 0, "N", N_("number of sentences; default 5")},
    {"step", 0, "N", N_("show how the token of this step is drawn")},
    {0},
};

static bool run_sample(Session *session, const Arguments *arguments, Error *error) {
    enum { COUNT_MAX = 1000 };
    const Bounds temperature = {0, 1000, true};
    const Bounds share = {0, 1, true};
    SampleOptions options = {
        .sampling = {.temperature = 1, .top_p = 1}, .seed = 1, .count = 5};
    int step = -1;
    if (!decoding_possible(session, error) ||
        !arguments_real(arguments, "temperature", temperature,
                        &options.sampling.temperature, error) ||
        !arguments_number(arguments, "top-k", 1, INT_MAX, &options.sampling.top_k,
                          error) ||
        !arguments_real(arguments, "top-p", share, &options.sampling.top_p, error) ||
        !arguments_number(arguments, "seed", 0, INT_MAX, &options.seed, error) ||
        !arguments_number(arguments, "count", 1, COUNT_MAX, &options.count, error) ||
        !arguments_number(arguments, "step", 0, INT_MAX, &step, error))
        return false;
    return step >= 0 ? show_sampling_step(session, &options, step, error)
                     : show_samples(session, &options, error);
}

/* Read the step, or use the current one; then the other words are the token. */
static bool read_step(const Session *session, const Arguments *arguments, int *step,
                      Error *error) {
    int last = session->run->generated.count - 1;
    const char *word = arguments->word[0];
    long long number =
        session->run->stage < 0 ? -1 : stops_step(session, session->run->stage);
    if (arguments->words == 1 && number < 0)
        return fail(error, "give the step, from 0 to %d, as in :pick 1 WORD", last);
    if (arguments->words > 1 && (!option_whole(word, &number) || number < 0))
        return fail(error, "the step is '%s'; expected a whole number from 0 to %d",
                    word, last);
    if (number > last && session->run->generated.ended)
        return fail(error,
                    "there is no step %lld to pick at: this sentence ended at step "
                    "%d; the steps are 0 to %d",
                    number, last, last);
    if (number > last)
        return fail(error, "there is no step '%lld'; the decoding has steps 0 to %d",
                    number, last);
    *step = (int)number;
    return true;
}

static bool run_pick(Session *session, const Arguments *arguments, Error *error) {
    int step = 0;
    int id;
    if (!decoding_at_hand(session, error) ||
        !read_step(session, arguments, &step, error))
        return false;
    Arguments token = *arguments;
    if (arguments->words > 1) {
        token.words--;
        memmove(token.word, token.word + 1, (size_t)token.words * sizeof *token.word);
    }
    const char *typed = arguments_text(&token, &session->scratch);
    BranchBefore before;
    if (!branches_token(session, step, typed, &id, error) ||
        !branches_pick(session, step, id, &before, error))
        return false;
    branches_say_picked(session, &before, step);
    return true;
}

static bool run_branches(Session *session, const Arguments *arguments, Error *error) {
    if (!decoding_at_hand(session, error)) return false;
    if (arguments->words == 0) {
        if (!branches_complete(session, error)) return false;
        branches_say(session);
        return true;
    }
    long long number;
    if (!option_whole(arguments->word[0], &number) || number < 0 ||
        number > BRANCHES_MAX)
        number = BRANCHES_MAX;
    if (!branches_go(session, (int)number, error)) return false;
    branches_say_current(session);
    return true;
}

static bool run_force(Session *session, const Arguments *arguments, Error *error) {
    const char *typed =
        arguments->words ? arguments_text(arguments, &session->scratch) : NULL;
    return show_forcing(session, typed, error);
}

const Command command_beam = {
    .name = "beam",
    .group = GROUP_DECODING,
    .arguments = "[WIDTH]",
    .summary = N_("run beam search and show its tree"),
    .details =
        N_("At each step every unfinished sentence is continued with every token, "
           "and the best WIDTH are kept (default 3). ■ marks a finished one, with "
           "its score: log probability / length penalty (Wu and others 2016); ✂ "
           "marks one that was dropped. With -o the tree is drawn to a .png, .svg, "
           ".pdf, .tex or .txt file."),
    .example = ":beam 3 --penalty 0.6",
    .words = {0, 1},
    .flags = {flags_model, flags_sentence, flags_target, flags_output, flags_beam,
              flags_figure},
    .needs = {.model = true, .run = true},
    .pages = true,
    .run = run_beam,
};

const Command command_sample = {
    .name = "sample",
    .group = GROUP_DECODING,
    .summary = N_("sample sentences, or show how a token is drawn"),
    .details =
        N_("Each token is drawn from softmax(logits / T); --top-k and --top-p remove "
           "improbable tokens. The same seed draws the same sentences. With --step: "
           "every step from the logits to the token."),
    .example = ":sample --temperature 1.2 --top-k 5 --top-p 0.9 --seed 7",
    .flags = {flags_model, flags_sentence, flags_target, flags_sample},
    .needs = {.model = true, .run = true},
    .pages = true,
    .run = run_sample,
};

const Command command_pick = {
    .pages = true,
    .name = "pick",
    .group = GROUP_DECODING,
    .arguments = "[STEP] TOKEN",
    .summary = N_("choose another token and continue"),
    .details =
        N_("At the step of the current stage, or at STEP. TOKEN is a word of the "
           "vocabulary (friend), the rank of a candidate (2: the second best) or an "
           "id (id=17). Decoding continues from there, and both sentences are shown. "
           ":branches lists the picks so far."),
    .example = ":pick 1 2",
    .words = {1, 8},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .run = run_pick,
};

const Command command_branches = {
    .name = "branches",
    .group = GROUP_DECODING,
    .arguments = "[NUMBER]",
    .summary = N_("list the continuations of picked tokens"),
    .details =
        N_("With a number, the decoding returns to that branch; 0 is the model's own."),
    .example = ":branches",
    .words = {0, 1},
    .needs = {.run = true},
    .only_prompt = true,
    .run = run_branches,
};

const Command command_force = {
    .name = "force",
    .group = GROUP_DECODING,
    .arguments = "[TARGET]",
    .summary = N_("compare teacher forcing with free decoding"),
    .details = N_(
        "Shows what the decoder reads and should predict when it is given the target "
        "(shifted by one), next to what it reads and predicts on its own, and where "
        "the two part. Without TARGET: the current one (:target, --target)."),
    .example = ":force I saw my friend in Seoul.",
    .words = {0, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .pages = true,
    .run = run_force,
};
