/* vocab.json and merges.txt, and a sentence for them: its tokens must cover it, and
 * byte pairs must reproduce it. The first byte selects the kind. */
#include "fuzz.h"
#include "text/tokenizer.h"

enum { WORDS_OR_PAIRS = 1, OTHER_IDS = 2 };

static void check_tokens(const Tokenizer *tokenizer, Clean clean, const Tokens *tokens,
                         Arena *arena) {
    int *id = ARENA_ARRAY(arena, int, tokens->count);
    int end = 0;
    for (int t = 0; t < tokens->count; t++) {
        const Token *token = &tokens->token[t];
        MUST(token->start >= end && token->end > token->start);
        MUST(tokenizer->kind == TOKENIZER_WORDS || token->start == end);
        must_be_safe(token->label, strlen(token->label), false);
        end = token->end;
        id[t] = token->id;
    }
    MUST(end <= clean.length);
    const char *text = tokenizer_decode(tokenizer, id, tokens->count, arena);
    if (tokenizer->kind == TOKENIZER_BPE) MUST(strcmp(text, clean.text) == 0);
}

static void use(const Tokenizer *tokenizer, Bytes sentence, Arena *arena) {
    const Vocabulary *vocabulary = &tokenizer->vocabulary;
    for (int id = 0; id < vocabulary->count; id++) {
        const char *label = tokenizer_label(tokenizer, id);
        must_be_safe(label, strlen(label), false);
        MUST(vocabulary_find(vocabulary, vocabulary->word[id],
                             vocabulary->length[id]) == id);
    }
    Clean clean = unicode_clean(sentence.bytes, sentence.size, arena);
    Tokens tokens;
    Error error;
    if (!tokenizer_encode(tokenizer, clean.text, clean.length, arena, &tokens, &error))
        return;
    check_tokens(tokenizer, clean, &tokens, arena);
    if (tokenizer->kind != TOKENIZER_BPE || clean.length == 0) return;
    MergeStep *step;
    int piece = bytepair_piece(clean.text, clean.length);
    int *id = ARENA_ARRAY(arena, int, piece);
    int *bytes = ARENA_ARRAY(arena, int, piece);
    bytepair_begin(&tokenizer->merges, clean.text, piece, id, bytes);
    bytepair_watch(&tokenizer->merges, id, bytes, piece, &step, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int words = -1;
    static int merges;
    if (words < 0) {
        words = fuzz_file("vocab.json");
        merges = fuzz_file("merges.txt");
    }
    Bytes rest = {(const char *)data, size};
    int choice = fuzz_choice(&rest);
    fuzz_fill(words, fuzz_part(&rest));
    fuzz_fill(merges, fuzz_part(&rest));
    Arena arena = {0};
    Error error = {0};
    Tokenizer tokenizer = {
        .kind = choice & WORDS_OR_PAIRS ? TOKENIZER_BPE : TOKENIZER_WORDS,
        .special = {0, 1, 2, 3, -1},
    };
    if (choice & OTHER_IDS) tokenizer.special = (SpecialIds){3, 256, 0, 1, -1};
    if (tokenizer_load(&tokenizer, fuzz_folder, "", &arena, &error))
        use(&tokenizer, rest, &arena);
    else
        MUST(*error.message);
    arena_free(&arena);
    return 0;
}
