#include "present/show_forcing.h"

#include <limits.h>
#include <math.h>

#include "base/language.h"
#include "model/sampling.h"
#include "present/what_if.h"
#include "session/decoding.h"
#include "session/sentence.h"

/* What the decoder reads at a position, the token after it, and log P of that. */
typedef struct {
    int read, next;
    double log;
} Prediction;

typedef struct {
    Prediction *at;
    int count, capacity;
} Predictions;

/* Both runs of one sentence. */
typedef struct {
    Session *session;
    Arena *arena;
    Predictions forced, free;
} Forcing;

static void add(Predictions *predictions, int read, int next, const Tensor *logits,
                Arena *arena) {
    ARENA_GROW(arena, predictions->at, predictions->count, predictions->capacity);
    predictions->at[predictions->count++] =
        (Prediction){read, next, sampling_log_probability(logits, arena)[next]};
}

/* Return the target with <start>. */
static const Sentence *read_target(Session *session, const char *typed, Side *side,
                                   Error *error) {
    if (!typed && session->run->target_given)
        return &session->run->target.sentence[session->run->row];
    if (!typed) {
        fail(error, "no target; give one, as in :force I met a friend.");
        return NULL;
    }
    if (!sentence_read(&session->model, true, typed, &session->scratch, side, error))
        return NULL;
    if (side->rows > 1) {
        fail(error, ":force takes one sentence, but this is %d; write \\| for a bar",
             side->rows);
        return NULL;
    }
    return &side->sentence[0];
}

static const char *label(const Forcing *forcing, int id) {
    return decoding_label(forcing->session, id, forcing->arena);
}

static void say_parting(const Forcing *forcing, int parting, Page *page) {
    Arena *arena = forcing->arena;
    if (parting < 0) {
        page_prose(page, "They do not differ: the model's own output is the target.");
        return;
    }
    const char *expected = label(forcing, forcing->forced.at[parting].next);
    bool ended = parting >= forcing->free.count;
    page_prose(page,
               ended ? trf(arena,
                           "They first differ at %d: the target has \"%s\", and the "
                           "model's output has ended.",
                           parting, expected)
                     : trf(arena,
                           "They first differ at %d: the target has \"%s\", and the "
                           "model predicts \"%s\". From there on, the left side still "
                           "reads the target, the right side its own output.",
                           parting, expected,
                           label(forcing, forcing->free.at[parting].next)));
}

/* Write position `t`, or empty cells. Return its log P. */
static double write_position(const Forcing *forcing, const Predictions *predictions,
                             int t, TableWriter *writer) {
    if (t >= predictions->count) {
        for (int c = 0; c < 3; c++) table_put(writer, "");
        return 0;
    }
    const Prediction *prediction = &predictions->at[t];
    table_put(writer, label(forcing, prediction->read));
    table_put(writer, label(forcing, prediction->next));
    table_print(writer, "%.4f", exp(prediction->log));
    return prediction->log;
}

static void say_table(const Forcing *forcing, Page *page) {
    static const char *const headings[] = {
        N_("reads"),     N_("expected"), N_("P"), "│", N_("reads its own"),
        N_("predicted"), N_("P"),        "",      NULL};
    Arena *arena = forcing->arena;
    const Predictions *target = &forcing->forced;
    const Predictions *own = &forcing->free;
    int parting = 0; /* the first position where the free run differs; -1: none */
    while (parting < own->count && parting < target->count &&
           own->at[parting].next == target->at[parting].next)
        parting++;
    if (parting == target->count) parting = -1;
    double forced = 0;
    double free = 0;
    TableWriter writer = table_begin(headings, arena);
    for (int t = 0; t < target->count || t < own->count; t++) {
        table_row(&writer, arena_print(arena, "%d", t));
        forced += write_position(forcing, target, t, &writer);
        table_put(&writer, "│");
        free += write_position(forcing, own, t, &writer);
        table_put(&writer, t == parting ? tr(N_("◀ differs")) : "");
    }
    page_table(page, &writer.table);
    page_gap(page);
    if (isnan(forced) || isnan(free)) {
        page_prose(page, N_("The probabilities are no longer numbers (NaN), so there "
                            "is no answer."));
        return;
    }
    page_prose(page,
               trf(arena,
                   "log probability of the target: %.2f (mean loss per token %.2f); "
                   "of the model's own output: %.2f",
                   forced, -forced / target->count, free));
    say_parting(forcing, parting, page);
}

bool show_forcing(Session *session, const char *typed, Error *error) {
    Side *side = ARENA_ARRAY(&session->scratch, Side, 1);
    Forcing forcing = {.session = session, .arena = &session->scratch};
    const Config *config = &session->model.config;
    if (!decoding_possible(session, error)) return false;
    const Sentence *target = read_target(session, typed, side, error);
    if (!target) return false;
    Tape tape = {0};
    Encoded encoded = session_encoded(session, &tape);
    const Ids ids = {target->id, 1, target->count, target->label};
    const Tensor *logits = network_decode(&tape, &session->model.network, &encoded,
                                          network_target(&tape, &ids), NULL);
    /* Decode greedily without the target. */
    const Generated own =
        generate_from(&tape, &session->model, &encoded, decoding_limit(session), true);
    bool done = tape_done(&tape, error);
    for (int t = 0; done && t < target->count; t++) {
        Tensor row = {.name = "logits", .rank = 1};
        row.axis[0] = (Axis){.name = "vocabulary", .size = tensor_row(logits)};
        row.data = logits->data + t * tensor_row(logits);
        add(&forcing.forced, target->id[t],
            t + 1 < target->count ? target->id[t + 1] : config->end_id, &row,
            forcing.arena);
    }
    for (int t = 0; done && t < own.count; t++)
        add(&forcing.free, t ? own.id[t - 1] : config->start_id, own.id[t],
            tape_find(&tape, arena_print(forcing.arena, "step.%d.logits", t)),
            forcing.arena);
    if (done) {
        what_if_note_decoding(session);
        page_prose(
            &session->page,
            "Left, teacher forcing, as in training: at each position the decoder "
            "reads the target, shifted by one, and should predict its next token. "
            "Right, free running: it reads its own output.");
        page_gap(&session->page);
        say_table(&forcing, &session->page);
    }
    tape_free(&tape);
    return done;
}
