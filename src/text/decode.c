#include "text/decode.h"

#include <stdlib.h>
#include <string.h>

#include "text/bytepair.h"
#include "text/unicode.h"

/* All tokens as the first one. */
void decode_fuse(const TextStep *step, Bytes *token, int count, Arena *arena) {
    (void)step;
    size_t size = 0;
    for (int i = 0; i < count; i++) size += token[i].size;
    char *text = arena_take(arena, size + 1);
    char *end = text;
    for (int i = 0; i < count; i++) {
        end = mempcpy(end, token[i].bytes, token[i].size);
        token[i].size = 0;
    }
    if (count) token[0] = (Bytes){text, size};
}

void decode_byte_level(const TextStep *step, Bytes *token, int count, Arena *arena) {
    for (int i = 0; i < count; i++) {
        int length;
        const char *word = arena_copy(arena, token[i].bytes, token[i].size);
        const char *bytes = bytepair_bytes(word, &length, arena);
        if (bytes) token[i] = (Bytes){bytes, (size_t)length};
    }
    decode_fuse(step, token, count, arena);
}

int decode_byte(const char *word, size_t length) {
    enum { LENGTH = sizeof "<0xEA>" - 1 };
    if (length != LENGTH || memcmp(word, "<0x", 3) != 0 || word[LENGTH - 1] != '>')
        return -1;
    if (strspn(word + 3, "0123456789ABCDEF") != 2) return -1;
    return (int)strtol(word + 3, NULL, 16);
}

static bool is_text(const char *bytes, size_t size) {
    for (size_t i = 0; i < size;) {
        int length;
        int code = unicode_decode(bytes + i, size - i, &length);
        if (code == 0xFFFD && !(length == 3 && (bytes[i] & 0xFF) == 0xEF)) return false;
        i += (size_t)length;
    }
    return true;
}

/* Bytes side by side that make no text are a U+FFFD each. */
void decode_byte_fallback(const TextStep *step, Bytes *token, int count, Arena *arena) {
    (void)step;
    for (int i = 0; i < count;) {
        char *bytes = arena_take(arena, 3 * (size_t)(count - i) + 1);
        size_t size = 0;
        int end = i;
        for (int byte; end < count; end++) {
            byte = decode_byte(token[end].bytes, token[end].size);
            if (byte < 0) break;
            bytes[size++] = (char)byte;
        }
        if (end == i) {
            i++;
            continue;
        }
        if (!is_text(bytes, size)) {
            char *unknown = bytes;
            for (size_t b = 0; b < size; b++) unknown = stpcpy(unknown, "\uFFFD");
            size = (size_t)(unknown - bytes);
        }
        token[i] = (Bytes){bytes, size};
        while (++i < end) token[i].size = 0;
    }
}

static Bytes replaced(Bytes text, const char *from, const char *to, Arena *arena) {
    size_t length = strlen(from), new_length = strlen(to);
    if (length == 0) return text;
    char *made = arena_take(arena, text.size * (new_length + 1) + 1);
    char *end = made;
    for (size_t i = 0; i < text.size;) {
        bool found =
            text.size - i >= length && memcmp(text.bytes + i, from, length) == 0;
        end = found ? mempcpy(end, to, new_length) : mempcpy(end, text.bytes + i, 1);
        i += found ? length : 1;
    }
    return (Bytes){made, (size_t)(end - made)};
}

void decode_replace(const TextStep *step, Bytes *token, int count, Arena *arena) {
    for (int i = 0; i < count; i++)
        token[i] = replaced(token[i], step->pattern, step->content, arena);
}

void decode_metaspace(const TextStep *step, Bytes *token, int count, Arena *arena) {
    bool drops_first =
        step->scheme ? strcmp(step->scheme, "never") != 0 : step->prefix_space;
    for (int i = 0; i < count; i++)
        token[i] =
            replaced(token[i], step->content, i == 0 && drops_first ? "" : " ", arena);
}

void decode_strip(const TextStep *step, Bytes *token, int count, Arena *arena) {
    (void)arena;
    size_t length = strlen(step->content);
    for (int i = 0; i < count && length > 0; i++) {
        Bytes *text = &token[i];
        for (long long k = 0; k < step->start && text->size >= length &&
                              memcmp(text->bytes, step->content, length) == 0;
             k++)
            *text = (Bytes){text->bytes + length, text->size - length};
        for (long long k = 0;
             k < step->stop && text->size >= length &&
             memcmp(text->bytes + text->size - length, step->content, length) == 0;
             k++)
            text->size -= length;
    }
}

static Bytes tidied(Bytes text, Arena *arena) {
    static const char *const pairs[][2] = {
        {" .", "."},   {" ?", "?"},     {" !", "!"},     {" ,", ","},
        {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},   {" do not", " don't"},
        {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"},
    };
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++)
        text = replaced(text, pairs[p][0], pairs[p][1], arena);
    return text;
}

void decode_wordpiece(const TextStep *step, Bytes *token, int count, Arena *arena) {
    size_t length = strlen(step->content);
    for (int i = 0; i < count; i++) {
        Bytes *text = &token[i];
        if (i > 0 && text->size >= length &&
            memcmp(text->bytes, step->content, length) == 0) {
            *text = (Bytes){text->bytes + length, text->size - length};
        } else if (i > 0) {
            char *spaced = arena_take(arena, text->size + 2);
            spaced[0] = ' ';
            memcpy(spaced + 1, text->bytes, text->size);
            *text = (Bytes){spaced, text->size + 1};
        }
        if (step->cleanup) *text = tidied(*text, arena);
    }
}
