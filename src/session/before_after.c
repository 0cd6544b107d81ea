#include "session/before_after.h"

#include <math.h>
#include <string.h>

#include "base/language.h"

/* Of a target that was given: the mean probability of its tokens. NAN: it has none that
 * can be compared. */
static double given_sure(const Session *session, int row) {
    const Tensor *p = tape_find(&session->run->tape, "probabilities");
    const Sentence *target = &session->run->target.sentence[row];
    if (!p || p->rank != 3 || target->count < 2) return NAN;
    double sum = 0;
    for (int t = 1; t < target->count; t++)
        sum +=
            (double)p
                ->data[(row * p->axis[1].size + t - 1) * tensor_row(p) + target->id[t]];
    return sum / (target->count - 1);
}

/* What the model says to sentence `row`, in the scratch memory; without a text where it
 * says nothing. */
static Answer answer_at(Session *session, int row) {
    Answer answer = session->run->answer[row];
    Arena *arena = &session->scratch;
    if (session->run->target_given) return (Answer){.sure = given_sure(session, row)};
    if (!answer.text) {
        Story story = session_story(session);
        story.row = row;
        answer = answer_of(&story, arena);
    }
    if (answer.text) answer.text = arena_copy(arena, answer.text, strlen(answer.text));
    return answer;
}

/* The factor of the first scores, 1 where they are not scaled. */
static double score_scale(const Session *session) {
    for (int e = 0; e < session->run->tape.entries; e++) {
        const Entry *entry = &session->run->tape.entry[e];
        if (strcmp(entry->name, "scaled") == 0 && entry->tensor->step != STEP_NONE)
            return session->run->tape.step[entry->tensor->step].setting.number;
    }
    return 1;
}

BeforeAfter before_after_begin(Session *session) {
    BeforeAfter before = {.scale = score_scale(session),
                          .divides = session->model.config.scale_scores};
    for (int row = 0; row < session->run->source.rows; row++)
        before.answer[row] = answer_at(session, row);
    return before;
}

static const char *shown(const Answer *answer) {
    return *answer->text ? answer->text : "…";
}

static void say_answer(const Answer *before, const Answer *after, Page *page) {
    const double was = 100 * before->sure;
    const double is = 100 * after->sure;
    if (after->text && isnan(after->sure)) {
        page_prose(page, "The probabilities are no numbers any more (NaN): there is "
                         "no answer.");
    } else if (!before->text || !after->text || isnan(before->sure)) {
        if (!before->text && !after->text && before->sure > 0 && after->sure > 0)
            page_prose(page, trf(page->arena,
                                 "The target that was given: %.1f %% → %.1f %% a token",
                                 was, is));
        else if (after->text)
            page_prose(page,
                       trf(page->arena, "after: %s (sure: %.0f %%)", after->text, is));
    } else if (strcmp(before->text, after->text) == 0) {
        page_prose(page,
                   trf(page->arena, "The answer stays: %s (sure: %.1f %% → %.1f %%)",
                       shown(after), was, is));
    } else {
        page_prose(page,
                   trf(page->arena, "before: %s (sure: %.0f %%)", shown(before), was));
        page_prose(page,
                   trf(page->arena, "after: %s (sure: %.0f %%)", shown(after), is));
    }
}

void before_after_answers(const Answer *before, const Answer *after, int rows,
                          Page *page) {
    for (int row = 0; row < rows; row++) say_answer(&before[row], &after[row], page);
}

/* A row of attention weights before and after. */
typedef struct {
    const Tensor *before, *after;
    int start, start_before; /* its first cells */
    double change; /* half of what the weights changed by: the share that moved */
    int skipped;   /* tensors of weights of which no row can be compared */
} Row;

/* The place that cell `start` has in a tensor of other sizes; -1: it has none there. */
static int place_in(const Tensor *other, const Tensor *tensor, int start) {
    int place = 0;
    for (int a = 0; a < tensor->rank; a++) {
        int index = tensor_index(tensor, a, start);
        if (index >= other->axis[a].size) return -1;
        place += index * tensor_stride(other, a);
    }
    return place;
}

static double row_change(const Row *row) {
    double change = 0;
    for (int i = 0; i < tensor_row(row->after); i++)
        change += fabs((double)row->before->data[row->start_before + i] -
                       (double)row->after->data[row->start + i]);
    return change / 2;
}

static bool same_label(const Axis *a, const Axis *b, int sentence, int index) {
    const char *x = axis_label(a, sentence, index);
    const char *y = axis_label(b, sentence, index);
    return (!x && !y) || (x && y && strcmp(x, y) == 0);
}

/* Two answers may differ in length and words: rows are compared where both have them,
 * over the same keys. */
static bool can_compare(const Tensor *a, const Tensor *b, int sentence) {
    if (a->rank != b->rank || tensor_row(a) != tensor_row(b)) return false;
    const int last = a->rank - 1;
    for (int k = 0; k < tensor_row(a); k++)
        if (!same_label(&a->axis[last], &b->axis[last], sentence, k)) return false;
    return true;
}

/* Does the same token ask in this row? */
static bool same_query(const Row *row, int sentence) {
    const int query = row->after->rank - 2;
    return same_label(&row->before->axis[query], &row->after->axis[query], sentence,
                      tensor_index(row->after, query, row->start));
}

static bool is_attention(const Entry *entry) {
    const Tensor *tensor = entry->tensor;
    bool weights = strcmp(entry->name, "weights") == 0 ||
                   strcmp(entry->name, "weights_dropped") == 0;
    return weights && strcmp(tensor->axis[tensor->rank - 1].name, "key") == 0;
}

/* What stood where the tensor stands now: weights that dropout changed, those that it
 * did not. */
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

static void look_at(const Session *session, const Tensor *before, const Tensor *after,
                    Row *most) {
    int batch = tensor_axis(after, "batch");
    for (int start = 0; start < tensor_size(after); start += tensor_row(after)) {
        if (batch >= 0 && after->axis[batch].size > 1 &&
            tensor_index(after, batch, start) != session->run->row)
            continue;
        Row row = {before, after, start, place_in(before, after, start), 0, 0};
        if (row.start_before < 0 || !same_query(&row, session->run->row)) continue;
        row.change = row_change(&row);
        if (isnan(row.change)) { /* weights that are no numbers */
            most->skipped++;
            continue;
        }
        row.skipped = most->skipped;
        if (!most->after || row.change > most->change) *most = row;
    }
}

/* Of the sentence that is shown the row that changed most. */
static Row find_row(const Session *session) {
    const Tape *before = &session->spare->tape;
    const Tape *after = &session->run->tape;
    Row most = {0};
    int skipped = 0;
    for (int e = 0; e < after->entries; e++) {
        const Entry *entry = &after->entry[e];
        if (!is_attention(entry)) continue;
        const Tensor *old = counterpart(before, entry);
        if (old && can_compare(old, entry->tensor, session->run->row))
            look_at(session, old, entry->tensor, &most);
        else
            skipped++;
    }
    most.skipped += skipped;
    return most;
}

/* Both rows below each other: [run 2, key n]. */
static const Tensor *pair_of(const Row *row, int sentence, Arena *arena) {
    const Tensor *after = row->after;
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
    const char *name = address_print_open(after, row->start, after->rank - 1, arena);
    Tensor *pair = tensor_new(arena, name, 2, axis);
    size_t bytes = (size_t)key->size * sizeof(Number);
    memcpy(pair->data, row->before->data + row->start_before, bytes);
    memcpy(pair->data + key->size, after->data + row->start, bytes);
    return pair;
}

static void say_row(Session *session, const Row *row) {
    Page *page = &session->page;
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = slice_all(pair_of(row, session->run->row, page->arena));
    page_prose(page,
               trf(page->arena,
                   "Of all rows of attention this one changed most: %.0f %% of its "
                   "weight went elsewhere.",
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

static void say_scale(double before, double after, Page *page) {
    if (before == after) return;
    page_prose(page,
               before < after
                   ? trf(page->arena,
                         "Scores are %.1f times as large without the division "
                         "by √d_head, and softmax hands more to the largest.",
                         after / before)
                   : trf(page->arena,
                         "Scores are divided by √d_head = %.1f again, and softmax "
                         "shares out more evenly.",
                         before / after));
}

void before_after_say(Session *session, const BeforeAfter *before) {
    const double least = 1e-6;
    Page *page = &session->page;
    const BeforeAfter now = before_after_begin(session);
    before_after_answers(before->answer, now.answer, session->run->source.rows, page);
    Row row = find_row(session);
    /* Heads of another width are divided by another number, and still divided. */
    if (before->divides != session->model.config.scale_scores)
        say_scale(before->scale, now.scale, page);
    if (row.after && row.change > least)
        say_row(session, &row);
    else if (row.after)
        page_note(page, row.skipped == 0
                            ? N_("no weight of attention changed")
                            : N_("no weight of attention changed where both runs have "
                                 "it"));
}
