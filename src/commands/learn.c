#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "present/walk_back.h"
#include "session/learning.h"

static const Flag flags_step[] = {
    {"rate", 0, "NUMBER", N_("how far a weight moves, roughly; default 0.001")},
    {"smoothing", 0, "NUMBER", N_("label smoothing of the loss, from 0 to 0.99")},
    {"cell", 0, "ADDRESS", N_("the weight whose step is explained")},
    {"all", 0, NULL, N_("show all stages at once")},
    {0},
};

static bool run_learn(Session *session, const Arguments *arguments, Error *error) {
    LearningOptions options = {.rate = 1e-3,
                               .text = arguments_text(arguments, &session->scratch),
                               .cell = arguments_flag(arguments, "cell")};
    const int steps = session->learning.steps;
    if (arguments->words == 1 && strcmp(arguments->word[0], "undo") == 0) {
        if (!learning_undo(session, error)) return false;
        page_line(&session->page,
                  steps == 1 ? N_("%d step is undone: every weight is as it was")
                             : N_("%d steps are undone: every weight is as it was"),
                  steps);
        return true;
    }
    const Bounds rate = {.min = 0, .max = 1};
    const Bounds smoothing = {.min = 0, .max = 0.99};
    if (!arguments_real(arguments, "rate", rate, &options.rate, error) ||
        !arguments_real(arguments, "smoothing", smoothing, &options.smoothing, error) ||
        !learning_step(session, &options, error))
        return false;
    if (arguments_flag(arguments, "all") || !session->command)
        return walk_back_all(session), true;
    return walk_back_next(session);
}

const Command command_learn = {
    .name = "learn",
    .group = GROUP_CHANGE,
    .arguments = "[TARGET | undo]",
    .summary = N_("take one training step and walk its gradients"),
    .details = N_(
        "Uses the target that was given, or takes one: \":learn I met a friend.\"; "
        "for a classifier, a label. Enter goes from the loss back to the first "
        "stage, then to Adam's step and to the answer before and after it. Gradients "
        "have addresses: \":heat encoder.0.norm_1.grad\"; \":why logits.grad[0, 0, "
        "5]\" shows which numbers a gradient came from. Dropout is off unless "
        ":dropout is on. The current model keeps what it learned until \":learn "
        "undo\", which also restores the sentence's target, or until another model "
        "is opened; nothing is written to its folder."),
    .example = ":learn I met a friend in Busan yesterday.",
    .words = {0, WORDS_MAX},
    .flags = {flags_step, flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .pages = true,
    .run = run_learn,
};
