#include "player/recorder.h"

enum { WIDTH = 80 };

void recorder_begin(Recorder *recorder, Session *session) {
    *recorder = (Recorder){.session = session,
                           .page = session->page.window,
                           .messages = session->messages.window};
    recorder->printed.arena = &recorder->arena;
    recorder->out = builder_stream(&recorder->printed);
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
    recorder->printed.count = 0;
    if (!enact_typed(session, typed, folder, &error)) {
        session->page.failed = session->messages.failed = false;
        fprintf(recorder->out, "%s%s\n", session_safe(session, error.message),
                error.details);
    }
    fflush(recorder->out);
    return arena_copy(arena, recorder->printed.text, (size_t)recorder->printed.count);
}

void recorder_end(Recorder *recorder) {
    Session *session = recorder->session;
    session->page.window = recorder->page;
    session->messages.window = recorder->messages;
    window_text_free(recorder->window);
    fclose(recorder->out);
    arena_free(&recorder->arena);
}
