#include "change/answer.h"

#include <string.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "model/ids.h"
#include "tensor/address.h"
#include "text/unicode.h"
#include "walk/story.h"

/* Take a word of the model, and its probability. */
static void take_word(const Story *story, Answer *answer, int id, double share,
                      Arena *arena) {
    const Tokenizer *words = &story->model->target;
    const char *label = arena_print(arena, "%d", id);
    if (words->kind != TOKENIZER_NONE) {
        label = tokenizer_label(words, id);
        label = unicode_escape(label, strlen(label), arena);
        label = arena_copy(arena, label, strlen(label)); /* not a copy if safe */
    }
    answer->word[answer->count++] = (Said){label, id, share};
    answer->sure += share;
}

/* Read the best word of each row for the current sentence, or of each masked one. */
static void read_rows(const Story *story, Answer *answer, const Tensor *p,
                      Arena *arena) {
    int hidden;
    const int *place = hidden_places(story->record.run, &story->model->config,
                                     story->row, arena, &hidden);
    int places = p->axis[1].size;
    int width = tensor_row(p);
    answer->word = ARENA_ARRAY(arena, Said, places);
    answer->preferred = !story->model->config.masked_words;
    answer->hidden = hidden ? place : NULL;
    for (int i = 0; i < (hidden ? hidden : places); i++) {
        int t = hidden ? place[i] : i;
        const Number *row = p->data + (size_t)(story->row * places + t) * (size_t)width;
        int best = vector_largest_place(row, width);
        take_word(story, answer, best, tensor_printed((double)row[best]), arena);
    }
}

static const char *spoken(const Tokenizer *words, const int *id, int count,
                          Arena *arena) {
    const char *text = words->kind == TOKENIZER_NONE
                           ? ids_print(id, count, arena)
                           : tokenizer_decode(words, id, count, arena);
    return *text ? unicode_escape(text, strlen(text), arena) : "…";
}

Answer answer_of(const Story *story, Arena *arena) {
    const Generated *generated = story->generated;
    const bool is_decoded = generated->count > 0 || generated->is_full;
    const Tensor *p = is_decoded ? NULL /* the run may not have read its answer yet */
                                 : tape_find(story->record.run, "probabilities");
    Answer answer = {.ended = !is_decoded || generated->ended,
                     .is_full = generated->is_full};
    if (is_decoded) {
        answer.word = ARENA_ARRAY(arena, Said, generated->count);
        for (int t = 0; t < generated->count; t++)
            take_word(story, &answer, generated->id[t], decoded_share(story, t, arena),
                      arena);
    } else if (p && p->rank == 3)
        read_rows(story, &answer, p, arena);
    else if (p && p->rank == 2) {
        int width = tensor_row(p);
        const Number *row = p->data + (size_t)story->row * (size_t)width;
        int best = vector_largest_place(row, width);
        const char *label = address_label(&p->axis[1], 0, best, arena);
        label =
            arena_copy(arena, label, strlen(label)); /* it may belong to the model */
        answer.word = ARENA_ARRAY(arena, Said, 1);
        answer.word[answer.count++] =
            (Said){label, best, tensor_printed((double)row[best])};
        answer.sure = answer.word[0].share;
        answer.is_label = true;
        answer.text = answer.best = label;
    }
    if (answer.count && !answer.is_label) {
        answer.sure /= answer.count;
        int *id = ARENA_ARRAY(arena, int, answer.count);
        for (int w = 0; w < answer.count; w++) id[w] = answer.word[w].id;
        answer.best = spoken(&story->model->target, id, answer.count, arena);
    }
    if (is_decoded) answer.text = answer.best ? answer.best : "…";
    /* The sentence with the best word at each masked position. */
    if (answer.hidden) {
        const Tensor *ids = tape_find(story->record.run, "encoder.ids");
        int count = ids->axis[1].size;
        int *id = ARENA_ARRAY(arena, int, count);
        for (int t = 0; t < count; t++) id[t] = (int)ids->data[story->row * count + t];
        for (int h = 0; h < answer.count; h++) id[answer.hidden[h]] = answer.word[h].id;
        answer.text = spoken(&story->model->source, id, count, arena);
    }
    return answer;
}

const char *answer_words(const Answer *answer, const Answer *other, int from, int to,
                         Arena *arena) {
    enum { WORDS_SHOWN = 6 };
    const char *text = "";
    int shown = 0;
    for (int w = from; w < to; w++) {
        if (other && other->word[w].id == answer->word[w].id) continue;
        if (shown == WORDS_SHOWN) return arena_print(arena, "%s …", text);
        text = arena_print(
            arena, "%s%s%s", text, shown++ ? " " : "",
            trf(arena, "\"%s\" %.2f", answer->word[w].label, answer->word[w].share));
    }
    return *text ? text : tr("nothing");
}

Changed answer_changed(const Answer *before, const Answer *after) {
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
    changed.in_place = changed.before_to == changed.after_to;
    for (int w = changed.from; w < changed.before_to || w < changed.after_to; w++)
        changed.words += !changed.in_place || before->word[w].id != after->word[w].id;
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

const char *answer_sure(const Answer *answer, Arena *arena) {
    if (isnan(answer->sure)) return "NaN";
    return answer->is_label
               ? trf(arena, "confidence: %.0f%%", 100 * answer->sure)
               : trf(arena, "confidence: %.0f%% per token", 100 * answer->sure);
}
