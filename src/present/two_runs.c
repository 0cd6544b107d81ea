#include "present/two_runs.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "session/sentence.h"
#include "text/label.h"
#include "text/unicode.h"

/* Report answers that cannot be compared, since a mean probability `was` or `is` is not
 * a number. */
static bool say_broken(double was, double is, const char *text, Page *page) {
    if (isnan(is))
        page_prose(page, "The probabilities are no longer numbers (NaN), so there is "
                         "no answer.");
    else if (isnan(was))
        page_prose(page,
                   trf(page->arena, "after: %s (confidence: %.0f%%)", text, 100 * is));
    return isnan(was) || isnan(is);
}

void two_runs_say_confidence(const Answer *before, const Answer *after, Page *page) {
    Arena *arena = page->arena;
    const double was = 100 * before->sure;
    const double is = 100 * after->sure;
    if (!after->text) {
        if (!before->text && was > 0 && is > 0)
            page_prose(page, trf(arena, "The given target: %.1f%% → %.1f%% per token",
                                 was, is));
    } else if (say_broken(before->text ? before->sure : NAN, after->sure, after->text,
                          page) ||
               !before->text) {
        return;
    } else if (strcmp(before->text, after->text) == 0) {
        page_prose(page,
                   trf(arena, "The answer stays: %s (confidence: %.1f%% → %.1f%%)",
                       after->text, was, is));
    } else {
        page_prose(page, trf(arena, "before: %s (confidence: %.0f%%)",
                             answer_part(before->text, after->text, arena), was));
        page_prose(page, trf(arena, "after: %s (confidence: %.0f%%)", after->text, is));
    }
}

static void say_stays(const Answer *before, const Answer *after, const char *text,
                      Page *page) {
    Arena *arena = page->arena;
    int max = -1; /* the word whose share changed most, if visibly */
    double largest = 0.0005;
    for (int w = 0; w < after->count; w++) {
        double moved = fabs(after->word[w].share - before->word[w].share);
        if (!(moved > largest)) continue;
        largest = moved;
        max = w;
    }
    if (text) page_prose(page, trf(arena, "The answer stays: %s", text));
    if (max < 0) return;
    page_prose(page,
               trf(arena,
                   "largest change: %s, %.3f → %.3f; confidence: %.0f%% → "
                   "%.0f%%",
                   after->word[max].label, before->word[max].share,
                   after->word[max].share, 100 * before->sure, 100 * after->sure));
}

static void say_changes(const Answer *before, const Answer *after,
                        const Changed *changed, const char *text, Page *page) {
    Arena *arena = page->arena;
    const int words = changed->words;
    const Answer *other[] = {changed->in_place ? after : NULL,
                             changed->in_place ? before : NULL};
    const char *part = answer_part(before->best, after->best, arena);
    if (text) page_prose(page, arena_print(arena, "%s  →  %s", part, text));
    page_prose(
        page,
        trf(arena,
            words == 1 ? N_("changed: %d token (%s → %s); confidence: %.0f%% "
                            "→ %.0f%%")
                       : N_("changed: %d tokens (%s → %s); confidence: %.0f%% "
                            "→ %.0f%%"),
            words,
            answer_words(before, other[0], changed->from, changed->before_to, arena),
            answer_words(after, other[1], changed->from, changed->after_to, arena),
            100 * before->sure, 100 * after->sure));
}

/* Report how two answers differ. `shown` says how much of the second text to show: all
 * of it (if it is new), the part that differs (if it is long), or nothing (if it is
 * known). */
typedef enum { TEXT_WHOLE, TEXT_PART, TEXT_NONE } AnswerText;

static void say_answer(const Answer *before, const Answer *after, AnswerText shown,
                       Page *page) {
    if (!before->best || !after->best) return;
    const char *was = answer_part(before->best, after->best, page->arena);
    const char *part = answer_part(after->best, before->best, page->arena);
    const char *text = shown == TEXT_WHOLE ? after->best : part;
    if (say_broken(before->sure, after->sure, text, page)) return;
    const Changed changed = answer_changed(before, after);
    if (shown == TEXT_NONE) text = NULL;
    if (changed.from == before->count && changed.from == after->count)
        say_stays(before, after, text, page);
    else
        say_changes(before, after, &changed, text, page);
    if (shown != TEXT_WHOLE && (was != before->best || part != after->best))
        page_hint(page, N_("only words around the first difference are shown; all"),
                  ":decode");
}

void two_runs_say_change(Session *session, const Snapshot *before, bool is_new) {
    Page *page = &session->page;
    const Snapshot after = session_snapshot(session, SNAPSHOT_SHALLOW, page->arena);
    say_answer(&before->answer, &after.answer, is_new ? TEXT_WHOLE : TEXT_PART, page);
    if (after.answer.preferred)
        page_prose(page, tr(session->run->holds_target
                                ? N_("No decoding step computes what was changed, so "
                                     "the target stays; this is what the model now "
                                     "prefers at each position.")
                                : N_("The target was given and stays; this is what "
                                     "the model now prefers at each position.")));
    const Differences all = snapshot_differences(before, &after, true, page->arena);
    const Difference found = all.count ? all.found[0] : (Difference){0};
    if (found.after) {
        const char *cell = address_print(found.after, found.cell, page->arena);
        const char *safe = unicode_escape(cell, strlen(cell), page->arena);
        page_prose(page,
                   found.after->holds_ids
                       ? trf(page->arena, "first difference: %s, another token", safe)
                   : isinf(found.max)
                       ? trf(page->arena, "first difference: %s, %.3g → %.3g", safe,
                             tensor_printed(found.was), tensor_printed(found.is))
                       : trf(page->arena, "first difference: %s, by up to %.3g", safe,
                             found.max));
    } else {
        page_prose(page, "Nothing else in the run differs: no number changed.");
    }
    const int changes = session->what_if.changes.done;
    if (session->command && changes > 1)
        page_prose(page,
                   trf(page->arena,
                       "Changes in effect: %d   :undo  :reset  :compare  :changes",
                       changes));
    else if (session->command)
        page_prose(page, ":undo  :compare  :changes");
}

/* Put both rows into one tensor, [run 2, key n]. */
static const Tensor *pair_of(const MovedRow *row, int sentence, Arena *arena) {
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

void two_runs_say_moved(Session *session, const Snapshot *before) {
    const double min = 1e-6;
    Page *page = &session->page;
    const Snapshot after = session_snapshot(session, SNAPSHOT_SHALLOW, page->arena);
    const MovedRow row = snapshot_moved(before, &after, session->run->row, page->arena);
    if (!row.tensor[1]) return;
    if (row.change <= min) {
        page_note(page,
                  row.skipped == 0
                      ? N_("no attention weight changed")
                      : N_("no weight between tokens that both runs have changed"));
        return;
    }
    Slice *slice = ARENA_ARRAY(page->arena, Slice, 1);
    *slice = slice_all(pair_of(&row, session->run->row, page->arena));
    page_prose(page,
               trf(page->arena,
                   "This row of attention changed most: %.0f%% of its weight moved.",
                   fmin(100, 100 * row.change)));
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

static void say_run(Session *session, const Snapshot *run, const Snapshot *other) {
    Page *page = &session->page;
    Arena *arena = page->arena;
    const char *text = run->answer.best ? run->answer.best : "…";
    const char *text_other = other->answer.best ? other->answer.best : "";
    page_line(page, "%s: %s", session_safe(session, run->name),
              answer_part(text, text_other, arena));
    page_note(page, "%s: %s; %s", run->model,
              answer_part(run->sentence, other->sentence, arena),
              *run->changes ? session_safe(session, run->changes) : tr("no changes"));
}

/* "서울에서": the words that only one of the runs has; "nothing" if there are none. */
static const char *words_alone(const Alignment *words, const Axis *axis, bool is_before,
                               Arena *arena) {
    enum { SHOWN = 12 };
    const char *list = "";
    int count = 0;
    int last = NOWHERE;
    for (int p = 0; p < words->count; p++) {
        const Partners pair = words->pair[p];
        const int index = is_before ? pair.before : pair.after;
        if ((is_before ? pair.after : pair.before) != NOWHERE) continue;
        if (count++ == SHOWN) return arena_print(arena, "%s …", list);
        const char *label = axis_label(axis, 0, index);
        bool continues = index == last + 1 && !label_after_space(label);
        list = arena_print(arena, "%s%s%s", list, continues || !*list ? "" : " ",
                           label_bare(label));
        last = index;
    }
    return *list ? unicode_escape(list, strlen(list), arena) : tr("nothing");
}

/* Report the typed tokens without a partner in the other run. */
static void say_alone(const Snapshot *before, const Snapshot *after, Page *page) {
    Arena *arena = page->arena;
    const char *ids =
        snapshot_find(after, "encoder.ids") ? "encoder.ids" : "decoder.ids";
    Alignments alignments = {.arena = arena};
    const Alignment *words = snapshot_words(before, after, ids, &alignments);
    if (!words || words->alone == 0 || words->is_void ||
        !snapshot_find(after, ids)->axis[1].labels)
        return;
    const char *list[2];
    for (int r = 0; r < 2; r++) {
        const Snapshot *run = r ? after : before;
        list[r] = words_alone(words, &snapshot_find(run, ids)->axis[1], r == 0, arena);
    }
    page_prose(page,
               trf(arena,
                   "The tokens are aligned by words. Only in %s: %s. Only in %s: %s.",
                   before->name, list[0], after->name, list[1]));
}

void two_runs_say(Session *session, const TwoRuns *runs, const Differences *all) {
    const Snapshot *before = &runs->before;
    const Snapshot *after = &runs->after;
    enum { ROWS_SHOWN = 8 };
    Page *page = &session->page;
    Arena *arena = page->arena;
    say_run(session, before, after);
    say_run(session, after, before);
    say_answer(&before->answer, &after->answer, TEXT_NONE, page);
    say_alone(before, after, page);
    if (all->count) page_gap(page);
    page_prose(page, all->count    ? trf(arena,
                                         "%d of %d tensors differ; the first ones, "
                                            "with the largest difference and where it is:",
                                         all->count, all->shared)
                     : all->voids  ? N_("The two runs share no word or no shape, so "
                                         "no numbers are subtracted.")
                     : all->shared ? N_("No numbers differ.")
                                   : N_("The two runs share no address."));
    for (int d = 0; d < all->count && d < ROWS_SHOWN; d++) {
        const Difference *found = &all->found[d];
        const char *cell = address_print(found->after, found->cell, arena);
        const char *safe = unicode_escape(cell, strlen(cell), arena);
        if (found->after->holds_ids)
            page_line(page, "%8s  %s", "–", safe); /* ids have no distance */
        else
            page_line(page, "%8.3g  %s", found->max, safe);
    }
    if (all->count && all->voids)
        page_note(page, "%d more have no word or no shape in common", all->voids);
}
