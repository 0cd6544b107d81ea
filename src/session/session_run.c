#include <limits.h>
#include <string.h>

#include "explain/hidden.h"
#include "model/network.h"
#include "session/decoding.h"
#include "session/sentence.h"

Encoded session_encoded(const Session *session, Tape *tape) {
    const Sentence *sentence = &session->run->source.sentence[session->run->row];
    const Ids ids = {sentence->id, 1, sentence->count, sentence->label};
    return session->run->source.rows == 1 && session->run->encoded.output
               ? session->run->encoded
               : network_encode(tape, &session->model.network, &ids);
}

bool session_decode(Session *session, int row, int limit, const Chooser *chooser,
                    Error *error) {
    Tape *steps = &session->run->steps;
    tape_reset(steps);
    steps->hook = session->run->tape.hook;
    steps->dropout_on = session->variant.dropout_on;
    steps->seed = session->variant.drop_seed;
    session->run->questions = (Questions){0}; /* they may refer to the old steps */
    session->run->told = NULL;
    session->run->row = row;
    Encoded encoded = session_encoded(session, steps);
    session->run->generated =
        chooser ? generate_chosen(steps, &session->model, &encoded, limit, chooser)
                : generate_from(steps, &session->model, &encoded, limit, true);
    return tape_done(&session->run->steps, error);
}

/* Decode each sentence of the source greedily, and keep the steps of the first. */
static bool generate_target(Session *session, int limit, Error *error) {
    Side *target = &session->run->target;
    target->rows = session->run->source.rows;
    for (int row = target->rows - 1; row >= 0; row--) {
        if (!session_decode(session, row, limit, NULL, error)) return false;
        Story story = session_story(session);
        session->run->answer[row] = answer_of(&story, &session->run->arena);
        sentence_take(&session->model, &session->run->source.sentence[row],
                      &session->run->generated, &session->run->arena,
                      &target->sentence[row]);
    }
    return true;
}

static bool read_side(Session *session, bool is_target, const char *text,
                      const char *ids, Side *side, Error *error) {
    const Model *model = &session->model;
    Arena *arena = &session->run->arena;
    return ids ? sentence_read_ids(model, is_target, ids, arena, side, error)
               : sentence_read(model, is_target, text, arena, side, error);
}

/* A model that cannot generate still needs a target for the walk: use the source,
 * without its end if it is too long. */
static bool take_source_for_target(Session *session, const Request *request,
                                   Error *error) {
    if (!read_side(session, true, request->source, request->source_ids,
                   &session->run->target, error))
        return false;
    for (int row = 0; row < session->run->target.rows; row++) {
        Sentence *target = &session->run->target.sentence[row];
        int max = session->run->source.sentence[row].count;
        if (target->count > max) target->count = max;
    }
    session->run->target_given = session->run->target_borrowed = true;
    page_note(&session->messages,
              "This model cannot generate a target, because the target must be as "
              "long as the source (cross_query_from_encoder). It reads the source "
              "again instead; :target gives another one.");
    return true;
}

/* Read the target of a masked language model: the complete sentence, which must have
 * the same tokens except for the masked ones. */
static bool read_whole(Session *session, const Request *request, Error *error) {
    Run *run = session->run;
    if (!request->target && !request->target_ids) return true;
    Side whole;
    if (!read_side(session, false, request->target, request->target_ids, &whole, error))
        return false;
    if (whole.rows != run->source.rows)
        return fail(error,
                    "found %d source and %d target sentences; give one target per "
                    "source",
                    run->source.rows, whole.rows);
    for (int r = 0; r < whole.rows; r++) {
        const Sentence *with = &run->source.sentence[r];
        const Sentence *without = &whole.sentence[r];
        if (with->count != without->count)
            return fail(error,
                        "the sentence with masked words has %d tokens and the whole "
                        "one %d; give one token for each masked one",
                        with->count, without->count);
        for (int t = 0; t < with->count; t++)
            if (with->id[t] != without->id[t] &&
                with->id[t] != session->model.config.mask_id)
                return fail(error,
                            "token %d is not masked but differs; expected the same "
                            "sentence with its masked words filled in",
                            t);
    }
    run->whole = whole;
    return true;
}

static bool read_target(Session *session, const Request *request, Error *error) {
    int limit = request->limit ? request->limit : session->options.limit;
    if (session->model.config.masked_words) return read_whole(session, request, error);
    if (session->model.config.decoder_layers == 0) return true;
    session->run->target_given = request->target || request->target_ids;
    if (session->run->target_given && config_is_decoder_alone(&session->model.config))
        return fail(error, "this decoder-only model takes no target; type the start "
                           "of the text");
    session->run->limit = limit;
    Error silent;
    if (!session->run->target_given)
        return network_generates(&session->model.config, &silent)
                   ? generate_target(session, limit ? limit : INT_MAX, error)
                   : take_source_for_target(session, request, error);
    if (!read_side(session, true, request->target, request->target_ids,
                   &session->run->target, error))
        return false;
    if (session->run->target.rows == session->run->source.rows) return true;
    return fail(error,
                "found %d source and %d target sentences; give one target per "
                "source",
                session->run->source.rows, session->run->target.rows);
}

bool session_read_target(Session *session, Error *error) {
    const Model *model = &session->model;
    Tape *tape = &session->run->tape;
    Tensor *target = NULL;
    if (session->run->target.rows) {
        sentence_pad(model, true, &session->run->arena, &session->run->target);
        target = network_target(tape, &session->run->target.ids);
    }
    network_decode(tape, &model->network, &session->run->encoded, target, NULL);
    mask_matrices(tape);
    return tape_done(tape, error);
}

static bool run(Session *session, const Request *request, Error *error) {
    const Model *model = &session->model;
    Arena *arena = &session->run->arena;
    if (!read_side(session, false, request->source, request->source_ids,
                   &session->run->source, error))
        return false;
    if (session->run->source.rows > 1 && model->config.pad_id < 0)
        return fail(error, "this model cannot pad a batch (no pad_id); type one "
                           "sentence at a time");
    sentence_pad(model, false, arena, &session->run->source);
    Tape *tape = &session->run->tape;
    tape->dropout_on = session->variant.dropout_on;
    tape->seed = session->variant.drop_seed;
    session->run->encoded =
        network_encode(tape, &model->network, &session->run->source.ids);
    session->run->encoder_mark = tape_mark(tape);
    session->run->read_mark = arena_mark(arena);
    return tape_done(tape, error) && read_target(session, request, error) &&
           session_read_target(session, error);
}

/* Swap the current run with `spare`, which then holds the old run. */
static void swap_runs(Session *session) {
    Run *before = session->run;
    session->run = session->spare;
    session->spare = before;
}

static void begin_run(Session *session) {
    swap_runs(session);
    session_forget(session);
}

/* Restore the previous run and discard the new one. */
static void undo_run(Session *session) {
    session_forget(session);
    swap_runs(session);
}

int session_usual_limit(const Session *session) {
    bool shortens = model_is_untrained(&session->model) && !session->options.limit;
    return shortens ? SENTENCE_LIMIT : 0;
}

bool session_run(Session *session, const Request *request, Error *error) {
    if (!session_is_intact(session, error)) return false;
    begin_run(session);
    if (!run(session, request, error)) {
        undo_run(session);
        return false;
    }
    session->run->is_made = true;
    session_did(session, DID_RUN);
    session_forget_offer(session);
    if (changes_keep_weights(
            &session->what_if.changes)) /* the rest was of another run */
        page_note(&session->messages, "The changes to the previous run do not apply "
                                      "here; only :edit outlasts a sentence.");
    session->what_if.changes.prompt = session->model.config.encoder_layers
                                          ? 1
                                          : session->run->source.sentence[0].count;
    session->run->walk = walk_new(&session->run->tape, &session->model.config,
                                  session->run->row, &session->run->arena);
    return true;
}

bool session_generate(Session *session, const Request *request,
                      void (*visit)(Session *session), Error *error) {
    begin_run(session);
    Side *source = &session->run->source;
    bool done =
        read_side(session, false, request->source, request->source_ids, source, error);
    for (int row = 0; done && row < source->rows; row++) {
        done = session_decode(session, row, request->limit, NULL, error) &&
               decoding_possible(session, error);
        if (done) visit(session);
    }
    undo_run(session);
    return done;
}

bool session_aside(Session *session, const Request *request,
                   bool (*visit)(Session *session, void *state, Error *error),
                   void *state, Error *error) {
    begin_run(session);
    session->run->is_made = run(session, request, error);
    bool done = session->run->is_made && visit(session, state, error);
    undo_run(session);
    return done;
}

bool session_choose(Session *session, int row, Error *error) {
    int rows = session->run->source.rows;
    if (row >= rows) return fail(error, "the batch has sentences 0 to %d", rows - 1);
    session->run->row = row;
    session->run->branches = (Branches){0};
    session->run->walk = walk_new(&session->run->tape, &session->model.config, row,
                                  &session->run->arena);
    if (session->run->target_given || !session->run->target.rows) return true;
    return session_decode(
        session, row, session->run->limit ? session->run->limit : INT_MAX, NULL, error);
}
