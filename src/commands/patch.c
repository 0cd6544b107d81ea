#include <string.h>

#include "base/language.h"
#include "change/change_new.h"
#include "commands/commands.h"
#include "present/what_if.h"
#include "session/read_change.h"

/* The cells to replace, and the numbers for them. */
typedef struct {
    const Slice *slice;
    Number *value;
} Patch;

/* Copy the numbers of the tensor at the same indices of the other run. */
static bool take(const Tensor *other, Patch *patch, Arena *arena, Error *error) {
    const Slice *slice = patch->slice;
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
    patch->value = ARENA_ARRAY(arena, Number, slice_size(slice));
    for (int v = 0; v < slice_size(slice); v++) {
        patch->value[v] = other->data[tensor_cell(other, index)];
        slice_next(slice, other->rank, index);
    }
    return true;
}

/* Take the numbers from the run of another sentence. */
static bool take_aside(Session *session, void *state, Error *error) {
    Patch *patch = state;
    if (session->run->source.rows > 1)
        return fail(error, "expected one sentence to patch from, found %d",
                    session->run->source.rows);
    return take(tape_find(&session->run->tape, patch->slice->tensor->name), patch,
                &session->scratch, error);
}

static bool run_patch(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    int from = 1; /* the word "from" */
    Slice slice;
    Record record;
    Patch patch = {.slice = &slice};
    Change change;
    while (from + 1 < arguments->words && strcmp(arguments->word[from], "from") != 0)
        from++;
    if (from + 1 >= arguments->words)
        return command_fail_usage(arguments->command, error);
    if (!session_can_change(session, error) ||
        !read_slice(session, arguments->word, from, &slice, error) ||
        !read_changeable(session, slice.tensor, error))
        return false;
    Arguments sentence = {.words = arguments->words - from - 1};
    for (int w = 0; w < sentence.words; w++)
        sentence.word[w] = arguments->word[from + 1 + w];
    const char *typed = arguments_text(&sentence, arena);
    const KeptRun *kept = session_kept(session, typed);
    const Request request = {.source = typed};
    if (!(kept ? take(snapshot_find(&kept->run, slice.tensor->name), &patch, arena,
                      error)
               : session_aside(session, &request, take_aside, &patch, error)))
        return false;
    const char *text = arena_print(arena, ":patch %s%s", what_slice(session, &slice),
                                   arena_print(arena, " from %s", typed));
    const ChangeSource source = what_source(session, text, &record);
    change_new_set(&source, &slice, patch.value, slice_size(&slice), &change);
    return what_if_change(session, &change, error);
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
