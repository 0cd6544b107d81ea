#include "base/language.h"
#include "commands/commands.h"
#include "explain/change_new.h"
#include "session/sentence.h"
#include "session/standing.h"
#include "session/what_if.h"

static const char *const group = N_("What if");

static const Flag flags_force[] = {
    {"force", 0, NULL, N_("also numbers that are infinite or NaN")},
    {0},
};

/* " = 0.5", or of many numbers the first ones. */
static const char *print_values(const Assignment *assignment, Arena *arena) {
    enum { SHOWN = 4 };
    const char *text = " = ";
    for (int v = 0; v < assignment->values && v < SHOWN; v++)
        text = arena_print(arena, "%s%s%.9g", text, v ? "," : "",
                           (double)assignment->value[v]);
    return assignment->values > SHOWN ? arena_print(arena, "%s,…", text) : text;
}

static bool run_set(Session *session, const Arguments *arguments, Error *error) {
    Assignment assignment;
    Slice slice;
    Change change;
    Record record;
    if (!session_can_change(session, error) ||
        !read_assignment(session, arguments, &assignment, error) ||
        !read_slice(session, assignment.word, assignment.words, &slice, error) ||
        !read_changeable(session, slice.tensor, error) ||
        !read_fits(session, &slice, &assignment, error))
        return false;
    const char *values = print_values(&assignment, &session->scratch);
    ChangeSource source =
        what_source(session, what_text(session, "set", &slice, values), &record);
    change_new_set(&source, &slice, assignment.value, assignment.values, &change);
    return what_if_change(session, &change, error);
}

static bool run_zero(Session *session, const Arguments *arguments, Error *error) {
    const Number none = 0;
    Slice slice;
    Change change;
    Record record;
    Assignment zero = {.value = (Number[]){0}, .values = 1};
    if (!session_can_change(session, error) ||
        !read_slice(session, arguments->word, arguments->words, &slice, error) ||
        !read_changeable(session, slice.tensor, error) ||
        !read_fits(session, &slice, &zero, error))
        return false;
    ChangeSource source =
        what_source(session, what_text(session, "zero", &slice, ""), &record);
    change_new_set(&source, &slice, &none, 1, &change);
    return what_if_change(session, &change, error);
}

static bool run_swap(Session *session, const Arguments *arguments, Error *error) {
    Record record;
    Change change;
    int place[2];
    if (!session_can_change(session, error) ||
        !read_token(session, arguments->word[0], &place[0], error) ||
        !read_token(session, arguments->word[1], &place[1], error))
        return false;
    const Axis *axis = &tape_find(&session->run->tape, "encoder.ids")->axis[1];
    Arena *arena = &session->scratch;
    const char *text =
        arena_print(arena, ":swap %s %s", address_label(axis, 0, place[0], arena),
                    address_label(axis, 0, place[1], arena));
    ChangeSource source = what_source(session, text, &record);
    return change_new_swap(&source, place[0], place[1], &change, error) &&
           what_if_change(session, &change, error);
}

static bool run_edit(Session *session, const Arguments *arguments, Error *error) {
    Assignment assignment;
    Slice slice;
    Change change;
    Record record;
    if (session->run->is_made && !session_can_change(session, error)) return false;
    if (!read_assignment(session, arguments, &assignment, error) ||
        !read_slice(session, assignment.word, assignment.words, &slice, error))
        return false;
    const char *name = slice.tensor->name;
    if (weights_find(&session->model.weights, name) != slice.tensor)
        return fail(error, "%s is no weight but made in the run: :set changes it",
                    name);
    if (!read_fits(session, &slice, &assignment, error)) return false;
    const char *values = print_values(&assignment, &session->scratch);
    ChangeSource source =
        what_source(session, what_text(session, "edit", &slice, values), &record);
    change_new_edit(&source, &slice, assignment.value, assignment.values, &change);
    return what_if_change(session, &change, error);
}

const Command command_set = {
    .name = "set",
    .group = group,
    .arguments = "ADDRESS[cell] = NUMBER",
    .summary = N_("put another number into a cell, and see what follows"),
    .details =
        N_("A slice takes one number for all of its cells, or one for each: = 1,2,3. "
           "Only what follows is computed again. A number of the decoder is changed in "
           "the step of the decoding that makes it, too, so that the answer can "
           "change. :undo takes it back, :changes lists what holds."),
    .example = ":set encoder.0.self_attention.scaled[head=0, query=0, key=1] = 5",
    .least = 1,
    .most = WORDS_MAX,
    .flags = {flags_model, flags_sentence, flags_target, flags_force},
    .needs_model = true,
    .needs_run = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_set,
};

const Command command_zero = {
    .name = "zero",
    .group = group,
    .arguments = "ADDRESS[slice]",
    .summary = N_("put 0 into cells, and see what follows"),
    .details = N_("Without a bracket all of the tensor becomes 0."),
    .example = ":zero encoder.0.norm_1[source=0]",
    .least = 1,
    .most = WORDS_MAX,
    .flags = {flags_model, flags_sentence, flags_target},
    .needs_model = true,
    .needs_run = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_zero,
};

const Command command_swap = {
    .name = "swap",
    .group = group,
    .arguments = "TOKEN TOKEN",
    .summary = N_("exchange two tokens of the source"),
    .details = N_("Each is written as :tokens shows it, of equal ones 부산#2 is the "
                  "second, or as its place, counted from 0."),
    .example = ":swap 0 1",
    .least = 2,
    .most = 2,
    .flags = {flags_model, flags_sentence, flags_target},
    .needs_model = true,
    .needs_run = true,
    .run = run_swap,
};

const Command command_edit = {
    .name = "edit",
    .group = group,
    .arguments = "WEIGHT[cell] = NUMBER",
    .summary = N_("change a weight of the model, until it is undone"),
    .details = N_("The files of the model stay as they are. It holds for the sentences "
                  "that follow, too, until :undo, :reset or another model."),
    .example = ":edit model.encoder.layers.0.self_attn.q_proj.weight[0, 0] = 1",
    .least = 1,
    .most = WORDS_MAX,
    .flags = {flags_model, flags_sentence, flags_target, flags_force},
    .needs_model = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_edit,
};
