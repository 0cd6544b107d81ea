#include <limits.h>
#include <string.h>

#include "base/language.h"
#include "change/change_new.h"
#include "commands/commands.h"
#include "model/generate.h"
#include "present/what_if.h"
#include "session/read_change.h"
#include "session/sentence.h"

/* The run of another sentence, from which numbers are taken. Only changes of weights
 * apply to it. */
typedef struct {
    Tape run, steps;
    Arena arena;
} Donor;

/* Run the model on the sentence and on its own answer as the target. */
static bool donor_run(Donor *donor, const Model *model, const char *typed,
                      Error *error) {
    Side side;
    Tensor *target = NULL;
    if (!sentence_read(model, false, typed, &donor->arena, &side, error)) return false;
    if (side.rows > 1)
        return fail(error, "expected one sentence to patch from, found %d", side.rows);
    sentence_pad(model, false, &donor->arena, &side);
    Encoded encoded = network_encode(&donor->run, &model->network, &side.ids);
    if (!tape_done(&donor->run, error)) return false;
    if (model->config.decoder_layers > 0) {
        Generated generated =
            generate_from(&donor->steps, model, &encoded, INT_MAX, true);
        if (!tape_done(&donor->steps, error)) return false;
        Side said_side = {.rows = 1};
        sentence_take(model, &side.sentence[0], &generated, &donor->arena,
                      &said_side.sentence[0]);
        sentence_pad(model, true, &donor->arena, &said_side);
        target = network_target(&donor->run, &said_side.ids);
    }
    network_decode(&donor->run, &model->network, &encoded, target, NULL);
    return tape_done(&donor->run, error);
}

/* Copy the slice at the same indices of the other run. */
static bool take(const Tensor *other, const Slice *slice, Arena *arena, Number **value,
                 Error *error) {
    const Tensor *tensor = slice->tensor;
    bool fits = other && other->rank == tensor->rank;
    for (int a = 0; fits && a < tensor->rank; a++) {
        bool whole = slice->from[a] == 0 && slice->to[a] == tensor->axis[a].size;
        fits = whole ? other->axis[a].size == tensor->axis[a].size
                     : slice->to[a] <= other->axis[a].size;
    }
    if (!other) return fail(error, "the other run has no %s", tensor->name);
    if (!fits)
        return fail(error,
                    "%s is %s here and %s in the other run; give a slice that both "
                    "have, such as [%s=0]",
                    tensor->name, shape_text(tensor).text, shape_text(other).text,
                    tensor->axis[tensor->rank > 2 ? tensor->rank - 2 : 0].name);
    int index[RANK_MAX];
    memcpy(index, slice->from, sizeof index);
    *value = ARENA_ARRAY(arena, Number, slice_size(slice));
    for (int v = 0; v < slice_size(slice); v++) {
        (*value)[v] = other->data[tensor_cell(other, index)];
        slice_next(slice, other->rank, index);
    }
    return true;
}

static bool run_patch(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    int from = 1; /* the word "from" */
    Slice slice;
    Donor donor = {0};
    Record record;
    Number *value = NULL;
    Change change;
    while (from + 1 < arguments->words && strcmp(arguments->word[from], "from") != 0)
        from++;
    if (from + 1 >= arguments->words)
        return fail_usage(error, "usage: patch %s", arguments->command->arguments);
    if (!session_can_change(session, error) ||
        !read_slice(session, arguments->word, from, &slice, error) ||
        !read_changeable(session, slice.tensor, error))
        return false;
    Arguments sentence = {.words = arguments->words - from - 1};
    for (int w = 0; w < sentence.words; w++)
        sentence.word[w] = arguments->word[from + 1 + w];
    const char *typed = arguments_text(&sentence, arena);
    const KeptRun *kept = session_kept(session, typed);
    const char *name = slice.tensor->name;
    bool done =
        (kept || donor_run(&donor, &session->model, typed, error)) &&
        take(kept ? snapshot_find(&kept->run, name) : tape_find(&donor.run, name),
             &slice, arena, &value, error);
    if (done) {
        const char *text =
            arena_print(arena, ":patch %s%s", what_slice(session, &slice),
                        arena_print(arena, " from %s", typed));
        ChangeSource source = what_source(session, text, &record);
        change_new_set(&source, &slice, value, slice_size(&slice), &change);
        done = what_if_change(session, &change, error);
    }
    tape_free(&donor.run);
    tape_free(&donor.steps);
    arena_free(&donor.arena);
    return done;
}

const Command command_patch = {
    .name = "patch",
    .group = GROUP_CHANGE,
    .arguments = "ADDRESS[slice] from SENTENCE | NAME",
    .summary = N_("copy numbers from another sentence's run"),
    .details =
        N_("Activation patching: numbers that the model computed for another sentence "
           "replace those of this run, which continues from there. Both runs must have "
           "these cells; if the sentences differ in length, give a slice: "
           "encoder.0.norm_2[source=2]. If the other sentence has no target, it is "
           "decoded first. NAME is a run kept by :keep."),
    .example =
        ":patch encoder.0.norm_2[source=0] from 너는 어제 부산에서 친구를 만났다.",
    .words = {3, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_patch,
};
