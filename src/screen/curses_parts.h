/* curses_parts.h - what the three files around ncurses have of each other: curses.c
 * takes the terminal and gives it back, curses_draw.c writes, curses_keys.c reads. */
#pragma once

#include <stdbool.h>

/* What the terminal can show, and which keys it has: once the screen is there. */
void curses_begin_colors(void);
void curses_begin_keys(void);

/* Is the terminal of another size now? Then the picture is, too. */
bool curses_follow_size(void);

/* Somebody else had the terminal: draw all of it again. */
void curses_take_back(void);
