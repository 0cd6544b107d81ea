#include "session/session.h"

#include <string.h>

#include "base/language.h"
#include "canvas/palette.h"
#include "explain/depth.h"
#include "explain/toy.h"
#include "session/learning.h"
#include "session/models.h"
#include "session/variants.h"
#include "text/unicode.h"
#include "window/text.h"

static const char *palette_choice(int i) {
    if (i == 0) return "auto";
    return i <= palette_count ? palettes[i - 1].name : NULL;
}

#define SETTING(...) OPTION(Display, __VA_ARGS__)
#define RANGE(least_, most_) .least = (least_), .most = (most_)

const Option display_options[] = {
    SETTING(digits, option_count, "3", "digits behind the point", RANGE(0, 9)),
    SETTING(columns, option_count, "64", "numbers of a row that are shown at most",
            RANGE(4, 10000)),
    SETTING(terms, option_count, "12", "terms of an explanation shown one by one",
            RANGE(1, 10000)),
    SETTING(candidates, option_count, "5", "candidates for the next token",
            RANGE(1, 100)),
    SETTING(limit, option_count, "0", "tokens to generate; 0: as many as the paper",
            RANGE(0, 65536)),
    SETTING(depth, option_choice, "boxes", "how deep a walk goes", .choices = depths),
    SETTING(width, option_count, "0", "columns to print within; 0: the terminal's",
            RANGE(0, 10000)),
    SETTING(color, option_choice, "auto", "colours", .choices = color_modes),
    SETTING(language, option_choice, "auto", "language; auto: the locale's",
            .choices = languages),
    SETTING(palette, option_choice, "auto", "colours of heatmaps",
            .choice = palette_choice),
    SETTING(pager, option_truth, "true", "long lists wait at the end of a screen",
            .most = 1),
    {0},
};

Session *session_new(Arena *arena) {
    Session *session = ARENA_ARRAY(arena, Session, 1);
    session->page.arena = session->messages.arena = &session->scratch;
    session->stage = -1;
    option_reset(display_options, &session->options, arena);
    return session;
}

void session_forget(Session *session) {
    tape_reset(&session->run);
    tape_reset(&session->steps);
    tape_reset(&session->lens);
    arena_reset(&session->sentence);
    arena_reset(&session->why_arena);
    session->questions = (Questions){0};
    session->told = NULL;
    session->source = session->target = (Side){0};
    session->generated = (Generated){0};
    session->forks = (Forks){0};
    memset(session->answer, 0, sizeof session->answer);
    session->walk = (Walk){0};
    session->encoded = (Encoded){0};
    session->learning.walks = false;
    session->has_run = session->target_given = session->target_borrowed = false;
    session->what_if.holds_target = false;
    session->stage = -1;
    session->row = 0;
}

static void what_if_free(WhatIf *what_if) {
    arena_free(&what_if->changes.arena);
    arena_free(&what_if->before);
    for (int k = 0; k < what_if->kept_count; k++) arena_free(&what_if->kept[k].arena);
}

void session_free(Session *session) {
    learning_free(session);
    variants_free(session);
    tape_free(&session->run);
    tape_free(&session->steps);
    tape_free(&session->toy);
    tape_free(&session->lens);
    arena_free(&session->sentence);
    arena_free(&session->why_arena);
    what_if_free(&session->what_if);
    arena_free(&session->shown_arena);
    tape_free(&session->spare.run);
    tape_free(&session->spare.steps);
    tape_free(&session->spare.lens);
    arena_free(&session->spare.sentence);
    arena_free(&session->spare.why);
    arena_free(&session->scratch);
    arena_free(&session->player.arena);
    history_free(&session->history);
}

void session_clear(Session *session) {
    page_clear(&session->page);
    page_clear(&session->messages);
    arena_reset(&session->scratch);
    session->looked = NULL;
}

Record session_record(const Session *session) {
    return (Record){
        .run = session->has_run ? &session->run : NULL,
        .steps = session->steps.count ? &session->steps : NULL,
        .toy = session->toy.count ? &session->toy : NULL,
        .lens = session->lens.count ? &session->lens : NULL,
        .weights = session->has_model ? &session->model.weights : NULL,
        .changes = &session->what_if.changes,
        .gradients =
            session->learning.has_gradients ? &session->learning.gradients : NULL,
    };
}

Story session_story(const Session *session) {
    const Display *options = &session->options;
    return (Story){
        .record = session_record(session),
        .model = &session->model,
        .generated = &session->generated,
        .row = session->row,
        .shown = session->shown,
        .digits = options->digits,
        .columns = options->columns,
        .candidates = options->candidates,
        .palette = options->palette ? &palettes[options->palette - 1] : NULL,
    };
}

/* It can be looked at all the same: such numbers are hatched. */
static void warn_of_broken(const Model *model, Page *messages) {
    enum { LINES_MAX = 10 };
    Arena *arena = messages->arena;
    Broken broken;
    int tensors = 0;
    for (int next = 0; weights_broken(&model->weights, &next, &broken); tensors++)
        if (tensors < LINES_MAX)
            page_line(messages, "%s: %s",
                      unicode_escape(model->path, strlen(model->path), arena),
                      weights_describe_broken(&broken, arena));
    if (tensors > LINES_MAX)
        page_line(messages, "and %d tensors more", tensors - LINES_MAX);
}

bool session_open(Session *session, const char *model, Error *error) {
    Model opened;
    if (!models_open(&opened, model, &session->scratch, error)) return false;
    session_forget(session);
    session->what_if.changes.done = 0; /* its weights go with it */
    changes_keep_weights(&session->what_if.changes);
    learning_free(session);
    variants_free(session);
    session->model = opened;
    session->drops = false;
    session->has_model = true;
    session->knows_unlearned = false;
    session->unlearned = NULL;
    warn_of_broken(&session->model, &session->messages);
    return true;
}

bool session_toy(Session *session, const char *typed, Error *error) {
    if (!toy_run(&session->toy, typed, error)) return false;
    session->toy_typed = arena_copy(&session->toy.arena, typed, strlen(typed));
    session->questions = (Questions){0}; /* they may be about the toy before */
    return true;
}

const char *session_safe(Session *session, const char *text) {
    return unicode_escape(text, strlen(text), &session->scratch);
}
