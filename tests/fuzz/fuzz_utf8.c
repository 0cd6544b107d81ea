/* Compare our UTF-8 decoder with utf8proc's: both decode the same characters, every
 * other maximal malformed part becomes one U+FFFD, and clean text is in the normal form
 * C that utf8proc computes. */
#include "fuzz.h"
#include "text/unicode.h"

enum { REPLACEMENT = 0xFFFD };

/* Return the length of the maximal malformed part at `text` by trying: the longest run
 * of bytes that some character starts with (Unicode 15, section 3.9). */
static int malformed_length(const char *text, size_t left) {
    static const unsigned char tails[] = {0x80, 0x90, 0xA0, 0x8F, 0x9F, 0xBF};
    enum { TAILS = sizeof tails };
    int longest = 1;
    for (int had = 1; had < 4 && (size_t)had <= left; had++)
        for (int more = 1; had + more <= 4; more++)
            for (int t = 0; t < TAILS; t++) {
                char letter[4];
                int32_t code;
                memcpy(letter, text, (size_t)had);
                memset(letter + had, 0x80, (size_t)more);
                letter[had] = (char)tails[t];
                if (fuzz_letter(letter, (size_t)(had + more), &code) == had + more)
                    longest = had;
            }
    return longest;
}

static char *put(char *to, int32_t code) {
    return to + utf8proc_encode_char(code, (unsigned char *)to);
}

/* Decode the bytes as valid text, checking that both decoders agree on each
 * character. */
static int decode_all(const char *bytes, size_t size, char *valid, int *malformed) {
    char *end = valid;
    for (size_t i = 0; i < size;) {
        int32_t code = REPLACEMENT;
        int length;
        int ours = unicode_decode(bytes + i, size - i, &length);
        int theirs = fuzz_letter(bytes + i, size - i, &code);
        if (!theirs) code = REPLACEMENT;
        MUST(ours == code);
        MUST(length == (theirs ? theirs : malformed_length(bytes + i, size - i)));
        *malformed += !theirs || code == 0;
        end = put(end, code ? code : REPLACEMENT);
        i += (size_t)length;
    }
    *end = '\0';
    return (int)(end - valid);
}

static void check_graphemes(const char *text) {
    int state = 0;
    for (const char *c = text; *c;) {
        int length = unicode_grapheme(c);
        int32_t code;
        int32_t next;
        MUST(length > 0);
        for (int i = 0; i < length;) {
            i += fuzz_letter(c + i, strlen(c + i), &code);
            bool more = c[i] && fuzz_letter(c + i, 4, &next) > 0;
            bool breaks = !more || utf8proc_grapheme_break_stateful(code, next, &state);
            MUST(breaks == (i >= length));
        }
        c += length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum { LONGEST = 4096 };
    if (size > LONGEST) size = LONGEST;
    const char *bytes = (const char *)data;
    Arena arena = {0};
    int malformed = 0;
    char *valid = arena_take(&arena, 3 * size + 8);
    int length = decode_all(bytes, size, valid, &malformed);
    Clean clean = unicode_clean(bytes, size, &arena);
    MUST(clean.malformed == malformed);
    MUST((size_t)clean.length == strlen(clean.text));
    unsigned char *composed = NULL;
    MUST(utf8proc_map((const unsigned char *)valid, length, &composed,
                      UTF8PROC_STABLE | UTF8PROC_COMPOSE) >= 0);
    MUST(strcmp(clean.text, (const char *)composed) == 0);
    MUST(clean.was_decomposed == (strcmp(valid, clean.text) != 0));
    free(composed);
    Clean again = unicode_clean(clean.text, (size_t)clean.length, &arena);
    MUST(!again.was_decomposed && again.malformed == 0);
    MUST(strcmp(again.text, clean.text) == 0);
    check_graphemes(clean.text);
    arena_free(&arena);
    return 0;
}
