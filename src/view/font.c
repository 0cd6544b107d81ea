#include "view/font.h"

#include <string.h>

#include "text/unicode.h"

/* Ranges of letters by package, the rarest first. */
static const struct {
    int first, last;
    const char *package;
} ranges[] = {
    {0x1F000, 0x1FAFF, "fonts-noto-color-emoji"}, /* emoji */
    {0x2600, 0x27BF, "fonts-noto-color-emoji"},   /* symbols and dingbats */
    {0x2E80, 0x30FF, "fonts-noto-cjk"},           /* radicals, kana */
    {0x3400, 0x9FFF, "fonts-noto-cjk"},           /* Han */
    {0x20000, 0x3FFFF, "fonts-noto-cjk"},         /* Han, extensions */
    {0x1100, 0x11FF, "fonts-nanum"},              /* Jamo */
    {0x3130, 0x318F, "fonts-nanum"},              /* Jamo that stand alone */
    {0xAC00, 0xD7A3, "fonts-nanum"},              /* Hangul */
};

static bool holds(const char *text, int first, int last) {
    for (int bytes; *text; text += bytes) {
        int letter = unicode_decode(text, strlen(text), &bytes);
        if (letter >= first && letter <= last) return true;
    }
    return false;
}

const char *font_package(const char *text) {
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        if (holds(text, ranges[r].first, ranges[r].last)) return ranges[r].package;
    return "fonts-noto-core";
}
