/* tokenizer.json, and a sentence for what it makes: refused with a sentence, or its
 * tokens lie in the sentence in order, and have a text. */
#include "fuzz.h"
#include "text/tokenizer.h"

static void use(const Tokenizer *tokenizer, Bytes sentence, Arena *arena) {
    Clean clean = tokenizer_clean(tokenizer, sentence.bytes, sentence.size, arena);
    Tokens tokens;
    TextParts parts;
    Error error = {0};
    if (!tokenizer_encode(tokenizer, clean.text, clean.length, arena, &tokens,
                          &error)) {
        MUST(*error.message);
        return;
    }
    int *id = ARENA_ARRAY(arena, int, tokens.count);
    for (int t = 0, before = 0; t < tokens.count; t++) {
        const Token *token = &tokens.token[t];
        MUST(token->start >= before && token->end >= token->start);
        MUST(token->end <= clean.length);
        MUST(token->id >= 0 && token->id < tokenizer->vocabulary.count);
        must_be_safe(token->label, strlen(token->label), false);
        before = token->start;
        id[t] = token->id;
    }
    const char *text = tokenizer_decode(tokenizer, id, tokens.count, arena);
    MUST(unicode_valid(text, strlen(text), arena).malformed == 0);
    const Bytes typed = {clean.text, (size_t)clean.length};
    MUST(tokenizer_json_pieces(tokenizer->json, typed, &parts, arena, &error));
    for (int i = 0; i < parts.count && tokenizer->json->model.kind == SUBWORD_PAIRS;
         i++) {
        MergeStep *step;
        TextPart part = parts.part[i];
        int *letter = ARENA_ARRAY(arena, int, part.length);
        int *bytes = ARENA_ARRAY(arena, int, part.length);
        int count = subword_begin(&tokenizer->json->model, part.text, part.length,
                                  letter, bytes);
        MUST(count <= part.length);
        bytepair_watch(&tokenizer->json->model.merges, letter, bytes, count, &step,
                       arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = fuzz_file("tokenizer.json");
    Bytes rest = {(const char *)data, size};
    fuzz_fill(file, fuzz_part(&rest));
    Arena arena = {0};
    Error error = {0};
    Tokenizer tokenizer = {.kind = TOKENIZER_JSON, .special = {-1, -1, -1, -1, -1}};
    if (tokenizer_load(&tokenizer, fuzz_folder, "", &arena, &error))
        use(&tokenizer, rest, &arena);
    else
        MUST(*error.message);
    arena_free(&arena);
    return 0;
}
