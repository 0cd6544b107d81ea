#include <ctype.h>

#include "base/language.h"
#include "commands/commands.h"
#include "session/question.h"

static const char *const group = N_("Looking at numbers");

static bool ask(Session *session, const Arguments *arguments, bool because,
                Error *error) {
    const char *word = arguments->words ? arguments->word[0] : NULL;
    if (word && isdigit((unsigned char)word[0]))
        return question_follow(session, because, word, error);
    const Tensor *tensor = NULL;
    int cell = 0;
    if (!question_cell(session, word, &tensor, &cell, error)) return false;
    question_ask(session, because, tensor, cell);
    return true;
}

static bool run_why(Session *session, const Arguments *arguments, Error *error) {
    return ask(session, arguments, false, error);
}

static bool run_because(Session *session, const Arguments *arguments, Error *error) {
    return ask(session, arguments, true, error);
}

static bool run_up(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    question_up(session);
    return true;
}

const Command command_why = {
    .name = "why",
    .group = group,
    .arguments = "[ADDRESS[cell]]",
    .summary = N_("take one number apart: where did it come from?"),
    .details = N_(
        "Shows the formula, every term with its address, and their sum. The number "
        "of a line follows that term: \":why 3\", and \":why 3b\" its second "
        "factor, back to the word and the weight; \":up\" comes back. Without an "
        "address it asks about the stage at hand: \":why [나는, 2]\" about that "
        "number, \":why\" about the one that stands out. After :learn an address with "
        ".grad behind it is a gradient, \":why logits.grad[0, 0, 77]\"."),
    .example = ":why encoder.0.self_attention.weights[head=0, query=0, key=1]",
    .most = 1,
    .flags = {flags_model, flags_sentence, flags_target, flags_toy},
    .needs_model = true,
    .needs_run = true,
    .choice = CHOICE_ADDRESS,
    .run = run_why,
};

const Command command_because = {
    .name = "because",
    .group = group,
    .arguments = "[ADDRESS[cell]]",
    .summary = N_("follow a number back to heads, tokens and words, as a tree"),
    .details =
        N_("A branch's value is the gradient times the number, summed; values of "
           "branches add up to what they grow from. A share is the size of a value "
           "beside the sizes of its siblings, so that shares add up to 100 %, and − "
           "marks what speaks against. Of a softmax the score is followed, less the "
           "mean of the others. Attention weights, gates and the deviation of a layer "
           "norm are taken as they are. \":because 2\" or \":why 2\" opens branch 2, "
           "\":up\" goes back. Without an address it is the number that the stage at "
           "hand told of, or the word of the answer that the model was least "
           "sure of; \":because friend\" asks about a word of the answer."),
    .example = ":because",
    .most = 1,
    .flags = {flags_model, flags_sentence, flags_target, flags_toy},
    .needs_model = true,
    .needs_run = true,
    .choice = CHOICE_ADDRESS,
    .run = run_because,
};

const Command command_up = {
    .name = "up",
    .group = group,
    .arguments = "",
    .summary = N_("go back to the number that was followed by \":why N\""),
    .details =
        N_("Each \":why N\" and \":because N\" leads one step away from what was asked "
           "first; this leads back, step by step."),
    .example = ":up",
    .only_prompt = true,
    .run = run_up,
};
