#include "session/before_after.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/alignment.h"

BeforeAfter before_after_begin(Session *session) {
    BeforeAfter before = {.scale = 1, .divides = session->model.config.scale_scores};
    const Tape *tape = &session->run->tape;
    for (int e = tape->entries - 1; e >= 0; e--) /* the first layer counts */
        if (strcmp(tape->entry[e].name, "scaled") == 0 &&
            tape->entry[e].tensor->step != STEP_NONE)
            before.scale = tape->step[tape->entry[e].tensor->step].setting.number;
    for (int row = 0; row < session->run->source.rows; row++)
        before.answer[row] = session_answer(session, row);
    return before;
}

static void say_answer(const Answer *before, const Answer *after, Page *page) {
    const double was = 100 * before->sure;
    const double is = 100 * after->sure;
    if (after->text && isnan(after->sure)) {
        page_prose(page, "The probabilities are no longer numbers (NaN), so there is "
                         "no answer.");
    } else if (!before->text || !after->text || isnan(before->sure)) {
        if (!before->text && !after->text && before->sure > 0 && after->sure > 0)
            page_prose(page,
                       trf(page->arena, "The given target: %.1f%% → %.1f%% per token",
                           was, is));
        else if (after->text)
            page_prose(page, trf(page->arena, "after: %s (confidence: %.0f%%)",
                                 after->text, is));
    } else if (strcmp(before->text, after->text) == 0) {
        page_prose(page, trf(page->arena,
                             "The answer stays: %s (confidence: %.1f%% → "
                             "%.1f%%)",
                             after->text, was, is));
    } else {
        page_prose(page, trf(page->arena, "before: %s (confidence: %.0f%%)",
                             answer_part(before->text, after->text, page->arena), was));
        page_prose(page,
                   trf(page->arena, "after: %s (confidence: %.0f%%)", after->text, is));
    }
}

void before_after_answers(const Answer *before, const Answer *after, int rows,
                          Page *page) {
    for (int row = 0; row < rows; row++) say_answer(&before[row], &after[row], page);
}

/* A row of attention weights before and after. */
typedef struct {
    const Tensor *tensor[2];
    int start[2];  /* its first cell in each tensor */
    double change; /* half the sum of |differences|: the weight that moved */
    int skipped;   /* weight tensors without a row that can be compared */
} Row;

static bool is_attention(const Entry *entry) {
    const Tensor *tensor = entry->tensor;
    bool weights = strcmp(entry->name, "weights") == 0 ||
                   strcmp(entry->name, "weights_dropped") == 0;
    return weights && strcmp(tensor->axis[tensor->rank - 1].name, "key") == 0;
}

/* Find the tensor before the change: weights after dropout are compared with plain
 * weights if dropout was off before. */
static const Tensor *counterpart(const Tape *before, const Entry *entry) {
    static const char dropped[] = "_dropped";
    const Tensor *found = tape_find(before, entry->address);
    size_t length = strlen(entry->address);
    size_t end = sizeof dropped - 1;
    if (found || length < end || strcmp(entry->address + length - end, dropped) != 0)
        return found;
    Arena arena = {0};
    found = tape_find(before, arena_copy(&arena, entry->address, length - end));
    arena_free(&arena);
    return found;
}

/* Compare the rows of two tensors. Answers may differ in length and words, so compare
 * only rows and keys that both have. */
static void look_at(const Session *session, const Tensor *before, const Tensor *after,
                    Alignments *alignments, Row *most) {
    const Alignment *along[RANK_MAX];
    const int batch = tensor_axis(after, "batch");
    const int last = after->rank - 1;
    int at[RANK_MAX] = {0};
    if (!before || !alignment_tensors(alignments, before, after, along) ||
        along[last]->alone) {
        most->skipped++;
        return;
    }
    do {
        Row row = {.tensor = {before, after}, .skipped = most->skipped};
        if (!alignment_cells(along, last, at, row.tensor, row.start) ||
            (batch >= 0 && after->axis[batch].size > 1 &&
             at[batch] != session->run->row))
            continue;
        for (int i = 0; i < tensor_row(after); i++)
            row.change += fabs((double)row.tensor[0]->data[row.start[0] + i] -
                               (double)row.tensor[1]->data[row.start[1] + i]) /
                          2;
        if (isnan(row.change)) /* NaN weights */
            most->skipped++;
        else if (!most->tensor[1] || row.change > most->change)
            *most = row;
    } while (alignment_next(along, last, at));
}

/* Put both rows into one tensor, [run 2, key n]. */
static const Tensor *pair_of(const Row *row, int sentence, Arena *arena) {
    const Tensor *after = row->tensor[1];
    const Axis *key = &after->axis[after->rank - 1];
    const char **label = ARENA_ARRAY(arena, const char *, key->size);
    const char **run = ARENA_ARRAY(arena, const char *, 2);
    run[0] = tr("before");
    run[1] = tr("now");
    for (int k = 0; k < key->size; k++)
        label[k] = address_label(key, sentence, k, arena);
    const Axis axis[] = {
        {.name = "run", .size = 2, .labels = run, .label_rows = 1},
        {.name = "key", .size = key->size, .labels = label, .label_rows = 1}};
    const char *name = address_print_open(after, row->start[1], after->rank - 1, arena);
    Tensor *pair = tensor_new(arena, name, 2, axis);
    size_t bytes = (size_t)key->size * sizeof(Number);
    memcpy(pair->data, row->tensor[0]->data + row->start[0], bytes);
    memcpy(pair->data + key->size, after->data + row->start[1], bytes);
    return pair;
}

static void say_row(Session *session, const Row *row) {
    Page *page = &session->page;
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = slice_all(pair_of(row, session->run->row, page->arena));
    page_prose(page,
               trf(page->arena,
                   "This row of attention changed most: %.0f%% of its weight moved.",
                   fmin(100, 100 * row->change)));
    const Figure figure = {
        .kind = FIGURE_HEATMAP,
        .slice = slice,
        .slices = 1,
        .palette = session_story(session).palette,
        .scale = SCALE_SHARES,
        .row_sums = true,
    };
    page_figure(page, &figure);
}

void before_after_say(Session *session, const BeforeAfter *before) {
    const double least = 1e-6;
    Page *page = &session->page;
    const BeforeAfter now = before_after_begin(session);
    before_after_answers(before->answer, now.answer, session->run->source.rows, page);
    /* The row of the current sentence that changed most. */
    const Tape *after = &session->run->tape;
    const int sentence = session->run->row;
    Alignments alignments = {&session->scratch, sentence, sentence, NULL, 0, 0};
    Row row = {0};
    for (int e = 0; e < after->entries; e++) {
        const Entry *entry = &after->entry[e];
        if (is_attention(entry))
            look_at(session, counterpart(&session->spare->tape, entry), entry->tensor,
                    &alignments, &row);
    }
    /* A change of the head size scales scores by another number: no remark. */
    const bool switched = before->divides != session->model.config.scale_scores;
    if (switched && before->scale < now.scale)
        page_prose(page, trf(page->arena,
                             "Without the division by √d_head, scores are %.1f times "
                             "as large, and softmax gives more to the largest.",
                             now.scale / before->scale));
    if (switched && before->scale > now.scale)
        page_prose(page, trf(page->arena,
                             "Scores are divided by √d_head = %.1f again, and softmax "
                             "spreads the weights more evenly.",
                             before->scale / now.scale));
    if (row.tensor[1] && row.change > least)
        say_row(session, &row);
    else if (row.tensor[1])
        page_note(page,
                  row.skipped == 0
                      ? N_("no attention weight changed")
                      : N_("no weight between tokens that both runs have changed"));
}
