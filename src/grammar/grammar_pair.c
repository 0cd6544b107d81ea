#include <stdint.h>
#include <string.h>

#include "grammar/grammar_derivation.h"

enum { UNMARKED = 1 }; /* the mark of a word without one */

/* The words of a side, with the labels of their letters. */
typedef struct {
    Letters letters; /* tidied: single spaces, none in front of . , ? ! */
    PairWord *word;
    int words, capacity;
} SideWords;

static bool is_stop(char byte) {
    return byte == '.' || byte == ',' || byte == '?' || byte == '!';
}

/* Slots that are left empty leave two spaces, or one at an end. */
static void tidy(Letters *letters) {
    int count = 0;
    for (int i = 0; i < letters->count; i++) {
        Letter letter = letters->letter[i];
        bool after_space = count == 0 || letters->letter[count - 1].byte == ' ';
        if (letter.byte == ' ' && after_space) continue;
        if (is_stop(letter.byte) && count > 0 && after_space) count--;
        letters->letter[count++] = letter;
    }
    if (count > 0 && letters->letter[count - 1].byte == ' ') count--;
    letters->count = count;
}

static bool starts_with(const Letters *letters, int at, const char *word) {
    int length = (int)strlen(word);
    if (at + length > letters->count) return false;
    for (int i = 0; i < length; i++)
        if (letters->letter[at + i].byte != word[i]) return false;
    return true;
}

static bool one_starts(const Letters *letters, int at, const char *const *word,
                       int count) {
    for (int i = 0; i < count; i++)
        if (starts_with(letters, at, word[i])) return true;
    return false;
}

static bool sounds_like_vowel(const Grammar *grammar, const Letters *letters, int at) {
    if (one_starts(letters, at, grammar->said_with_vowel, grammar->with_vowel))
        return true;
    if (one_starts(letters, at, grammar->said_with_consonant, grammar->with_consonant))
        return false;
    return strchr("aeiouAEIOU", letters->letter[at].byte) != NULL;
}

/* "a apple" becomes "an apple". */
static void fit_articles(const Grammar *grammar, Arena *arena, Letters *letters) {
    Letters fitted = {0};
    for (int i = 0; i < letters->count; i++) {
        ARENA_GROW(arena, fitted.letter, fitted.count, fitted.capacity);
        fitted.letter[fitted.count++] = letters->letter[i];
        bool starts = i == 0 || letters->letter[i - 1].byte == ' ';
        if (!starts || !starts_with(letters, i, "a ")) continue;
        if (i + 2 >= letters->count || !sounds_like_vowel(grammar, letters, i + 2))
            continue;
        ARENA_GROW(arena, fitted.letter, fitted.count, fitted.capacity);
        fitted.letter[fitted.count++] = (Letter){'n', letters->letter[i].label};
    }
    *letters = fitted;
}

static void find_words(Arena *arena, SideWords *side) {
    const Letters *letters = &side->letters;
    for (int start = 0, end; start < letters->count; start = end) {
        end = start + 1;
        if (letters->letter[start].byte == ' ') continue;
        if (!is_stop(letters->letter[start].byte))
            while (end < letters->count && letters->letter[end].byte != ' ' &&
                   !is_stop(letters->letter[end].byte))
                end++;
        ARENA_GROW(arena, side->word, side->words, side->capacity);
        side->word[side->words++] = (PairWord){.start = start, .end = end};
    }
}

static bool write_side(const Grammar *grammar, const Derivation *sentence,
                       const char *field, Arena *arena, SideWords *side, Error *error) {
    const char *text = grammar_field(sentence->chosen, field);
    if (!text) return fail(error, "%s: a sentence without '%s'", grammar->path, field);
    if (!grammar_write(sentence, text, arena, &side->letters, error)) {
        Error inner = *error;
        return fail(error, "%s: '%s': %s", grammar->path, text, inner.message);
    }
    tidy(&side->letters);
    if (side->letters.count < 1)
        return fail(error, "%s: '%s' gives nothing", grammar->path, text);
    fit_articles(grammar, arena, &side->letters);
    char *first = &side->letters.letter[0].byte;
    if (*first >= 'a' && *first <= 'z') *first = (char)(*first - 'a' + 'A');
    find_words(arena, side);
    return true;
}

static bool is_function_word(const Grammar *grammar, const SideWords *side,
                             PairWord word) {
    for (int i = 0; i < grammar->function_words; i++) {
        const char *function = grammar->function_word[i];
        if ((int)strlen(function) != word.end - word.start) continue;
        int same = 0;
        while (function[same] && (side->letters.letter[word.start + same].byte | ' ') ==
                                     (function[same] | ' '))
            same++;
        if (!function[same]) return true;
    }
    return false;
}

/* A function word is known by what it does, not by what it translates: only a mark of
 * its own makes it translate something. */
static void unmark_function_words(const Grammar *grammar, SideWords *side) {
    for (int i = 0; i < side->words; i++) {
        if (!is_function_word(grammar, side, side->word[i])) continue;
        for (int j = side->word[i].start; j < side->word[i].end; j++)
            if (side->letters.letter[j].label % 10 == UNMARKED)
                side->letters.letter[j].label = 0;
    }
}

static bool share_label(const SideWords *from, PairWord word, const SideWords *to,
                        PairWord other) {
    for (int i = word.start; i < word.end; i++)
        for (int j = other.start; j < other.end; j++)
            if (from->letters.letter[i].label &&
                from->letters.letter[i].label == to->letters.letter[j].label)
                return true;
    return false;
}

/* Each word of `from` is aligned to the words of `to` with the same label. */
static void align(SideWords *from, const SideWords *to, Arena *arena) {
    for (int i = 0; i < from->words; i++) {
        PairWord *word = &from->word[i];
        int *aligned = NULL;
        int capacity = 0;
        for (int j = 0; j < to->words; j++) {
            if (!share_label(from, *word, to, to->word[j])) continue;
            ARENA_GROW(arena, aligned, word->alignments, capacity);
            aligned[word->alignments++] = j;
        }
        word->aligned = aligned;
    }
}

static PairSide side_text(Arena *arena, const SideWords *side) {
    char *text = arena_take(arena, (size_t)side->letters.count + 1);
    for (int i = 0; i < side->letters.count; i++)
        text[i] = side->letters.letter[i].byte;
    return (PairSide){text, side->word, side->words};
}

Split grammar_split(const Grammar *grammar, const char *cell) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = cell; *c; c++) {
        hash ^= (unsigned char)*c;
        hash *= 0x100000001b3u;
    }
    /* The low bits of FNV-1a depend on few letters; the high ones on all. */
    int number = (int)((hash >> 32) % 1000);
    if (number < grammar->share[SPLIT_TEST]) return SPLIT_TEST;
    number -= grammar->share[SPLIT_TEST];
    return number < grammar->share[SPLIT_VALIDATION] ? SPLIT_VALIDATION
                                                     : SPLIT_TRAINING;
}

static bool split(const Grammar *grammar, const Derivation *sentence, Arena *arena,
                  SentencePair *pair, Error *error) {
    pair->split = SPLIT_TRAINING;
    pair->cells = "";
    for (int i = 0; i < sentence->chosen->cells; i++) {
        const char *cell;
        if (!grammar_text(sentence, sentence->chosen->cell[i], arena, &cell, error))
            return false;
        if (!*cell) continue;
        Split of_cell = grammar_split(grammar, cell);
        if (of_cell > pair->split) pair->split = of_cell;
        pair->cells =
            *pair->cells ? arena_print(arena, "%s | %s", pair->cells, cell) : cell;
    }
    return true;
}

bool grammar_pair(const Grammar *grammar, const Derivation *sentence, Arena *arena,
                  SentencePair *pair, Error *error) {
    SideWords source = {0}, target = {0};
    if (!write_side(grammar, sentence, grammar->source, arena, &source, error) ||
        !write_side(grammar, sentence, grammar->target, arena, &target, error) ||
        !split(grammar, sentence, arena, pair, error))
        return false;
    unmark_function_words(grammar, &source);
    unmark_function_words(grammar, &target);
    align(&source, &target, arena);
    align(&target, &source, arena);
    pair->source = side_text(arena, &source);
    pair->target = side_text(arena, &target);
    return true;
}
