#include "canvas/look.h"

#include <math.h>
#include <string.h>

#include "text/unicode.h"

const Look look_plain = {.ink = LOOK_DEFAULT, .paper = LOOK_DEFAULT};

enum { NUMBERS_MOST = 16 };

/* Read the color after 38 or 48: "5;N" or "2;R;G;B". Returns how many numbers it
 * has. */
static int read_color(const int *number, int count, int *color) {
    if (count >= 2 && number[0] == 5) {
        *color = number[1];
        return 2;
    }
    if (count >= 4 && number[0] == 2) {
        *color = number[1] << 16 | number[2] << 8 | number[3];
        return 4;
    }
    return count;
}

static void apply(const int *number, int count, Look *look) {
    for (int i = 0; i < count; i++) {
        if (number[i] == 0) *look = look_plain;
        if (number[i] == 1) look->bold = true;
        if (number[i] == 2) look->faint = true;
        if (number[i] == 4) look->underlined = true;
        if (number[i] == 7) look->turned = true;
        if (number[i] == 38)
            i += read_color(number + i + 1, count - i - 1, &look->ink);
        else if (number[i] == 48)
            i += read_color(number + i + 1, count - i - 1, &look->paper);
    }
}

int look_read(const char *text, Look *look) {
    if (text[0] != '\x1b' || text[1] != '[') return 0;
    const char *at = text + 2;
    int number[NUMBERS_MOST] = {0};
    int count = 0;
    for (; (*at >= '0' && *at <= '9') || *at == ';'; at++) {
        if (*at == ';') {
            if (count < NUMBERS_MOST - 1) count++;
        } else if (number[count] < 1000) {
            number[count] = 10 * number[count] + (*at - '0');
        }
    }
    if (*at == 'm') apply(number, count + 1, look);
    return (int)(at - text) + (*at != '\0');
}

int look_width(const char *text, size_t length, Arena *arena) {
    char *plain = arena_copy(arena, text, length);
    char *to = plain;
    Look unused = look_plain;
    for (const char *c = plain; *c;) {
        int code = look_read(c, &unused);
        if (code)
            c += code;
        else
            *to++ = *c++;
    }
    *to = '\0';
    return unicode_width(plain);
}

const char *look_cut(const char *line, int width, Arena *arena) {
    Look unused = look_plain;
    int end = 0;
    if (look_width(line, strlen(line), arena) <= width) return line;
    for (int used = 0, bytes; line[end]; end += bytes) {
        bytes = look_read(line + end, &unused);
        if (bytes) continue;
        bytes = unicode_grapheme(line + end);
        used += unicode_part_width(line + end, bytes);
        if (used > width - 1) break;
    }
    return arena_print(arena, "%.*s…", unicode_whole_numbers(line, end), line);
}

/* Return the number of bytes at `text` that fit into `width`, at least one letter, for
 * a word that is wider than a line. An address is broken before its bracket. */
static size_t broken_length(const char *text, int width) {
    int fits = 0, used = 0;
    for (int letter; (letter = unicode_grapheme(text + fits)) > 0; fits += letter) {
        used += unicode_part_width(text + fits, letter);
        if (fits > 0 && used > width) break;
    }
    const char *bracket = fits > 1 ? memchr(text + 1, '[', (size_t)fits - 1) : NULL;
    if (bracket) return (size_t)(bracket - text);
    int whole = unicode_whole_numbers(text, fits);
    return (size_t)(whole > 0 ? whole : fits);
}

/* Look only one line ahead, so that folding a text takes linear time. */
size_t look_fold(const char *text, int width) {
    enum { LONGEST = 4 };
    int fits = 0;
    for (int end = 0, used = 0, bytes; used <= width; end += bytes) {
        bool ends_word = text[end] == ' ' && end > 0 && text[end - 1] != ' ';
        if (ends_word || !text[end]) fits = end;
        if (!text[end]) return (size_t)fits;
        unicode_decode(text + end, LONGEST, &bytes);
        used += unicode_part_width(text + end, bytes);
    }
    return fits > 0 ? (size_t)fits : broken_length(text, width);
}

const char *look_bar(double share, int most, Arena *arena) {
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    int length = (int)lround(share * most * 8);
    const char *cells = "";
    for (int i = 0; i < length / 8; i++) cells = arena_print(arena, "%s█", cells);
    return arena_print(arena, "%s%s", cells, eighths[length % 8]);
}
