#include <string.h>

#include "base/file.h"
#include "base/interrupt.h"
#include "grammar/grammar.h"
#include "text/vocabulary.h"

enum { TRIES = 400 }; /* draws for each sentence wanted, before giving up */

typedef struct {
    const Grammar *grammar;
    bool reversed;
    Random random;
    FileSave file[SPLITS];
    int written[SPLITS];
    Vocabulary seen;  /* the sentences that are in a file */
    Vocabulary words; /* of the training's sentences, both sides */
    int *times;       /* how often each of them is there */
    int capacity;
    Arena arena;   /* of the whole export */
    Arena scratch; /* of one sentence */
} Export;

/* "2", "1+2" of a word that translates two, "-1" of one that translates none. */
static void write_alignment(const PairWord *word, FILE *stream) {
    if (word->alignments == 0) fputs("-1", stream);
    for (int a = 0; a < word->alignments; a++)
        fprintf(stream, "%s%d", a ? "+" : "", word->aligned[a]);
}

static void write_line(Export *export, const SentencePair *pair) {
    FILE *stream = export->file[pair->split].stream;
    const PairSide *source = export->reversed ? &pair->target : &pair->source;
    const PairSide *target = export->reversed ? &pair->source : &pair->target;
    fprintf(stream, "%s\t%s\t", source->text, target->text);
    for (int i = 0; i < target->words; i++) {
        if (i) fputc(' ', stream);
        write_alignment(&target->word[i], stream);
    }
    fputc('\n', stream);
    export->written[pair->split]++;
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

/* The training's sentences come first: the others, whose combinations are new, have
 * only words that it has. */
static bool is_wanted(const Export *export, const SentencePair *pair) {
    const Grammar *grammar = export->grammar;
    if (export->written[pair->split] >= grammar->size[pair->split]) return false;
    if (pair->split == SPLIT_TRAINING) return true;
    return export->written[SPLIT_TRAINING] == grammar->size[SPLIT_TRAINING] &&
           knows_words(export, &pair->source) && knows_words(export, &pair->target);
}

static bool is_new(Export *export, const SentencePair *pair) {
    int known = export->seen.count;
    const char *text = pair->source.text;
    vocabulary_add(&export->seen, text, (int)strlen(text), &export->arena);
    return export->seen.count > known;
}

static bool is_full(const Export *export) {
    for (int i = 0; i < SPLITS; i++)
        if (export->written[i] < export->grammar->size[i]) return false;
    return true;
}

static bool write_sentences(Export *export, Error *error) {
    const Grammar *grammar = export->grammar;
    long long wanted = 0;
    for (int i = 0; i < SPLITS; i++) wanted += grammar->size[i];
    for (long long draws = 0; !is_full(export); draws++) {
        if (draws == TRIES * wanted)
            return fail(error,
                        "%s: %lld draws give %d, %d and %d distinct sentences for "
                        "training, validation and test: ask for fewer",
                        grammar->path, draws, export->written[SPLIT_TRAINING],
                        export->written[SPLIT_VALIDATION], export->written[SPLIT_TEST]);
        SentencePair pair;
        arena_reset(&export->scratch);
        if (!interrupt_none(error) ||
            !grammar_sentence(grammar, &export->random, &export->scratch, &pair, error))
            return false;
        if (!is_wanted(export, &pair) || !is_new(export, &pair)) continue;
        write_line(export, &pair);
        if (pair.split != SPLIT_TRAINING) continue;
        count_words(export, &pair.source);
        count_words(export, &pair.target);
    }
    return true;
}

static bool open_files(Export *export, const char *folder, bool replace, Error *error) {
    if (!file_make_folder(folder, error)) return false;
    for (int i = 0; i < SPLITS; i++) {
        const char *name = arena_print(&export->arena, "%s.tsv", split_names[i]);
        const char *path = file_join(&export->arena, folder, name);
        if (!file_save_begin(&export->file[i], path, replace, error)) return false;
    }
    return true;
}

bool grammar_export(const Grammar *grammar, const char *folder, bool reversed,
                    bool replace, Error *error) {
    Export export = {.grammar = grammar,
                     .reversed = reversed,
                     .random = random_new((uint64_t)grammar->seed)};
    bool done =
        open_files(&export, folder, replace, error) && write_sentences(&export, error);
    for (int i = 0; i < SPLITS; i++)
        if (done)
            done = file_save_end(&export.file[i], error);
        else
            file_save_abandon(&export.file[i]);
    arena_free(&export.scratch);
    arena_free(&export.arena);
    return done;
}
