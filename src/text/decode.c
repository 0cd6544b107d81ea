#include "text/decode.h"

#include <stdlib.h>
#include <string.h>

#include "text/bytepair.h"
#include "text/unicode.h"

/* Return zeroed memory, or NULL if the room is used up. */
static char *take(TextRoom *room, size_t bytes) {
    return text_room_has(room, bytes + TEXT_PIECE_BYTES)
               ? arena_take(room->arena, bytes)
               : NULL;
}

/* Append all tokens to the first one. */
void decode_fuse(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    (void)step;
    size_t size = 0;
    for (int i = 0; i < count; i++) size += token[i].size;
    char *text = take(room, size + 1);
    if (!text) return;
    char *end = text;
    for (int i = 0; i < count; i++) {
        end = mempcpy(end, token[i].bytes, token[i].size);
        token[i].size = 0;
    }
    if (count) token[0] = (Bytes){text, size};
}

void decode_byte_level(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    for (int i = 0; i < count; i++) {
        int length;
        if (!text_room_has(room, 2 * (token[i].size + 1))) return;
        const char *word = arena_copy(room->arena, token[i].bytes, token[i].size);
        const char *bytes = bytepair_bytes(word, &length, room->arena);
        if (bytes) token[i] = (Bytes){bytes, (size_t)length};
    }
    decode_fuse(step, token, count, room);
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
        if (unicode_is_malformed(bytes + i, code, length)) return false;
        i += (size_t)length;
    }
    return true;
}

/* In a run of byte tokens that is not valid UTF-8, each byte becomes a U+FFFD. */
void decode_byte_fallback(const TextStep *step, Bytes *token, int count,
                          TextRoom *room) {
    (void)step;
    for (int i = 0, end; i < count; i = end) {
        for (end = i; end < count; end++)
            if (decode_byte(token[end].bytes, token[end].size) < 0) break;
        size_t size = (size_t)(end - i);
        if (end == i) {
            end++;
            continue;
        }
        char *bytes = take(room, 3 * size + 1);
        if (!bytes) return;
        for (int t = i; t < end; t++)
            bytes[t - i] = (char)decode_byte(token[t].bytes, token[t].size);
        if (!is_text(bytes, size)) {
            char *unknown = bytes;
            for (size_t b = 0; b < size; b++) unknown = stpcpy(unknown, "\uFFFD");
            size = (size_t)(unknown - bytes);
        }
        token[i] = (Bytes){bytes, size};
        for (int t = i + 1; t < end; t++) token[t].size = 0;
    }
}

/* Return the position of the next `what` at or after byte `from` of `text`, or the
 * length of the text. */
static size_t find(Bytes text, size_t from, const char *what, size_t length) {
    const char *found =
        length ? memmem(text.bytes + from, text.size - from, what, length) : NULL;
    return found ? (size_t)(found - text.bytes) : text.size;
}

static Bytes replaced(Bytes text, const char *from, const char *to, TextRoom *room) {
    size_t length = strlen(from), new_length = strlen(to), max = text.size;
    size_t at = find(text, 0, from, length);
    if (at == text.size) return text;
    for (; at < text.size; at = find(text, at + length, from, length))
        max += new_length;
    char *made = take(room, max + 1);
    if (!made) return text;
    char *end = made;
    for (at = 0; at < text.size; at += length) {
        size_t next = find(text, at, from, length);
        end = mempcpy(end, text.bytes + at, next - at);
        if (next < text.size) end = mempcpy(end, to, new_length);
        at = next;
    }
    return (Bytes){made, (size_t)(end - made)};
}

void decode_replace(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    for (int i = 0; i < count; i++)
        token[i] = replaced(token[i], step->pattern, step->content, room);
}

void decode_metaspace(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    bool drops_first =
        step->scheme ? strcmp(step->scheme, "never") != 0 : step->prefix_space;
    for (int i = 0; i < count; i++)
        token[i] =
            replaced(token[i], step->content, i == 0 && drops_first ? "" : " ", room);
}

void decode_strip(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    (void)room;
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

static const char *const tidied[][2] = {
    {" .", "."},   {" ?", "?"},     {" !", "!"},     {" ,", ","},
    {" ' ", "'"},  {" n't", "n't"}, {" 'm", "'m"},   {" do not", " don't"},
    {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"},
};

static Bytes behind_space(Bytes text, TextRoom *room) {
    char *spaced = take(room, text.size + 2);
    if (!spaced) return text;
    spaced[0] = ' ';
    memcpy(spaced + 1, text.bytes, text.size);
    return (Bytes){spaced, text.size + 1};
}

void decode_spaced(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    (void)step;
    for (int i = 1; i < count; i++) token[i] = behind_space(token[i], room);
}

void decode_wordpiece(const TextStep *step, Bytes *token, int count, TextRoom *room) {
    size_t length = strlen(step->content);
    for (int i = 0; i < count; i++) {
        Bytes *text = &token[i];
        if (i > 0 && text->size >= length &&
            memcmp(text->bytes, step->content, length) == 0) {
            *text = (Bytes){text->bytes + length, text->size - length};
        } else if (i > 0) {
            *text = behind_space(*text, room);
        }
        for (size_t p = 0; step->cleanup && p < sizeof tidied / sizeof *tidied; p++)
            *text = replaced(*text, tidied[p][0], tidied[p][1], room);
    }
}
