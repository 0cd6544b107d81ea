#include "explain/alignment.h"

#include <ctype.h>
#include <string.h>

#include "explain/shown_tokens.h"
#include "text/label.h"

struct KnownAlignment {
    const char *const *before, *const *after;
    int size_before, size_after;
    const Alignment *alignment;
};

/* The tokens along an axis, grouped into words. */
typedef struct {
    const char **label;
    int *start; /* first token of each word, and `tokens` at index `words` */
    int words;
} Words;

/* Return true if the token has letters, so it can be a piece of a word. */
static bool is_of_letters(const char *label) {
    const char *bare = label_bare(label);
    const size_t bytes = strspn(bare + 1, "0123456789ABCDEF "); /* as in <EB 82> */
    return isalnum((unsigned char)*bare) || (unsigned char)*bare >= 0x80 ||
           strncmp(bare, "##", 2) == 0 ||
           (*bare == '<' && bytes > 0 && bare[1 + bytes] == '>');
}

bool token_continues(const Axis *axis, int row, int index) {
    const char *label = axis_label(axis, row, index);
    const char *before = index > 0 ? axis_label(axis, row, index - 1) : NULL;
    return label && before && !label_after_space(label) && is_of_letters(label) &&
           is_of_letters(before);
}

static Words words_of(const Axis *axis, int row, Arena *arena) {
    Words words = {.label = ARENA_ARRAY(arena, const char *, axis->size),
                   .start = ARENA_ARRAY(arena, int, axis->size + 1)};
    for (int i = 0; i < axis->size; i++) {
        const char *label = axis_label(axis, row, i);
        words.label[i] = label ? label : "";
        if (!token_continues(axis, row, i)) words.start[words.words++] = i;
    }
    words.start[words.words] = axis->size;
    return words;
}

static bool same_word(const Words *a, int i, const Words *b, int j) {
    const int length = a->start[i + 1] - a->start[i];
    if (b->start[j + 1] - b->start[j] != length) return false;
    for (int t = 0; t < length; t++)
        if (strcmp(a->label[a->start[i] + t], b->label[b->start[j] + t]) != 0)
            return false;
    return true;
}

/* An alignment of two sentences in progress. */
typedef struct {
    Words before, after;
    Partners *pair;
    int count, alone;
    int common; /* number of common words with letters */
} Aligning;

/* Add word `i` of the run before and word `j` of the run after; NOWHERE: no partner. */
static void put(Aligning *aligning, int i, int j) {
    const Words *words = i == NOWHERE ? &aligning->after : &aligning->before;
    const int *start = &words->start[i == NOWHERE ? j : i];
    const int other = j == NOWHERE ? 0 : aligning->after.start[j];
    for (int t = 0; t < start[1] - start[0]; t++)
        aligning->pair[aligning->count++] = (Partners){
            i == NOWHERE ? NOWHERE : start[0] + t, j == NOWHERE ? NOWHERE : other + t};
    if (i == NOWHERE || j == NOWHERE)
        aligning->alone += start[1] - start[0];
    else
        aligning->common += is_of_letters(words->label[*start]);
}

/* Align the words [from, to) of both runs. length[i][j] is the length of the longest
 * common subsequence starting at i and j. */
static void put_middle(Aligning *aligning, const int from, const int to[2]) {
    const size_t max = 1 << 22; /* larger tables take too long */
    const int rows = to[0] - from;
    const int columns = to[1] - from;
    const size_t wide = (size_t)columns + 1;
    Arena arena = {0};
    int *length = NULL;
    if ((size_t)rows * wide < max)
        length = ARENA_ARRAY(&arena, int, ((size_t)rows + 1) * wide);
    for (int i = rows - 1; length && i >= 0; i--)
        for (int j = columns - 1; j >= 0; j--) {
            int *at = &length[(size_t)i * wide + (size_t)j];
            *at = at[wide] > at[1] ? at[wide] : at[1];
            if (same_word(&aligning->before, from + i, &aligning->after, from + j))
                *at = at[wide + 1] + 1;
        }
    for (int i = 0, j = 0; i < rows || j < columns;) {
        const int *at = length ? &length[(size_t)i * wide + (size_t)j] : NULL;
        if (at && i < rows && j < columns &&
            same_word(&aligning->before, from + i, &aligning->after, from + j))
            put(aligning, from + i++, from + j++);
        else if (i < rows && (j == columns || !at || at[wide] >= at[1]))
            put(aligning, from + i++, NOWHERE);
        else
            put(aligning, NOWHERE, from + j++);
    }
    arena_free(&arena);
}

static int words_of_letters(const Words *words) {
    int count = 0;
    for (int w = 0; w < words->words; w++)
        count += is_of_letters(words->label[words->start[w]]);
    return count;
}

static Alignment by_words(const Alignments *alignments, const Axis *before,
                          const Axis *after) {
    Arena *arena = alignments->arena;
    Aligning aligning = {.before = words_of(before, alignments->row_before, arena),
                         .after = words_of(after, alignments->row_after, arena)};
    const Words *a = &aligning.before;
    const Words *b = &aligning.after;
    aligning.pair = ARENA_ARRAY(arena, Partners, before->size + after->size);
    int from = 0;
    int to[] = {a->words, b->words};
    while (from < to[0] && from < to[1] && same_word(a, from, b, from)) from++;
    while (to[0] > from && to[1] > from && same_word(a, to[0] - 1, b, to[1] - 1))
        to[0]--, to[1]--;
    for (int w = 0; w < from; w++) put(&aligning, w, w);
    put_middle(&aligning, from, to);
    for (int w = to[0]; w < a->words; w++) put(&aligning, w, w - to[0] + to[1]);
    return (Alignment){.pair = aligning.pair,
                       .count = aligning.count,
                       .alone = aligning.alone,
                       .is_void = !aligning.common && words_of_letters(a) &&
                                  words_of_letters(b)};
}

static bool same_labels(const Axis *before, const Axis *after) {
    if (before->labels == after->labels) return true;
    if (!before->labels || !after->labels) return false;
    for (int i = 0; i < before->size; i++)
        if (strcmp(before->labels[i], after->labels[i]) != 0) return false;
    return true;
}

/* Align by index, up to the shorter size. Sentences without labels, and their
 * positions, may differ in length; in a batch, the first sentence is compared. */
static Alignment by_index(const Axis *before, const Axis *after, Arena *arena) {
    const int max = before->size > after->size ? before->size : after->size;
    const int min = before->size + after->size - max;
    const bool is_batch = strcmp(before->name, "batch") == 0;
    const bool same_size = max == min;
    Partners *pair = ARENA_ARRAY(arena, Partners, max);
    for (int i = 0; i < max; i++)
        pair[i] =
            (Partners){i < before->size ? i : NOWHERE, i < after->size ? i : NOWHERE};
    const bool is_void = !is_of_tokens(before) && !is_batch &&
                         (!same_size || !same_labels(before, after));
    return (Alignment){.pair = pair,
                       .count = is_void                  ? 0
                                : is_batch && !same_size ? 1
                                                         : max,
                       .alone = is_void || is_batch ? 0 : max - min,
                       .is_void = is_void};
}

const Alignment *alignment_of(Alignments *alignments, const Axis *before,
                              const Axis *after) {
    for (int k = 0; k < alignments->count; k++) {
        const struct KnownAlignment *known = &alignments->known[k];
        if (before->labels && known->before == before->labels &&
            known->after == after->labels && known->size_before == before->size &&
            known->size_after == after->size)
            return known->alignment;
    }
    const bool words = is_of_tokens(before) && before->labels && after->labels;
    Alignment *made = ARENA_ARRAY(alignments->arena, Alignment, 1);
    *made = words ? by_words(alignments, before, after)
                  : by_index(before, after, alignments->arena);
    if (!before->labels) return made;
    ARENA_GROW(alignments->arena, alignments->known, alignments->count,
               alignments->capacity);
    alignments->known[alignments->count++] = (struct KnownAlignment){
        before->labels, after->labels, before->size, after->size, made};
    return made;
}

bool alignment_tensors(Alignments *alignments, const Tensor *before,
                       const Tensor *after, const Alignment *along[RANK_MAX]) {
    if (before->rank != after->rank) return false;
    for (int a = 0; a < after->rank; a++) {
        along[a] = alignment_of(alignments, &before->axis[a], &after->axis[a]);
        if (along[a]->count == 0 ||
            strcmp(before->axis[a].name, after->axis[a].name) != 0)
            return false;
    }
    return true;
}

bool alignment_cells(const Alignment *const *along, int axes, const int *at,
                     const Tensor *const tensor[2], int cell[2]) {
    cell[0] = cell[1] = 0;
    for (int a = 0; a < axes; a++) {
        const Partners pair = along[a]->pair[at[a]];
        if (pair.before == NOWHERE || pair.after == NOWHERE) return false;
        cell[0] += pair.before * tensor_stride(tensor[0], a);
        cell[1] += pair.after * tensor_stride(tensor[1], a);
    }
    return true;
}

bool alignment_next(const Alignment *const *along, int axes, int *at) {
    for (int a = axes - 1; a >= 0; a--) {
        if (++at[a] < along[a]->count) return true;
        at[a] = 0;
    }
    return false;
}
