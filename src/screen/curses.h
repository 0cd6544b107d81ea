/* curses.h - the terminal as a grid of styled cells, with keys and mouse. The home of
 * ncurses. */
#pragma once

#include "base/error.h"
#include "canvas/canvas.h"

/* Keys that are not letters. */
typedef enum {
    KEY_NONE,
    KEY_ESCAPE = 27,
    KEY_OTHER = 0x200000, /* above Unicode: keys without a meaning here */
    KEY_ARROW_UP,
    KEY_ARROW_DOWN,
    KEY_ARROW_LEFT,
    KEY_ARROW_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_LINE_START,
    KEY_LINE_END,
    KEY_ERASE,  /* Backspace */
    KEY_REMOVE, /* Delete */
    KEY_BACK_TAB,
    KEY_PASTE, /* a paste starts, and ends */
    KEY_PASTED,
} SpecialKey;

typedef enum {
    EVENT_NONE, /* timeout */
    EVENT_KEY,
    EVENT_CLICK,
    EVENT_WHEEL,
    EVENT_RESIZE,
    EVENT_SIGNAL, /* call interrupt_signal() to find out which */
    EVENT_END,    /* the terminal is closed */
} EventKind;

typedef struct {
    EventKind kind;
    int key;         /* a code point, or a SpecialKey */
    int row, column; /* of the mouse */
    int turn;        /* of the wheel: -1 up, 1 down */
} Event;

/* Switch the terminal to full screen. Fail if it does not support that. */
bool curses_begin(Error *error);

/* Restore the terminal. */
void curses_end(void);

int curses_rows(void);
int curses_columns(void);

/* Return the colors that the terminal supports. */
Colors curses_colors(void);

/* Start a new picture with blank cells. */
void curses_clear(void);

/* Write `length` bytes of a line from a cell on, over at most `width` cells. Return how
 * many. */
int curses_write(int row, int column, int width, const char *line, int length,
                 Look look);

/* Swap the foreground and background of `width` cells. */
void curses_turn(int row, int column, int width);

/* Underline `width` cells. */
void curses_underline(int row, int column, int width);

/* Show the picture, with the cursor in a cell; -1: no cursor. */
void curses_show(int row, int column);

/* Return the next event, or EVENT_NONE after a timeout; -1: wait without a timeout. */
Event curses_wait(int milliseconds);
