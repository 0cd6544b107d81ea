#include "session/forks.h"

#include <stdlib.h>

#include "model/sampling.h"
#include "session/decoding.h"
#include "session/sentence.h"
#include "session/show_forks.h"
#include "session/stops.h"

/* Which tokens a fork takes, for a decoding that goes along it. */
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

/* Decode along the fork, and note what comes. Where that fails, or is stopped, the
 * decoding before it is still there. */
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
    Arena *arena = &session->run->arena;
    decoding_logs(session, &fork->log_probability, &session->scratch);
    fork->text = sentence_spoken(&session->model, &session->run->generated, arena);
    fork->tokens = session->run->generated.count;
    Story story = session_story(session);
    session->run->answer[session->run->row] = answer_of(&story, arena);
    int last = stops_all(session) - 1;
    if (session->run->stage > last) session->run->stage = last;
    return true;
}

/* The model's own decoding is the first of them. */
static void note_own(Session *session) {
    Forks *forks = &session->run->forks;
    if (forks->count) return;
    Fork *own = &forks->fork[forks->count++];
    *own = (Fork){.from = -1, .tokens = session->run->generated.count};
    decoding_logs(session, &own->log_probability, &session->scratch);
    own->text = sentence_spoken(&session->model, &session->run->generated,
                                &session->run->arena);
}

bool forks_pick(Session *session, int step, int id, Error *error) {
    Forks *forks = &session->run->forks;
    Arena *arena = &session->scratch;
    if (forks->count == FORKS_MAX)
        return fail(error,
                    "there are %d branches already, and there can be no more; "
                    "the sentence typed again begins without any",
                    FORKS_MAX);
    if (session->run->generated.id[step] == id)
        return fail(error, "step %d took %s already: pick another token", step,
                    decoding_label(session, id, arena));
    note_own(session);
    const Fork *from = &forks->fork[forks->at];
    int *taken = ARENA_ARRAY(&session->run->arena, int, step + 1);
    for (int t = 0; t < step; t++)
        taken[t] = t < from->steps ? from->taken[t] : TAKES_BEST;
    taken[step] = id;
    Before before = show_forks_remember(session, arena);
    int number = forks->count;
    forks->fork[number] =
        (Fork){.from = forks->at, .step = step, .taken = taken, .steps = step + 1};
    if (!follow(session, &forks->fork[number], error)) return false;
    forks->at = number;
    forks->count++;
    show_forks_both(session, &before, step);
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
    show_forks_sentence(session, number);
    return true;
}

bool forks_again(Session *session, Error *error) {
    Forks *forks = &session->run->forks;
    for (int f = 0; f < forks->count; f++) forks->fork[f].text = NULL;
    return forks->at == 0 || follow(session, &forks->fork[forks->at], error);
}

bool forks_list(Session *session, Error *error) {
    Forks *forks = &session->run->forks;
    bool stale = false;
    note_own(session);
    for (int f = 0; f < forks->count; f++) {
        if (forks->fork[f].text) continue;
        stale = true;
        if (!follow(session, &forks->fork[f], error)) return false;
    }
    if (stale && !follow(session, &forks->fork[forks->at], error)) return false;
    show_forks_list(session);
    return true;
}

/* "5=308,7=12": steps that rise, each with an id. */
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
            "--picks is '%s'; it must be a list of steps and ids, such as "
            "5=308,7=12",
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
    return fail(error, "--picks takes a token at step %d, and the sentence ends at %d",
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
