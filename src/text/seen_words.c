#include "text/seen_words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "text/unicode.h"
#include "text/words.h"

enum { LEAST_LETTERS = 2, WRITING_SHARE = 100 }; /* one in a hundred words */

/* Return where character `number` of the word ends. */
static int end_of_letter(const char *word, int length, int number) {
    int end = 0;
    while (number-- > 0 && end < length) {
        int bytes;
        unicode_decode(word + end, (size_t)(length - end), &bytes);
        end += bytes;
    }
    return end;
}

static int count_letters(const char *word, int length) {
    int letters = 0;
    for (int end = 0; end < length; end = end_of_letter(word, length, letters))
        letters++;
    return letters;
}

static bool is_word(const char *word, int length) {
    int bytes;
    return length > 0 &&
           unicode_kind(unicode_decode(word, (size_t)length, &bytes)) == KIND_LETTER;
}

static Writing writing_of(const char *word, int length) {
    int bytes;
    return unicode_writing(unicode_decode(word, (size_t)length, &bytes));
}

static void add_word(SeenWords *seen, const char *word, int length, Arena *arena) {
    int known = seen->words.count;
    if (length > VOCABULARY_WORD_BYTES || !is_word(word, length)) return;
    if (vocabulary_add(&seen->words, word, length, arena) < known) return;
    seen->in_writing[writing_of(word, length)]++;
    int letters = count_letters(word, length);
    for (int n = LEAST_LETTERS; n <= letters; n++)
        vocabulary_add(&seen->beginnings, word, end_of_letter(word, length, n), arena);
}

void seen_words_add(SeenWords *seen, const char *text, Arena *arena) {
    for (int start, end = 0; words_next(text, &start, &end);)
        add_word(seen, text + start, end - start, arena);
}

static bool was_met(const SeenWords *seen, const char *word, int length) {
    if (vocabulary_find(&seen->words, word, length) >= 0) return true;
    int letters = count_letters(word, length);
    int needed = (2 * letters + 2) / 3;
    if (needed < LEAST_LETTERS) needed = LEAST_LETTERS;
    return needed < letters &&
           vocabulary_find(&seen->beginnings, word,
                           end_of_letter(word, length, needed)) >= 0;
}

/* At the start of a sentence, "Yesterday" also counts as "yesterday". */
static bool was_met_in_any_case(const SeenWords *seen, const char *word, int length) {
    char other[VOCABULARY_WORD_BYTES];
    if (was_met(seen, word, length)) return true;
    if (length > VOCABULARY_WORD_BYTES || !isalpha((unsigned char)*word)) return false;
    memcpy(other, word, (size_t)length);
    other[0] = (char)(isupper((unsigned char)*word) ? tolower((unsigned char)*word)
                                                    : toupper((unsigned char)*word));
    return was_met(seen, other, length);
}

WordsMet seen_words_check(const SeenWords *seen, const char *text, Arena *arena) {
    static const char stops[] = ".?!。？！";
    WordsMet met = {0};
    Vocabulary missing = {0};
    bool begins = true; /* at the start of a sentence, if a word follows */
    for (int start, end = 0; words_next(text, &start, &end);) {
        const char *word = text + start;
        int length = end - start;
        if (memmem(stops, strlen(stops), word, (size_t)length)) begins = true;
        if (!is_word(word, length)) continue;
        bool is_apart = start == 0 || text[start - 1] == ' ';
        met.sentences += begins && is_apart;
        begins = begins && !is_apart;
        met.words++;
        met.foreign += seen->in_writing[writing_of(word, length)] * WRITING_SHARE <
                       seen->words.count;
        if (!was_met_in_any_case(seen, word, length))
            vocabulary_add(&missing, word, length, arena);
    }
    met.missing = missing.word;
    met.missing_count = missing.count;
    return met;
}

bool seen_words_read(SeenWords *seen, Bytes bytes, const char *path, Arena *arena,
                     Error *error) {
    *seen = (SeenWords){0};
    for (int number = 1; bytes.size; number++) {
        const char *line = file_line(&bytes, arena);
        size_t length = strlen(line);
        Clean clean = unicode_clean(line, length, arena);
        int first;
        int last = 0;
        if (clean.malformed || length > VOCABULARY_WORD_BYTES ||
            !words_next(clean.text, &first, &last) || first > 0 ||
            last < clean.length || !is_word(clean.text, last))
            return fail(error, "%s:%d: this line is not a word", path, number);
        add_word(seen, clean.text, last, arena);
    }
    return true;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool seen_words_save(const SeenWords *seen, const char *path, Error *error) {
    Arena scratch = {0};
    int count = seen->words.count;
    const char **word = ARENA_ARRAY(&scratch, const char *, count);
    Builder text = {.arena = &scratch};
    for (int w = 0; w < count; w++) word[w] = seen->words.word[w];
    if (count) qsort(word, (size_t)count, sizeof *word, compare);
    for (int w = 0; w < count; w++) build(&text, "%s\n", word[w]);
    bool done = file_save(path, builder_text(&text), (size_t)text.count, true, error);
    arena_free(&scratch);
    return done;
}
