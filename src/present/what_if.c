#include "present/what_if.h"

#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "present/two_runs.h"
#include "session/variants.h"

bool what_if_change(Session *session, const Change *change, Error *error) {
    if (!session->run->is_made) {
        if (!session_change(session, change, error)) return false;
        page_line(&session->page, "changed: %s; type a sentence to see the effect",
                  session_safe(session, change->text));
        return true;
    }
    const Snapshot before = session_snapshot(session, SNAPSHOT_COPY, &session->scratch);
    if (!session_change(session, change, error)) return false;
    two_runs_say_change(session, &before, true);
    return true;
}

bool what_if_hold(Session *session, int done, Error *error) {
    if (!session->run->is_made) {
        page_note(&session->page, "no sentence; type one to see the effect");
        return session_hold_changes(session, done, error);
    }
    if (!session_can_change(session, error)) return false;
    const Snapshot before = session_snapshot(session, SNAPSHOT_COPY, &session->scratch);
    if (!session_hold_changes(session, done, error)) return false;
    two_runs_say_change(session, &before, false);
    return true;
}

/* A run that will be replaced, with all its answers. */
typedef struct {
    Snapshot run;
    Answer answer[ROWS_MAX];
    double scale; /* factor of the scores */
    bool divides; /* by √d_head */
} Replaced;

static Replaced replaced_begin(Session *session) {
    const Tape *tape = &session->run->tape;
    Replaced replaced = {.scale = 1, .divides = session->model.config.scale_scores};
    if (!session->run->is_made) return replaced;
    replaced.run = session_snapshot(session, SNAPSHOT_SHALLOW, &session->scratch);
    for (int e = tape->entries - 1; e >= 0; e--) /* the first layer counts */
        if (strcmp(tape->entry[e].name, "scaled") == 0 &&
            tape->entry[e].tensor->step != STEP_NONE)
            replaced.scale = tape->step[tape->entry[e].tensor->step].setting.number;
    for (int row = 0; row < session->run->source.rows; row++)
        replaced.answer[row] = session_answer(session, row);
    return replaced;
}

/* The old run must still be in the spare memory. */
static void say_effect(Session *session, const Replaced *before) {
    Page *page = &session->page;
    if (!session->run->is_made) return;
    const Replaced now = replaced_begin(session);
    page_gap(page);
    for (int row = 0; row < session->run->source.rows; row++)
        two_runs_say_confidence(&before->answer[row], &now.answer[row], page);
    /* A change of the head size scales scores by another number: no remark. */
    if (before->divides && !now.divides && before->scale < now.scale)
        page_prose(page, trf(page->arena,
                             "Without the division by √d_head, scores are %.1f times "
                             "as large, and softmax gives more to the largest.",
                             now.scale / before->scale));
    if (!before->divides && now.divides && before->scale > now.scale)
        page_prose(page, trf(page->arena,
                             "Scores are divided by √d_head = %.1f again, and softmax "
                             "spreads the weights more evenly.",
                             before->scale / now.scale));
    two_runs_say_moved(session, &before->run);
}

static const char *list_names(const char *const *name, int count, Arena *arena) {
    enum { NAMES_MAX = 6 };
    Builder list = {.arena = arena};
    for (int n = 0; n < count && n < NAMES_MAX; n++)
        build_item(&list, ", ", "%s", name[n]);
    return count > NAMES_MAX
               ? trf(arena, "%s and %d more", builder_text(&list), count - NAMES_MAX)
               : builder_text(&list);
}

bool what_if_options(Session *session, const Config *config, Error *error) {
    Page *page = &session->page;
    Arena *arena = page->arena;
    if (variants_has(session, config)) {
        page_note(page, "the model already has these options");
        return true;
    }
    const Replaced before = replaced_begin(session);
    VariantExchange exchange;
    if (!variants_exchange(session, config, &exchange, error)) return false;
    for (const Option *key = config_keys; key->name; key++) {
        const char *was = variants_value(key, &exchange.before.config, arena);
        const char *is = variants_value(key, &session->model.config, arena);
        if (strcmp(was, is) != 0) page_line(page, "%s: %s → %s", key->name, was, is);
    }
    const VariantNews *news = &exchange.news;
    if (!news->freshes && !news->copies && !news->gones)
        page_note(page, "all %d weight tensors stay as they are", news->kept);
    if (news->freshes)
        page_prose(page, trf(arena,
                             "New, with initial weights (seed %s), not trained: %s. "
                             "Tensors that stay: %d.",
                             news->seed, list_names(news->fresh, news->freshes, arena),
                             news->kept));
    if (news->copies)
        page_prose(page, trf(arena,
                             "No longer shared (copies of the shared values until "
                             "trained): %s.",
                             list_names(news->copy, news->copies, arena)));
    if (news->gones)
        page_prose(page, trf(arena, "No longer part of the model: %s.",
                             list_names(news->gone, news->gones, arena)));
    say_effect(session, &before);
    variants_settle(session, &exchange);
    return true;
}

bool what_if_dropout(Session *session, bool dropout_on, unsigned long long seed,
                     Error *error) {
    const Replaced before = replaced_begin(session);
    if (!variants_drop(session, dropout_on, seed, error)) return false;
    say_effect(session, &before);
    return true;
}

void what_if_note_decoding(Session *session) {
    if (session->what_if.changes.done)
        page_note(&session->page,
                  "this decodes again: changes to the encoder and to weights apply, "
                  "changes to numbers of the decoder do not");
}
