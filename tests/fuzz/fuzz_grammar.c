/* A grammar: its main file, and the file "words.json" that it may name. Some sentences
 * are drawn from it. */
#include "fuzz.h"
#include "grammar/grammar.h"

enum { SENTENCES = 4 };

static void check_side(const PairSide *side, const PairSide *other) {
    int length = (int)strlen(side->text);
    for (int w = 0; w < side->words; w++) {
        const PairWord *word = &side->word[w];
        MUST(word->start >= 0 && word->start < word->end && word->end <= length);
        for (int a = 0; a < word->alignments; a++)
            MUST(word->aligned[a] >= 0 && word->aligned[a] < other->words);
    }
}

static void draw(const Grammar *grammar, Arena *arena) {
    Random random = random_new(1);
    for (int s = 0; s < SENTENCES; s++) {
        SentencePair pair = {0};
        Error error = {0};
        if (!grammar_sentence(grammar, &random, arena, &pair, &error)) {
            MUST(*error.message);
            return;
        }
        check_side(&pair.source, &pair.target);
        check_side(&pair.target, &pair.source);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int head = -1;
    static int words;
    if (head < 0) {
        head = fuzz_file("head.json");
        words = fuzz_file("words.json");
    }
    Bytes rest = {(const char *)data, size};
    const char *path = fuzz_fill(head, fuzz_part(&rest));
    fuzz_fill(words, rest);
    Arena arena = {0};
    Grammar *grammar;
    Error error = {0};
    if (grammar_read(path, &arena, &grammar, &error))
        draw(grammar, &arena);
    else
        MUST(*error.message);
    arena_free(&arena);
    return 0;
}
