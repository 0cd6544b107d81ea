#include "session/session.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "base/mapped.h"
#include "canvas/palette.h"
#include "change/toy.h"
#include "session/models.h"
#include "text/unicode.h"
#include "walk/depth.h"
#include "window/text.h"

static const char *palette_choice(int i) {
    if (i == 0) return "auto";
    return i <= palette_count ? palettes[i - 1].name : NULL;
}

#define SETTING(...) OPTION(Display, __VA_ARGS__)
#define RANGE(least_, most_) .min = (least_), .max = (most_)

const Option display_options[] = {
    SETTING(digits, option_count, "3", "digits after the decimal point", RANGE(0, 9)),
    SETTING(columns, option_count, "64", "maximum numbers shown of a row",
            RANGE(4, 10000)),
    SETTING(terms, option_count, "12", "terms of an explanation shown one by one",
            RANGE(1, 10000)),
    SETTING(candidates, option_count, "5", "candidates for the next token",
            RANGE(1, 100)),
    SETTING(limit, option_count, "0",
            "tokens to generate; 0: as many as in the paper, or 100 after a prompt",
            RANGE(0, 65536)),
    SETTING(depth, option_choice, "path", "depth of the walk", .choices = depths),
    SETTING(width, option_count, "0", "columns to print; 0: those of the terminal",
            RANGE(0, 10000)),
    SETTING(color, option_choice, "auto", "colors", .choices = color_modes),
    SETTING(language, option_choice, "auto", "language; auto: the locale's",
            .choices = languages),
    SETTING(palette, option_choice, "auto", "colors of heatmaps",
            .choice = palette_choice),
    SETTING(pager, option_truth, "true", "show long lists one screen at a time",
            RANGE(0, 0)),
    {0},
};

Session *session_new(Arena *arena) {
    Session *session = ARENA_ARRAY(arena, Session, 1);
    session->page.arena = session->messages.arena = &session->scratch;
    session->run = ARENA_ARRAY(arena, Run, 1);
    session->spare = ARENA_ARRAY(arena, Run, 1);
    session->run->stage = -1;
    option_reset(display_options, &session->options, arena);
    return session;
}

void session_forget(Session *session) {
    Run *run = session->run; /* it keeps its memory for reuse */
    tape_reset(&run->tape);
    tape_reset(&run->steps);
    tape_reset(&run->lens);
    arena_reset(&run->arena);
    arena_reset(&run->why_arena);
    *run = (Run){.arena = run->arena,
                 .tape = run->tape,
                 .steps = run->steps,
                 .lens = run->lens,
                 .why_arena = run->why_arena,
                 .stage = -1};
}

static void run_free(Run *run) {
    tape_free(&run->tape);
    tape_free(&run->steps);
    tape_free(&run->lens);
    arena_free(&run->arena);
    arena_free(&run->why_arena);
}

void session_stop_learning(Session *session) {
    Learning *learning = &session->learning;
    if (learning->has_gradients)
        session->run->questions = (Questions){0}; /* they refer to the old run */
    if (learning->is_begun) slow_step_free(&learning->step);
    arena_reset(&learning->arena);
    learning->is_begun = learning->has_gradients = session->run->walks_back = false;
    learning->gradients = (Gradients){0};
    learning->walk = (Walk){0};
}

void session_end_learning(Session *session) {
    Learning *learning = &session->learning;
    session_stop_learning(session);
    arena_free(&learning->arena);
    arena_free(&learning->kept);
    *learning = (Learning){0};
}

static void free_model(Session *session) {
    if (session->has_model) model_free(&session->model);
    if (session->variant.is_on) model_free(&session->variant.original);
    session->variant.is_on = false;
}

void session_free(Session *session) {
    session_end_learning(session);
    free_model(session);
    run_free(session->run);
    run_free(session->spare);
    tape_free(&session->toy.tape);
    WhatIf *what_if = &session->what_if;
    arena_free(&what_if->changes.arena);
    for (int k = 0; k < what_if->kept_count; k++) arena_free(&what_if->kept[k].arena);
    arena_free(&session->focus.tokens_arena);
    arena_free(&session->focus.followed_arena);
    arena_free(&session->reading.offer.arena);
    arena_free(&session->scratch);
    arena_free(&session->lesson.arena);
    history_free(&session->input.history);
}

void session_clear(Session *session) {
    page_clear(&session->page);
    page_clear(&session->messages);
    arena_reset(&session->scratch);
    session->outcome = (LineOutcome){0};
}

void session_did(Session *session, Did did) {
    if (did > session->outcome.did) session->outcome.did = did;
}

void session_forget_offer(Session *session) {
    arena_reset(&session->reading.offer.arena);
    session->reading.offer.model = session->reading.offer.text = NULL;
}

Record session_record(const Session *session) {
    return (Record){
        .run = session->run->is_made ? &session->run->tape : NULL,
        .steps = session->run->steps.count ? &session->run->steps : NULL,
        .toy = session->toy.tape.count ? &session->toy.tape : NULL,
        .lens = session->run->lens.count ? &session->run->lens : NULL,
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
        .generated = &session->run->generated,
        .row = session->run->row,
        .shown = session->focus.tokens,
        .followed = session->focus.followed,
        .digits = options->digits,
        .columns = options->columns,
        .candidates = options->candidates,
        .palette = options->palette ? &palettes[options->palette - 1] : NULL,
    };
}

/* A file that cannot be read counts as missing. */
const Background *session_background(Session *session) {
    Model *model = &session->model;
    Error error;
    if (session->reading.background) return session->reading.background;
    Background *background = ARENA_ARRAY(&model->arena, Background, 1);
    session->reading.background = background;
    about_read(&background->about, model->path, &model->arena, &error);
    error.message[0] = '\0';
    background->knows_words =
        models_words(model->path, &background->seen, &model->arena, &error);
    if (*error.message)
        page_note(&session->messages, "%s", session_safe(session, error.message));
    return background;
}

Answer session_answer(Session *session, int row) {
    const Run *run = session->run;
    if (run->target_given) { /* the mean probability of its tokens */
        const Tensor *p = tape_find(&run->tape, "probabilities");
        const Sentence *target = &run->target.sentence[row];
        const int tokens = p && p->rank == 3 ? target->count - 1 : 0;
        double sum = 0;
        for (int t = 0; t < tokens; t++)
            sum += (double)p->data[(row * p->axis[1].size + t) * tensor_row(p) +
                                   target->id[t + 1]];
        return (Answer){.sure = tokens > 0 ? sum / tokens : NAN};
    }
    if (run->answer[row].text) return run->answer[row];
    Story story = session_story(session);
    story.row = row;
    const Answer answer = answer_of(&story, &session->scratch);
    return answer.text ? answer : (Answer){.ended = true};
}

bool session_open(Session *session, const char *model, Error *error) {
    enum { LINES_MAX = 10 };
    Page *messages = &session->messages;
    Model opened;
    if (!models_open(&opened, model, &session->scratch, error)) return false;
    session_forget(session);
    session_forget_offer(session);
    session->what_if.changes.done = 0; /* its weights are freed */
    changes_keep_weights(&session->what_if.changes);
    session_end_learning(session);
    free_model(session);
    session->model = opened;
    session->variant.dropout_on = false;
    session->has_model = true;
    session->reading.background = NULL;
    /* A model with NaN weights can still be inspected: they are hatched. */
    Broken broken;
    int tensors = 0;
    for (int next = 0; weights_broken(&opened.weights, &next, &broken); tensors++)
        if (tensors < LINES_MAX)
            page_line(messages, "%s: %s", session_safe(session, opened.path),
                      weights_describe_broken(&broken, messages->arena));
    if (tensors > LINES_MAX)
        page_line(messages, "and %d tensors more", tensors - LINES_MAX);
    return true;
}

bool session_is_intact(const Session *session, Error *error) {
    const char *path = session->has_model ? mapped_rewritten() : NULL;
    return !path ||
           fail(error,
                "%s changed after the model was opened, so old and new numbers may "
                "be mixed; open the model again with :model %s",
                path, session->model.path);
}

bool session_toy(Session *session, const char *typed, Error *error) {
    if (!toy_run(&session->toy.tape, typed, error)) return false;
    session->toy.typed = arena_copy(&session->toy.tape.arena, typed, strlen(typed));
    session->run->questions = (Questions){0}; /* they may refer to the old toy */
    return true;
}

const char *session_safe(Session *session, const char *text) {
    return unicode_escape(text, strlen(text), &session->scratch);
}
