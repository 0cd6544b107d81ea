#include "present/show_steps.h"

#include <math.h>

#include "base/language.h"
#include "model/sampling.h"
#include "session/decoding.h"

enum { SHOWN = 5 };

/* For each step the shares of all words: [step, vocabulary]. */
static Tensor *shares_of(const Session *session, Arena *arena) {
    const int steps = session->run->generated.count;
    const Tensor *logits = decoding_logits(session, 0, arena);
    const Axis axis[] = {{.name = "step", .size = steps}, logits->axis[2]};
    Tensor *shares = tensor_new(arena, "steps", 2, axis);
    for (int t = 0; t < steps; t++) {
        logits = decoding_logits(session, t, arena);
        const double *log_share = sampling_log_probability(logits, arena);
        const Number *row = logits->data + tensor_size(logits) - tensor_row(logits);
        for (int w = 0; w < tensor_row(shares); w++)
            shares->data[t * tensor_row(shares) + w] =
                isnan(row[w]) ? (Number)NAN : (Number)exp(log_share[w]);
    }
    return shares;
}

/* One byte for each share: 1 is the word that was said. */
static const unsigned char *said_words(const Session *session, const Tensor *shares,
                                       Arena *arena) {
    unsigned char *marked = ARENA_ARRAY(arena, unsigned char, tensor_size(shares));
    for (int t = 0; t < session->run->generated.count; t++)
        marked[t * tensor_row(shares) + session->run->generated.id[t]] = 1;
    return marked;
}

bool show_steps(Session *session, const Arguments *arguments, Figure *figure,
                Error *error) {
    Arena *arena = &session->scratch;
    (void)arguments;
    if (!decoding_at_hand(session, error)) return false;
    const Tensor *shares = shares_of(session, arena);
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    const unsigned char **marked = ARENA_ARRAY(arena, const unsigned char *, 1);
    *slice = slice_all(shares);
    marked[0] = said_words(session, shares, arena);
    figure->kind = FIGURE_BARS;
    figure->slice = slice;
    figure->slices = 1;
    figure->marked = marked;
    figure->marked_as = said(N_("◀ what was said"));
    figure->scale = SCALE_SHARES;
    figure->best = SHOWN;
    figure->title = said("Step by step: what was said, and what came next");
    return true;
}
