#include "player/enact.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "explain/outcome.h"
#include "player/line.h"
#include "prompt/dispatch.h"
#include "session/program.h"
#include "session/variants.h"

/* What a lesson's line may reach: the folder that we stand in, if it has one, and the
 * program's own models. */
static Confinement confinement(bool has_folder, Arena *arena) {
    return (Confinement){.is_on = true,
                         .has_folder = has_folder,
                         .own = program_folder("models", arena),
                         .bytes_most = LESSON_BYTES_MAX};
}

bool enact_begin(Session *session, const Lesson *lesson, Error *error) {
    Arena arena = {0};
    /* A model that the person has here, where the program has none of that name. */
    Confinement before = confine(confinement(true, &arena));
    bool done = !lesson->model || session_open(session, lesson->model, error);
    confine(before);
    arena_free(&arena);
    if (!done) return false;
    session_forget(session);
    tape_reset(&session->toy);
    session->options.depth = lesson->depth;
    for (int l = 0; languages[l]; l++)
        if (strcmp(languages[l], lesson->language) == 0) session->options.language = l;
    language_choose(session->options.language);
    return true;
}

bool enact_enter(const char *folder, Entered *entered, Error *error) {
    entered->before = -1;
    if (!folder) return true;
    entered->before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (entered->before < 0)
        return fail(error, "cannot come back from %s: this folder cannot be opened: %s",
                    folder, error_reason(errno));
    /* It was made as a folder; a link that stands there now is none. */
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool done = file >= 0 && fchdir(file) == 0;
    if (!done) {
        fail(error, "cannot enter %s: %s", folder, error_reason(errno));
        enact_leave(entered);
    }
    if (file >= 0) close(file);
    return done;
}

void enact_leave(const Entered *entered) {
    if (entered->before < 0) return;
    if (fchdir(entered->before) != 0) errno = 0; /* it is gone: we stay */
    close(entered->before);
}

/* What a line of the lesson means, or what it means to a person who plays it. */
typedef bool Meaning(Session *session, const char *typed, Error *error);

static bool type_as(Meaning *means, Session *session, const char *typed,
                    const char *folder, Error *error) {
    if (!enact_allows(typed, folder, &session->scratch, error)) return false;
    Entered entered;
    if (!enact_enter(folder, &entered, error)) return false;
    Arena arena = {0};
    Confinement before = confine(confinement(folder != NULL, &arena));
    session->player.is_typing = true;
    bool done = means(session, typed, error) && page_done(&session->page, error);
    session->player.is_typing = false;
    confine(before);
    arena_free(&arena);
    enact_leave(&entered);
    return done;
}

static bool type(Session *session, const char *typed, const char *folder,
                 Error *error) {
    return type_as(dispatch_meant, session, typed, folder, error);
}

static bool line_of_person(Session *session, const char *typed, Error *error) {
    return dispatch_line(session, typed, strlen(typed), error);
}

bool enact_rehearsed(Session *session, const char *typed, const char *folder,
                     Error *error) {
    return type_as(line_of_person, session, typed, folder, error);
}

bool enact_typed(Session *session, const TypedLine *typed, const char *folder,
                 Error *error) {
    return type(session, typed->text, folder, error);
}

/* A line that fails in a lesson is one that shows how it fails. */
static void type_unseen(Session *session, const char *typed, const char *folder) {
    Error shown;
    session_clear(session);
    if (!enact_writes(typed, &session->scratch)) type(session, typed, folder, &shown);
}

bool enact_answer(Session *session, const Quiz *question, const char *folder,
                  Error *error) {
    for (int c = 0; c < question->commands; c++)
        if (!type(session, question->command[c], folder, error)) return false;
    return true;
}

bool enact_again(Session *session, const Lesson *lesson, int to, const char *folder,
                 Error *error) {
    const Window *page = session->page.window;
    const Window *messages = session->messages.window;
    Error unseen;
    session->page.window = session->messages.window = NULL;
    bool done = enact_begin(session, lesson, error);
    for (int s = 0; done && s < to; s++) {
        const LessonStep *step = &lesson->step[s];
        if (step->kind == STEP_TYPED) type_unseen(session, step->typed.text, folder);
        if (step->kind != STEP_QUESTION || step->question->asks != ASKS_STATE) continue;
        session_clear(session);
        enact_answer(session, step->question, folder, &unseen);
    }
    session_clear(session);
    session->page.window = page;
    session->messages.window = messages;
    return done && interrupt_none(error);
}

AtHand enact_at_hand(Session *session) {
    Arena *arena = &session->scratch;
    Story story = session_story(session);
    bool has_answer = session->has_model && session->run->is_made;
    return (AtHand){
        .record = session_record(session),
        .answer = has_answer ? outcome_of(&story, arena).text : NULL,
        .config = session->has_model ? &session->model.config : NULL,
        .arena = arena,
    };
}
