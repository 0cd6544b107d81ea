#include <string.h>

#include "text/bytepair.h"
#include "text/unicode.h"

static const char *const contractions[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};

static int contraction(const char *text, int left) {
    for (size_t i = 0; i < sizeof contractions / sizeof *contractions; i++) {
        int length = (int)strlen(contractions[i]);
        if (length <= left && memcmp(text, contractions[i], (size_t)length) == 0)
            return length;
    }
    return 0;
}

static Kind kind_at(const char *text, int left, int *length) {
    return unicode_kind(unicode_decode(text, (size_t)left, length));
}

/* Bytes of the run of one kind at `text`, and of the last letter in it. */
static int run_of_kind(const char *text, int left, Kind kind, int *last) {
    int end = 0;
    *last = 0;
    while (end < left) {
        int length;
        if (kind_at(text + end, left - end, &length) != kind) break;
        *last = length;
        end += length;
    }
    return end;
}

int bytepair_piece(const char *text, int left) {
    int special = contraction(text, left);
    if (special) return special;
    int last;
    int spaces = run_of_kind(text, left, KIND_SPACE, &last);
    /* Of several spaces the last one is left to the word behind them. */
    if (spaces > last && spaces < left) return spaces - last;
    if (spaces == left || (spaces && text[0] != ' ')) return spaces;
    int length;
    Kind kind = kind_at(text + spaces, left - spaces, &length);
    return spaces + run_of_kind(text + spaces, left - spaces, kind, &last);
}
