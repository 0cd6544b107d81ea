#include "session/forks.h"

#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "model/sampling.h"
#include "session/decoding.h"
#include "session/sentence.h"
#include "session/stops.h"
#include "text/label.h"

static bool fail_word(Session *session, int step, const char *typed, Error *error) {
    Arena *arena = &session->scratch;
    const char *safe = session_safe(session, typed);
    Error silent;
    Tokens tokens;
    if (session->model.target.kind == TOKENIZER_NONE ||
        !tokenizer_encode(&session->model.target, typed, (int)strlen(typed), arena,
                          &tokens, &silent) ||
        tokens.count < 2)
        return fail(
            error,
            "'%s' is not a token of the vocabulary; :decode %d shows the likely "
            "tokens, and a number picks one of them",
            safe, step);
    Builder pieces = {.arena = arena};
    for (int t = 0; t < tokens.count; t++)
        build_item(&pieces, ", ", "%s", tokens.token[t].label);
    return fail(
        error, "'%s' is not one token but the pieces %s; pick the first, then the next",
        safe, builder_text(&pieces));
}

bool forks_token(Session *session, int step, const char *typed, int *id, Error *error) {
    int words = session->model.config.target_vocabulary;
    const Tensor *logits = decoding_logits(session, step, &session->scratch);
    const Sampling all = {.temperature = 1, .top_p = 1};
    const Distribution ranked = sampling_distribution(logits, &all, &session->scratch);
    long long number;
    bool is_id = strncmp(typed, "id=", 3) == 0;
    if (!option_whole(typed + (is_id ? 3 : 0), &number)) {
        /* The most probable of the tokens with that label, with or without a leading
         * space. */
        bool marked = typed != label_bare(typed);
        for (int r = 0; r < ranked.count; r++) {
            *id = ranked.token[r].id;
            const char *label = tokenizer_label(&session->model.target, *id);
            if (label && strcmp(marked ? label : label_bare(label), typed) == 0)
                return true;
        }
        return fail_word(session, step, typed, error);
    }
    if (number < 0 || number >= words)
        return fail(error,
                    "the id %lld is outside the vocabulary, whose ids are 0 to %d",
                    number, words - 1);
    bool ranks = !is_id && number >= 1 && number <= session->options.candidates &&
                 number <= ranked.count;
    *id = ranks ? ranked.token[number - 1].id : (int)number;
    return true;
}

/* Choose the tokens of a fork in a decoding. */
static int take(void *state, int step, const Tensor *logits) {
    (void)logits;
    const Fork *fork = state;
    return step < fork->steps ? fork->taken[step] : TAKES_BEST;
}

static void swap_steps(Session *session) {
    Tape kept = session->run->steps;
    session->run->steps = session->spare->steps;
    session->spare->steps = kept;
}

/* Record the current decoding as the result of the fork. */
static void note(Session *session, Fork *fork) {
    decoding_logs(session, &fork->log_probability, &session->scratch);
    fork->text = sentence_spoken(&session->model, &session->run->generated,
                                 &session->run->arena);
    fork->tokens = session->run->generated.count;
}

/* Decode along the fork and record the result. On failure or interruption, restore the
 * previous decoding. */
static bool follow(Session *session, Fork *fork, Error *error) {
    const Chooser chooser = {take, fork};
    const Generated before = session->run->generated;
    swap_steps(session);
    if (!session_decode(session, session->run->row, decoding_limit(session), &chooser,
                        error)) {
        swap_steps(session);
        session->run->generated = before;
        return false;
    }
    note(session, fork);
    Story story = session_story(session);
    session->run->answer[session->run->row] = answer_of(&story, &session->run->arena);
    int last = stops_all(session) - 1;
    if (session->run->stage > last) session->run->stage = last;
    return true;
}

/* Record the model's own decoding as the first fork. */
static void note_own(Session *session) {
    Forks *forks = &session->run->forks;
    if (forks->count) return;
    forks->fork[forks->count] = (Fork){.from = -1};
    note(session, &forks->fork[forks->count++]);
}

bool forks_pick(Session *session, int step, int id, ForkBefore *before, Error *error) {
    Forks *forks = &session->run->forks;
    Arena *arena = &session->scratch;
    if (forks->count == FORKS_MAX)
        return fail(error,
                    "there are already %d branches, which is the limit; type the "
                    "sentence again to start without any",
                    FORKS_MAX);
    if (session->run->generated.id[step] == id)
        return fail(error, "step %d already chose %s; pick another token", step,
                    decoding_label(session, id, arena));
    note_own(session);
    const Fork *from = &forks->fork[forks->at];
    int *taken = ARENA_ARRAY(&session->run->arena, int, step + 1);
    for (int t = 0; t < step; t++)
        taken[t] = t < from->steps ? from->taken[t] : TAKES_BEST;
    taken[step] = id;
    /* Copy the ids: the next decoding overwrites the tape. */
    const Generated *generated = &session->run->generated;
    *before = (ForkBefore){.number = forks->at, .generated = *generated};
    int *kept = ARENA_ARRAY(arena, int, generated->count + 1);
    memcpy(kept, generated->id, (size_t)generated->count * sizeof *kept);
    before->generated.id = kept;
    before->log_probability = decoding_logs(session, &before->sum, arena);
    int number = forks->count;
    forks->fork[number] =
        (Fork){.from = forks->at, .step = step, .taken = taken, .steps = step + 1};
    if (!follow(session, &forks->fork[number], error)) return false;
    forks->at = number;
    forks->count++;
    return true;
}

bool forks_go(Session *session, int number, Error *error) {
    Forks *forks = &session->run->forks;
    note_own(session);
    if (number < 0 || number >= forks->count)
        return forks->count == 1
                   ? fail(error, "there are no branches yet; :pick 1 WORD makes one")
                   : fail(error, "there is no branch %d; there are 0 to %d", number,
                          forks->count - 1);
    if (!follow(session, &forks->fork[number], error)) return false;
    forks->at = number;
    return true;
}

bool forks_again(Session *session, Error *error) {
    Forks *forks = &session->run->forks;
    for (int f = 0; f < forks->count; f++) forks->fork[f].text = NULL;
    if (forks->count && forks->at == 0) note(session, &forks->fork[0]);
    return forks->at == 0 || follow(session, &forks->fork[forks->at], error);
}

bool forks_complete(Session *session, Error *error) {
    Forks *forks = &session->run->forks;
    bool stale = false;
    note_own(session);
    for (int f = 0; f < forks->count; f++) {
        if (forks->fork[f].text) continue;
        stale = true;
        if (!follow(session, &forks->fork[f], error)) return false;
    }
    return !stale || follow(session, &forks->fork[forks->at], error);
}

/* Read "5=308,7=12": increasing steps, each with an id. */
static bool read_picks(const Session *session, const char *picks, Fork *fork,
                       Arena *arena) {
    int *taken = NULL;
    int capacity = 0;
    for (const char *c = picks; *c;) {
        char *end;
        long step = strtol(c, &end, 10);
        if (end == c || *end != '=' || step < fork->steps ||
            step >= session->model.config.max_length)
            return false;
        c = end + 1;
        long id = strtol(c, &end, 10);
        if (end == c || id < 0 || id >= session->model.config.target_vocabulary ||
            (*end && *end != ','))
            return false;
        for (; fork->steps <= step; fork->steps++) {
            ARENA_GROW(arena, taken, fork->steps, capacity);
            taken[fork->steps] = TAKES_BEST;
        }
        taken[step] = (int)id;
        fork->step = (int)step;
        c = *end ? end + 1 : end;
    }
    fork->taken = taken;
    return fork->steps > 0;
}

bool forks_follow(Session *session, const char *picks, Error *error) {
    Fork fork = {0};
    if (!decoding_at_hand(session, error)) return false;
    if (!read_picks(session, picks, &fork, &session->run->arena))
        return fail_usage(
            error,
            "--picks is '%s'; expected a list of steps and ids, such as 5=308,7=12",
            picks);
    session->run->forks = (Forks){0};
    note_own(session);
    session->run->forks.fork[1] = fork;
    if (!follow(session, &session->run->forks.fork[1], error)) return false;
    session->run->forks.at = 1;
    session->run->forks.count = 2;
    int last = session->run->generated.count - 1;
    if (fork.step <= last) return true;
    if (!follow(session, &session->run->forks.fork[0], error)) return false;
    session->run->forks = (Forks){0};
    return fail(error,
                "--picks picks a token at step %d, but the sentence ends at "
                "%d; pick at an earlier step",
                fork.step, last);
}

const char *forks_picks(const Session *session, Arena *arena) {
    const Fork *fork = &session->run->forks.fork[session->run->forks.at];
    const char *text = NULL;
    for (int t = 0; t < fork->steps; t++)
        if (fork->taken[t] != TAKES_BEST)
            text = text ? arena_print(arena, "%s,%d=%d", text, t, fork->taken[t])
                        : arena_print(arena, "%d=%d", t, fork->taken[t]);
    return text;
}
