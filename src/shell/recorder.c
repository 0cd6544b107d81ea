#include "shell/recorder.h"

#include <string.h>

enum { WIDTH = 80 };

static ssize_t keep(void *state, const char *bytes, size_t count) {
    Recorder *recorder = state;
    build_text(&recorder->printed, arena_copy(&recorder->arena, bytes, count));
    return (ssize_t)count;
}

void recorder_begin(Recorder *recorder, Session *session) {
    *recorder = (Recorder){.session = session,
                           .page = session->page.window,
                           .messages = session->messages.window};
    recorder->printed.arena = &recorder->arena;
    recorder->out = fopencookie(recorder, "w", (cookie_io_functions_t){.write = keep});
    session->options.width = WIDTH;
    session->options.color = 1; /* never */
    recorder->window =
        window_text_new(&recorder->arena, recorder->out, &session->options.width,
                        &session->options.color);
    session->page.window = session->messages.window = &recorder->window->window;
}

const char *recorder_type(Recorder *recorder, const TypedLine *typed,
                          const char *folder, Arena *arena) {
    Session *session = recorder->session;
    Error error;
    fflush(recorder->out);
    size_t before = (size_t)recorder->printed.count;
    if (!enact_typed(session, typed, folder, &error)) {
        session->page.failed = session->messages.failed = false;
        fprintf(recorder->out, "%s%s\n", session_safe(session, error.message),
                error.details);
    }
    fflush(recorder->out);
    const char *printed = builder_text(&recorder->printed) + before;
    const char *copy = arena_copy(arena, printed, strlen(printed));
    recorder->printed.count = 0;
    return copy;
}

void recorder_end(Recorder *recorder) {
    Session *session = recorder->session;
    session->page.window = recorder->page;
    session->messages.window = recorder->messages;
    window_text_free(recorder->window);
    fclose(recorder->out);
    arena_free(&recorder->arena);
}
