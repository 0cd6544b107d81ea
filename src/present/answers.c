#include "present/answers.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "model/network.h"
#include "session/decoding.h"
#include "session/models.h"
#include "session/sentence.h"
#include "session/stops.h"
#include "tensor/address.h"

/* Return the largest attention weight, averaged over heads, that any word of the answer
 * gives to the tokens of a source word. */
static double max_taken(const Tensor *weights, int row, const Word *word) {
    int head = tensor_axis(weights, "head");
    int heads = head < 0 ? 1 : weights->axis[head].size;
    int keys = tensor_row(weights);
    int queries = weights->axis[weights->rank - 2].size;
    double max = 0;
    for (int q = 0; q < queries; q++)
        for (int k = word->first; k < word->last && k < keys; k++) {
            double sum = 0;
            for (int h = 0; h < heads; h++)
                sum +=
                    (double)weights->data[((row * heads + h) * queries + q) * keys + k];
            if (sum / heads > max) max = sum / heads;
        }
    return max;
}

/* Report three or more consecutive words that no word of the answer attends to:
 * probably an untranslated clause. */
static void say_left_out(Session *session, int row) {
    enum { LEAST_WORDS = 3 };
    const double looked_at = 0.12; /* exceeded by two in a thousand test sentences */
    Arena *arena = session->page.arena;
    const Sentence *sentence = &session->run->source.sentence[row];
    const char *name = network_alignment(&session->model.config, arena);
    const Tensor *weights = name ? tape_find(&session->run->tape, name) : NULL;
    int words = 0;
    int begin = 0;
    if (!weights || session->model.config.encoder_layers == 0 || !sentence->text ||
        session->run->target_given || model_is_untrained(&session->model))
        return;
    const Word *word = sentence_words(sentence, arena, &words);
    for (int w = 0; w <= words; w++) {
        if (w < words && max_taken(weights, row, &word[w]) < looked_at) continue;
        if (w - begin >= LEAST_WORDS) {
            Builder clause = {.arena = arena};
            for (int i = begin; i < w; i++)
                build_item(&clause, " ", "%s", word[i].text);
            page_prose(&session->page,
                       trf(arena,
                           "The last attention to the source hardly attends to '%s': "
                           "the answer may leave that part out.",
                           builder_text(&clause)));
        }
        begin = w + 1;
    }
}

/* Report the probability of each masked word and how many words are more likely. */
static void say_what_is_hidden(Session *session, int row) {
    enum { TOLD_MAX = 8 };
    Page *page = &session->page;
    const Side *whole = &session->run->whole;
    const Tensor *p = tape_find(&session->run->tape, "probabilities");
    if (!whole->rows || !p || p->rank != 3) return;
    int hidden;
    const int *place = hidden_places(&session->run->tape, &session->model.config, row,
                                     page->arena, &hidden);
    int width = tensor_row(p);
    const Sentence *sentence = &whole->sentence[row];
    for (int h = 0; h < hidden && h < TOLD_MAX; h++) {
        int id = sentence->id[place[h]];
        const Number *share =
            p->data + (size_t)(row * p->axis[1].size + place[h]) * (size_t)width;
        int better = 0;
        for (int i = 0; i < width; i++) better += share[i] > share[id];
        const char *label = address_label(&p->axis[2], 0, id, page->arena);
        page_prose(page,
                   better ? trf(page->arena,
                                better == 1
                                    ? N_("The masked word is \"%s\": its probability "
                                         "is %.2g, and %d other is higher.")
                                    : N_("The masked word is \"%s\": its probability "
                                         "is %.2g, and %d others are higher."),
                                label, tensor_printed((double)share[id]), better)
                          : trf(page->arena,
                                "The masked word is \"%s\": its probability is %.2g, "
                                "the highest.",
                                label, tensor_printed((double)share[id])));
    }
}

/* Return the geometric mean probability of the prompt's tokens, or 0 if the model is
 * not decoder-only. */
static double likelihood(const Session *session, int row) {
    const Tensor *p = tape_find(&session->run->tape, "probabilities");
    const Tensor *ids = tape_find(&session->run->tape, "decoder.ids");
    int count = session->run->source.sentence[row].count;
    double sum = 0;
    if (!config_is_decoder_alone(&session->model.config) || !p || p->rank != 3 ||
        !ids || count < 2)
        return 0;
    for (int t = 1; t < count; t++) {
        int id = (int)ids->data[row * ids->axis[1].size + t];
        size_t before = (size_t)(row * p->axis[1].size + t - 1);
        sum += log((double)p->data[before * (size_t)tensor_row(p) + (size_t)id]);
    }
    return exp(sum / (count - 1));
}

/* "'영희를', '좋아한다'"; a long list ends with the number of the others. */
static const char *quoted_list(const WordsMet *met, Arena *arena) {
    enum { WORDS_NAMED = 5, CELLS = 24 };
    Builder list = {.arena = arena};
    for (int w = 0; w < met->missing_count; w++) {
        const char *word = met->missing[w];
        if (w == WORDS_NAMED)
            return trf(arena, "%s and %d more", builder_text(&list),
                       met->missing_count - w);
        word = unicode_cut(unicode_escape(word, strlen(word), arena), CELLS, arena);
        build_item(&list, ", ", "'%s'", word);
    }
    return builder_text(&list);
}

/* Say why the answer is a guess. `likely`: see likelihood(), if that is low; or 0. */
static void say_guess(const Answer *answer, const WordsMet *met, double likely,
                      const About *about, Page *page) {
    Arena *arena = page->arena;
    enum { ENOUGH_MEASURED = 10 }; /* too few measurements say little */
    int sure_from = about->sure_from ? about->sure_from : SURE_FROM;
    if (met && met->words == 0)
        page_prose(page, "This is a guess: the model was trained on words, but this "
                         "text has none.");
    else if (met && met->missing_count)
        page_prose(page,
                   trf(arena,
                       met->missing_count == 1
                           ? N_("This is a guess: %s was not in the training data.")
                           : N_("This is a guess: %s were not in the training data."),
                       quoted_list(met, arena)));
    else if (likely > 0)
        page_prose(page,
                   trf(arena,
                       "This is a guess: your text is unlike the training texts. On "
                       "average the model gave its tokens a probability of %.2g%%; "
                       "for training texts it is %d%% or more.",
                       100 * likely, about->likely_from));
    else if (answer->is_label)
        page_prose(page, "This is a guess: no label stands out.");
    else if (about->doubtful >= ENOUGH_MEASURED)
        page_prose(
            page,
            trf(arena,
                "This is a guess: when the confidence for a test sentence was below "
                "%d%% per token, %d of %d answers were right.",
                sure_from, about->doubtful_right, about->doubtful));
    else
        page_prose(page, trf(arena,
                             "This is a guess: the confidence is below %d%% per token.",
                             sure_from));
}

/* Report what is rare in answers to test sentences: a token with low probability, or
 * few words. */
static void say_rare(const Answer *answer, const WordsMet *met, const About *about,
                     Page *page) {
    Arena *arena = page->arena;
    enum { LEAST_WORDS = 4 }; /* short greetings vary in length */
    if (answer->is_label || answer->hidden) return;
    int words = 0;
    for (const char *at = answer->text + strspn(answer->text, " "); *at; words++) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    const Said *min = answer->word;
    for (int w = 1; w < answer->count; w++)
        if (answer->word[w].share < min->share) min = &answer->word[w];
    if (100 * min->share < about->least_from)
        page_prose(page, trf(arena,
                             "\"%s\" has a probability of only %.0f%%: it may be "
                             "wrong.",
                             min->label, 100 * min->share));
    else if (met && met->words >= LEAST_WORDS &&
             100 * words < about->words_from * met->words)
        page_prose(page, trf(arena,
                             "The answer has only %d words for %d in the sentence: a "
                             "part may be missing.",
                             words, met->words));
}

/* Report the answer and, if it is a guess, why. `met`: which words of the sentence were
 * in the training data; NULL: unknown. */
static void say_answer(Session *session, int row, const WordsMet *met) {
    Page *page = &session->page;
    const About *about = &session_background(session)->about;
    const Config *config = &session->model.config;
    const Answer answered = session_answer(session, row);
    const Answer *answer = &answered;
    Arena *arena = page->arena;
    bool untrained = model_is_untrained(&session->model);
    if (!answer->text && config->masked_words) {
        page_prose(page,
                   config->mask_id < 0
                       ? N_("This model has no mask_id, so no word can be masked. At "
                            "every position it shows which token it expects.")
                       : trf(arena,
                             "No word is masked: type %s in place of one, or mask one "
                             "with :hide WORD. At every position the model shows which "
                             "token it expects.",
                             decoding_label(session, config->mask_id, arena)));
        return;
    }
    if (!answer->text && config->decoder_layers == 0)
        page_prose(page,
                   "This model outputs no words: it computes a row of numbers for "
                   "each token.");
    if (!answer->text) return; /* nothing to report for a given target */
    if (answer->is_full) {
        page_prose(page, trf(arena,
                             "The prompt has %d tokens, the most that this model "
                             "takes (max_length), so nothing can follow it.",
                             config->max_length));
        return;
    }
    if (isnan(answer->sure)) {
        page_prose(page, "The probabilities are no longer numbers (NaN), so there is "
                         "no answer.");
        return;
    }
    const char *sure = answer_sure(answer, arena);
    page_say(page, (Block){.kind = BLOCK_ANSWER, .answer = {answer->text, sure}});
    Story story = session_story(session);
    story.row = row;
    if (answer->hidden)
        ranking_say_places(&story, tape_find(story.record.run, "probabilities"),
                           (Places){-1, 0}, 2, page);
    double likely = likelihood(session, row);
    if (100 * likely >= about->likely_from) likely = 0;
    if (untrained)
        page_prose(page, "This model is untrained: its initial weights happen to "
                         "prefer these tokens.");
    else if (100 * answer->sure < (about->sure_from ? about->sure_from : SURE_FROM) ||
             (met && (met->missing_count || met->words == 0)) || likely > 0)
        say_guess(answer, met, likely, about, page);
    else
        say_rare(answer, met, about, page);
    if (about->one_sentence && met && met->sentences > 1)
        page_prose(
            page, trf(arena,
                      "This looks like %d sentences. The model was trained on one at "
                      "a time, so a part may be missing; | between them makes a batch.",
                      met->sentences));
    if (!answer->ended && !untrained)
        page_prose(page, "The answer did not end before the limit.");
}

void answers_say_row(Session *session, int row) {
    Page *page = &session->page;
    const Background *background = session_background(session);
    const char *text = session->run->source.sentence[row].text;
    const int mask = session->model.config.mask_id;
    if (text && session->model.config.masked_words && mask >= 0) {
        Builder words = {.arena = page->arena}; /* all but the masks */
        const char *part = session->model.source.vocabulary.word[mask];
        for (const char *found; (found = strstr(text, part));
             text = found + strlen(part))
            build(&words, "%.*s ", (int)(found - text), text);
        build_text(&words, text);
        text = builder_text(&words);
    }
    WordsMet met = {0};
    bool is_checked = background->knows_words && text;
    if (is_checked) met = seen_words_check(&background->seen, text, page->arena);
    say_answer(session, row, is_checked ? &met : NULL);
    say_what_is_hidden(session, row);
    say_left_out(session, row);
    int count = 0;
    Builder others = {.arena = page->arena};
    const MetModel *model =
        met.missing_count ? models_met(text, page->arena, &count) : NULL;
    for (int m = 0; m < count; m++)
        if (model[m].met.missing_count == 0)
            build_item(&others, ", ", "%s", model[m].model.name);
    if (others.count)
        page_prose(page, trf(page->arena,
                             "These words were in the training data of %s; :model NAME "
                             "opens another model.",
                             builder_text(&others)));
}

void answers_say(Session *session) {
    for (int row = 0; row < session->run->source.rows; row++)
        answers_say_row(session, row);
    page_gap(&session->page);
    Arena *arena = &session->scratch;
    int steps = stops_count(session);
    page_prose(
        &session->page,
        session->lesson.is_open /* in a lesson, Enter continues the lesson */
            ? trf(arena,
                  ":next shows how, in %d stages.   + more detail   - less   :map",
                  steps)
            : trf(arena,
                  "Enter shows how, in %d stages.   + more detail   - less   :map",
                  steps));
}
