#include "session/what_if.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "session/program.h"
#include "session/sentence.h"
#include "session/variants.h"
#include "text/unicode.h"

Snapshot what_if_now(Session *session, SnapshotDepth depth, Arena *arena) {
    Story story = session_story(session);
    Snapshot now = snapshot_new(&story, depth, arena);
    now.sentence = session_safe(session, sentence_print(&session->run->source, arena));
    now.model = session_safe(session, program_path(session->model.path, arena));
    const char *options = variants_print(session, arena);
    if (*options)
        now.changes = arena_print(arena, "%s%s%s", options, *now.changes ? ", " : "",
                                  now.changes);
    if (depth == SNAPSHOT_SHALLOW) return now;
    now.sentence = arena_print(arena, "%s", now.sentence);
    now.model = arena_print(arena, "%s", now.model);
    return now;
}

/* The word whose share moved most; -1: none moved by what can be seen. */
static int most_moved(const Outcome *before, const Outcome *after) {
    int most = -1;
    double largest = 0.0005;
    for (int w = 0; w < after->count; w++) {
        double moved = fabs(after->word[w].share - before->word[w].share);
        if (!(moved > largest)) continue;
        largest = moved;
        most = w;
    }
    return most;
}

static void say_stays(const Outcome *before, const Outcome *after, Page *page) {
    Arena *arena = page->arena;
    page_prose(page, say(arena, "The answer stays: %s", after->text));
    int most = most_moved(before, after);
    if (most < 0) return;
    page_prose(page,
               say(arena, "most moved: %s, %.3f → %.3f; sure: %.0f %% → %.0f %%",
                   after->word[most].label, before->word[most].share,
                   after->word[most].share, 100 * before->sure, 100 * after->sure));
}

static void say_changes(const Outcome *before, const Outcome *after, Page *page) {
    Arena *arena = page->arena;
    const Changed changed = outcome_changed(before, after);
    int words = changed.after_to - changed.from;
    if (changed.before_to - changed.from > words)
        words = changed.before_to - changed.from;
    page_prose(page, arena_print(arena, "%s  →  %s", before->text, after->text));
    page_prose(page,
               say(arena,
                   words == 1 ? N_("changed: %d token (%s → %s); sure: %.0f %% → "
                                   "%.0f %%")
                              : N_("changed: %d tokens (%s → %s); sure: %.0f %% → "
                                   "%.0f %%"),
                   words, outcome_words(before, changed.from, changed.before_to, arena),
                   outcome_words(after, changed.from, changed.after_to, arena),
                   100 * before->sure, 100 * after->sure));
}

void what_if_outcomes(const Outcome *before, const Outcome *after, Page *page) {
    if (!before->text || !after->text) return;
    if (isnan(after->sure)) {
        page_prose(page, N_("The probabilities are no numbers any more (NaN): there is "
                            "no answer."));
        return;
    }
    if (isnan(before->sure)) {
        page_prose(page, say(page->arena, "after: %s (sure: %.0f %%)", after->text,
                             100 * after->sure));
        return;
    }
    const Changed changed = outcome_changed(before, after);
    if (changed.from == before->count && changed.from == after->count)
        say_stays(before, after, page);
    else
        say_changes(before, after, page);
}

static void say_first(const Snapshot *before, const Snapshot *after, Page *page) {
    Arena *arena = page->arena;
    const Difference found = snapshot_first(before, after);
    if (!found.after) {
        page_prose(page, "Nothing else of the run differs: no number moved.");
        return;
    }
    const char *cell = address_print(found.after, found.cell, arena);
    const char *safe = unicode_escape(cell, strlen(cell), arena);
    page_prose(page, found.after->holds_ids
                         ? say(arena, "first difference: %s, another token", safe)
                     : isinf(found.most)
                         ? say(arena, "first difference: %s, %.3g → %.3g", safe,
                               tensor_printed(found.was), tensor_printed(found.is))
                         : say(arena, "first difference: %s, by up to %.3g", safe,
                               found.most));
}

static void say_what_came(Session *session, const Snapshot *before) {
    Page *page = &session->page;
    const Snapshot after = what_if_now(session, SNAPSHOT_SHALLOW, page->arena);
    what_if_outcomes(&before->outcome, &after.outcome, page);
    if (after.outcome.preferred)
        page_prose(page,
                   said(session->run->holds_target
                            ? N_("No step of the decoding makes what was changed, "
                                 "so the target stays, and this is what is "
                                 "preferred at each place of it.")
                            : N_("The target was given and stays: this is what is "
                                 "preferred at each place of it.")));
    say_first(before, &after, page);
    if (session->command) page_prose(page, ":undo  :compare  :changes");
}

/* The run as it is, until the next change. */
static Snapshot before_change(Session *session) {
    Arena *arena = &session->what_if.before;
    arena_reset(arena);
    return what_if_now(session, SNAPSHOT_COPY, arena);
}

bool what_if_change(Session *session, const Change *change, Error *error) {
    if (!session->run->is_made) {
        if (!session_change(session, change, error)) return false;
        page_line(&session->page, "changed: %s; type a sentence to see what follows",
                  session_safe(session, change->text));
        return true;
    }
    const Snapshot before = before_change(session);
    if (!session_change(session, change, error)) return false;
    say_what_came(session, &before);
    return true;
}

bool what_if_hold(Session *session, int done, Error *error) {
    if (!session->run->is_made) {
        page_note(&session->page, "there is no sentence at hand: type one to see what "
                                  "follows");
        return session_hold_changes(session, done, error);
    }
    if (!session_can_change(session, error)) return false;
    const Snapshot before = before_change(session);
    if (!session_hold_changes(session, done, error)) return false;
    say_what_came(session, &before);
    return true;
}
