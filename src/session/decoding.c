#include "session/decoding.h"

#include <limits.h>

#include "model/sampling.h"

bool decoding_possible(const Session *session, Error *error) {
    const Config *config = &session->model.config;
    if (config->decoder_layers == 0)
        return fail(error, "this model has no decoder, so it decodes nothing");
    if (session->run->generated.is_full)
        return fail(error,
                    "the prompt has %d tokens, the most that this model takes "
                    "(max_length), so nothing can follow it; shorten it",
                    config->max_length);
    return network_generates(config, error);
}

bool decoding_at_hand(const Session *session, Error *error) {
    if (!decoding_possible(session, error)) return false;
    if (session->run->target_given)
        return fail(error, "the target was given, so nothing was decoded; :target with "
                           "no text decodes");
    return session->run->generated.count > 0 ||
           fail(error, "nothing was decoded; type the sentence again");
}

int decoding_limit(const Session *session) {
    return session->run->limit ? session->run->limit : INT_MAX;
}

const Tensor *decoding_logits(const Session *session, int step, Arena *arena) {
    return tape_find(&session->run->steps, arena_print(arena, "step.%d.logits", step));
}

double *decoding_logs(const Session *session, double *sum, Arena *arena) {
    const Generated *generated = &session->run->generated;
    double *log_probability = ARENA_ARRAY(arena, double, generated->count + 1);
    *sum = 0;
    for (int t = 0; t < generated->count; t++) {
        const Tensor *logits = decoding_logits(session, t, arena);
        if (!logits) continue;
        log_probability[t] = sampling_log_probability(logits, arena)[generated->id[t]];
        *sum += log_probability[t];
    }
    return log_probability;
}

const char *decoding_label(const Session *session, int id, Arena *arena) {
    const char *label = tokenizer_label(&session->model.target, id);
    return label ? label : arena_print(arena, "%d", id);
}
