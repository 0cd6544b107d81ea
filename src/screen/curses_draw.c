#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#undef columns /* a capability of terminals, and everybody's word */
#include <wchar.h>

#include "canvas/look.h"
#include "screen/curses.h"
#include "screen/curses_parts.h"
#include "text/unicode.h"

enum { PAIRS = 4096, LETTERS = 5 };

/* ncurses has one terminal. */
static struct {
    Colors colors;
    int pairs; /* that are known, from 1 on */
    struct {
        int ink, paper;
    } pair[PAIRS];
} drawn;

void curses_begin_colors(void) {
    const char *none = getenv("NO_COLOR");
    drawn.colors = COLORS_NONE;
    drawn.pairs = 0;
    if ((none && *none) || !has_colors()) return;
    start_color();
    use_default_colors();
    if (tigetflag("RGB") > 0) /* a colour is its red, green and blue */
        drawn.colors = COLORS_TRUE;
    else if (COLORS >= 256)
        drawn.colors = COLORS_256;
}

Colors curses_colors(void) {
    return drawn.colors;
}

void curses_clear(void) {
    erase();
}

/* The pair of these colours; there are more than anybody sees at once. */
static int pair_of(int ink, int paper) {
    if (ink == LOOK_DEFAULT && paper == LOOK_DEFAULT) return 0;
    for (int p = 0; p < drawn.pairs; p++)
        if (drawn.pair[p].ink == ink && drawn.pair[p].paper == paper) return p + 1;
    if (drawn.pairs == PAIRS) drawn.pairs = 0;
    int pair = drawn.pairs++;
    drawn.pair[pair].ink = ink;
    drawn.pair[pair].paper = paper;
    init_extended_pair(pair + 1, ink, paper);
    return pair + 1;
}

static attr_t attributes_of(const Look *look) {
    attr_t attributes = A_NORMAL;
    if (look->bold) attributes |= A_BOLD;
    if (look->faint) attributes |= A_DIM;
    if (look->turned) attributes |= A_REVERSE;
    if (look->underlined) attributes |= A_UNDERLINE;
    return attributes;
}

/* One letter, with as much of what joins it as a cell of ncurses holds. */
static void write_letter(int row, int column, const char *letter, int length,
                         const Look *look) {
    wchar_t wide[LETTERS + 1] = {0};
    int used = 0;
    for (int at = 0; at < length && used < LETTERS;) {
        int bytes;
        int code = unicode_decode(letter + at, (size_t)(length - at), &bytes);
        bool joins = used > 0 && wcwidth((wchar_t)code) == 0;
        if (used == 0 || joins) wide[used++] = (wchar_t)code;
        at += bytes;
    }
    if (wcwidth(wide[0]) < 1) wmemcpy(wide, L"\u25A1", 2);
    int pair = pair_of(look->ink, look->paper);
    cchar_t cell;
    setcchar(&cell, wide, attributes_of(look), 0, &pair);
    mvadd_wch(row, column, &cell);
}

void curses_write(int row, int column, int width, const char *line, int length) {
    Look look = look_plain;
    const char *end = line + length;
    int used = 0;
    while (line < end && used < width) {
        int code = look_read(line, &look);
        if (code) {
            line += code;
            continue;
        }
        int bytes = unicode_grapheme(line);
        char one[64];
        if (bytes <= 0 || bytes >= (int)sizeof one) break;
        memcpy(one, line, (size_t)bytes);
        one[bytes] = '\0';
        int cells = unicode_width(one);
        if (used + cells > width) break;
        if (cells > 0) write_letter(row, column + used, one, bytes, &look);
        used += cells;
        line += bytes;
    }
}

/* Change attributes of cells, back and forth. */
static void toggle(int row, int column, int width, attr_t change) {
    for (int c = column; c < column + width;) {
        cchar_t cell;
        wchar_t wide[CCHARW_MAX + 1] = {0};
        attr_t attributes;
        short unused;
        int pair = 0;
        if (mvin_wch(row, c, &cell) == ERR ||
            getcchar(&cell, wide, &attributes, &unused, &pair) == ERR)
            return;
        setcchar(&cell, wide, attributes ^ change, 0, &pair);
        mvadd_wch(row, c, &cell);
        c += wcwidth(wide[0]) > 1 ? 2 : 1;
    }
}

void curses_turn(int row, int column, int width) {
    toggle(row, column, width, A_REVERSE);
}

void curses_underline(int row, int column, int width) {
    toggle(row, column, width, A_UNDERLINE);
}

void curses_show(int row, int column) {
    curs_set(row >= 0);
    if (row >= 0) move(row, column);
    refresh();
}
