/* curses.h - the terminal as a whole: letters with their looks in cells, keys and
 * mouse. The home of ncurses.
 *
 * What is drawn comes as lines of text with the looks that grid_text() and the text
 * window write ("\x1b[0;1;38;5;N;48;5;Nm"), so that whatever can be printed can stand
 * on the screen. */
#pragma once

#include "base/error.h"
#include "canvas/canvas.h"

/* A key that is no letter. */
typedef enum {
    KEY_NONE,
    KEY_ESCAPE = 27,
    KEY_OTHER = 0x200000, /* above Unicode: what nobody asks for */
    KEY_ARROW_UP,
    KEY_ARROW_DOWN,
    KEY_ARROW_LEFT,
    KEY_ARROW_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_LINE_START,
    KEY_LINE_END,
    KEY_ERASE,  /* the key over Enter */
    KEY_REMOVE, /* Delete */
    KEY_BACK_TAB,
    KEY_PASTE, /* a paste begins, and ends */
    KEY_PASTED,
} SpecialKey;

typedef enum {
    EVENT_NONE, /* nothing came in time */
    EVENT_KEY,
    EVENT_CLICK,
    EVENT_WHEEL,
    EVENT_RESIZE,
    EVENT_SIGNAL, /* interrupt_signal() has one */
    EVENT_END,    /* the terminal is gone */
} EventKind;

typedef struct {
    EventKind kind;
    int key;         /* a code point, or a SpecialKey */
    int row, column; /* of the mouse */
    int turn;        /* of the wheel: -1 up, 1 down */
} Event;

/* Take the terminal over. Fails where it cannot show a screen. */
bool curses_begin(Error *error);

/* Give it back as it was. */
void curses_end(void);

int curses_rows(void);
int curses_columns(void);

/* What it can show. */
Colors curses_colors(void);

/* Begin a picture: everything is blank. */
void curses_clear(void);

/* Write `length` bytes of a line from a cell on, over at most `width` cells. */
void curses_write(int row, int column, int width, const char *line, int length);

/* Turn the letters of `width` cells: light on dark, or dark on light. */
void curses_turn(int row, int column, int width);

/* Underline them. */
void curses_underline(int row, int column, int width);

/* Show the picture, with the cursor in a cell; -1: it is hidden. */
void curses_show(int row, int column);

/* What comes next, within so many milliseconds; -1: however long it takes. */
Event curses_wait(int milliseconds);
