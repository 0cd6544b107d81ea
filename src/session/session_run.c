#include <limits.h>
#include <string.h>

#include "explain/mask_matrix.h"
#include "model/network.h"
#include "session/sentence.h"

Encoded session_encoded(const Session *session, Tape *tape) {
    const Sentence *sentence = &session->source.sentence[session->row];
    const Ids ids = {sentence->id, 1, sentence->count, sentence->label};
    return session->source.rows == 1 && session->encoded.output
               ? session->encoded
               : network_encode(tape, &session->model.network, &ids);
}

bool session_decode(Session *session, int row, int limit, const Chooser *chooser,
                    Error *error) {
    Tape *steps = &session->steps;
    tape_reset(steps);
    steps->hand = session->run.hand;
    steps->drops = session->drops;
    steps->seed = session->drop_seed;
    session->questions = (Questions){0}; /* they may be about these steps */
    session->told = NULL;
    session->row = row;
    Encoded encoded = session_encoded(session, steps);
    session->generated =
        chooser ? generate_chosen(steps, &session->model, &encoded, limit, chooser)
                : generate_from(steps, &session->model, &encoded, limit, true);
    return tape_done(&session->steps, error);
}

/* What greedy decoding gives for each sentence of the source; the steps of the first
 * one stay. */
static bool generate_target(Session *session, int limit, Error *error) {
    Side *target = &session->target;
    target->rows = session->source.rows;
    for (int row = target->rows - 1; row >= 0; row--) {
        if (!session_decode(session, row, limit, NULL, error)) return false;
        Story story = session_story(session);
        session->answer[row] = answer_of(&story, &session->sentence);
        sentence_take(&session->model, &session->generated, &session->sentence,
                      &target->sentence[row]);
    }
    return true;
}

static bool read_side(Session *session, bool is_target, const char *text,
                      const char *ids, Side *side, Error *error) {
    const Model *model = &session->model;
    Arena *arena = &session->sentence;
    return ids ? sentence_read_ids(model, is_target, ids, arena, side, error)
               : sentence_read(model, is_target, text, arena, side, error);
}

/* A model that cannot generate can still be walked through: its target is the source
 * once more, and no longer than that. */
static bool take_source_for_target(Session *session, const Request *request,
                                   Error *error) {
    if (!read_side(session, true, request->source, request->source_ids,
                   &session->target, error))
        return false;
    for (int row = 0; row < session->target.rows; row++) {
        Sentence *target = &session->target.sentence[row];
        int most = session->source.sentence[row].count;
        if (target->count > most) target->count = most;
    }
    session->target_given = session->target_borrowed = true;
    page_note(&session->messages,
              "This model cannot generate a target: it needs one as long as the source "
              "(cross_query_from_encoder). It reads the source again; :target gives it "
              "another.");
    return true;
}

static bool read_target(Session *session, const Request *request, Error *error) {
    int limit = request->limit ? request->limit : session->options.limit;
    if (session->model.config.decoder_layers == 0) return true;
    session->target_given = request->target || request->target_ids;
    session->limit = limit;
    Error silent;
    if (!session->target_given)
        return network_generates(&session->model.config, &silent)
                   ? generate_target(session, limit ? limit : INT_MAX, error)
                   : take_source_for_target(session, request, error);
    if (!read_side(session, true, request->target, request->target_ids,
                   &session->target, error))
        return false;
    if (session->target.rows == session->source.rows) return true;
    return fail(error, "the source has %d sentences and the target %d: give as many",
                session->source.rows, session->target.rows);
}

bool session_read_target(Session *session, Error *error) {
    const Model *model = &session->model;
    Tape *tape = &session->run;
    Tensor *target = NULL;
    if (session->target.rows) {
        sentence_pad(model, true, &session->sentence, &session->target);
        target = network_target(tape, &session->target.ids);
    }
    network_decode(tape, &model->network, &session->encoded, target, NULL);
    mask_matrices(tape);
    return tape_done(tape, error);
}

static bool run(Session *session, const Request *request, Error *error) {
    const Model *model = &session->model;
    Arena *arena = &session->sentence;
    if (!read_side(session, false, request->source, request->source_ids,
                   &session->source, error))
        return false;
    sentence_pad(model, false, arena, &session->source);
    Tape *tape = &session->run;
    tape->drops = session->drops;
    tape->seed = session->drop_seed;
    session->encoded = network_encode(tape, &model->network, &session->source.ids);
    session->what_if.encoded = tape_mark(tape);
    session->what_if.read = arena_mark(arena);
    return tape_done(tape, error) && read_target(session, request, error) &&
           session_read_target(session, error);
}

static void swap_tapes(Tape *a, Tape *b) {
    Tape kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_arenas(Arena *a, Arena *b) {
    Arena kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_memory(Session *session) {
    RunMemory *spare = &session->spare;
    swap_tapes(&session->run, &spare->run);
    swap_tapes(&session->steps, &spare->steps);
    swap_tapes(&session->lens, &spare->lens);
    swap_arenas(&session->sentence, &spare->sentence);
    swap_arenas(&session->why_arena, &spare->why);
}

/* Make room for another run; what there is stays in the spare memory, and what else is
 * known of it in the copy that is returned. */
static Session begin_run(Session *session) {
    Session before = *session;
    swap_memory(session);
    session_forget(session);
    return before;
}

/* Back to the run before: whatever was made since is forgotten, save messages. */
static void undo_run(Session *session, const Session *before) {
    Arena scratch = session->scratch;
    Page page = session->page;
    Page messages = session->messages;
    session_forget(session);
    swap_memory(session);
    RunMemory spare = session->spare;
    *session = *before;
    session->spare = spare;
    session->scratch = scratch;
    session->page = page;
    session->messages = messages;
}

int session_usual_limit(const Session *session) {
    bool shortens = model_is_untrained(&session->model) && !session->options.limit;
    return shortens ? SENTENCE_LIMIT : 0;
}

/* They were made in another run. */
static void forget_changes(Session *session) {
    if (changes_keep_weights(&session->what_if.changes))
        page_note(&session->messages, "The changes of the run before do not hold here; "
                                      ":edit alone outlives a sentence.");
}

bool session_run(Session *session, const Request *request, Error *error) {
    Session before = begin_run(session);
    if (!run(session, request, error)) {
        undo_run(session, &before);
        return false;
    }
    session->has_run = true;
    forget_changes(session);
    session->walk = walk_new(&session->run, &session->model.config, &session->sentence);
    return true;
}

bool session_generate(Session *session, const Request *request,
                      void (*say)(Session *session), Error *error) {
    Session before = begin_run(session);
    Side *source = &session->source;
    bool done =
        read_side(session, false, request->source, request->source_ids, source, error);
    for (int row = 0; done && row < source->rows; row++) {
        done = session_decode(session, row, request->limit, NULL, error);
        if (done) say(session);
    }
    undo_run(session, &before);
    return done;
}

bool session_aside(Session *session, const Request *request,
                   bool (*look)(Session *session, void *state, Error *error),
                   void *state, Error *error) {
    Session before = begin_run(session);
    session->has_run = run(session, request, error);
    bool done = session->has_run && look(session, state, error);
    undo_run(session, &before);
    return done;
}

bool session_choose(Session *session, int row, Error *error) {
    int rows = session->source.rows;
    if (row >= rows)
        return fail(error, "the batch has the sentences 0 to %d", rows - 1);
    session->row = row;
    session->forks = (Forks){0};
    if (session->target_given || !session->target.rows) return true;
    return session_decode(session, row, session->limit ? session->limit : INT_MAX, NULL,
                          error);
}
