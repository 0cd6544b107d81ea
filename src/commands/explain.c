#include <ctype.h>
#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "present/question_page.h"
#include "session/question.h"
#include "session/read_change.h"

static bool ask(Session *session, const Arguments *arguments, bool because,
                Error *error) {
    const char *word = arguments->words ? arguments->word[0] : NULL;
    if (word && isdigit((unsigned char)word[0])) {
        if (!question_follow(session, because, word, error)) return false;
        question_say(session);
        return true;
    }
    AxisCells cells;
    TokenSpan span;
    Error unread;
    if (!question_cells(session, word, &cells, error))
        return strpbrk(word ? word : ".", ".[") ||
                       !read_word(session, word, &span, &unread)
                   ? false
                   : fail(error,
                          "'%s' is a word of the source; give a number or a word of "
                          "the answer. To see how the answer depends on the word: "
                          ":mask key %s",
                          word, word);
    if (because && cells.count > 1)
        return fail(error,
                    "%s has %d numbers, but only one can be traced back; give its "
                    "index. :why adds them up",
                    word, cells.count);
    question_ask(session, because, &cells);
    question_say(session);
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
    if (question_up(session))
        question_say(session);
    else
        page_note(
            &session->page,
            session->run->questions.count
                ? N_("this is the first question; :why ADDRESS[cell] asks another")
                : N_("no question yet; ask with :why or :because"));
    return true;
}

const Command command_why = {
    .name = "why",
    .group = GROUP_EXPLAIN,
    .is_first = true,
    .arguments = "[ADDRESS[cell]]",
    .summary = N_("explain a number by its formula and terms"),
    .details = N_(
        "Shows the formula, every term with its address, and the sum. The number of "
        "a line follows its term: \":why 3\", or \":why 3b\" for its second factor, "
        "back to the word and the weight; \":up\" goes back. Without an address it "
        "explains the current stage: \":why [나는, 2]\" that number, \":why\" the most "
        "notable one. After :learn, .grad after an address means the gradient: "
        "\":why logits.grad[0, 0, 77]\"."),
    .example = ":why encoder.0.self_attention.weights[head=0, query=0, key=1]",
    .words = {0, 1},
    .flags = {flags_model, flags_sentence, flags_target, flags_toy},
    .needs = {.model = true, .run = true},
    .choice = CHOICE_ADDRESS,
    .run = run_why,
};

const Command command_because = {
    .name = "because",
    .group = GROUP_EXPLAIN,
    .is_first = true,
    .arguments = "[ADDRESS[cell]]",
    .summary = N_("trace a number back to heads, tokens and words"),
    .details =
        N_("The value of a branch is the sum of gradient times number; the values of "
           "branches add up to that of their parent. The percentage compares the "
           "size of a value with its siblings (all sum to 100%); − marks evidence "
           "against. For a softmax, the score minus the mean of the others is "
           "followed. Attention weights, gates and the standard deviation of a layer "
           "norm are treated as constants. \":because 2\" or \":why 2\" opens branch "
           "2, \":up\" goes back. Without an address it is the number that the "
           "current stage mentions, or the answer's word with the least confidence; "
           "\":because friend\" gives a word of the answer."),
    .example = ":because",
    .words = {0, 1},
    .flags = {flags_model, flags_sentence, flags_target, flags_toy},
    .needs = {.model = true, .run = true},
    .choice = CHOICE_ADDRESS,
    .run = run_because,
};

const Command command_up = {
    .name = "up",
    .group = GROUP_EXPLAIN,
    .summary = N_("go back one step after :why N"),
    .details =
        N_("Each \":why N\" and \":because N\" goes one step further; this goes back "
           "one step at a time."),
    .example = ":up",
    .only_prompt = true,
    .run = run_up,
};
