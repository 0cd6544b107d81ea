#include "session/branches.h"

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

bool branches_token(Session *session, int step, const char *typed, int *id,
                    Error *error) {
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

/* Choose the tokens of a branch in a decoding. */
static int take(void *state, int step, const Tensor *logits) {
    (void)logits;
    const Branch *branch = state;
    return step < branch->steps ? branch->taken[step] : TAKES_BEST;
}

static void swap_steps(Session *session) {
    Tape kept = session->run->steps;
    session->run->steps = session->spare->steps;
    session->spare->steps = kept;
}

/* Record the current decoding as the result of the branch. */
static void note(Session *session, Branch *branch) {
    decoding_logs(session, &branch->log_probability, &session->scratch);
    branch->text = sentence_spoken(&session->model, &session->run->generated,
                                   &session->run->arena);
    branch->tokens = session->run->generated.count;
}

/* Decode along the branch and record the result. On failure or interruption, restore
 * the previous decoding. */
static bool follow(Session *session, Branch *branch, Error *error) {
    const Chooser chooser = {take, branch};
    const Generated before = session->run->generated;
    swap_steps(session);
    if (!session_decode(session, session->run->row, decoding_limit(session), &chooser,
                        error)) {
        swap_steps(session);
        session->run->generated = before;
        return false;
    }
    note(session, branch);
    Story story = session_story(session);
    session->run->answer[session->run->row] = answer_of(&story, &session->run->arena);
    int last = stops_all(session) - 1;
    if (session->run->stage > last) session->run->stage = last;
    return true;
}

/* Record the model's own decoding as the first branch. */
static void note_own(Session *session) {
    Branches *branches = &session->run->branches;
    if (branches->count) return;
    branches->branch[branches->count] = (Branch){.from = -1};
    note(session, &branches->branch[branches->count++]);
}

bool branches_pick(Session *session, int step, int id, BranchBefore *before,
                   Error *error) {
    Branches *branches = &session->run->branches;
    Arena *arena = &session->scratch;
    if (branches->count == BRANCHES_MAX)
        return fail(error,
                    "there are already %d branches, which is the limit; type the "
                    "sentence again to start without any",
                    BRANCHES_MAX);
    if (session->run->generated.id[step] == id)
        return fail(error, "step %d already chose %s; pick another token", step,
                    decoding_label(session, id, arena));
    note_own(session);
    const Branch *from = &branches->branch[branches->at];
    int *taken = ARENA_ARRAY(&session->run->arena, int, step + 1);
    for (int t = 0; t < step; t++)
        taken[t] = t < from->steps ? from->taken[t] : TAKES_BEST;
    taken[step] = id;
    /* Copy the ids: the next decoding overwrites the tape. */
    const Generated *generated = &session->run->generated;
    *before = (BranchBefore){.number = branches->at, .generated = *generated};
    int *kept = ARENA_ARRAY(arena, int, generated->count + 1);
    memcpy(kept, generated->id, (size_t)generated->count * sizeof *kept);
    before->generated.id = kept;
    before->log_probability = decoding_logs(session, &before->sum, arena);
    int number = branches->count;
    branches->branch[number] =
        (Branch){.from = branches->at, .step = step, .taken = taken, .steps = step + 1};
    if (!follow(session, &branches->branch[number], error)) return false;
    branches->at = number;
    branches->count++;
    return true;
}

bool branches_go(Session *session, int number, Error *error) {
    Branches *branches = &session->run->branches;
    note_own(session);
    if (number < 0 || number >= branches->count)
        return branches->count == 1
                   ? fail(error, "there are no branches yet; :pick 1 WORD makes one")
                   : fail(error, "there is no branch %d; there are 0 to %d", number,
                          branches->count - 1);
    if (!follow(session, &branches->branch[number], error)) return false;
    branches->at = number;
    return true;
}

bool branches_again(Session *session, Error *error) {
    Branches *branches = &session->run->branches;
    for (int b = 0; b < branches->count; b++) branches->branch[b].text = NULL;
    if (branches->count && branches->at == 0) note(session, &branches->branch[0]);
    return branches->at == 0 || follow(session, &branches->branch[branches->at], error);
}

bool branches_complete(Session *session, Error *error) {
    Branches *branches = &session->run->branches;
    bool stale = false;
    note_own(session);
    for (int b = 0; b < branches->count; b++) {
        if (branches->branch[b].text) continue;
        stale = true;
        if (!follow(session, &branches->branch[b], error)) return false;
    }
    return !stale || follow(session, &branches->branch[branches->at], error);
}

/* Read "5=308,7=12": increasing steps, each with an id. */
static bool read_picks(const Session *session, const char *picks, Branch *branch,
                       Arena *arena) {
    int *taken = NULL;
    int capacity = 0;
    for (const char *c = picks; *c;) {
        char *end;
        long step = strtol(c, &end, 10);
        if (end == c || *end != '=' || step < branch->steps ||
            step >= session->model.config.max_length)
            return false;
        c = end + 1;
        long id = strtol(c, &end, 10);
        if (end == c || id < 0 || id >= session->model.config.target_vocabulary ||
            (*end && *end != ','))
            return false;
        for (; branch->steps <= step; branch->steps++) {
            ARENA_GROW(arena, taken, branch->steps, capacity);
            taken[branch->steps] = TAKES_BEST;
        }
        taken[step] = (int)id;
        branch->step = (int)step;
        c = *end ? end + 1 : end;
    }
    branch->taken = taken;
    return branch->steps > 0;
}

bool branches_follow(Session *session, const char *picks, Error *error) {
    Branch branch = {0};
    if (!decoding_at_hand(session, error)) return false;
    if (!read_picks(session, picks, &branch, &session->run->arena))
        return fail_usage(
            error,
            "--picks is '%s'; expected a list of steps and ids, such as 5=308,7=12",
            picks);
    session->run->branches = (Branches){0};
    note_own(session);
    session->run->branches.branch[1] = branch;
    if (!follow(session, &session->run->branches.branch[1], error)) return false;
    session->run->branches.at = 1;
    session->run->branches.count = 2;
    int last = session->run->generated.count - 1;
    if (branch.step <= last) return true;
    if (!follow(session, &session->run->branches.branch[0], error)) return false;
    session->run->branches = (Branches){0};
    return fail(error,
                "--picks picks a token at step %d, but the sentence ends at "
                "%d; pick at an earlier step",
                branch.step, last);
}

const char *branches_picks(const Session *session, Arena *arena) {
    const Branch *branch = &session->run->branches.branch[session->run->branches.at];
    const char *text = NULL;
    for (int t = 0; t < branch->steps; t++)
        if (branch->taken[t] != TAKES_BEST)
            text = text ? arena_print(arena, "%s,%d=%d", text, t, branch->taken[t])
                        : arena_print(arena, "%d=%d", t, branch->taken[t]);
    return text;
}
