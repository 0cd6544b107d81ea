#include "lesson/token.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "lesson/typed_number.h"
#include "lesson/typed_text.h"
#include "tensor/address.h"
#include "text/label.h"

/* Remove what people write around a token: "token 우산", "[key=·우산]", "우산 토큰". */
static const char *bare_token(const char *typed, Arena *arena) {
    static const char *const words[] = {
        "token", "토큰", "key=", "query=", "source=", "target="};
    const char *normal = typed_normal(typed, arena);
    char *text = arena_copy(arena, normal, strlen(normal));
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        size_t more = strlen(words[w]);
        text += strspn(text, " [");
        size_t length = strlen(text);
        while (length > 1 && strchr(" ]", text[length - 1])) text[--length] = '\0';
        if (length <= more) continue;
        if (strncmp(text, words[w], more) == 0)
            text += more;
        else if (strcmp(text + length - more, words[w]) == 0)
            text[length - more] = '\0';
    }
    text += strspn(text, " ");
    return label_bare(text);
}

/* Return the word whose first piece is at `index`; `*end` is after its last piece. */
static const char *word_at(const Value *of, int index, int *end, Arena *arena) {
    const char *word = label_bare(axis_label(of->axis, of->row, index));
    for (*end = index + 1; *end < of->axis->size; ++*end) {
        const char *label = axis_label(of->axis, of->row, *end);
        if (label_after_space(label) || *label == '<') break;
        word = arena_print(arena, "%s%s", word, label);
    }
    return word;
}

/* Find a piece or, with `words`, a whole word. -1: none; -2: several, including the
 * expected one. */
static int find_token(const Value *expected, const char *bare, bool words,
                      Arena *arena) {
    int found = -1;
    int end = 0;
    for (int t = 0; t < expected->axis->size; t = words ? end : t + 1) {
        const char *label = words ? word_at(expected, t, &end, arena)
                                  : axis_label(expected->axis, expected->row, t);
        int last = words ? end - 1 : t;
        if (!typed_is_same(label_bare(label), bare, "", arena)) continue;
        bool holds_expected = expected->number >= t && expected->number <= last;
        if (found >= 0 && (holds_expected || found == (int)expected->number)) return -2;
        if (found < 0) found = holds_expected ? (int)expected->number : t;
    }
    return found;
}

/* Read an index or an ordinal. -1: not an index of the axis. */
static int read_index(const Axis *axis, const char *bare, Arena *arena) {
    TypedNumber number;
    int index;
    if (!typed_ordinal(bare, &index, arena)) {
        if (!typed_number_read(bare, &number, arena) || number.number[0] < 0 ||
            number.number[0] >= axis->size ||
            number.number[0] != floor(number.number[0]))
            return -1;
        index = (int)number.number[0];
    }
    return index < axis->size ? index : -1;
}

int token_typed(const Value *expected, const char *typed, const char **reply,
                Arena *arena) {
    const Axis *axis = expected->axis;
    const char *bare = bare_token(typed, arena);
    int index = -1;
    *reply = NULL;
    if (label_is(expected->label, typed) ||
        typed_is_same(label_bare(expected->label), bare, "", arena))
        return (int)expected->number;
    if (!axis || !axis->labels) return -1;
    for (int t = 0; strchr(bare, '#') && t < axis->size; t++) /* "at#3" */
        if (typed_is_same(label_bare(address_label(axis, expected->row, t, arena)),
                          bare, "", arena))
            return t;
    for (int words = 0; index == -1 && words < 2; words++)
        index = find_token(expected, bare, words, arena);
    if (index >= 0) return index;
    if (index == -1) index = read_index(axis, bare, arena);
    *reply = index >= 0
                 ? trf(arena, "Token %d, counted from 0, is \"%s\".", index,
                       address_label(axis, expected->row, index, arena))
                 : trf(arena,
                       "Answer with a token of the sentence, its word or its index, "
                       "counted from 0: %s",
                       address_labels(axis, expected->row, 0, axis->size, arena));
    return index;
}
