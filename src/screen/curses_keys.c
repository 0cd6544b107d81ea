#include <ncurses.h>
#include <poll.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/terminal.h"
#include "screen/curses.h"
#include "screen/curses_parts.h"
#include "text/unicode.h"

enum { FIRST_OWN_KEY = KEY_MAX + 1 };

/* Keys that terminfo does not know. */
static const struct {
    const char *bytes;
    int key;
} own_keys[] = {{"\x1b[200~", KEY_PASTE}, {"\x1b[201~", KEY_PASTED}};

static const struct {
    int curses, key;
} special_keys[] = {
    {KEY_UP, KEY_ARROW_UP},     {KEY_DOWN, KEY_ARROW_DOWN},
    {KEY_LEFT, KEY_ARROW_LEFT}, {KEY_RIGHT, KEY_ARROW_RIGHT},
    {KEY_PPAGE, KEY_PAGE_UP},   {KEY_NPAGE, KEY_PAGE_DOWN},
    {KEY_HOME, KEY_LINE_START}, {KEY_END, KEY_LINE_END},
    {KEY_BACKSPACE, KEY_ERASE}, {KEY_DC, KEY_REMOVE},
    {KEY_BTAB, KEY_BACK_TAB},   {KEY_ENTER, '\r'},
    {FIRST_OWN_KEY, KEY_PASTE}, {FIRST_OWN_KEY + 1, KEY_PASTED},
};

void curses_begin_keys(void) {
    for (int k = 0; k < 2; k++) define_key(own_keys[k].bytes, FIRST_OWN_KEY + k);
    mousemask(ALL_MOUSE_EVENTS, NULL);
    mouseinterval(0);
}

static int key_of(int code, bool is_function) {
    if (!is_function)
        return code == '\n' ? '\r' : code == 127 || code == 8 ? KEY_ERASE : code;
    for (size_t k = 0; k < sizeof special_keys / sizeof *special_keys; k++)
        if (special_keys[k].curses == code) return special_keys[k].key;
    return KEY_OTHER;
}

static Event mouse_event(void) {
    MEVENT mouse;
    if (getmouse(&mouse) != OK) return (Event){0};
    Event event = {.row = mouse.y, .column = mouse.x};
    if (mouse.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) event.kind = EVENT_CLICK;
    if (mouse.bstate & BUTTON4_PRESSED) event.kind = EVENT_WHEEL, event.turn = -1;
    if (mouse.bstate & BUTTON5_PRESSED) event.kind = EVENT_WHEEL, event.turn = 1;
    return event;
}

/* The letter that begins with a byte: get_wch() forgets the beginning of one whose rest
 * comes later. */
static int letter_of(int first) {
    enum { MILLISECONDS = 100 };
    char bytes[4] = {(char)first};
    int wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    int count = 1;
    timeout(MILLISECONDS);
    while (count < wanted) {
        int next = getch();
        bool goes_on = next >= 0x80 && next < 0xc0;
        if (!goes_on && next != ERR) ungetch(next);
        if (!goes_on) break;
        bytes[count++] = (char)next;
    }
    timeout(0);
    return unicode_decode(bytes, (size_t)count, &count);
}

static Event read_event(void) {
    int code = getch();
    while (code == KEY_RESIZE) code = getch(); /* we look for ourselves */
    if (code == ERR) return (Event){0};
    if (code == KEY_MOUSE) return mouse_event();
    bool is_function = code >= KEY_MIN;
    if (code >= 0x80 && !is_function) code = letter_of(code);
    return (Event){.kind = EVENT_KEY, .key = key_of(code, is_function)};
}

/* Wait until a key comes; true where none will come any more. */
static bool is_gone(int milliseconds) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&input, 1, milliseconds) > 0 && (input.revents & (POLLHUP | POLLERR));
}

/* What there is already. */
static Event event_now(void) {
    if (interrupt_signal()) return (Event){.kind = EVENT_SIGNAL};
    if (terminal_went_on()) curses_take_back();
    if (curses_follow_size()) return (Event){.kind = EVENT_RESIZE};
    return read_event();
}

Event curses_wait(int milliseconds) {
    /* A signal or a new size that comes just before poll() is seen this much later. */
    enum { SLICE = 100 };
    for (int left = milliseconds;; left -= SLICE) {
        Event event = event_now();
        if (event.kind || (milliseconds >= 0 && left <= 0)) return event;
        if (is_gone(milliseconds >= 0 && left < SLICE ? left : SLICE))
            return (Event){.kind = EVENT_END};
        if (milliseconds < 0) left = milliseconds;
    }
}
