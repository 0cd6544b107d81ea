#include "present/show_forcing.h"

#include <limits.h>
#include <math.h>

#include "base/language.h"
#include "model/sampling.h"
#include "session/decoding.h"
#include "session/sentence.h"

/* Both runs of one sentence. */
typedef struct {
    Session *session;
    Arena *arena;
    const Sentence *target; /* with <start> */
    const Tensor *forced;   /* logits [1, target, vocabulary] */
    Generated free;
    double *free_log; /* log P of each decoded token */
} Forcing;

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

/* Return the label at position `t`: the target without <start>, followed by <end>. */
static int expected_at(const Forcing *forcing, int t) {
    const Sentence *target = forcing->target;
    return t + 1 < target->count ? target->id[t + 1]
                                 : forcing->session->model.config.end_id;
}

static const char *label(const Forcing *forcing, int id) {
    return decoding_label(forcing->session, id, forcing->arena);
}

static const char *share(const Forcing *forcing, double log_probability) {
    return arena_print(forcing->arena, "%.4f", exp(log_probability));
}

static void add_forced(const Forcing *forcing, TableWriter *writer, int t,
                       double *sum) {
    if (t >= forcing->target->count) {
        for (int c = 0; c < 3; c++) table_put(writer, "");
        return;
    }
    const Tensor *all = forcing->forced;
    Tensor row = {.name = "logits", .rank = 1};
    row.axis[0] = (Axis){.name = "vocabulary", .size = tensor_row(all)};
    row.data = all->data + t * tensor_row(all);
    double log_probability =
        sampling_log_probability(&row, forcing->arena)[expected_at(forcing, t)];
    *sum += log_probability;
    table_put(writer, label(forcing, forcing->target->id[t]));
    table_put(writer, label(forcing, expected_at(forcing, t)));
    table_put(writer, share(forcing, log_probability));
}

static void add_free(const Forcing *forcing, TableWriter *writer, int t, double *sum) {
    const Generated *free = &forcing->free;
    if (t >= free->count) {
        for (int c = 0; c < 3; c++) table_put(writer, "");
        return;
    }
    *sum += forcing->free_log[t];
    int read = t ? free->id[t - 1] : forcing->session->model.config.start_id;
    table_put(writer, label(forcing, read));
    table_put(writer, label(forcing, free->id[t]));
    table_put(writer, share(forcing, forcing->free_log[t]));
}

static void say_parting(const Forcing *forcing, int parting, Page *page) {
    Arena *arena = forcing->arena;
    if (parting < 0) {
        page_prose(page, "They do not differ: the model's own output is the target.");
        return;
    }
    const char *expected = label(forcing, expected_at(forcing, parting));
    bool ended = parting >= forcing->free.count;
    page_prose(page,
               ended
                   ? trf(arena,
                         "They first differ at %d: the target has \"%s\", and the "
                         "model's output has ended.",
                         parting, expected)
                   : trf(arena,
                         "They first differ at %d: the target has \"%s\", and the "
                         "model predicts \"%s\". From there on, the left side still "
                         "reads the target, the right side its own output.",
                         parting, expected, label(forcing, forcing->free.id[parting])));
}

static void say_table(const Forcing *forcing, Page *page) {
    static const char *const headings[] = {
        N_("reads"),     N_("expected"), N_("P"), "│", N_("reads its own"),
        N_("predicted"), N_("P"),        "",      NULL};
    Arena *arena = forcing->arena;
    int rows = forcing->target->count > forcing->free.count ? forcing->target->count
                                                            : forcing->free.count;
    int parting = 0; /* the first position where the free run differs; -1: none */
    while (parting < forcing->free.count && parting < forcing->target->count &&
           forcing->free.id[parting] == expected_at(forcing, parting))
        parting++;
    if (parting == forcing->target->count) parting = -1;
    double forced = 0;
    double free = 0;
    TableWriter writer = table_begin(headings, arena);
    for (int t = 0; t < rows; t++) {
        table_row(&writer, arena_print(arena, "%d", t));
        add_forced(forcing, &writer, t, &forced);
        table_put(&writer, "│");
        add_free(forcing, &writer, t, &free);
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
                   forced, -forced / forcing->target->count, free));
    say_parting(forcing, parting, page);
}

bool show_forcing(Session *session, const char *typed, Error *error) {
    Side *side = ARENA_ARRAY(&session->scratch, Side, 1);
    Forcing forcing = {.session = session, .arena = &session->scratch};
    if (!decoding_possible(session, error)) return false;
    forcing.target = read_target(session, typed, side, error);
    if (!forcing.target) return false;
    Tape tape = {0};
    const Sentence *target = forcing.target;
    Encoded encoded = session_encoded(session, &tape);
    const Ids ids = {target->id, 1, target->count, target->label};
    forcing.forced = network_decode(&tape, &session->model.network, &encoded,
                                    network_target(&tape, &ids), NULL);
    /* Decode greedily without the target, with log P of each token. */
    forcing.free =
        generate_from(&tape, &session->model, &encoded, decoding_limit(session), true);
    forcing.free_log = ARENA_ARRAY(forcing.arena, double, forcing.free.count + 1);
    for (int t = 0; t < forcing.free.count; t++) {
        const Tensor *logits =
            tape_find(&tape, arena_print(forcing.arena, "step.%d.logits", t));
        forcing.free_log[t] =
            sampling_log_probability(logits, forcing.arena)[forcing.free.id[t]];
    }
    bool done = tape_done(&tape, error);
    if (done) {
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
