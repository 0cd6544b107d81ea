#include "text/words.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "text/unicode.h"

/* Return the kind of the character at `text`, and its length. A whole emoji, or a
 * letter with its marks, counts as one. */
static Kind letter_at(const char *text, int *bytes) {
    enum { LONGEST = 4 };
    int ignored;
    *bytes = unicode_grapheme(text);
    return unicode_kind(unicode_decode(text, LONGEST, &ignored));
}

bool words_next(const char *text, int *start, int *end) {
    int bytes;
    while (text[*end] && letter_at(text + *end, &bytes) == KIND_SPACE) *end += bytes;
    *start = *end;
    for (; text[*end]; *end += bytes) {
        Kind kind = letter_at(text + *end, &bytes);
        if (kind == KIND_SPACE) break;
        if (kind == KIND_OTHER) {
            if (*end == *start) *end += bytes;
            break;
        }
    }
    return *end > *start;
}

typedef struct {
    int id, times;
} Counted;

static int more_frequent_first(const void *one, const void *other) {
    const Counted *a = one;
    const Counted *b = other;
    if (a->times != b->times) return a->times > b->times ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

bool words_learn(const TextToLearn *from, Vocabulary *vocabulary, Arena *arena,
                 Error *error) {
    *vocabulary = (Vocabulary){0};
    for (const char *const *word = from->special; *word; word++)
        vocabulary_add(vocabulary, *word, (int)strlen(*word), arena);
    if (from->words <= vocabulary->count)
        return fail(error, "a word vocabulary needs at least %d words; found %d",
                    vocabulary->count + 1, from->words);
    if (from->size >= INT_MAX / 3)
        return fail(error, "the text has %zu bytes; the limit for learning is %d",
                    from->size, INT_MAX / 3);
    Arena scratch = {0};
    Vocabulary all = {0};
    Clean clean = unicode_clean(from->text, from->size, &scratch);
    /* The distinct words of the text, and how often each occurs. */
    Counted *counted = NULL;
    int capacity = 0;
    for (int start, end = 0;
         words_next(clean.text, &start, &end) && !interrupt_signal();) {
        if (end - start > VOCABULARY_WORD_BYTES) continue;
        int count = all.count;
        int id = vocabulary_add(&all, clean.text + start, end - start, &scratch);
        if (id == count) {
            ARENA_GROW(&scratch, counted, count, capacity);
            counted[id].id = id;
        }
        assert(counted);
        counted[id].times++;
    }
    if (all.count)
        qsort(counted, (size_t)all.count, sizeof *counted, more_frequent_first);
    for (int i = 0; i < all.count && vocabulary->count < from->words; i++)
        vocabulary_add(vocabulary, all.word[counted[i].id], all.length[counted[i].id],
                       arena);
    arena_free(&scratch);
    return interrupt_none(error);
}

static const char *const closing[] = {".", ",", "?", "!", ":", ";",
                                      ")", "]", "}", "”", "’", NULL};
static const char *const opening[] = {"(", "[", "{", "“", "‘", NULL};

static bool is_one_of(const char *const *list, const char *word) {
    while (*list && strcmp(*list, word) != 0) list++;
    return *list;
}

bool words_have_space(const char *before, const char *word) {
    return before && !is_one_of(opening, before) && !is_one_of(closing, word);
}
