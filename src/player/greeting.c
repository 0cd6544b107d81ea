#include "player/greeting.h"

#include <string.h>

#include "base/language.h"
#include "player/version.h"
#include "session/refusal.h"
#include "store/about.h"

/* The last part of the model's path: what it is called. */
static const char *model_name(Session *session) {
    const char *path = session->model.path;
    const char *slash = strrchr(path, '/');
    return session_safe(session, slash && slash[1] ? slash + 1 : path);
}

void greeting_say_model(Session *session) {
    const Model *model = &session->model;
    Page *page = &session->page;
    Arena *arena = page->arena;
    About about;
    Error error;
    if (!about_read(&about, model->path, arena, &error))
        refusal_say(session, "", &error);
    const char *shape = network_describe(&model->config, arena);
    if (*about.purpose)
        page_line(page, "%s: %s", model_name(session),
                  session_safe(session, about.purpose));
    else
        page_line(page, "model %s", session_safe(session, model->path));
    if (*about.knows) page_line(page, "%s", session_safe(session, about.knows));
    if (model_is_untrained(model))
        page_line(page, "%s (initial weights: it has not learned yet)", shape);
    else
        page_line(page, "%s", shape);
    page_gap(page);
    if (*about.example[0])
        page_line(page, "Type a sentence, such as: %s",
                  session_safe(session, about.example[0]));
    else
        page_line(page, "Type a sentence.");
}

void greeting_say(Session *session) {
    Page *page = &session->page;
    page_line(page, "glassbox %s: every number of a Transformer", glassbox_version);
    greeting_say_model(session);
    page_line(page, ":lesson  a course    :models  other models    :help    :quit");
}
