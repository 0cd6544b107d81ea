#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "explain/change_new.h"
#include "shell/commands.h"
#include "shell/sentence.h"
#include "shell/standing.h"
#include "shell/what_if.h"
#include "shell/what_if_read.h"

static const char *const group = N_("What if");

static const Flag flags_force[] = {
    {"force", 0, NULL, N_("also numbers that are infinite or NaN")},
    {0},
};

/* With the record in `*record`, which must live as long. */
static ChangeSource source_of(Session *session, const char *text, Record *record) {
    *record = session_record(session);
    return (ChangeSource){
        .record = record,
        .arena = &session->what_if.changes.arena,
        .text = session_safe(session, text),
    };
}

/* ":set ADDRESS[cell] = 0.5", with the address written out. */
static const char *text_of(Session *session, const char *command, const Slice *slice,
                           const char *behind) {
    Arena *arena = &session->scratch;
    const Tensor *tensor = slice->tensor;
    const char *list = "";
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        int from = slice->from[a];
        int to = slice->to[a];
        if (axis->size == 1 || (from == 0 && to == axis->size)) continue;
        const char *range = to - from == 1 ? address_choice(axis, 0, from, arena)
                                           : arena_print(arena, "%d:%d", from, to);
        list =
            arena_print(arena, "%s%s%s=%s", list, *list ? ", " : "", axis->name, range);
    }
    const char *cells = *list ? arena_print(arena, "[%s]", list) : "";
    return arena_print(arena, ":%s %s%s%s", command, tensor->name, cells, behind);
}

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
        source_of(session, text_of(session, "set", &slice, values), &record);
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
        source_of(session, text_of(session, "zero", &slice, ""), &record);
    change_new_set(&source, &slice, &none, 1, &change);
    return what_if_change(session, &change, error);
}

static bool mask_key(Session *session, const Arguments *arguments, Change *change,
                     Error *error) {
    Record record;
    int key;
    if (!read_token(session, arguments->word[1], &key, error)) return false;
    const char *label = address_label(&tape_find(&session->run, "encoder.ids")->axis[1],
                                      0, key, &session->scratch);
    const char *text = arena_print(&session->scratch, ":mask key %s", label);
    ChangeSource source = source_of(session, text, &record);
    return change_new_mask_key(&source, key, change, error);
}

static bool mask_layer(Session *session, const Arguments *arguments, Change *change,
                       Error *error) {
    Record record;
    const char *text =
        arena_print(&session->scratch, ":mask layer %s", arguments->word[1]);
    ChangeSource source = source_of(session, text, &record);
    return change_new_mask_layer(&source, arguments->word[1], change, error);
}

static bool mask_head(Session *session, const char *place, const char *typed,
                      Change *change, Error *error) {
    Record record;
    long long head;
    if (!option_whole(typed, &head) || head < 0 || head > 1000)
        return fail(error, "'%s' is no number of a head; they count from 0", typed);
    const char *text =
        arena_print(&session->scratch, ":mask %s head %d", place, (int)head);
    ChangeSource source = source_of(session, text, &record);
    return change_new_mask_head(&source, place, (int)head, change, error);
}

static bool mask_cells(Session *session, const Arguments *arguments, Change *change,
                       Error *error) {
    Record record;
    Slice slice;
    if (!read_slice(session, arguments->word, arguments->words, &slice, error) ||
        !read_changeable(session, slice.tensor, error))
        return false;
    ChangeSource source =
        source_of(session, text_of(session, "mask", &slice, ""), &record);
    return change_new_mask(&source, &slice, change, error);
}

static bool run_mask(Session *session, const Arguments *arguments, Error *error) {
    const char *const *word = arguments->word;
    int words = arguments->words;
    Change change;
    if (!session_can_change(session, error)) return false;
    bool made = words == 2 && strcmp(word[0], "key") == 0
                    ? mask_key(session, arguments, &change, error)
                : words == 2 && strcmp(word[0], "layer") == 0
                    ? mask_layer(session, arguments, &change, error)
                : words == 3 && strcmp(word[1], "head") == 0
                    ? mask_head(session, word[0], word[2], &change, error)
                    : mask_cells(session, arguments, &change, error);
    return made && what_if_change(session, &change, error);
}

/* What can be left out of a run. */
static const struct {
    const char *name;
    bool (*make)(const ChangeSource *source, Change *change, Error *error);
} parts[] = {
    {"position", change_new_no_position},
    {"mask", change_new_no_mask},
};

static bool run_no(Session *session, const Arguments *arguments, Error *error) {
    Record record;
    Change change;
    const char *name = arguments->word[0];
    if (!session_can_change(session, error)) return false;
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++) {
        if (strcmp(parts[p].name, name) != 0) continue;
        const char *text = arena_print(&session->scratch, ":no %s", name);
        ChangeSource source = source_of(session, text, &record);
        return parts[p].make(&source, &change, error) &&
               what_if_change(session, &change, error);
    }
    return fail_usage(error, "'%s' cannot be left out; position and mask can", name);
}

static bool run_swap(Session *session, const Arguments *arguments, Error *error) {
    Record record;
    Change change;
    int place[2];
    if (!session_can_change(session, error) ||
        !read_token(session, arguments->word[0], &place[0], error) ||
        !read_token(session, arguments->word[1], &place[1], error))
        return false;
    const Axis *axis = &tape_find(&session->run, "encoder.ids")->axis[1];
    Arena *arena = &session->scratch;
    const char *text =
        arena_print(arena, ":swap %s %s", address_label(axis, 0, place[0], arena),
                    address_label(axis, 0, place[1], arena));
    ChangeSource source = source_of(session, text, &record);
    return change_new_swap(&source, place[0], place[1], &change, error) &&
           what_if_change(session, &change, error);
}

static bool run_edit(Session *session, const Arguments *arguments, Error *error) {
    Assignment assignment;
    Slice slice;
    Change change;
    Record record;
    if (session->has_run && !session_can_change(session, error)) return false;
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
        source_of(session, text_of(session, "edit", &slice, values), &record);
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

const Command command_mask = {
    .name = "mask",
    .group = group,
    .arguments = "key TOKEN | PLACE head N | layer PLACE | ADDRESS[slice]",
    .summary = N_("hide a token, a head, a layer or cells of attention"),
    .details =
        N_("\":mask key TOKEN\": no query looks at this token of the source. \":mask "
           "encoder.0 head 2\": what this head brings becomes 0. \":mask layer "
           "encoder.1\": what its sublayers add becomes 0. \":mask "
           "encoder.0.self_attention.weights[head=0, query=1, key=2]\": that query "
           "does not look there; the others of its row share what it had."),
    .example = ":mask encoder.0 head 2",
    .least = 1,
    .most = WORDS_MAX,
    .flags = {flags_model, flags_sentence, flags_target},
    .needs_model = true,
    .needs_run = true,
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_mask,
};

const Command command_no = {
    .name = "no",
    .group = group,
    .arguments = "position | mask",
    .summary = N_("run without positions, or without masks"),
    .details = N_("Positions become 0 on both sides, or every query sees all keys, "
                  "also those that come later. While it decodes word by word nothing "
                  "comes later, and the answer often stays."),
    .example = ":no position",
    .least = 1,
    .most = 1,
    .flags = {flags_model, flags_sentence, flags_target},
    .needs_model = true,
    .needs_run = true,
    .run = run_no,
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
