#include "screen/screen.h"

#include <signal.h>

#include "base/interrupt.h"
#include "screen/state.h"

enum { PLAY_MILLISECONDS = 1500 };

bool screen_run(Session *session, Error *error) {
    Screen screen = {.session = session, .focus = PANE_TENSOR};
    screen.story.marked = screen.why.marked = screen.overlay.marked = -1;
    const Window *page = session->page.window;
    const Window *messages = session->messages.window;
    if (!curses_begin(error)) return false;
    /* Collect the output without printing; panes show it. */
    session->page.window = session->messages.window = NULL;
    layout_place(&screen);
    if (session->run->is_made) {
        view_follow_stop(&screen);
        ask_story(&screen);
    } else {
        ask_greeting(&screen);
    }
    while (!screen.leaves) {
        if (screen.why_is_old && screen.shows_why) ask_why(&screen);
        screen_draw(&screen);
        curses_show(-1, 0);
        const Event event = curses_wait(screen.plays ? PLAY_MILLISECONDS : -1);
        switch (event.kind) {
        case EVENT_NONE: /* play: advance automatically */
            ask_line(&screen, ":next");
            break;
        case EVENT_SIGNAL:
        case EVENT_END:
            screen.leaves = true;
            break;
        case EVENT_RESIZE:
            layout_place(&screen);
            if (!screen.shows_why && !session->lesson.is_open) ask_story(&screen);
            break;
        default:
            keys_press(&screen, &event);
        }
    }
    session_clear(session);
    session->page.window = page;
    session->messages.window = messages;
    curses_end();
    arena_free(&screen.tensor.arena);
    arena_free(&screen.tensor.kept);
    lines_free(&screen.story.lines);
    lines_free(&screen.why.lines);
    lines_free(&screen.overlay.lines);
    arena_free(&screen.picture);
    if (interrupt_signal() == SIGINT) interrupt_answer();
    return true;
}
