#include "screen/keys.h"

static void scroll_overlay(Screen *screen, int key) {
    Scroll *overlay = &screen->overlay;
    int page = curses_rows() - 2;
    if (key == KEY_ARROW_DOWN || key == 'j')
        overlay->top++;
    else if (key == KEY_ARROW_UP || key == 'k')
        overlay->top--;
    else if (key == KEY_PAGE_DOWN || key == ' ')
        overlay->top += page;
    else if (key == KEY_PAGE_UP)
        overlay->top -= page;
    else if (key == '\r' || key == 'q' || key == KEY_ESCAPE || key == ':')
        screen->has_overlay = false;
}

static PaneKind pane_at(const Screen *screen, int row, int column) {
    for (PaneKind p = 0; p < PANES; p++) {
        const Area *area = &screen->area[p];
        if (has_area(area) && row >= area->row - 1 && row < area->row + area->rows &&
            column >= area->column && column < area->column + area->columns)
            return p;
    }
    return PANES;
}

static void click(Screen *screen, const Event *event) {
    PaneKind pane = pane_at(screen, event->row, event->column);
    if (pane < PANE_TEXT) screen->focus = pane;
    if (pane == PANE_MAP) pane_map_click(screen, event->row, event->column);
    if (pane == PANE_TENSOR) view_click(screen, event->row, event->column);
    if (pane == PANE_WHY && screen->shows_why) {
        screen->why.marked = screen->why.top + event->row - screen->area[PANE_WHY].row;
        if (screen->why.marked >= screen->why.lines.count) screen->why.marked = -1;
    }
}

static void turn_wheel(Screen *screen, const Event *event) {
    PaneKind pane = pane_at(screen, event->row, event->column);
    if (screen->has_overlay)
        screen->overlay.top += 3 * event->turn;
    else if (pane == PANE_TENSOR)
        view_move(screen, 3 * event->turn, 0);
    else if (pane == PANE_WHY)
        keys_scroll(screen)->top += 3 * event->turn;
}

void keys_press_idle(Screen *screen, const Event *event) {
    const KeyRow *row = event->kind == EVENT_KEY ? keys_row(event->key) : NULL;
    if (row && row->while_running && screen->focus != PANE_MAP) row->press(screen);
}

void keys_press(Screen *screen, const Event *event) {
    if (event->kind == EVENT_WHEEL) turn_wheel(screen, event);
    if (event->kind == EVENT_CLICK && !screen->has_overlay) click(screen, event);
    if (event->kind == EVENT_CLICK) screen->has_overlay = false;
    if (event->kind != EVENT_KEY) return;
    screen->message[0] = '\0';
    if (event->key != ' ') screen->plays = false;
    if (event->key == KEY_PASTE) {
        screen->has_overlay = false;
        keys_edit(screen, "", true);
        return;
    }
    if (screen->has_overlay) {
        scroll_overlay(screen, event->key);
        if (event->key != ':') return;
    }
    if (event->key >= '1' && event->key <= '9' && screen->shows_why)
        ask_follow(screen, event->key - '0');
    const KeyRow *row = keys_row(event->key);
    if (row) row->press(screen);
}
