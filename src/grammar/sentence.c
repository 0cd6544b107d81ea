#include <stdint.h>
#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "grammar/derivation.h"
#include "text/vocabulary.h"

enum { UNMARKED = 1 }; /* the mark of a word without one */

/* The words of a side, with the labels of their letters. */
typedef struct {
    Letters letters; /* tidied: single spaces, none before . , ? ! */
    PairWord *word;
    int words, capacity;
} SideWords;

static bool is_stop(char byte) {
    return byte == '.' || byte == ',' || byte == '?' || byte == '!';
}

static bool starts_with(const Letters *letters, int at, const char *word) {
    int length = (int)strlen(word);
    if (at + length > letters->count) return false;
    for (int i = 0; i < length; i++)
        if (letters->letter[at + i].byte != word[i]) return false;
    return true;
}

static bool sounds_like_vowel(const Grammar *grammar, const Letters *letters, int at) {
    for (int i = 0; i < grammar->with_vowel; i++)
        if (starts_with(letters, at, grammar->said_with_vowel[i])) return true;
    for (int i = 0; i < grammar->with_consonant; i++)
        if (starts_with(letters, at, grammar->said_with_consonant[i])) return false;
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

static bool write_side(const Grammar *grammar, const Derivation *sentence,
                       const char *field, Arena *arena, SideWords *side, Error *error) {
    Letters *letters = &side->letters;
    const char *text = grammar_field(sentence->chosen, field);
    if (!text) return fail(error, "%s: a sentence has no '%s'", grammar->path, field);
    if (!derivation_write(sentence, text, arena, letters, error)) {
        Error inner = *error;
        return fail(error, "%s: '%s': %s", grammar->path, text, inner.message);
    }
    /* Empty slots leave two spaces, or one at an end. */
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
    if (letters->count < 1)
        return fail(error, "%s: '%s' produces nothing", grammar->path, text);
    fit_articles(grammar, arena, letters);
    char *first = &letters->letter[0].byte;
    if (!grammar_field(sentence->chosen, "lower") && *first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
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

/* A function word has a grammatical role rather than a translation: it translates
 * something only if it has an explicit mark. */
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

/* Align each word of `from` with the words of `to` that have the same label. */
static void align(SideWords *from, const SideWords *to, Arena *arena) {
    for (int i = 0; i < from->words; i++) {
        PairWord *word = &from->word[i];
        int *aligned = NULL;
        int count = 0;
        int capacity = 0;
        for (int j = 0; j < to->words; j++) {
            if (!share_label(from, *word, to, to->word[j])) continue;
            ARENA_GROW(arena, aligned, count, capacity);
            aligned[count++] = j;
        }
        word->aligned = aligned;
        word->alignments = count;
    }
}

Split grammar_split(const Grammar *grammar, const char *cell) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const char *c = cell; *c; c++) {
        hash ^= (unsigned char)*c;
        hash *= 0x100000001b3u;
    }
    /* The low bits of FNV-1a depend on few letters, the high ones on all. */
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
        if (!derivation_text(sentence, sentence->chosen->cell[i], arena, &cell, error))
            return false;
        if (!*cell) continue;
        Split of_cell = grammar_split(grammar, cell);
        if (of_cell > pair->split) pair->split = of_cell;
        pair->cells =
            *pair->cells ? arena_print(arena, "%s | %s", pair->cells, cell) : cell;
    }
    return true;
}

bool grammar_sentence(const Grammar *grammar, Random *random, Arena *arena,
                      SentencePair *pair, Error *error) {
    Derivation sentence;
    SideWords source = {0}, target = {0};
    if (!derivation_draw(grammar, random, arena, &sentence, error) ||
        !write_side(grammar, &sentence, grammar->source, arena, &source, error) ||
        (grammar->target &&
         !write_side(grammar, &sentence, grammar->target, arena, &target, error)) ||
        !split(grammar, &sentence, arena, pair, error))
        return false;
    pair->nats = derivation_nats(&sentence);
    unmark_function_words(grammar, &source);
    unmark_function_words(grammar, &target);
    align(&source, &target, arena);
    align(&target, &source, arena);
    pair->source =
        (PairSide){letters_text(&source.letters, arena), source.word, source.words};
    pair->target =
        (PairSide){letters_text(&target.letters, arena), target.word, target.words};
    return true;
}

enum { TRIES = 400 }; /* draws per sentence before giving up */

typedef struct {
    const Grammar *grammar;
    bool reversed;
    Random random;
    FileSave file[SPLITS];
    int written[SPLITS];
    double nats[SPLITS]; /* of all sentences written */
    Vocabulary seen;     /* the sentences already written */
    Vocabulary words;    /* in the training sentences, both sides */
    int *times;          /* how often each of them occurs */
    int capacity;
    Arena arena;   /* for the whole export */
    Arena scratch; /* for one sentence */
} Export;

/* Write the alignment: "2"; "1+2" for a word that translates two; "-1" for none. */
static void write_line(Export *export, const SentencePair *pair) {
    FILE *stream = export->file[pair->split].stream;
    const PairSide *source = export->reversed ? &pair->target : &pair->source;
    const PairSide *target = export->reversed ? &pair->source : &pair->target;
    export->written[pair->split]++;
    export->nats[pair->split] += pair->nats;
    if (!export->grammar->target) {
        fprintf(stream, "%s\n", source->text);
        return;
    }
    fprintf(stream, "%s\t%s\t", source->text, target->text);
    for (int i = 0; i < target->words; i++) {
        const PairWord *word = &target->word[i];
        fprintf(stream, "%s%s", i ? " " : "", word->alignments ? "" : "-1");
        for (int a = 0; a < word->alignments; a++)
            fprintf(stream, "%s%d", a ? "+" : "", word->aligned[a]);
    }
    fputc('\n', stream);
}

static void count_words(Export *export, const PairSide *side) {
    for (int i = 0; i < side->words; i++) {
        PairWord word = side->word[i];
        int known = export->words.count;
        int id = vocabulary_add(&export->words, side->text + word.start,
                                word.end - word.start, &export->arena);
        ARENA_GROW(&export->arena, export->times, known, export->capacity);
        if (id == known) export->times[id] = 0;
        export->times[id]++;
    }
}

static bool knows_words(const Export *export, const PairSide *side) {
    for (int i = 0; i < side->words; i++) {
        PairWord word = side->word[i];
        int id = vocabulary_find(&export->words, side->text + word.start,
                                 word.end - word.start);
        if (id < 0 || export->times[id] < export->grammar->word_at_least) return false;
    }
    return true;
}

/* Write the training sentences first: the others have new combinations, but only words
 * that occur in training. */
static bool write_sentences(Export *export, Error *error) {
    const Grammar *grammar = export->grammar;
    const int *written = export->written;
    long long total = 0;
    for (int i = 0; i < SPLITS; i++) total += grammar->size[i];
    for (long long draws = 0, left = total; left; draws++) {
        if (draws == TRIES * total)
            return fail(error,
                        "%s: %lld draws gave only %d, %d and %d distinct sentences "
                        "for training, validation and test; request fewer",
                        grammar->path, draws, written[SPLIT_TRAINING],
                        written[SPLIT_VALIDATION], written[SPLIT_TEST]);
        SentencePair pair;
        arena_reset(&export->scratch);
        if (!interrupt_none(error) ||
            !grammar_sentence(grammar, &export->random, &export->scratch, &pair, error))
            return false;
        bool learns = pair.split == SPLIT_TRAINING;
        if (written[pair.split] >= grammar->size[pair.split]) continue;
        if (!learns &&
            (written[SPLIT_TRAINING] < grammar->size[SPLIT_TRAINING] ||
             !knows_words(export, &pair.source) || !knows_words(export, &pair.target)))
            continue;
        int known = export->seen.count;
        const char *text = pair.source.text;
        vocabulary_add(&export->seen, text, (int)strlen(text), &export->arena);
        if (export->seen.count == known) continue;
        write_line(export, &pair);
        left--;
        if (!learns) continue;
        count_words(export, &pair.source);
        count_words(export, &pair.target);
    }
    return true;
}

bool grammar_export(const Grammar *grammar, const char *folder, bool reversed,
                    bool replace, double nats[SPLITS], Error *error) {
    if (reversed && !grammar->target)
        return fail(error, "%s has no 'target', so there is nothing to reverse",
                    grammar->path);
    Export export = {.grammar = grammar,
                     .reversed = reversed,
                     .random = random_new((uint64_t)grammar->seed)};
    bool is_new = !file_exists(folder);
    bool done = file_make_folder(folder, error);
    for (int i = 0; done && i < SPLITS; i++) {
        const char *name = arena_print(&export.arena, "%s.tsv", split_names[i]);
        done = file_save_begin(&export.file[i], file_join(&export.arena, folder, name),
                               replace, error);
    }
    done = done && write_sentences(&export, error);
    for (int i = 0; nats && i < SPLITS; i++)
        nats[i] = export.written[i] ? export.nats[i] / export.written[i] : 0;
    for (int i = 0; i < SPLITS; i++)
        if (done)
            done = file_save_end(&export.file[i], error);
        else
            file_save_abandon(&export.file[i]);
    if (!done && is_new) file_remove(folder, true); /* if it is empty */
    arena_free(&export.scratch);
    arena_free(&export.arena);
    return done;
}
