/* unicode_inputs.h - random letters with marks, for the tests of unicode.h. */
#pragma once

#include <utf8proc.h>

#include "base/random.h"
#include "units/scratch.h"

static inline int encode(int code, char *text) {
    return (int)utf8proc_encode_char(code, (utf8proc_uint8_t *)text);
}

static const int marks[] = {0x301, 0x323, 0x327, 0x345, 0x308, 0x1161, 0x11A8, 0x3099};
static const int bases[] = {'a',    'E',    0x1100, 0xAC00, 0x3B9,  0x304B,
                            0x0390, 0x1F82, 0x212B, 0x1E69, 0x0958, 0x1D15E};

/* Up to `letters` letters, many with marks in any order, terminated by '\0'. */
static inline int random_text(Random *random, char *text, int letters) {
    int size = 0;
    for (int i = random_below(random, letters + 1); i > 0; i--) {
        int code = random_below(random, 2)
                       ? marks[random_below(random, (int)COUNT(marks))]
                       : bases[random_below(random, (int)COUNT(bases))];
        size += encode(code, text + size);
    }
    text[size] = '\0';
    return size;
}
