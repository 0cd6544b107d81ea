#include "text/keyboard.h"

#include <string.h>

#include "base/builder.h"
#include "text/unicode.h"

/* Initial consonants of a syllable, vowels, and final consonants, in Unicode order. */
static const char *const leads[] = {"r", "R", "s", "e", "E", "f", "a", "q", "Q", "t",
                                    "T", "d", "w", "W", "c", "z", "x", "v", "g"};
static const char *const vowels[] = {"k",  "o",  "i",  "O",  "j",  "p",  "u",
                                     "P",  "h",  "hk", "ho", "hl", "y",  "n",
                                     "nj", "np", "nl", "b",  "m",  "ml", "l"};
static const char *const tails[] = {"r",  "R",  "rt", "s",  "sw", "sg", "e", "f", "fr",
                                    "fa", "fq", "ft", "fx", "fv", "fg", "a", "q", "qt",
                                    "t",  "T",  "d",  "w",  "c",  "z",  "x", "v", "g"};
static const struct {
    int first, count;
    const char *const *keys;
} blocks[] = {{0x1100, 19, leads}, {0x1161, 21, vowels}, {0x11a8, 27, tails}};

const char *keyboard_keys(const char *text, Arena *arena) {
    Builder keys = {.arena = arena};
    const char *parts = unicode_normalize(text, (int)strlen(text), FORM_KD, arena).text;
    for (int length; *parts; parts += length) {
        int code = unicode_decode(parts, strnlen(parts, 4), &length);
        const char *key = arena_copy(arena, parts, (size_t)length);
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            if (code >= blocks[b].first && code < blocks[b].first + blocks[b].count)
                key = blocks[b].keys[code - blocks[b].first];
        build_text(&keys, key);
    }
    return builder_text(&keys);
}
