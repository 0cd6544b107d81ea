#include "change/outcome.h"

#include <string.h>

#include "base/language.h"
#include "model/ids.h"
#include "ops/vector.h"
#include "text/unicode.h"
#include "walk/decoded.h"

static const char *safe_label(const Story *story, int id, Arena *arena) {
    const Tokenizer *words = &story->model->target;
    if (words->kind == TOKENIZER_NONE) return arena_print(arena, "%d", id);
    const char *label = tokenizer_label(words, id);
    const char *safe = unicode_escape(label, strlen(label), arena);
    return arena_copy(arena, safe, strlen(safe)); /* it may have been safe already */
}

static void take_word(const Story *story, Outcome *outcome, int id, double share,
                      Arena *arena) {
    outcome->word[outcome->count++] = (Said){safe_label(story, id, arena), id, share};
    outcome->sure += share;
}

static void read_steps(const Story *story, Outcome *outcome, Arena *arena) {
    const Generated *generated = story->generated;
    outcome->word = ARENA_ARRAY(arena, Said, generated->count);
    for (int t = 0; t < generated->count; t++) {
        double share = decoded_share(story, t, arena);
        take_word(story, outcome, generated->id[t], share, arena);
    }
}

/* What stands best in each row for the sentence at hand. */
static void read_rows(const Story *story, Outcome *outcome, const Tensor *p,
                      Arena *arena) {
    int places = p->axis[1].size;
    int width = tensor_row(p);
    outcome->word = ARENA_ARRAY(arena, Said, places);
    outcome->preferred = true;
    for (int t = 0; t < places; t++) {
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
    label = arena_copy(arena, label, strlen(label)); /* it may be the model's own */
    outcome->word = ARENA_ARRAY(arena, Said, 1);
    outcome->word[outcome->count++] =
        (Said){label, best, tensor_printed((double)row[best])};
    outcome->sure = outcome->word[0].share;
    outcome->text = label;
}

static void join(const Story *story, Outcome *outcome, Arena *arena) {
    const Tokenizer *words = &story->model->target;
    int *id = ARENA_ARRAY(arena, int, outcome->count);
    for (int w = 0; w < outcome->count; w++) id[w] = outcome->word[w].id;
    const char *text = words->kind == TOKENIZER_NONE
                           ? ids_print(id, outcome->count, arena)
                           : tokenizer_decode(words, id, outcome->count, arena);
    outcome->text = unicode_escape(text, strlen(text), arena);
    if (!*outcome->text) outcome->text = "…";
}

Outcome outcome_of(const Story *story, Arena *arena) {
    Outcome outcome = {0};
    const Tensor *p = tape_find(story->record.run, "probabilities");
    if (story->generated->count)
        read_steps(story, &outcome, arena);
    else if (p && p->rank == 3)
        read_rows(story, &outcome, p, arena);
    else if (p && p->rank == 2)
        read_label(story, &outcome, p, arena);
    if (outcome.count && !outcome.text) join(story, &outcome, arena);
    if (outcome.count) outcome.sure /= outcome.count;
    return outcome;
}

const char *outcome_words(const Outcome *outcome, int from, int to, Arena *arena) {
    enum { WORDS_SHOWN = 6 };
    const char *text = "";
    for (int w = from; w < to; w++) {
        if (w - from == WORDS_SHOWN) return arena_print(arena, "%s …", text);
        text = arena_print(arena, "%s%s%s %.2f", text, w > from ? " " : "",
                           outcome->word[w].label, outcome->word[w].share);
    }
    return *text ? text : said("nothing");
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
