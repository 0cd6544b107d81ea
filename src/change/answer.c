#include "change/answer.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "ops/vector.h"
#include "tensor/address.h"
#include "text/unicode.h"
#include "walk/decoded.h"

static Answer read_decoding(const Story *story, Arena *arena) {
    const Generated *generated = story->generated;
    const char *text =
        tokenizer_decode(&story->model->target, generated->id, generated->count, arena);
    Answer answer = {.text = unicode_escape(text, strlen(text), arena),
                     .tokens = generated->count,
                     .ended = generated->ended};
    for (int step = 0; step < generated->count; step++) {
        double share = decoded_share(story, step, arena);
        answer.sure += share / generated->count;
        if (share > answer.most) answer.most = share;
    }
    return answer;
}

static Answer read_label(const Tensor *probabilities, int row, Arena *arena) {
    int labels = tensor_row(probabilities);
    const Number *p = probabilities->data + row * labels;
    int best = vector_largest_place(p, labels);
    const Axis *axis = &probabilities->axis[probabilities->rank - 1];
    return (Answer){.text = address_label(axis, 0, best, arena),
                    .sure = (double)p[best],
                    .most = (double)p[best],
                    .ended = true};
}

Answer answer_of(const Story *story, Arena *arena) {
    if (story->generated->count) return read_decoding(story, arena);
    const Tensor *p = tape_find(story->record.run, "probabilities");
    if (p && p->rank == 2) return read_label(p, story->row, arena);
    return (Answer){.ended = true};
}

/* Why it is not to be trusted, in sentences. */
static void say_guess(const Answer *answer, const UnknownWord *unknown, Page *page) {
    if (unknown->word && unknown->pieces == 1)
        page_prose(page, say(page->arena,
                             "The model is guessing: %s was never in its training, and "
                             "means nothing to it.",
                             unknown->word));
    else if (unknown->word)
        page_prose(page, say(page->arena,
                             "The model is guessing: %s was never in its training. Of "
                             "its pieces (there are %d) some mean nothing to it.",
                             unknown->word, unknown->pieces));
    else if (answer->tokens == 0)
        page_prose(page, "The model is guessing: no label stands out.");
    else
        page_prose(page, say(page->arena,
                             "The model is guessing: below %.0f %% a word its answers "
                             "are wrong more often than right.",
                             100 * ANSWER_SURE));
}

const char *answer_sure(const Answer *answer, Arena *arena) {
    if (isnan(answer->sure)) return "NaN";
    return answer->tokens ? say(arena, "sure: %.0f %% a word", 100 * answer->sure)
                          : say(arena, "sure: %.0f %%", 100 * answer->sure);
}

void answer_say(const Story *story, const Answer *answer, const UnknownWord *unknown,
                Page *page) {
    Arena *arena = page->arena;
    bool untrained = model_is_untrained(story->model);
    if (!answer->text) {
        page_prose(page,
                   "This model has no words to say: it makes a row of numbers for "
                   "each token.");
        return;
    }
    if (isnan(answer->sure)) {
        page_prose(page, "The probabilities are no numbers any more (NaN): there is "
                         "no answer.");
        return;
    }
    const char *sure = answer_sure(answer, arena);
    page_say(page, (Block){.kind = BLOCK_ANSWER,
                           .answer = {*answer->text ? answer->text : "…", sure}});
    if (untrained)
        page_prose(page, "The model has not learned yet: its words are those that its "
                         "initial weights happen to prefer.");
    else if (answer->sure < ANSWER_SURE || unknown->word)
        say_guess(answer, unknown, page);
    if (!answer->ended && !untrained)
        page_prose(page, "It did not come to an end: the limit came first.");
}
