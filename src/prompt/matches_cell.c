/* Inside the brackets of an address. */
#include <string.h>

#include "prompt/matches.h"
#include "session/standing.h"
#include "text/label.h"

/* The end of a quoted value that begins at `c`, or the end of the line. */
static const char *skip_quoted(const char *c) {
    for (c++; *c && *c != '"'; c++)
        if (*c == '\\' && c[1]) c++;
    return *c ? c + 1 : c;
}

const char *matches_bracket(const char *line) {
    const char *bracket = NULL;
    for (const char *c = line; *c;) {
        if (bracket && *c == '"') {
            c = skip_quoted(c);
            continue;
        }
        if (*c == '[' && !bracket) bracket = c;
        if (*c == ']') bracket = NULL;
        c++;
    }
    return bracket;
}

/* The tensor whose name stands in front of the bracket, or where none does the first
 * that is shown here; NULL if there is none. */
static const Tensor *tensor_before(const Session *session, const char *line,
                                   const char *bracket, Arena *arena) {
    const Standing here = standing_here(session, arena);
    const char *start = bracket;
    const char *note;
    const Tensor *tensor;
    Error error;
    while (start > line && start[-1] != ' ' && start[-1] != '\'') start--;
    const char *name = arena_copy(arena, start, (size_t)(bracket - start));
    if (!*name && here.count) name = here.shown[0];
    name = short_address(&here, name, arena, &note);
    return record_find(&here.record, name, arena, &tensor, &error) ? tensor : NULL;
}

/* The items of a bracket: those that are done, and the one at the cursor. */
typedef struct {
    const Tensor *tensor;
    bool given[RANK_MAX];
    const char *last;   /* "qu", "query=나" */
    const char *equals; /* in it, or NULL */
} Items;

static int axis_of(const Tensor *tensor, const char *item, const char *equals,
                   Arena *arena) {
    return tensor_axis(tensor, arena_copy(arena, item, (size_t)(equals - item)));
}

static Items read_items(const Tensor *tensor, const char *bracket, Arena *arena) {
    Items items = {.tensor = tensor};
    const char *c = bracket + 1;
    items.last = c += strspn(c, " ");
    while (*c) {
        if (*c == '=' && !items.equals) items.equals = c;
        if (*c == '"') {
            c = skip_quoted(c);
            continue;
        }
        if (*c++ != ',') continue;
        int a = items.equals ? axis_of(tensor, items.last, items.equals, arena) : -1;
        if (a >= 0) items.given[a] = true;
        items.last = c += strspn(c, " ");
        items.equals = NULL;
    }
    return items;
}

/* Can the axis still be chosen? */
static bool is_open(const Items *items, int a) {
    return !items->given[a] && items->tensor->axis[a].size > 1;
}

static void offer_axes(Matches *matches, const Items *items) {
    const char *gap = !*items->last && items->last[-1] == ',' ? " " : "";
    for (int a = 0; a < items->tensor->rank; a++) {
        const char *name = items->tensor->axis[a].name;
        if (is_open(items, a) && strncmp(name, items->last, strlen(items->last)) == 0)
            matches_add(matches, arena_print(matches->arena, "%s%s=", gap, name));
    }
}

/* How a person may begin a label: as it is written in an address, without its quotes,
 * without the space before a word. */
typedef bool Fits(const char *choice, const char *label, const char *typed);

static bool begins(const char *text, const char *typed) {
    return strncmp(text, typed, strlen(typed)) == 0;
}

static bool fits_written(const char *choice, const char *label, const char *typed) {
    (void)label;
    return begins(choice, typed);
}

static bool fits_label(const char *choice, const char *label, const char *typed) {
    (void)choice;
    return begins(label, typed);
}

static bool fits_word(const char *choice, const char *label, const char *typed) {
    (void)choice;
    const char *behind = label_behind_space(label);
    return behind && begins(behind, typed);
}

/* All in one way, so that what they have in common begins as it was typed. */
static void offer_values(Matches *matches, const Axis *axis, int row,
                         const char *typed) {
    static Fits *const ways[] = {fits_written, fits_label, fits_word};
    Arena *arena = matches->arena;
    const char **choice = address_list(axis, row, 0, axis->size, true, arena);
    const char **label = address_list(axis, row, 0, axis->size, false, arena);
    for (size_t w = 0; w < sizeof ways / sizeof *ways && matches->count == 0; w++)
        for (int i = 0; i < axis->size; i++)
            if (ways[w](choice[i], label[i], typed)) {
                ARENA_GROW(arena, matches->word, matches->count, matches->capacity);
                matches->word[matches->count++] = choice[i]; /* no two are equal */
            }
    long long index; /* labels have one, too */
    if (matches->count == 0 && option_whole(typed, &index) && index >= 0 &&
        index < axis->size)
        matches_add(matches, typed);
}

/* Behind a value that is whole: the next axis, or the end. */
static void offer_end(Matches *matches, const Items *items, int axis,
                      const char *typed) {
    if (matches->count != 1 || strcmp(matches->word[0], typed) != 0) return;
    bool more = false;
    for (int a = 0; a < items->tensor->rank; a++)
        more = more || (a != axis && a != tensor_axis(items->tensor, "batch") &&
                        is_open(items, a));
    matches->word[0] = arena_print(matches->arena, "%s%s", typed, more ? ", " : "]");
}

/* A match stands for `part`; what replaces `word` is more than it, or the end of it. */
static void replace_part(Matches *matches, const char *word, const char *part) {
    size_t word_length = strlen(word);
    size_t length = strlen(part);
    int count = 0;
    for (int i = 0; i < matches->count; i++) {
        const char *match = matches->word[i];
        size_t cut = length > word_length ? length - word_length : 0;
        if (cut && strncmp(match, part, cut) != 0) continue;
        size_t kept = cut ? 0 : word_length - length;
        matches->word[count++] =
            arena_print(matches->arena, "%.*s%s", (int)kept, word, match + cut);
    }
    matches->count = count;
}

void matches_cell(Matches *matches, const Session *session, const char *line,
                  const char *bracket, const char *word) {
    const Tensor *tensor = tensor_before(session, line, bracket, matches->arena);
    if (!tensor) return;
    const Items items = read_items(tensor, bracket, matches->arena);
    if (!items.equals) {
        offer_axes(matches, &items);
        replace_part(matches, word, items.last);
        return;
    }
    int a = axis_of(tensor, items.last, items.equals, matches->arena);
    const char *typed = items.equals + 1;
    if (a < 0) return;
    offer_values(matches, &tensor->axis[a], session->run->row, typed);
    offer_end(matches, &items, a, typed);
    replace_part(matches, word, typed);
}
