/* token_ids.c - print the tokens that tokenizer.json makes of lines, for
 * test_tokenizers.py.
 *   token_ids TOKENIZER.JSON < LINES, or VOCAB.JSON MERGES.TXT
 * For each line, with \n, \r and \\ as escapes, print its ids, including the added
 * ones, a tab, and the text decoded from them in hexadecimal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/tokenizer_json.h"
#include "text/unicode.h"

/* Unescape in place; return the length. */
static int unescape(char *line) {
    char *end = line;
    for (const char *c = line; *c && *c != '\n'; c++) {
        bool escaped = *c == '\\' && c[1];
        if (escaped) c++;
        *end++ = (char)(!escaped ? *c : *c == 'n' ? '\n' : *c == 'r' ? '\r' : *c);
    }
    *end = '\0';
    return (int)(end - line);
}

/* Check that the tokens are parts of the sentence, in order. */
static void check_places(JsonTokens tokens, int length) {
    const JsonToken *token = tokens.token;
    for (int t = 0; t < tokens.count; t++)
        if (token[t].start > token[t].end || token[t].end > length ||
            (t > 0 && token[t].start < token[t - 1].start)) {
            fprintf(stderr, "token %d covers bytes %d to %d\n", t, token[t].start,
                    token[t].end);
            exit(1);
        }
}

int main(int argc, char **argv) {
    Arena arena = {0};
    Error error;
    char *line = NULL;
    size_t room = 0;
    const TokenizerJson *tokenizer =
        argc == 2   ? tokenizer_json_read(argv[1], &arena, &error)
        : argc == 3 ? tokenizer_json_of_pairs(argv[1], argv[2], &arena, &error)
                    : NULL;
    if (!tokenizer) {
        fprintf(stderr, "%s\n",
                argc == 2 || argc == 3 ? error.message
                                       : "usage: token_ids FILE, or WORDS MERGES");
        return 1;
    }
    while (getline(&line, &room, stdin) > 0) {
        Arena scratch = {0};
        JsonTokens tokens;
        int length = unescape(line), ids = 0;
        const Bytes typed = {line, (size_t)length};
        if (!tokenizer_json_encode(tokenizer, typed, &scratch, &tokens, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return 1;
        }
        check_places(tokens, length);
        AroundIds before = tokenizer->before, after = tokenizer->after;
        int *id = ARENA_ARRAY(&scratch, int, before.count + tokens.count + after.count);
        for (int i = 0; i < before.count; i++) id[ids++] = before.id[i];
        for (int i = 0; i < tokens.count; i++) id[ids++] = tokens.token[i].id;
        for (int i = 0; i < after.count; i++) id[ids++] = after.id[i];
        for (int i = 0; i < ids; i++) printf("%s%d", i ? " " : "", id[i]);
        Bytes bytes = tokenizer_json_decode(tokenizer, id, ids, &scratch);
        Clean text = unicode_valid(bytes.bytes, bytes.size, &scratch);
        putchar('\t');
        for (int i = 0; i < text.length; i++) printf("%02x", text.text[i] & 0xFF);
        putchar('\n');
        arena_free(&scratch);
    }
    free(line);
    arena_free(&arena);
    return 0;
}
