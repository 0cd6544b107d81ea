#include "change/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "kernel/vector.h"
#include "model/ids.h"
#include "tensor/address.h"
#include "text/unicode.h"
#include "walk/story.h"

static const char *safe_label(const Story *story, int id, Arena *arena) {
    const Tokenizer *words = &story->model->target;
    if (words->kind == TOKENIZER_NONE) return arena_print(arena, "%d", id);
    const char *label = tokenizer_label(words, id);
    const char *safe = unicode_escape(label, strlen(label), arena);
    return arena_copy(arena, safe, strlen(safe)); /* not a copy if safe */
}

static void take_word(const Story *story, Outcome *outcome, int id, double share,
                      Arena *arena) {
    outcome->word[outcome->count++] = (Said){safe_label(story, id, arena), id, share};
    outcome->sure += share;
}

/* Read the best word of each row for the current sentence. */
static void read_rows(const Story *story, Outcome *outcome, const Tensor *p,
                      Arena *arena) {
    int hidden;
    const int *place = hidden_places(story->record.run, &story->model->config,
                                     story->row, arena, &hidden);
    int places = p->axis[1].size;
    int width = tensor_row(p);
    outcome->word = ARENA_ARRAY(arena, Said, places);
    outcome->preferred = !story->model->config.masked_words;
    for (int i = 0; i < (hidden ? hidden : places); i++) {
        int t = hidden ? place[i] : i;
        const Number *row = p->data + (size_t)(story->row * places + t) * (size_t)width;
        int best = vector_largest_place(row, width);
        take_word(story, outcome, best, tensor_printed((double)row[best]), arena);
    }
}

static void read_label(const Story *story, Outcome *outcome, const Tensor *p,
                       Arena *arena) {
    int width = tensor_row(p);
    const Number *row = p->data + (size_t)story->row * (size_t)width;
    int best = vector_largest_place(row, width);
    const char *label = address_label(&p->axis[1], 0, best, arena);
    label = arena_copy(arena, label, strlen(label)); /* it may belong to the model */
    outcome->word = ARENA_ARRAY(arena, Said, 1);
    outcome->word[outcome->count++] =
        (Said){label, best, tensor_printed((double)row[best])};
    outcome->sure = outcome->word[0].share;
    outcome->text = label;
}

Outcome outcome_of(const Story *story, Arena *arena) {
    Outcome outcome = {0};
    const Tensor *p = tape_find(story->record.run, "probabilities");
    const Generated *generated = story->generated;
    if (generated->count) {
        outcome.word = ARENA_ARRAY(arena, Said, generated->count);
        for (int t = 0; t < generated->count; t++)
            take_word(story, &outcome, generated->id[t], decoded_share(story, t, arena),
                      arena);
    } else if (p && p->rank == 3)
        read_rows(story, &outcome, p, arena);
    else if (p && p->rank == 2)
        read_label(story, &outcome, p, arena);
    if (outcome.count && !outcome.text) {
        const Tokenizer *words = &story->model->target;
        int *id = ARENA_ARRAY(arena, int, outcome.count);
        for (int w = 0; w < outcome.count; w++) id[w] = outcome.word[w].id;
        const char *text = words->kind == TOKENIZER_NONE
                               ? ids_print(id, outcome.count, arena)
                               : tokenizer_decode(words, id, outcome.count, arena);
        outcome.text = *text ? unicode_escape(text, strlen(text), arena) : "…";
    }
    if (outcome.count) outcome.sure /= outcome.count;
    return outcome;
}

const char *outcome_words(const Outcome *outcome, int from, int to, Arena *arena) {
    enum { WORDS_SHOWN = 6 };
    const char *text = "";
    for (int w = from; w < to; w++) {
        if (w - from == WORDS_SHOWN) return arena_print(arena, "%s …", text);
        text = arena_print(
            arena, "%s%s%s", text, w > from ? " " : "",
            trf(arena, "\"%s\" %.2f", outcome->word[w].label, outcome->word[w].share));
    }
    return *text ? text : tr("nothing");
}

Changed outcome_changed(const Outcome *before, const Outcome *after) {
    Changed changed = {.before_to = before->count, .after_to = after->count};
    while (changed.from < before->count && changed.from < after->count &&
           before->word[changed.from].id == after->word[changed.from].id)
        changed.from++;
    while (changed.before_to > changed.from && changed.after_to > changed.from &&
           before->word[changed.before_to - 1].id ==
               after->word[changed.after_to - 1].id) {
        changed.before_to--;
        changed.after_to--;
    }
    return changed;
}

const char *answer_part(const char *text, const char *other, Arena *arena) {
    enum { LONG = 160, BEFORE = 4, WORDS = 12 };
    const char *from = text;
    if (unicode_width(text) <= LONG) return text;
    while (*from && *from == other[from - text]) from++;
    if (!*from) from = text;
    for (int words = 0; from > text; from--)
        if (from[-1] == ' ' && words++ == BEFORE) break;
    const char *to = from;
    for (int words = 0; *to; to++)
        if (*to == ' ' && ++words == WORDS) break;
    return arena_print(arena, "%s%.*s%s", from > text ? "… " : "", (int)(to - from),
                       from, *to ? " …" : "");
}

static Answer read_decoding(const Story *story, Arena *arena) {
    const Generated *generated = story->generated;
    const char *text =
        tokenizer_decode(&story->model->target, generated->id, generated->count, arena);
    Answer answer = {.text = unicode_escape(text, strlen(text), arena),
                     .tokens = generated->count,
                     .least = 1,
                     .ended = generated->ended,
                     .is_full = generated->is_full};
    for (int step = 0; step < generated->count; step++) {
        double share = decoded_share(story, step, arena);
        answer.sure += share / generated->count;
        if (share > answer.most) answer.most = share;
        if (share >= answer.least) continue;
        answer.least = share;
        answer.least_id = generated->id[step];
    }
    return answer;
}

/* Return the sentence with the best word at each masked position. */
static Answer read_hidden(const Story *story, const Tensor *p, Arena *arena) {
    const Config *config = &story->model->config;
    const Tokenizer *words = &story->model->source;
    const Tensor *ids = tape_find(story->record.run, "encoder.ids");
    Answer answer = {.ended = true};
    int count = ids->axis[1].size;
    int width = tensor_row(p);
    answer.hidden =
        hidden_places(story->record.run, config, story->row, arena, &answer.tokens);
    if (!answer.tokens) return answer;
    int *id = ARENA_ARRAY(arena, int, count);
    for (int t = 0; t < count; t++) id[t] = (int)ids->data[story->row * count + t];
    for (int h = 0; h < answer.tokens; h++) {
        int place = answer.hidden[h];
        const Number *row =
            p->data + (size_t)(story->row * count + place) * (size_t)width;
        id[place] = vector_largest_place(row, width);
        double share = tensor_printed((double)row[id[place]]);
        answer.sure += share / answer.tokens;
        if (share > answer.most) answer.most = share;
    }
    const char *text = words->kind == TOKENIZER_NONE
                           ? ids_print(id, count, arena)
                           : tokenizer_decode(words, id, count, arena);
    answer.text = unicode_escape(text, strlen(text), arena);
    return answer;
}

Answer answer_of(const Story *story, Arena *arena) {
    if (story->generated->count || story->generated->is_full)
        return read_decoding(story, arena);
    const Tensor *p = tape_find(story->record.run, "probabilities");
    if (p && story->model->config.masked_words) return read_hidden(story, p, arena);
    if (!p || p->rank != 2) return (Answer){.ended = true};
    /* The label. */
    const Number *share = p->data + story->row * tensor_row(p);
    int best = vector_largest_place(share, tensor_row(p));
    return (Answer){.text = address_label(&p->axis[p->rank - 1], 0, best, arena),
                    .sure = (double)share[best],
                    .most = (double)share[best],
                    .ended = true};
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

static bool is_unlikely(const Answer *answer, const About *about) {
    return answer->likely > 0 && 100 * answer->likely < about->likely_from;
}

/* Say why the answer is a guess. */
static void say_guess(const Answer *answer, const WordsMet *met, const About *about,
                      Page *page) {
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
    else if (is_unlikely(answer, about))
        page_prose(page,
                   trf(arena,
                       "This is a guess: your text is unlike the training texts. On "
                       "average the model gave its tokens a probability of %.2g%%; "
                       "for training texts it is %d%% or more.",
                       100 * answer->likely, about->likely_from));
    else if (answer->tokens == 0)
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

static int count_words(const char *text) {
    int words = 0;
    for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
        words++;
        text += strcspn(text, " ");
    }
    return words;
}

/* Report what is rare in answers to test sentences: a token with low probability, or
 * few words. */
static void say_rare(const Story *story, const Answer *answer, const WordsMet *met,
                     const About *about, Page *page) {
    Arena *arena = page->arena;
    enum { LEAST_WORDS = 4 }; /* short greetings vary in length */
    const int words = count_words(answer->text);
    if (!answer->tokens || answer->hidden) return;
    if (100 * answer->least < about->least_from)
        page_prose(page, trf(arena,
                             "\"%s\" has a probability of only %.0f%%: it may be "
                             "wrong.",
                             safe_label(story, answer->least_id, arena),
                             100 * answer->least));
    else if (met && met->words >= LEAST_WORDS &&
             100 * words < about->words_from * met->words)
        page_prose(page, trf(arena,
                             "The answer has only %d words for %d in the sentence: a "
                             "part may be missing.",
                             words, met->words));
}

const char *answer_sure(const Answer *answer, Arena *arena) {
    if (isnan(answer->sure)) return "NaN";
    return answer->tokens
               ? trf(arena, "confidence: %.0f%% per token", 100 * answer->sure)
               : trf(arena, "confidence: %.0f%%", 100 * answer->sure);
}

/* Say how to mask a word, using the vocabulary's name for the mask token. */
static void say_none_hidden(const Story *story, Page *page) {
    const Config *config = &story->model->config;
    const char *mask =
        config->mask_id < 0 ? NULL : safe_label(story, config->mask_id, page->arena);
    page_prose(page,
               mask ? trf(page->arena,
                          "No word is masked: type %s in place of one, or mask one "
                          "with :hide WORD. At every position the model shows which "
                          "token it expects.",
                          mask)
                    : N_("This model has no mask_id, so no word can be masked. At "
                         "every position it shows which token it expects."));
}

void answer_say(const Story *story, const Answer *answer, const WordsMet *met,
                const About *about, Page *page) {
    Arena *arena = page->arena;
    bool untrained = model_is_untrained(story->model);
    if (!answer->text && story->model->config.masked_words) {
        say_none_hidden(story, page);
        return;
    }
    if (!answer->text && story->model->config.decoder_layers == 0)
        page_prose(page,
                   "This model outputs no words: it computes a row of numbers for "
                   "each token.");
    if (!answer->text) return; /* nothing to report for a given target */
    if (answer->is_full) {
        page_prose(page, trf(arena,
                             "The prompt has %d tokens, the most that this model "
                             "takes (max_length), so nothing can follow it.",
                             story->model->config.max_length));
        return;
    }
    if (isnan(answer->sure)) {
        page_prose(page, "The probabilities are no longer numbers (NaN), so there is "
                         "no answer.");
        return;
    }
    const char *sure = answer_sure(answer, arena);
    page_say(page, (Block){.kind = BLOCK_ANSWER,
                           .answer = {*answer->text ? answer->text : "…", sure}});
    const Tensor *p = tape_find(story->record.run, "probabilities");
    if (answer->hidden && p && p->rank == 3)
        ranking_say_places(story, p, (Places){-1, 0}, 2, page);
    if (untrained)
        page_prose(page, "This model is untrained: its initial weights happen to "
                         "prefer these tokens.");
    else if (100 * answer->sure < (about->sure_from ? about->sure_from : SURE_FROM) ||
             (met && (met->missing_count || met->words == 0)) ||
             is_unlikely(answer, about))
        say_guess(answer, met, about, page);
    else
        say_rare(story, answer, met, about, page);
    if (about->one_sentence && met && met->sentences > 1)
        page_prose(
            page, trf(arena,
                      "This looks like %d sentences. The model was trained on one at "
                      "a time, so a part may be missing; | between them makes a batch.",
                      met->sentences));
    if (!answer->ended && !untrained)
        page_prose(page, "The answer did not end before the limit.");
}
