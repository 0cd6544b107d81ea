#include "screen/state.h"

/* Cells: what a pane needs, and how panes share what there is. */
enum {
    TEXT_ROWS = 2, /* source and target */
    TITLE = 1,     /* over each pane */
    COMMAND = 1,   /* the last line */
    NARROW = 76,   /* columns below which one pane is shown at a time */
    LOW = 18,      /* and rows */
    WIDE = 118,    /* from here on three panes stand side by side */
    MAP_NARROW = 26,
    MAP_WIDE = 36,
    WHY_WIDE = 42,
    READ_WIDE = 40, /* what a lesson gets more, where there is room */
};

static Area area(int row, int column, int rows, int columns) {
    return (Area){row + TITLE, column, rows - TITLE, columns};
}

static void place_one(Screen *screen, int rows, int columns) {
    screen->area[screen->focus] = area(0, 0, rows, columns);
}

/* The explanation under the tensor. */
static void place_two(Screen *screen, int rows, int columns) {
    int map = MAP_NARROW;
    int right = columns - map - 1;
    /* A lesson has more to say than one number, and so has the beginning. */
    const Session *session = screen->session;
    bool reads =
        !screen->shows_why && (session->player.is_open || !session->run->is_made);
    int upper = reads ? rows * 2 / 5 : rows * 3 / 5;
    screen->area[PANE_MAP] = area(0, 0, rows, map);
    screen->area[PANE_TENSOR] = area(0, map + 1, upper, right);
    screen->area[PANE_WHY] = area(upper, map + 1, rows - upper, right);
}

/* Beside it. */
static void place_three(Screen *screen, int rows, int columns) {
    int more = columns - WIDE;
    int map = MAP_WIDE + more / 4;
    int why = WHY_WIDE + more / 4;
    if (screen->session->player.is_open && more >= READ_WIDE) why += READ_WIDE / 2;
    screen->area[PANE_MAP] = area(0, 0, rows, map);
    screen->area[PANE_TENSOR] = area(0, map + 1, rows, columns - map - why - 2);
    screen->area[PANE_WHY] = area(0, columns - why, rows, why);
}

void layout_place(Screen *screen) {
    int rows = curses_rows();
    int columns = curses_columns();
    for (int p = 0; p < PANES; p++) screen->area[p] = (Area){0};
    int text = TEXT_ROWS + TITLE + (rows >= 2 * LOW);
    screen->is_single = columns < NARROW || rows < LOW;
    if (screen->is_single) text = TEXT_ROWS + TITLE;
    screen->area[PANE_TEXT] = area(rows - COMMAND - text, 0, text, columns);
    rows -= text + COMMAND;
    if (screen->is_single && screen->focus == PANE_TEXT) screen->focus = PANE_TENSOR;
    if (screen->is_single)
        place_one(screen, rows, columns);
    else if (columns < WIDE)
        place_two(screen, rows, columns);
    else
        place_three(screen, rows, columns);
}
