#include <math.h>
#include <string.h>

#include "base/language.h"
#include "model/sampling.h"
#include "session/decoding.h"
#include "session/forks.h"
#include "text/label.h"

/* Of the tokens called so, but for a space in front that was not typed, the most
 * probable; -1: there is none. */
static int find_word(const Session *session, const char *typed,
                     const double *log_probability) {
    bool marked = typed != label_bare(typed);
    int best = -1;
    for (int id = 0; id < session->model.config.target_vocabulary; id++) {
        const char *label = tokenizer_label(&session->model.target, id);
        if (!label || strcmp(marked ? label : label_bare(label), typed) != 0) continue;
        if (best < 0 || log_probability[id] > log_probability[best]) best = id;
    }
    return best;
}

/* Pieces of a word that is no token of its own, with commas, or NULL. */
static const char *pieces_of(Session *session, const char *typed) {
    Arena *arena = &session->scratch;
    Error silent;
    Tokens tokens;
    if (session->model.target.kind == TOKENIZER_NONE ||
        !tokenizer_encode(&session->model.target, typed, (int)strlen(typed), arena,
                          &tokens, &silent) ||
        tokens.count < 2)
        return NULL;
    const char *text = "";
    for (int t = 0; t < tokens.count; t++)
        text = arena_print(arena, "%s%s%s", text, t ? ", " : "", tokens.token[t].label);
    return text;
}

static bool fail_word(Session *session, int step, const char *typed, Error *error) {
    const char *pieces = pieces_of(session, typed);
    const char *safe = session_safe(session, typed);
    if (pieces)
        return fail(
            error,
            "'%s' is no token of its own but the pieces %s: pick the first, and "
            "then the next",
            safe, pieces);
    return fail(error,
                "'%s' is no token of the vocabulary; :decode %d shows what the model "
                "holds for likely, and a number chooses one of them",
                safe, step);
}

/* The `number`-th best token. */
static int candidate(const double *log_probability, int words, int number) {
    int best = -1;
    double before = INFINITY;
    int id_before = -1;
    for (int rank = 0; rank < number; rank++) {
        best = -1;
        for (int id = 0; id < words; id++) {
            double p = log_probability[id];
            bool later = p < before || (p == before && id > id_before);
            if (later && (best < 0 || p > log_probability[best])) best = id;
        }
        before = log_probability[best];
        id_before = best;
    }
    return best;
}

bool forks_token(Session *session, int step, const char *typed, int *id, Error *error) {
    int words = session->model.config.target_vocabulary;
    const Tensor *logits = decoding_logits(session, step, &session->scratch);
    const double *p = sampling_log_probability(logits, &session->scratch);
    long long number;
    bool is_id = strncmp(typed, "id=", 3) == 0;
    if (!option_whole(typed + (is_id ? 3 : 0), &number)) {
        *id = find_word(session, typed, p);
        return *id >= 0 || fail_word(session, step, typed, error);
    }
    if (number < 0 || number >= words)
        return fail(error,
                    "the id %lld is outside the vocabulary, which has the ids 0 to %d",
                    number, words - 1);
    bool ranks = !is_id && number >= 1 && number <= session->options.candidates;
    *id = ranks ? candidate(p, words, (int)number) : (int)number;
    return true;
}
