#include <stdio.h>
#include <string.h>

#include "base/language.h"
#include "canvas/look.h"
#include "player/player.h"
#include "screen/state.h"
#include "text/unicode.h"

/* Rules that need no wide letters of their own. */
static const char *const rule = "─";
static const char *const wall = "│";

bool has_area(const Area *area) {
    return area->rows > 0 && area->columns > 0;
}

void draw_line(const Area *area, int row, const char *line) {
    if (row < 0 || row >= area->rows) return;
    curses_write(area->row + row, area->column, area->columns, line, (int)strlen(line));
}

void draw_scroll(const Area *area, Scroll *scroll) {
    int most = scroll->lines.count - area->rows;
    if (scroll->marked >= 0) {
        if (scroll->marked < scroll->top) scroll->top = scroll->marked;
        if (scroll->marked >= scroll->top + area->rows)
            scroll->top = scroll->marked - area->rows + 1;
    }
    if (scroll->top > most) scroll->top = most;
    if (scroll->top < 0) scroll->top = 0;
    /* The marks have a column of their own: half of a wide letter cannot be covered. */
    Area text = *area;
    if (most > 0) text.columns--;
    for (int row = 0; row < area->rows; row++) {
        int line = scroll->top + row;
        if (line >= scroll->lines.count) break;
        draw_line(&text, row, scroll->lines.line[line]);
        if (line == scroll->marked)
            curses_turn(area->row + row, area->column, area->columns);
    }
    if (scroll->top < most)
        curses_write(area->row + area->rows - 1, area->column + area->columns - 1, 1,
                     "▼", (int)strlen("▼"));
    if (scroll->top > 0)
        curses_write(area->row, area->column + area->columns - 1, 1, "▲",
                     (int)strlen("▲"));
}

/* "── map: boxes ─────" over a pane; in bold where the keys go to. */
static void draw_title(Screen *screen, PaneKind pane, const char *title) {
    Arena *arena = &screen->picture;
    const Area *area = &screen->area[pane];
    bool has_focus = screen->focus == pane;
    int room = area->columns - 4;
    const char *words = unicode_cut(title, room, arena);
    const char *line = arena_print(arena, "\x1b[0;%sm%s %s ", has_focus ? "1;7" : "2",
                                   has_focus ? "▸" : rule, words);
    Area over = {area->row - 1, area->column, 1, area->columns};
    for (int i = 3 + unicode_width(words); i < area->columns; i++)
        curses_write(over.row, over.column + i, 1, rule, (int)strlen(rule));
    draw_line(&over, 0, line);
}

/* Between panes that stand side by side. */
static void draw_walls(const Screen *screen) {
    for (int p = 0; p < PANE_TEXT; p++) {
        const Area *area = &screen->area[p];
        if (!has_area(area) || area->column == 0) continue;
        for (int row = -1; row < area->rows; row++)
            curses_write(area->row + row, area->column - 1, 1, wall, (int)strlen(wall));
    }
}

/* What can be done where the keys go to. */
static const char *keys_here(const Screen *screen) {
    const Session *session = screen->session;
    if (player_wants_answer(session))
        return said(N_("i answer  :hint  :skip  Tab panes  ? keys  q leave"));
    if (session->player.is_open || session->run->walks_back)
        return said(N_("Enter goes on  : command  Tab panes  ? keys  q leave"));
    if (!session->run->is_made)
        return said(N_("i type a sentence  : command  ? keys  q leave"));
    if (screen->focus == PANE_WHY && screen->shows_why)
        return said(N_("Enter follow the line  Backspace back  Esc numbers  ? keys"));
    if (screen->focus == PANE_TENSOR && session->run->stage >= 0)
        return said(
            N_("n next  p back  Enter why  [ ] head  i sentence  ? keys  q leave"));
    return said(
        N_("n next  p back  Tab panes  : command  i sentence  ? keys  q leave"));
}

/* A message that is longer than the last line reaches up over what stands there. */
static void draw_message(Screen *screen) {
    enum { MOST = 6 };
    Arena *arena = &screen->picture;
    const char *line[MOST];
    size_t length[MOST];
    int columns = curses_columns();
    int rows = 0;
    for (const char *rest = screen->message; *rest && rows < MOST; rows++) {
        line[rows] = rest;
        length[rows] = look_fold(rest, columns);
        rest += length[rows];
        rest += strspn(rest, " ");
    }
    for (int r = 0; r < rows; r++) {
        Area area = {curses_rows() - rows + r, 0, 1, columns};
        const char *text = arena_copy(arena, line[r], length[r]);
        draw_line(&area, 0, unicode_pad(text, columns, false, arena));
    }
}

static void draw_last_line(Screen *screen) {
    Area last = {curses_rows() - 1, 0, 1, curses_columns()};
    Arena *arena = &screen->picture;
    if (*screen->message)
        draw_message(screen);
    else
        draw_line(&last, 0,
                  arena_print(arena, "\x1b[0;2m%s\x1b[0m",
                              unicode_cut(keys_here(screen), last.columns, arena)));
}

/* What a command printed, over everything but the last line. */
static void draw_overlay(Screen *screen) {
    Area area = {0, 0, curses_rows() - 1, curses_columns()};
    draw_scroll(&area, &screen->overlay);
    Area last = {curses_rows() - 1, 0, 1, curses_columns()};
    draw_line(&last, 0,
              arena_print(&screen->picture, "\x1b[0;7m %s \x1b[0m",
                          said(N_("Enter: back to the panes   arrows: scroll"))));
}

static void draw_panes(Screen *screen) {
    static void (*const draws[PANES])(Screen *) = {pane_map_draw, pane_tensor_draw,
                                                   pane_why_draw, pane_text_draw};
    const char *title[PANES] = {pane_map_title(screen), pane_tensor_title(screen),
                                pane_why_title(screen), said(N_("sentence"))};
    for (PaneKind p = 0; p < PANES; p++) {
        if (!has_area(&screen->area[p])) continue;
        draw_title(screen, p, title[p]);
        draws[p](screen);
    }
    draw_walls(screen);
    draw_last_line(screen);
}

static void draw_too_small(void) {
    Area all = {0, 0, curses_rows(), curses_columns()};
    char text[128];
    snprintf(text, sizeof text, said(N_("%d x %d is needed")), LEAST_COLUMNS,
             LEAST_ROWS);
    draw_line(&all, 0, said(N_("too small")));
    draw_line(&all, 1, text);
}

void screen_draw(Screen *screen) {
    arena_reset(&screen->picture);
    curses_clear();
    if (curses_rows() < LEAST_ROWS || curses_columns() < LEAST_COLUMNS) {
        draw_too_small();
    } else if (screen->has_overlay) {
        draw_overlay(screen);
    } else {
        layout_place(screen);
        draw_panes(screen);
    }
}
