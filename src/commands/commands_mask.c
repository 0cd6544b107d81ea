#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "session/what_if.h"

static const char *const group = N_("What if");

static bool mask_key(Session *session, const Arguments *arguments, Change *change,
                     Error *error) {
    Record record;
    int key;
    if (!read_token(session, arguments->word[1], &key, error)) return false;
    const char *label =
        address_label(&tape_find(&session->run->tape, "encoder.ids")->axis[1], 0, key,
                      &session->scratch);
    const char *text = arena_print(&session->scratch, ":mask key %s", label);
    ChangeSource source = what_source(session, text, &record);
    return change_new_mask_key(&source, key, change, error);
}

static bool mask_layer(Session *session, const Arguments *arguments, Change *change,
                       Error *error) {
    Record record;
    const char *text =
        arena_print(&session->scratch, ":mask layer %s", arguments->word[1]);
    ChangeSource source = what_source(session, text, &record);
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
    ChangeSource source = what_source(session, text, &record);
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
        what_source(session, what_text(session, "mask", &slice, ""), &record);
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
        ChangeSource source = what_source(session, text, &record);
        return parts[p].make(&source, &change, error) &&
               what_if_change(session, &change, error);
    }
    return fail_usage(error, "'%s' cannot be left out; position and mask can", name);
}

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
