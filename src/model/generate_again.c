/* The same decoding, after something that it reads was changed. */
#include <string.h>

#include "model/generate.h"

/* What is left to run of one step of the decoding, as steps of the tape. */
typedef struct {
    int next, end;
} Rest;

static bool same_part(const Step *a, const Step *b) {
    return a->where.layer == b->where.layer &&
           strcmp(a->where.stack, b->where.stack) == 0 &&
           strcmp(a->where.box, b->where.box) == 0 &&
           strcmp(a->output->short_name, b->output->short_name) == 0;
}

/* Where each step of the decoding stands on the tape, from `from` on. False where one
 * is missing, or something else stands between or behind them. */
static bool find_steps(const Tape *tape, int from, Rest *rest, int count) {
    for (int t = 0; t < count; t++) {
        rest[t].next = from;
        while (from < tape->count && tape->step[from].where.step == t) from++;
        if (from == rest[t].next) return false;
        rest[t].end = from;
    }
    return count > 0 && from == tape->count;
}

/* Up to and including what makes the same part as `step`, if there is such. */
static void run_to(Tape *tape, Rest *rest, const Step *step) {
    for (int s = rest->next; s < rest->end; s++) {
        if (!same_part(&tape->step[s], step)) continue;
        tape_rerun_part(tape, rest->next, s + 1);
        rest->next = s + 1;
        return;
    }
}

bool generate_again(Tape *tape, const Generated *generated) {
    Arena scratch = {0};
    int count = generated->count;
    Rest *rest = ARENA_ARRAY(&scratch, Rest, count);
    int first = 0;
    while (first < tape->count && tape->step[first].where.step == NOWHERE) first++;
    bool same = find_steps(tape, first, rest, count);
    if (same) {
        tape_rerun_part(tape, 0, first);
        for (int s = rest[count - 1].next; s < rest[count - 1].end; s++)
            for (int t = 0; t < count; t++) run_to(tape, &rest[t], &tape->step[s]);
    }
    /* Each step of the decoding ends with its choice. */
    for (int t = 0; same && t < count; t++) {
        const Step *choice = &tape->step[rest[t].end - 1];
        same = (int)choice->output->data[0] == generated->id[t];
    }
    arena_free(&scratch);
    return same && !tape->failed;
}
