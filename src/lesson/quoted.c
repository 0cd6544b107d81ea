#include "lesson/quoted.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lesson/typed_text.h"

/* A number in a text: its first byte, the byte after it, its absolute value, and its
 * number of decimals. */
typedef struct {
    const char *first, *end;
    double value;
    int decimals;
} Written;

/* Return the next number after `text`; `first` is NULL if there is none. If `alone`,
 * ignore digits in names such as "encoder.0" and "v2". */
static Written next_number(const char *begin, const char *text, bool alone) {
    bool in_code = false;
    for (; *text; text++) {
        if (alone && *text == '`') in_code = !in_code;
        if (in_code || !isdigit((unsigned char)*text)) continue;
        char before = text > begin ? text[-1] : ' ';
        const char *point = text + strspn(text, "0123456789");
        Written written = {.first = text, .end = point};
        if (*point == '.') written.decimals = (int)strspn(point + 1, "0123456789");
        if (written.decimals) written.end = point + 1 + written.decimals;
        char *end = NULL;
        written.value = strtod(text, &end);
        if (written.decimals && end > written.end) written.end = end; /* e-05 */
        if (!alone || !(isalnum((unsigned char)before) || strchr("._^", before)))
            return written;
        text = written.end - 1;
    }
    return (Written){0};
}

void shown_numbers_add(ShownNumbers *shown, const char *text) {
    for (Written written = next_number(text, text, false); written.first;
         written = next_number(text, written.end, false)) {
        ARENA_GROW(shown->arena, shown->number, shown->count, shown->capacity);
        shown->number[shown->count++] = written.value;
    }
}

/* Return true if the rounded number was printed. A printed 0.12 also allows 12 %. */
static bool is_shown(const ShownNumbers *shown, const Written *written, bool percent) {
    const double half = 0.5001 * pow(10, -written->decimals);
    for (int i = 0; i < shown->count; i++)
        if (fabs(shown->number[i] - written->value) <= half ||
            (percent && fabs(100 * shown->number[i] - written->value) <= half))
            return true;
    return false;
}

/* Return true if the number is the result of a calculation, "√24 = 4.9", or
 * approximate. */
static bool is_worked_out(const char *begin, const Written *written) {
    static const char *const before[] = {"about", "약", "≈", "=", "+", "−",
                                         "-",     "×",  "·", "/", "√"};
    static const char *const after[] = {"=", "+", "−", "×", "·", "/", NULL};
    const char *at = written->first;
    if (at > begin && at[-1] == '-') at--; /* include its sign */
    if (at - begin >= 3 && memcmp(at - 3, "−", 3) == 0) at -= 3;
    while (at > begin && at[-1] == ' ') at--;
    for (size_t m = 0; m < sizeof before / sizeof *before; m++) {
        size_t length = strlen(before[m]);
        if ((size_t)(at - begin) >= length &&
            memcmp(at - length, before[m], length) == 0)
            return true;
    }
    return typed_opening(written->end + strspn(written->end, " "), after) > 0;
}

const char *quoted_missing(const ShownNumbers *shown, const char **text) {
    const char *begin = *text;
    for (Written written = next_number(begin, begin, true); written.first;
         written = next_number(begin, written.end, true)) {
        const char *after = written.end + strspn(written.end, " ");
        bool percent = *after == '%';
        if ((!written.decimals && !percent) || is_worked_out(begin, &written) ||
            is_shown(shown, &written, percent))
            continue;
        *text = percent ? after + 1 : written.end;
        return arena_copy(shown->arena, written.first, (size_t)(*text - written.first));
    }
    return NULL;
}
