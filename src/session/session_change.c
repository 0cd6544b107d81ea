/* Changes to the current run: which parts have to be recomputed. */
#include <limits.h>
#include <string.h>

#include "explain/hidden.h"
#include "model/network.h"
#include "session/branches.h"
#include "session/program.h"
#include "session/sentence.h"
#include "session/session.h"
#include "session/stops.h"
#include "session/variants.h"

bool session_can_change(const Session *session, Error *error) {
    if (!session->run->is_made)
        return fail(error, "no sentence to run; type one, or give --source");
    if (session->run->source.rows == 1) return true;
    return fail(error, "changes need one sentence, but there are %d; type only one",
                session->run->source.rows);
}

static bool is_free(const Session *session) {
    return session->run->target.rows && !session->run->target_given;
}

/* Update the labels of a side to its current ids. */
static void relabel(const Session *session, const char *address, bool is_target) {
    const Side *side = is_target ? &session->run->target : &session->run->source;
    const Tokenizer *words =
        is_target ? &session->model.target : &session->model.source;
    const Sentence *sentence = &side->sentence[0];
    const Tensor *ids = tape_find(&session->run->tape, address);
    for (int i = 0; ids && side->label && i < side->ids.length; i++) {
        int id = (int)ids->data[i];
        side->label[i] =
            id == sentence->id[i] ? sentence->label[i] : tokenizer_label(words, id);
    }
}

/* Report a failure and clear it, so that the tape can be run again. */
static bool tape_recovers(Tape *tape, Error *error) {
    bool done = tape_done(tape, error);
    tape->failed = false;
    return done;
}

/* Return true if an input is changed: the decoding would keep or miss it. */
static bool changes_given(const Session *session) {
    const Tape *const tape[] = {&session->run->tape, &session->run->steps};
    for (int t = 0; t < 2; t++)
        for (int e = 0; e < tape[t]->entries; e++)
            if (tape[t]->entry[e].tensor->step == STEP_NONE &&
                changes_alter(&session->what_if.changes, tape[t]->entry[e].address))
                return true;
    return false;
}

/* Decode again. `*same`: the result equals the target that the run has read. */
static bool decode_again(Session *session, bool *same, Error *error) {
    /* The fast way, if the same tokens are chosen again. */
    bool is_own = session->run->branches.count == 0 || session->run->branches.at == 0;
    session->run->steps.hook = session->run->tape.hook;
    *same = is_own && session->run->generated.count && !changes_given(session) &&
            network_can_cache(&session->model.config) &&
            generate_again(&session->run->steps, &session->run->generated);
    if (*same || session->run->steps.failed)
        return tape_recovers(&session->run->steps, error);
    if (!session_decode(session, 0, session->run->limit ? session->run->limit : INT_MAX,
                        NULL, error))
        return false;
    const Generated *generated = &session->run->generated;
    const Sentence *read = &session->run->target.sentence[0];
    int prompt = session->what_if.changes.prompt;
    *same = generated->count == read->count - prompt + 1;
    for (int t = prompt; *same && t < read->count; t++)
        *same = read->id[t] == generated->id[t - prompt];
    return true;
}

/* Copy the branches and their tokens into `arena`. */
static Branches copy_branches(const Branches *branches, Arena *arena) {
    Branches copy = *branches;
    for (int f = 0; f < copy.count; f++) {
        Branch *branch = &copy.branch[f];
        size_t bytes = (size_t)branch->steps * sizeof *branch->taken;
        if (bytes)
            branch->taken = memcpy(arena_take(arena, bytes), branch->taken, bytes);
    }
    return copy;
}

/* Record everything after the encoder again, in the same memory, since another target
 * has other shapes. */
static bool record_target(Session *session, Error *error) {
    const Branches branches = copy_branches(&session->run->branches, &session->scratch);
    arena_back(&session->run->arena, session->run->read_mark);
    session->run->branches = copy_branches(&branches, &session->run->arena);
    tape_cut(&session->run->tape, &session->run->encoder_mark);
    session->run->target = (Side){.rows = 1};
    sentence_take(&session->model, &session->run->source.sentence[0],
                  &session->run->generated, &session->run->arena,
                  &session->run->target.sentence[0]);
    bool done = session_read_target(session, error);
    relabel(session, "decoder.ids", true);
    session->run->walk = walk_new(&session->run->tape, &session->model.config,
                                  session->run->row, &session->run->arena);
    return done;
}

/* Run the encoder and decode again; if the target is the same, also run the decoder. */
static bool run_again(Session *session, int from, Error *error) {
    Tape *run = &session->run->tape;
    int encoder = session->run->encoder_mark.tape.count;
    run->hook = changes_hook(&session->what_if.changes);
    tape_rerun_part(run, from, encoder);
    if (!tape_recovers(run, error)) return false;
    relabel(session, "encoder.ids", false);
    bool same = true;
    if (is_free(session) && !decode_again(session, &same, error)) return false;
    if (!same) return record_target(session, error) && branches_again(session, error);
    tape_rerun(run, from > encoder ? from : encoder);
    if (!tape_recovers(run, error)) return false;
    relabel(session, "decoder.ids", true);
    mask_matrices(run);
    return !is_free(session) || branches_again(session, error);
}

static bool make_anew(Session *session, int from, Error *error) {
    bool done = run_again(session, from, error);
    /* Answers about the previous run are no longer valid. */
    Run *run = session->run;
    arena_reset(&run->why_arena);
    tape_reset(&run->lens);
    run->questions = (Questions){0};
    run->told = NULL;
    memset(run->answer, 0, sizeof run->answer);
    int last = stops_all(session) - 1;
    if (run->stage > last) run->stage = last;
    return done;
}

static bool undo_to(Session *session, int done, Error *error) {
    Changes *changes = &session->what_if.changes;
    const Weights *weights = &session->model.weights;
    const TapeHook *hook = changes_hook(changes);
    int from = session->run->tape.count;
    int last = changes->done;
    changes->done = done;
    for (int c = last - 1; c >= done; c--) {
        const Change *change = &changes->change[c];
        int step = change_first_step(change, &session->run->tape, weights, true);
        if (step < from) from = step;
        change_restore(change, weights);
        for (int o = 0; session->run->is_made && o < change->count; o++) {
            Tensor *tensor =
                tape_find(&session->run->tape, change->override[o].address);
            if (!tensor || tensor->step != STEP_NONE) continue;
            /* The value before any change. */
            const int *id =
                strcmp(tensor->name, "encoder.ids") == 0   ? session->run->source.ids.id
                : strcmp(tensor->name, "decoder.ids") == 0 ? session->run->target.ids.id
                                                           : NULL;
            for (int i = 0; i < tensor_size(tensor); i++)
                tensor->data[i] = id                  ? (Number)id[i]
                                  : tensor->holds_ids ? (Number)i /* of a position */
                                                      : 0; /* of an initial state */
            hook->made(hook->state, tensor, NULL);
        }
    }
    bool holds = false; /* a change that stays keeps the target */
    for (int c = 0; c < done; c++) holds = holds || changes->change[c].holds_target;
    if (session->run->holds_target && !holds)
        session->run->holds_target = session->run->target_given = false;
    return !session->run->is_made || make_anew(session, from, error);
}

static bool do_next(Session *session, Error *error) {
    Changes *changes = &session->what_if.changes;
    const Change *change = &changes->change[changes->done];
    const Weights *weights = &session->model.weights;
    changes->done++;
    if (change->holds_target && is_free(session)) {
        /* No decoding step computes the changed tensor: keep the target as given. */
        session->run->holds_target = session->run->target_given = true;
        tape_reset(&session->run->steps);
        session->run->generated = (Generated){0};
    }
    change_apply(change, &session->run->tape, weights);
    return !session->run->is_made ||
           make_anew(session,
                     change_first_step(change, &session->run->tape, weights, false),
                     error);
}

/* The undo was interrupted: discard the run, which matches no list of changes. */
static void lose_run(Session *session) {
    session_forget(session);
    changes_keep_weights(&session->what_if.changes);
}

bool session_change(Session *session, const Change *change, Error *error) {
    Changes *changes = &session->what_if.changes;
    Error second;
    if (!changes_push(changes, change, error)) return false;
    if (do_next(session, error)) return true;
    bool back = undo_to(session, changes->done - 1, &second);
    changes_forget_undone(changes);
    if (!back) lose_run(session);
    return false;
}

bool session_hold_changes(Session *session, int done, Error *error) {
    const Changes *changes = &session->what_if.changes;
    bool sound = done >= changes->done || undo_to(session, done, error);
    while (sound && changes->done < done) sound = do_next(session, error);
    if (!sound) lose_run(session);
    return sound;
}

bool session_without_changes(Session *session, Error *error) {
    Changes *changes = &session->what_if.changes;
    if (changes->done)
        return fail(error, "this run has changes (%d); undo them first with :reset",
                    changes->done);
    changes_forget_undone(changes);
    return true;
}

KeptRun *session_kept(Session *session, const char *name) {
    WhatIf *what_if = &session->what_if;
    for (int k = 0; k < what_if->kept_count; k++)
        if (strcmp(what_if->kept[k].run.name, name) == 0) return &what_if->kept[k];
    return NULL;
}

Snapshot session_snapshot(Session *session, SnapshotDepth depth, Arena *arena) {
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
