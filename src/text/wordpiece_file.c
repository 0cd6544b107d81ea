#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "text/tokenizer_json.h"

enum { WORDS_BYTES = 16 << 20, OPTIONS_BYTES = 1 << 20, WORDS_MAX = 1 << 20 };

/* Tokens without text that are searched for as a whole. */
static const char *const specials[] = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
enum { SPECIALS = sizeof specials / sizeof *specials };

/* Return the value of an option, "true", "false" or "null", or `otherwise`. */
static const char *truth(const Json *options, const char *key, const char *otherwise) {
    const Json *value = options ? json_find(options, key) : NULL;
    if (!value || (value->type != JSON_TRUTH && value->type != JSON_NOTHING))
        return otherwise;
    return value->type == JSON_NOTHING ? "null" : value->number != 0 ? "true" : "false";
}

/* Write the words as an object; at[s] becomes the id of specials[s], or -1. */
static bool write_words(Builder *text, const char *path, Bytes file, int *at,
                        Arena *arena, Error *error) {
    int id = 0;
    for (int s = 0; s < SPECIALS; s++) at[s] = -1;
    for (size_t start = 0; start < file.size; id++) {
        const char *line = file.bytes + start;
        const char *end = memchr(line, '\n', file.size - start);
        size_t length = end ? (size_t)(end - line) : file.size - start;
        start += length + 1;
        if (length && line[length - 1] == '\r') length--;
        if (length == 0 || memchr(line, '\0', length))
            return fail(error, "%s: line %d is not a word; each line must be a token",
                        path, id + 1);
        if (id == WORDS_MAX)
            return fail(error, "%s: more than %d words, which is the limit", path,
                        WORDS_MAX);
        const char *word = arena_copy(arena, line, length);
        if (!interrupt_none(error)) return false;
        for (int s = 0; s < SPECIALS; s++)
            if (strcmp(word, specials[s]) == 0) at[s] = id;
        build(text, "%s%s:%d", id ? "," : "", json_quote(word, arena), id);
    }
    for (int s = 1; s < SPECIALS - 1; s++) /* [PAD] and [MASK] are optional */
        if (at[s] < 0)
            return fail(error, "%s: the token %s, which WordPiece needs, is missing",
                        path, specials[s]);
    return true;
}

const TokenizerJson *tokenizer_json_of_words(const char *words, const char *options,
                                             Arena *arena, Error *error) {
    Bytes file, bytes;
    const Json *said = NULL;
    int at[SPECIALS];
    Arena scratch = {0};
    Builder text = {.arena = arena};
    bool done = file_read_regular(words, WORDS_BYTES, &scratch, &file, error);
    if (done && file_exists(options))
        done = file_read_regular(options, OPTIONS_BYTES, &scratch, &bytes, error) &&
               json_read(bytes, options, &scratch, &said, error);
    build(&text,
          "{\"normalizer\":{\"type\":\"BertNormalizer\",\"clean_text\":true,"
          "\"handle_chinese_chars\":%s,\"strip_accents\":%s,\"lowercase\":%s},"
          "\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},"
          "\"decoder\":{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true},"
          "\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\","
          "\"continuing_subword_prefix\":\"##\",\"max_input_chars_per_word\":100,"
          "\"vocab\":{",
          truth(said, "tokenize_chinese_chars", "true"),
          truth(said, "strip_accents", "null"), truth(said, "do_lower_case", "true"));
    done = done && write_words(&text, words, file, at, &scratch, error);
    build(&text, "}},\"added_tokens\":[");
    for (int s = 0, listed = 0; done && s < SPECIALS; s++)
        if (at[s] >= 0)
            build(&text, "%s{\"id\":%d,\"content\":\"%s\",\"special\":true}",
                  listed++ ? "," : "", at[s], specials[s]);
    if (done)
        build(
            &text,
            "],\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"[CLS]\",%d],"
            "\"sep\":[\"[SEP]\",%d]}}\n",
            at[2], at[3]);
    arena_free(&scratch);
    const char *made = builder_text(&text);
    return done ? tokenizer_json_parse(words, (Bytes){made, strlen(made)}, arena, error)
                : NULL;
}
