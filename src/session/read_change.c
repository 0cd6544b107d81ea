#include "session/read_change.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "explain/alignment.h"
#include "explain/shown_tokens.h"
#include "session/addresses.h"
#include "session/program.h"
#include "session/sentence.h"
#include "session/variants.h"
#include "text/unicode.h"

bool read_slice(Session *session, const char *const *word, int words, Slice *slice,
                Error *error) {
    Arena *arena = &session->scratch;
    const WalkPlace here = walk_place(session, arena);
    Meant meant;
    if (!short_meant(&here, word, words, arena, &meant, error)) return false;
    if (meant.note)
        page_note(&session->messages, "%s", session_safe(session, meant.note));
    for (int m = 0; m < meant.count; m++)
        if (!record_slice(&here.record, meant.address[m], arena, slice, error))
            return false;
    if (meant.count != 1)
        return fail(error, "%d tensors match; name one, such as %s", meant.count,
                    meant.address[0]);
    if (slice_size(slice) > 0) return true;
    return fail(error, "%s has no numbers", slice->tensor->name);
}

bool read_changeable(const Session *session, const Tensor *tensor, Error *error) {
    const char *name = tensor->name;
    if (weights_find(&session->model.weights, name) == tensor)
        return fail(error, "%s is a weight, not part of the run; change it with :edit",
                    name);
    if (strncmp(name, "mask.", strlen("mask.")) == 0)
        return fail(error,
                    "%s is display only; use :mask to mask, or :set "
                    "encoder.padding_mask",
                    name);
    if (tape_find(&session->run->tape, name) == tensor ||
        tape_find(&session->run->steps, name) == tensor)
        return true;
    return fail(error, "%s is not part of this run; :stages lists what is", name);
}

/* Return the = outside of a bracket, or NULL. */
static const char *find_equals(const char *text) {
    while (*text && *text != '=') {
        bool in_bracket = *text++ == '[';
        while (in_bracket && *(text = address_item_end(text)) == ',') text++;
    }
    return *text ? text : NULL;
}

static bool read_values(const Arguments *arguments, const char *text, Arena *arena,
                        Assignment *assignment, Error *error) {
    while (isspace((unsigned char)*text)) text++;
    if (!*text) return fail(error, "no number after =; write one, as in = 0.5");
    assignment->value = ARENA_ARRAY(arena, Number, strlen(text));
    for (;;) {
        char *end;
        const Number value = (Number)strtod(text, &end);
        const bool is_none = end == text;
        while (isspace((unsigned char)*end)) end++;
        if (is_none || (*end && *end != ','))
            return fail(
                error, "'%.40s' is not a number; write one after =, as in = 0.5", text);
        if (!isfinite(value) && !arguments_flag(arguments, "force"))
            return fail(error,
                        "%.40s is %s and would spread to later numbers; add --force "
                        "to set it",
                        text, isnan(value) ? "NaN" : "infinite");
        assignment->value[assignment->values++] = value;
        if (!*end) return true;
        text = end + 1;
        if (!*text)
            return fail(error, "no number after the last comma; add one or remove the "
                               "comma");
    }
}

bool read_assignment(Session *session, const Arguments *arguments,
                     Assignment *assignment, Error *error) {
    Arena *arena = &session->scratch;
    const char *text = arguments_text(arguments, arena);
    const char *equals = find_equals(text);
    if (!equals) return command_fail_usage(arguments->command, error);
    *assignment = (Assignment){0};
    const char *address = arena_copy(arena, text, (size_t)(equals - text));
    return command_split(address, arena, assignment->word, &assignment->words, error) &&
           (assignment->words > 0 ||
            fail(error, "no address before =; write :set ADDRESS[cell] = NUMBER")) &&
           read_values(arguments, equals + 1, arena, assignment, error);
}

bool read_fits(const Session *session, const Slice *slice, const Assignment *assignment,
               Error *error) {
    int size = slice_size(slice);
    if (assignment->values != 1 && assignment->values != size)
        return fail(error,
                    "found %d numbers for a slice of %s with %d cells; give one, or "
                    "one per cell",
                    assignment->values, slice->tensor->name, size);
    /* Ids that select rows of tables or the next word must exist. */
    const Config *config = &session->model.config;
    const char *address = slice->tensor->name;
    const char *name = slice->tensor->short_name;
    bool are_places = strcmp(name, "position_ids") == 0;
    bool is_source = strncmp(address, "encoder.", strlen("encoder.")) == 0;
    int max = are_places  ? config->position_offset + config->max_length
              : is_source ? config->source_vocabulary
                          : config->target_vocabulary;
    if (strcmp(name, "ids") != 0 && strcmp(name, "choice") != 0 && !are_places)
        return true;
    for (int v = 0; v < assignment->values; v++) {
        Number id = assignment->value[v];
        if (!(id >= 0 && id < max && id == floor(id)))
            return fail(error, "%g is not an id; %s takes whole numbers from 0 to %d",
                        (double)id, address, max - 1);
    }
    return true;
}

/* Find a complete word among the tokens, the `which`-th of several equal ones. Its
 * beginning may also be a token of another word: "ball" of "balloon". */
static bool find_whole(const Axis *axis, const char *word, size_t length, int which,
                       TokenSpan *span) {
    for (int i = 0; axis->labels && i < axis->size; i++) {
        const int end = i + pieces_from(axis, 0, i, word, length);
        if (end == i || token_continues(axis, 0, i) ||
            (end < axis->size && token_continues(axis, 0, end)) || --which > 0)
            continue;
        *span = (TokenSpan){i, end};
        return true;
    }
    return false;
}

bool read_word(Session *session, const char *word, TokenSpan *span, Error *error) {
    Arena *arena = &session->scratch;
    const Tensor *ids = change_ids(&session->run->tape);
    const char *mark = strrchr(word, '#');
    bool counted = mark && mark > word && mark[1] &&
                   strspn(mark + 1, "0123456789") == strlen(mark + 1);
    size_t length = counted ? (size_t)(mark - word) : strlen(word);
    bool is_place = *word && strspn(word, "0123456789") == strlen(word);
    int which = counted ? (int)strtol(mark + 1, NULL, 10) : 1;
    if (!is_place && find_whole(&ids->axis[1], word, length, which, span)) return true;
    Builder address = {.arena = arena};
    build(&address, "%s[%s=", ids->name, ids->axis[1].name);
    const bool is_quoted = length > 1 && *word == '"' && word[length - 1] == '"';
    if (is_place || is_quoted) {
        build_text(&address, word);
    } else { /* quoted, so that no part of it is read as an address */
        build_text(&address, "\"");
        for (size_t i = 0; i < length; i++)
            build(&address, "%s%c", word[i] == '"' || word[i] == '\\' ? "\\" : "",
                  word[i]);
        build(&address, "\"%s", counted ? mark : "");
    }
    build_text(&address, "]");
    Slice slice;
    if (!address_slice(builder_text(&address), ids, arena, &slice, error)) return false;
    *span = (TokenSpan){slice.from[1], slice.to[1]};
    return true;
}

ChangeSource what_source(Session *session, const char *text, Record *record) {
    *record = session_record(session);
    return (ChangeSource){
        .record = record,
        .arena = &session->what_if.changes.arena,
        .text = session_safe(session, text),
    };
}

const char *what_slice(Session *session, const Slice *slice) {
    Arena *arena = &session->scratch;
    const Tensor *tensor = slice->tensor;
    Builder list = {.arena = arena};
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        int from = slice->from[a];
        int to = slice->to[a];
        if (axis->size == 1 || (from == 0 && to == axis->size)) continue;
        const char *range = to - from == 1 ? address_choice(axis, 0, from, arena)
                                           : arena_print(arena, "%d:%d", from, to);
        build_item(&list, ", ", "%s=%s", axis->name, range);
    }
    return list.count ? arena_print(arena, "%s[%s]", tensor->name, builder_text(&list))
                      : tensor->name;
}
