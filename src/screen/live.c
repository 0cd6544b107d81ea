#include <stdio.h>

#include "base/clock.h"
#include "base/language.h"
#include "screen/keys.h"
#include "window/progress.h"

/* What is shown may take 4 % of the time, and comes ten times a second at most. */
static const double pause_seconds = 0.1;
static const double share = 0.04;

/* The losses as a curve in the place of the story. */
static void show_curve(Screen *screen, const ProgressBlock *progress) {
    enum { AROUND = 5, LEAST = 4 }; /* rows: of the axis and its titles */
    const Area *area = &screen->area[PANE_WHY];
    int rows = area->rows - AROUND;
    int width = has_area(area) ? area->columns : curses_columns();
    Arena arena = {0};
    lines_take(&screen->story.lines,
               progress_curve(progress, width, rows > LEAST ? rows : LEAST,
                              curses_colors(), &arena));
    arena_free(&arena);
    screen->story.top = 0;
    screen->shows_why = false;
    screen->has_curve = true;
    screen_title(screen, said(N_("loss")));
}

static void show_progress(Screen *screen, const ProgressBlock *progress) {
    Arena arena = {0};
    show_curve(screen, progress);
    screen_say(screen, progress_facts(progress, &arena));
    arena_free(&arena);
}

static void show_counting(Screen *screen, const CountingBlock *counting) {
    Arena arena = {0};
    screen_say(screen, say(&arena, "%d of %d %s", counting->done, counting->all,
                           said(counting->what)));
    arena_free(&arena);
}

/* Heads, cells and colours can be chosen while it runs; the session is not touched. */
static void take_keys(Screen *screen) {
    Event event;
    while ((event = curses_wait(0)).kind && event.kind != EVENT_SIGNAL &&
           event.kind != EVENT_END)
        keys_press_idle(screen, &event);
}

void live_follow(void *follower, const Block *block) {
    Screen *screen = follower;
    double began = clock_seconds();
    const ProgressBlock *progress =
        block->kind == BLOCK_PROGRESS ? &block->progress : NULL;
    if (began < screen->live_due && !(progress && progress->ended)) return;
    /* Before the keys, which move in it. */
    view_watch(screen,
               progress && progress->watch ? progress->watch(progress->watched) : NULL);
    take_keys(screen);
    if (progress)
        show_progress(screen, progress);
    else
        show_counting(screen, &block->counting);
    screen_draw(screen);
    curses_show(-1, 0);
    double cost = clock_seconds() - began;
    double pause = cost / share > pause_seconds ? cost / share : pause_seconds;
    screen->live_due = began + pause;
}
