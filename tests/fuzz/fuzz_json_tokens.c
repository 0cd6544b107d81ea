/* tokenizer.json, and a sentence for it: rejected with a message, or its tokens cover
 * the sentence in order, and their text has a bounded size.
 *
 * Mutated bytes are seldom valid JSON, so in an input that starts with '#' the next
 * bytes select the steps and texts of a file; the rest is the sentence. */
#include "base/builder.h"
#include "fuzz.h"
#include "text/tokenizer.h"

/* Steps may make a million tokens of a sentence: examine only some of them, so that the
 * sanitizers do not take seconds. */
enum { TEXT_MAX = 4 << 20, WATCHED = 256, DECODED = 4096 };

static void decode(const Tokenizer *tokenizer, const int *id, int count, Arena *arena) {
    const char *text = tokenizer_decode(tokenizer, id, count, arena);
    MUST(strlen(text) <= TEXT_MAX);
    MUST(unicode_valid(text, strlen(text), arena).malformed == 0);
}

/* A model may answer with any ids. */
static void decode_first(const Tokenizer *tokenizer, Arena *arena) {
    enum { IDS_MAX = 64 };
    int id[IDS_MAX];
    for (int i = 0; i < IDS_MAX; i++) id[i] = i % tokenizer->vocabulary.count;
    decode(tokenizer, id, IDS_MAX, arena);
}

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
        if (t < WATCHED) must_be_safe(token->label, strlen(token->label), false);
        before = token->start;
        id[t] = token->id;
    }
    decode(tokenizer, id, tokens.count < DECODED ? tokens.count : DECODED, arena);
    const Bytes typed = {clean.text, (size_t)clean.length};
    MUST(tokenizer_json_pieces(tokenizer->json, typed, &parts, arena, &error));
    bool has_pairs = tokenizer->json->model.kind == SUBWORD_PAIRS;
    for (int i = 0; has_pairs && i < parts.count && i < WATCHED; i++) {
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

#define METASPACE                                                                      \
    "{\"type\":\"Metaspace\",\"replacement\":\"?\",\"prepend_scheme\":\"always\"}",    \
        "{\"type\":\"Metaspace\",\"replacement\":\"?\",\"prepend_scheme\":\"first\","  \
        "\"split\":false}"
#define REPLACE                                                                        \
    "{\"type\":\"Replace\",\"pattern\":{\"String\":\"?\"},\"content\":\"?\"}"

#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16

enum { ROLES = 3, STEPS = 10 };

/* Each '?' is replaced by one of the texts. */
static const struct {
    const char *role, *list, *step[STEPS];
} roles[ROLES] = {
    {"normalizer",
     "normalizers",
     {REPLACE, "{\"type\":\"Prepend\",\"prepend\":\"?\"}",
      "{\"type\":\"BertNormalizer\"}", "{\"type\":\"NFKD\"}", "{\"type\":\"NFC\"}",
      "{\"type\":\"Strip\"}", "{\"type\":\"Lowercase\"}",
      "{\"type\":\"StripAccents\"}"}},
    {"pre_tokenizer",
     "pretokenizers",
     {METASPACE,
      "{\"type\":\"Split\",\"pattern\":{\"String\":\"?\"},\"behavior\":\"Isolated\"}",
      "{\"type\":\"Split\",\"pattern\":{\"String\":\"?\"},\"behavior\":"
      "\"MergedWithNext\",\"invert\":true}",
      "{\"type\":\"ByteLevel\"}", "{\"type\":\"Digits\"}", "{\"type\":\"Punctuation\"}",
      "{\"type\":\"BertPreTokenizer\"}", "{\"type\":\"WhitespaceSplit\"}"}},
    {"decoder",
     "decoders",
     {REPLACE, METASPACE, "{\"type\":\"ByteFallback\"}", "{\"type\":\"Fuse\"}",
      "{\"type\":\"ByteLevel\"}", "{\"type\":\"WordPiece\",\"prefix\":\"?\"}",
      "{\"type\":\"Strip\",\"content\":\"?\",\"start\":1,\"stop\":1}"}},
};

/* Return the file that the bytes after the '#' select. */
static Bytes composed(Bytes *rest, Arena *arena) {
    enum { TYPED_MAX = 8, TEXTS = 8 };
    static const char *const texts[TEXTS] = {"a", "",     " ",  "▁",
                                             A64, "나나", "ab", "<0x41>"};
    Builder file = {.arena = arena};
    fuzz_choice(rest);
    build_text(&file, "{");
    for (int r = 0; r < ROLES; r++) {
        int count = fuzz_choice(rest) % (TYPED_MAX + 1), known = 0;
        while (known < STEPS && roles[r].step[known]) known++;
        build(&file, "\"%s\":{\"type\":\"Sequence\",\"%s\":[", roles[r].role,
              roles[r].list);
        for (int s = 0; s < count; s++) {
            const char *step = roles[r].step[fuzz_choice(rest) % known];
            for (build_text(&file, s ? "," : ""); *step; step++)
                if (*step == '?')
                    build_text(&file, texts[fuzz_choice(rest) % TEXTS]);
                else
                    build(&file, "%c", *step);
        }
        build_text(&file, "]},");
    }
    build_text(&file,
               "\"added_tokens\":[{\"id\":5,\"content\":\"<s>\",\"lstrip\":true}],"
               "\"model\":{\"type\":\"BPE\",\"vocab\":{\"a\":0,\"b\":1,\"ab\":2,"
               "\"▁\":3,\"<0x41>\":4},\"merges\":[\"a b\"]}}");
    return (Bytes){builder_text(&file), (size_t)file.count};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = fuzz_file("tokenizer.json");
    Bytes rest = {(const char *)data, size};
    Arena arena = {0};
    Error error = {0};
    bool composes = size > 0 && *data == '#';
    fuzz_fill(file, composes ? composed(&rest, &arena) : fuzz_part(&rest));
    Tokenizer tokenizer = {.kind = TOKENIZER_JSON, .special = {-1, -1, -1, -1, -1}};
    if (tokenizer_load(&tokenizer, fuzz_folder, "", &arena, &error)) {
        use(&tokenizer, rest, &arena);
        use(&tokenizer, (Bytes){" ", 1}, &arena); /* many steps remove it */
        decode_first(&tokenizer, &arena);
    } else {
        MUST(*error.message);
    }
    arena_free(&arena);
    return 0;
}
