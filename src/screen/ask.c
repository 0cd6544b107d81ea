#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "player/line.h"
#include "player/player.h"
#include "present/answers.h"
#include "present/question_page.h"
#include "present/visit.h"
#include "screen/state.h"
#include "session/question.h"
#include "window/text.h"

void screen_say(Screen *screen, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(screen->message, sizeof screen->message, format, arguments);
    va_end(arguments);
}

/* Set the title of the story. */
static void screen_title(Screen *screen, const char *title) {
    snprintf(screen->title, sizeof screen->title, "%s",
             session_safe(screen->session, title));
    screen->has_lesson = false;
}

static int story_width(const Screen *screen) {
    const Area *area = &screen->area[PANE_WHY];
    return (has_area(area) ? area->columns : curses_columns()) - 1; /* draw_scroll() */
}

static void print_error(Screen *screen, const Error *error) {
    screen_say(screen, "%s", session_safe(screen->session, error->message));
}

/* Show the lines of the page in a pane. They are copied, because the page is cleared.
 */
static void show_lines(Screen *screen, Scroll *scroll, int width, bool drops_numbers) {
    lines_of_page(screen->session, width, curses_colors(), drops_numbers,
                  &scroll->lines);
    scroll->top = 0;
    scroll->marked = -1;
}

static void show_story(Screen *screen, bool drops_numbers) {
    screen->shows_why = false;
    show_lines(screen, &screen->story, story_width(screen), drops_numbers);
}

void ask_story(Screen *screen) {
    Session *session = screen->session;
    if (!session->run->is_made) return;
    session_clear(session);
    if (session->run->stage < 0)
        answers_say(session);
    else
        visit_show(session, session->run->stage);
    show_story(screen, true);
    screen_title(screen, tr(N_("story")));
}

void ask_greeting(Screen *screen) {
    session_clear(screen->session);
    line_greet(screen->session);
    show_story(screen, false);
    screen_title(screen, "glassbox");
}

static void show_why(Screen *screen) {
    show_lines(screen, &screen->why, story_width(screen), false);
    screen->shows_why = true;
    screen->why_is_old = false;
}

/* Show the answer to a followed question, and move the cursor to its cell. */
static void show_followed(Screen *screen) {
    const Questions *questions = &screen->session->run->questions;
    if (!questions->count) return;
    const Question *last = &questions->asked[questions->count - 1];
    if (last->cells.tensor) view_show(screen, last->cells.tensor, last->cells.cell);
    show_why(screen);
    if (screen->focus == PANE_WHY) why_choose(screen, 1);
}

void ask_wide(Screen *screen) {
    show_lines(screen, &screen->overlay, curses_columns() - 1, false);
    screen->has_overlay = screen->overlay.lines.count > 0;
}

/* If the line showed a tensor, show it in the tensor pane. */
static bool follow_look(Screen *screen, const LineOutcome *outcome) {
    const Record record = session_record(screen->session);
    Arena arena = {0};
    const Tensor *tensor;
    Error none;
    bool found = outcome->tensor &&
                 record_find(&record, outcome->tensor, &arena, &tensor, &none);
    if (found) {
        view_show(screen, tensor, -1);
        screen->tensor.is_table = outcome->is_table;
    }
    arena_free(&arena);
    return found;
}

static void say_line(Screen *screen, const Lines *lines, int line) {
    screen_say(screen, "%s", styled_text(&lines->line[line]));
}

/* Show lines that are about no pane where they fit. */
static void show_said(Screen *screen, const char *line, const Lines *said_lines) {
    enum { SCROLLED = 14 };
    int rows = screen->area[PANE_WHY].rows;
    int max = rows > SCROLLED ? rows : SCROLLED;
    if (said_lines->count == 1) {
        say_line(screen, said_lines, 0);
    } else if (said_lines->count <= max && !screen->is_single) {
        show_story(screen, false);
        screen_title(screen, line);
    } else {
        ask_wide(screen);
    }
}

static void show_outcome(Screen *screen, const char *line, const Lines *said_lines) {
    const LineOutcome outcome = screen->session->outcome;
    if (screen->has_curve && said_lines->count) {
        say_line(screen, said_lines, said_lines->count - 1);
        return;
    }
    if (screen->session->lesson.is_open) {
        /* Append to the text of the same lesson, to keep the question visible. */
        Scroll *story = &screen->story;
        bool goes_on = !screen->shows_why && screen->has_lesson;
        lines_add(&story->lines, goes_on, said_lines);
        story->top = story->lines.count - said_lines->count;
        if (said_lines->count < screen->area[PANE_WHY].rows) story->top = INT_MAX / 2;
        screen->shows_why = false;
        screen->focus = PANE_WHY;
        screen_title(screen, player_name(screen->session));
        screen->has_lesson = true;
        if (!follow_look(screen, &outcome) &&
            (outcome.did == DID_MOVE || outcome.did == DID_RUN))
            view_follow_stop(screen);
        return;
    }
    switch (outcome.did) {
    case DID_SAY:
        if (!follow_look(screen, &outcome)) show_said(screen, line, said_lines);
        break;
    case DID_ASK:
        show_followed(screen);
        break;
    case DID_MOVE:
        ask_story(screen);
        view_follow_stop(screen);
        break;
    case DID_RUN:
        show_story(screen, false);
        screen_title(screen, line);
        screen->tensor.name[0] = '\0';
        if (screen->is_single) screen->focus = PANE_WHY;
        view_follow_stop(screen);
        break;
    case DID_LEARN: /* not a page of the run */
        show_story(screen, false);
        screen_title(screen, *line ? line : tr(N_("learning")));
        break;
    }
}

/* Show the progress of a computation while it runs, using at most 4% of the time and at
 * most ten times per second. */
static void follow_progress(void *follower, const Block *block) {
    const double pause_seconds = 0.1, share = 0.04;
    Screen *screen = follower;
    Event event;
    double began = clock_seconds();
    const ProgressBlock *progress =
        block->kind == BLOCK_PROGRESS ? &block->progress : NULL;
    if (began < screen->live_due && !(progress && progress->ended)) return;
    /* Do this before the keys, which move in the view. They can select heads, cells and
     * colors during a computation, but do not touch the session. */
    view_watch(screen,
               progress && progress->watch ? progress->watch(progress->watched) : NULL);
    while ((event = curses_wait(0)).kind && event.kind != EVENT_SIGNAL &&
           event.kind != EVENT_END)
        keys_press_idle(screen, &event);
    if (progress) {
        /* Show the loss curve in place of the story. */
        enum { AROUND = 5, ROWS_MIN = 4 }; /* rows for the axis and its titles */
        const Area *area = &screen->area[PANE_WHY];
        int rows = area->rows - AROUND;
        int width = has_area(area) ? area->columns : curses_columns();
        Arena arena = {0};
        const Styled *curve =
            progress_curve(progress, width, rows > ROWS_MIN ? rows : ROWS_MIN,
                           curses_colors(), &arena);
        lines_take(&screen->story.lines, curve ? curve : &(Styled){0});
        screen->story.top = 0;
        screen->shows_why = false;
        screen->has_curve = true;
        screen_title(screen, tr(N_("loss")));
        screen_say(screen, "%s", progress_facts(progress, &arena));
        arena_free(&arena);
    } else
        screen_say(screen, tr(N_("%d of %d %s")), block->counting.done,
                   block->counting.all, tr(block->counting.what));
    screen_draw(screen);
    curses_show(-1, 0);
    double pause = (clock_seconds() - began) / share;
    screen->live_due = began + (pause > pause_seconds ? pause : pause_seconds);
}

void ask_line(Screen *screen, const char *line) {
    Session *session = screen->session;
    Capture capture;
    Lines lines = {0};
    Error error;
    screen->message[0] = '\0';
    screen->has_curve = false;
    view_keep(screen);
    view_tell(screen);
    if (!capture_begin(&capture, session, story_width(screen), curses_colors())) return;
    capture.follow = follow_progress;
    capture.follower = screen;
    bool done = line_run(session, line, &error);
    capture_end(&capture, &lines);
    if (interrupt_signal() == SIGINT) interrupt_answer();
    if (session->input.done) screen->leaves = true;
    if (session->outcome.did != DID_MOVE) screen->plays = false;
    view_compare(screen);
    if (lines.count || done) show_outcome(screen, line, &lines);
    if (screen->tensor.moved && !*screen->message)
        screen_say(screen, tr(N_("%d cells of %s changed")), screen->tensor.moved,
                   screen->tensor.name);
    if (!done) print_error(screen, &error);
    lines_free(&lines);
}

void ask_why(Screen *screen) {
    Session *session = screen->session;
    const Tensor *tensor = view_tensor(screen);
    screen->why_is_old = false;
    if (!tensor) return;
    session_clear(session);
    question_ask(session, false, &(AxisCells){tensor, view_cell(screen), 1, 0});
    question_say(session);
    show_why(screen);
}

void why_choose(Screen *screen, int step) {
    Scroll *why = &screen->why;
    const Lines *lines = &why->lines;
    int line = why->marked < 0 && step < 0 ? lines->count : why->marked;
    for (line += step; line >= 0 && line < lines->count; line += step) {
        int item = lines_item(lines, line);
        if (item && (line == 0 || lines_item(lines, line - 1) != item)) {
            why->marked = line; /* its first line */
            return;
        }
    }
    why->top += step;
}

void ask_follow(Screen *screen, int number) {
    Error error;
    char typed[16];
    const Scroll *why = &screen->why;
    if (!number && why->marked >= 0) number = lines_item(&why->lines, why->marked);
    if (!number) {
        screen_say(screen, "%s", tr(N_("choose a line of the explanation first")));
        return;
    }
    snprintf(typed, sizeof typed, "%d", number);
    session_clear(screen->session);
    if (question_follow(screen->session, false, typed, &error)) {
        question_say(screen->session);
        show_followed(screen);
    } else {
        print_error(screen, &error);
    }
}

void ask_up(Screen *screen) {
    Session *session = screen->session;
    if (session->run->questions.count < 2) {
        screen_say(screen, "%s", tr(N_("this is the first question")));
        return;
    }
    session_clear(session);
    question_up(session);
    question_say(session);
    show_followed(screen);
}
