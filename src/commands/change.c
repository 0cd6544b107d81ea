#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "base/nearest.h"
#include "change/change_new.h"
#include "commands/commands.h"
#include "present/what_if.h"
#include "session/read_change.h"

static const Flag flags_force[] = {
    {"force", 0, NULL, N_("also numbers that are infinite or NaN")},
    {0},
};

/* " = 0.5", or the first ones of many numbers, with as few digits as they need. */
static const char *print_values(const Assignment *assignment, Arena *arena) {
    enum { SHOWN = 4, DIGITS_MIN = 6, DIGITS_MAX = 9 };
    const char *text = " = ";
    for (int v = 0; v < assignment->values && v < SHOWN; v++) {
        const Number value = assignment->value[v];
        const char *number;
        int digits = DIGITS_MIN;
        do number = arena_print(arena, "%.*g", digits, (double)value);
        while ((Number)strtod(number, NULL) != value && digits++ < DIGITS_MAX);
        text = arena_print(arena, "%s%s%s", text, v ? "," : "", number);
    }
    return assignment->values > SHOWN ? arena_print(arena, "%s,…", text) : text;
}

/* Set the slice in the words of an assignment to its numbers. */
static bool set_slice(Session *session, const char *command,
                      const Assignment *assignment, const char *after, Error *error) {
    Slice slice;
    Change change;
    Record record;
    if (!read_slice(session, assignment->word, assignment->words, &slice, error) ||
        !read_changeable(session, slice.tensor, error) ||
        !read_fits(session, &slice, assignment, error))
        return false;
    const char *text = arena_print(&session->scratch, ":%s %s%s", command,
                                   what_slice(session, &slice), after);
    ChangeSource source = what_source(session, text, &record);
    change_new_set(&source, &slice, assignment->value, assignment->values, &change);
    if (slice_size(&slice) > 1)
        page_prose(&session->page,
                   trf(session->page.arena, "numbers set: %d, all of %s",
                       slice_size(&slice), what_slice(session, &slice)));
    return what_if_change(session, &change, error);
}

static bool run_set(Session *session, const Arguments *arguments, Error *error) {
    Assignment assignment;
    return session_can_change(session, error) &&
           read_assignment(session, arguments, &assignment, error) &&
           set_slice(session, "set", &assignment,
                     print_values(&assignment, &session->scratch), error);
}

static bool run_zero(Session *session, const Arguments *arguments, Error *error) {
    Number none = 0;
    Assignment zero = {.words = arguments->words, .value = &none, .values = 1};
    for (int w = 0; w < zero.words; w++) zero.word[w] = arguments->word[w];
    return session_can_change(session, error) &&
           set_slice(session, "zero", &zero, "", error);
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
        return fail(error,
                    "%s is not a weight but computed in the run; change it "
                    "with :set",
                    name);
    if (!read_fits(session, &slice, &assignment, error)) return false;
    const char *text =
        arena_print(&session->scratch, ":edit %s%s", what_slice(session, &slice),
                    print_values(&assignment, &session->scratch));
    ChangeSource source = what_source(session, text, &record);
    change_new_edit(&source, &slice, assignment.value, assignment.values, &change);
    return what_if_change(session, &change, error);
}

/* Return the label of a typed token as in an address, or the typed word. */
static const char *span_label(Session *session, TokenSpan span, const char *word) {
    const Axis *axis = &change_ids(&session->run->tape)->axis[1];
    return span.last == span.first + 1
               ? address_label(axis, 0, span.first, &session->scratch)
               : word;
}

static bool run_swap(Session *session, const Arguments *arguments, Error *error) {
    Record record;
    Change change;
    const char *const *word = arguments->word;
    TokenSpan span[2];
    if (!session_can_change(session, error) ||
        !read_word(session, word[0], &span[0], error) ||
        !read_word(session, word[1], &span[1], error))
        return false;
    const char *text = arena_print(&session->scratch, ":swap %s %s",
                                   span_label(session, span[0], word[0]),
                                   span_label(session, span[1], word[1]));
    ChangeSource source = what_source(session, text, &record);
    return change_new_swap(&source, span[0], span[1], &change, error) &&
           what_if_change(session, &change, error);
}

/* The words after :mask were not read as an address. If one of them is nearly "head",
 * "layer" or "key", suggest that. */
static bool fail_mistyped(const char *const *word, int words, Arena *arena,
                          Error *error) {
    for (int w = 0; w < words; w++) {
        Nearest nearest = {.word = word[w]};
        nearest_offer(&nearest, "head");
        nearest_offer(&nearest, "layer");
        nearest_offer(&nearest, "key");
        if (nearest.count && strcmp(nearest.best[0], word[w]) != 0)
            fail(error, "there is no address '%s'%s", word[w],
                 nearest_question(&nearest, arena));
    }
    return false;
}

static bool run_mask(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *const *word = arguments->word;
    int words = arguments->words;
    Record record;
    Change change;
    bool made;
    if (!session_can_change(session, error)) return false;
    if (words == 2 && strcmp(word[0], "key") == 0) {
        TokenSpan span;
        if (!read_word(session, word[1], &span, error)) return false;
        const char *text =
            arena_print(arena, ":mask key %s", span_label(session, span, word[1]));
        ChangeSource source = what_source(session, text, &record);
        made = change_new_mask_key(&source, span.first, span.last, &change, error);
    } else if (words == 2 && strcmp(word[0], "layer") == 0) {
        const char *text = arena_print(arena, ":mask layer %s", word[1]);
        ChangeSource source = what_source(session, text, &record);
        made = change_new_mask_layer(&source, word[1], &change, error);
    } else if (words == 3 && strcmp(word[1], "head") == 0) {
        long long head;
        if (!option_whole(word[2], &head) || head < 0 || head > 1000)
            return fail(error, "'%s' is not the number of a head; heads count from 0",
                        word[2]);
        const char *text = arena_print(arena, ":mask %s head %d", word[0], (int)head);
        ChangeSource source = what_source(session, text, &record);
        made = change_new_mask_head(&source, word[0], (int)head, &change, error);
    } else if (words == 1 && strcmp(word[0], "off") == 0) {
        return fail(error, "there is no address 'off'; :no mask runs without masks");
    } else {
        Slice slice;
        TokenSpan span;
        Error unread;
        if (!read_slice(session, word, words, &slice, error))
            return words == 1 && !strpbrk(word[0], ".[") &&
                           read_word(session, word[0], &span, &unread)
                       ? fail(error,
                              "there is no address '%s'; to mask the token: :mask key "
                              "%s",
                              word[0], word[0])
                       : fail_mistyped(word, words, arena, error);
        if (!read_changeable(session, slice.tensor, error)) return false;
        const char *text = arena_print(arena, ":mask %s", what_slice(session, &slice));
        ChangeSource source = what_source(session, text, &record);
        made = change_new_mask(&source, &slice, &change, error);
    }
    return made && what_if_change(session, &change, error);
}

static bool run_no(Session *session, const Arguments *arguments, Error *error) {
    Record record;
    Change change;
    const char *name = arguments->word[0];
    bool positions = strcmp(name, "position") == 0;
    if (!session_can_change(session, error)) return false;
    if (!positions && strcmp(name, "mask") != 0)
        return fail_usage(error, "'%s' cannot be left out; only position and mask can",
                          name);
    ChangeSource source =
        what_source(session, arena_print(&session->scratch, ":no %s", name), &record);
    return (positions ? change_new_no_position(&source, &change, error)
                      : change_new_no_mask(&source, &change, error)) &&
           what_if_change(session, &change, error);
}

/* Say how to undo changes of the model, which :undo does not. */
static void say_of_model(Session *session) {
    Page *page = &session->page;
    if (session->variant.is_on)
        page_hint(page,
                  N_("the model's options differ from those it was opened with; undo "
                     "with"),
                  ":option reset");
    if (session->learning.steps)
        page_hint(page, N_("the model has learned since then; undo with"),
                  ":learn undo");
    if (session->variant.dropout_on)
        page_hint(page, N_("dropout is on; turn it off with"), ":dropout off");
}

static bool run_changes(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    const Changes *changes = &session->what_if.changes;
    Page *page = &session->page;
    for (int c = 0; c < changes->count; c++)
        page_line(page, c < changes->done ? N_("%3d  %s") : N_("%3d  %s   (undone)"),
                  c + 1, session_safe(session, changes->change[c].text));
    if (changes->count == 0)
        page_note(page, "no changes; :set, :zero, :mask, :no, :swap, :patch and :edit "
                        "change the run");
    say_of_model(session);
    return true;
}

static bool run_undo(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    int done = session->what_if.changes.done;
    if (done > 0) return what_if_hold(session, done - 1, error);
    page_note(&session->page, "no change to undo");
    say_of_model(session);
    return true;
}

static bool run_redo(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    const Changes *changes = &session->what_if.changes;
    if (changes->done < changes->count)
        return what_if_hold(session, changes->done + 1, error);
    page_note(&session->page, "no undone change to redo");
    return true;
}

static bool run_reset(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    if (session->what_if.changes.done) return what_if_hold(session, 0, error);
    page_note(&session->page, "the run has no changes");
    say_of_model(session);
    return true;
}

const Command command_set = {
    .name = "set",
    .group = GROUP_CHANGE,
    .arguments = "ADDRESS[cell] = NUMBER",
    .summary = N_("set cells and recompute what follows"),
    .details =
        N_("A slice takes one number for all of its cells, or one for each: = 1,2,3. "
           "Only later numbers are computed again. A number of the decoder is also "
           "changed in the decoding step that makes it, so the answer can change. "
           ":undo undoes it; :changes lists the changes."),
    .example = ":set encoder.0.self_attention.scaled[head=0, query=0, key=1] = 5",
    .words = {1, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target, flags_force},
    .needs = {.model = true, .run = true},
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_set,
};

const Command command_zero = {
    .name = "zero",
    .group = GROUP_CHANGE,
    .arguments = "ADDRESS[slice]",
    .summary = N_("set cells to 0 and recompute"),
    .details = N_("Without brackets, the whole tensor becomes 0."),
    .example = ":zero encoder.0.norm_1[source=0]",
    .words = {1, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_zero,
};

const Command command_swap = {
    .name = "swap",
    .group = GROUP_CHANGE,
    .arguments = "WORD WORD",
    .summary = N_("swap two source words"),
    .details = N_("A word is all of its tokens. Write one token as :tokens shows it, "
                  "or as its position, counted from 0. 부산#2 is the second of two "
                  "equal tokens."),
    .example = ":swap 0 1",
    .words = {2, 2},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .run = run_swap,
};

const Command command_edit = {
    .name = "edit",
    .group = GROUP_CHANGE,
    .arguments = "WEIGHT[cell] = NUMBER",
    .summary = N_("change a weight until it is undone"),
    .details = N_("The model's files do not change. The edit also applies to later "
                  "sentences, until :undo, :reset or another model."),
    .example = ":edit model.encoder.layers.0.self_attn.q_proj.weight[0, 0] = 1",
    .words = {1, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target, flags_force},
    .needs = {.model = true, .run_if_any = true},
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_edit,
};

const Command command_mask = {
    .name = "mask",
    .group = GROUP_CHANGE,
    .is_first = true,
    .arguments = "key TOKEN | PLACE head N | layer PLACE | ADDRESS[slice]",
    .summary = N_("mask a token, head, layer or attention cells"),
    .details =
        N_("\":mask key TOKEN\": no query attends to this source token; for a word, "
           "to none of its tokens. \":mask encoder.0 head 2\": the output of this "
           "head becomes 0. \":mask layer encoder.1\": the output of its sublayers "
           "becomes 0. \":mask encoder.0.self_attention.weights[head=0, query=1, "
           "key=2]\": this query does not attend to this key; its weight goes to the "
           "other keys of the row."),
    .example = ":mask encoder.0 head 2",
    .words = {1, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .reads_words = true,
    .choice = CHOICE_ADDRESS,
    .run = run_mask,
};

const Command command_no = {
    .name = "no",
    .group = GROUP_CHANGE,
    .arguments = "position | mask",
    .summary = N_("run without positions, or without masks"),
    .details = N_("Positions become 0 on both sides, or every query sees all keys, "
                  "including later ones. In decoding, which goes token by token, "
                  "there are no later ones, so the answer often stays the same."),
    .example = ":no position",
    .words = {1, 1},
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = {.model = true, .run = true},
    .run = run_no,
};

const Command command_changes = {
    .name = "changes",
    .group = GROUP_CHANGE,
    .summary = N_("list the changes to this run"),
    .details = N_("They are listed in order; each applies after those before it."),
    .example = ":changes",
    .only_prompt = true,
    .run = run_changes,
};

const Command command_undo = {
    .name = "undo",
    .group = GROUP_CHANGE,
    .is_first = true,
    .summary = N_("undo the last change"),
    .details = N_("The run is then exactly as before, to the last bit."),
    .example = ":undo",
    .only_prompt = true,
    .run = run_undo,
};

const Command command_redo = {
    .name = "redo",
    .group = GROUP_CHANGE,
    .summary = N_("redo the last undone change"),
    .details = N_("A new change discards the undone ones."),
    .example = ":redo",
    .only_prompt = true,
    .run = run_redo,
};

const Command command_reset = {
    .name = "reset",
    .group = GROUP_CHANGE,
    .summary = N_("undo all changes, including edited weights"),
    .details = N_(":redo restores them one by one."),
    .example = ":reset",
    .only_prompt = true,
    .run = run_reset,
};
