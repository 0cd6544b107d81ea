#include "session/answers.h"

#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "model/network.h"
#include "session/models.h"
#include "session/sentence.h"
#include "tensor/address.h"

/* A file that cannot be read counts as missing. */
const Background *answers_background(Session *session) {
    Model *model = &session->model;
    Error error;
    if (session->reading.background) return session->reading.background;
    Background *background = ARENA_ARRAY(&model->arena, Background, 1);
    session->reading.background = background;
    about_read(&background->about, model->path, &model->arena, &error);
    error.message[0] = '\0';
    background->knows_words =
        models_words(model->path, &background->seen, &model->arena, &error);
    if (*error.message) page_note(&session->messages, "%s", error.message);
    return background;
}

/* Return the largest attention weight, averaged over heads, that any word of the answer
 * gives to the tokens of a source word. */
static double most_taken(const Tensor *weights, int row, const Word *word) {
    int head = tensor_axis(weights, "head");
    int heads = head < 0 ? 1 : weights->axis[head].size;
    int keys = tensor_row(weights);
    int queries = weights->axis[weights->rank - 2].size;
    double most = 0;
    for (int q = 0; q < queries; q++)
        for (int k = word->first; k < word->last && k < keys; k++) {
            double sum = 0;
            for (int h = 0; h < heads; h++)
                sum +=
                    (double)weights->data[((row * heads + h) * queries + q) * keys + k];
            if (sum / heads > most) most = sum / heads;
        }
    return most;
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
        if (w < words && most_taken(weights, row, &word[w]) < looked_at) continue;
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
static void say_what_is_hidden(const Story *story, const Side *whole, Page *page) {
    enum { TOLD_MOST = 8 };
    const Tensor *p = tape_find(story->record.run, "probabilities");
    if (!whole->rows || !p || p->rank != 3) return;
    int hidden;
    const int *place = hidden_places(story->record.run, &story->model->config,
                                     story->row, page->arena, &hidden);
    int width = tensor_row(p);
    const Sentence *sentence = &whole->sentence[story->row];
    for (int h = 0; h < hidden && h < TOLD_MOST; h++) {
        int id = sentence->id[place[h]];
        const Number *share =
            p->data + (size_t)(story->row * p->axis[1].size + place[h]) * (size_t)width;
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

void answers_say_row(Session *session, int row) {
    Page *page = &session->page;
    const Background *background = answers_background(session);
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
    Story story = session_story(session);
    story.row = row;
    Answer answer = session->run->answer[row].text ? session->run->answer[row]
                                                   : answer_of(&story, page->arena);
    answer.likely = likelihood(session, row);
    answer_say(&story, &answer, is_checked ? &met : NULL, &background->about, page);
    say_what_is_hidden(&story, &session->run->whole, page);
    say_left_out(session, row);
    const char *others =
        met.missing_count ? models_that_know(text, session->page.arena) : "";
    if (*others)
        page_prose(page, trf(page->arena,
                             "These words were in the training data of %s; :model NAME "
                             "opens another model.",
                             others));
}
