#include <string.h>

#include "base/language.h"
#include "commands/commands.h"
#include "explain/drawing.h"
#include "explain/export.h"
#include "explain/hidden.h"
#include "present/draw_beside.h"
#include "present/draw_scale.h"
#include "present/figures.h"
#include "present/show_looked.h"
#include "session/show_tokens.h"

static const char *const group = N_("Looking at numbers");

static bool export(Session *session, const Arguments *arguments, const Slice *slice,
                   int count, Error *error) {
    const char *path = arguments_flag(arguments, "output");
    if (!slice_can_save(path))
        return fail(error, "%s: the ending must be .csv or .npy; for pictures use draw",
                    path);
    if (count > 1) return fail(error, "one file holds one tensor: say which");
    if (!slice_save(slice, path, arguments_replace(arguments), error)) return false;
    page_line(&session->page, "wrote %s", session_safe(session, path));
    return true;
}

/* A window that shows a tensor by itself follows. */
static void note_looked(Session *session, const Slice *slices, int count,
                        bool numbers) {
    const char *name = slices[0].tensor->name;
    if (count > 1) return;
    session->looked = arena_copy(&session->scratch, name, strlen(name));
    session->looked_at_numbers = numbers;
}

static bool run_show(Session *session, const Arguments *arguments, Error *error) {
    Slice *slices;
    int count;
    if (!figures_slices(session, arguments, &session->scratch, &slices, &count, error))
        return false;
    if (arguments_flag(arguments, "output"))
        return export(session, arguments, slices, count, error);
    note_looked(session, slices, count, true);
    Story story = session_story(session);
    for (int s = 0; s < count; s++) story_numbers(&story, &slices[s], &session->page);
    const char *convention = hidden_convention(slices[0].tensor);
    if (convention) page_note(&session->page, "%s", convention);
    return true;
}

static const Flag flags_heat[] = {
    {"head", 0, "N", N_("for `heat decoding`: one head, not the mean of all")},
    {0},
};

static bool heat_decoding(Session *session, const Arguments *arguments, Error *error) {
    Figure figure = {.palette = session_story(session).palette};
    if (draw_is_double(arguments))
        return fail(error, "--beside and --minus are for addresses, and %s is none",
                    arguments->word[0]);
    if (!show_looked(session, arguments, &figure, error) ||
        !draw_scale(arguments, &figure, error))
        return false;
    page_figure(&session->page, &figure);
    return true;
}

/* As a file would show it. */
static bool heat_slices(Session *session, const Arguments *arguments,
                        const Slice *slices, int count, Error *error) {
    const Record record = session_record(session);
    Figure figure = drawing_new(&record, slices, count, session_story(session).palette,
                                session->page.arena);
    if ((draw_is_double(arguments) &&
         !draw_beside(session, arguments, &figure, error)) ||
        !draw_scale(arguments, &figure, error))
        return false;
    page_figure(&session->page, &figure);
    return true;
}

static bool run_heat(Session *session, const Arguments *arguments, Error *error) {
    bool decoding =
        arguments->words == 1 && strcmp(arguments->word[0], "decoding") == 0;
    if (decoding) return heat_decoding(session, arguments, error);
    if (arguments_flag(arguments, "head"))
        return fail_usage(error, "--head is for :heat decoding; elsewhere a head is "
                                 "named as in :heat weights head 2");
    Slice *slices;
    int count;
    if (!figures_slices(session, arguments, &session->scratch, &slices, &count, error))
        return false;
    note_looked(session, slices, count, false);
    for (int shown = 0; shown < count;) {
        int together = arguments->words == 1
                           ? count
                           : figures_alike(slices + shown, count - shown);
        if (together < count && draw_is_double(arguments))
            return fail(error,
                        "a second map stands beside one figure: %s and %s are "
                        "of different shapes",
                        slices[0].tensor->name, slices[together].tensor->name);
        if (!heat_slices(session, arguments, slices + shown, together, error))
            return false;
        shown += together;
    }
    return true;
}

static bool run_tokens(Session *session, const Arguments *arguments, Error *error) {
    (void)arguments;
    (void)error;
    show_tokens(session, NULL);
    return true;
}

/* A word of its own needs no sentence. */
static Needs needs_of_merges(const Arguments *arguments) {
    return (Needs){.model = true, .run = arguments->words == 0};
}

static bool run_merges(Session *session, const Arguments *arguments, Error *error) {
    return show_merges(session, arguments->words ? arguments->word[0] : NULL, error);
}

const Command command_show = {
    .name = "show",
    .group = group,
    .arguments = "[ADDRESS ...]",
    .summary = N_("show a tensor or a slice as a table"),
    .details = N_(
        "Without an address: what this stage shows. A short one is the nearest from "
        "here: weights, norm_1, weights head 2, scores layer 1, [query=나는]. A slice "
        "is written weights[head=0, key=1:4]. The masks are mask.padding, "
        "mask.look_ahead and mask.combined. With -o the numbers go to a file: .csv "
        "with labels, or .npy."),
    .example = ":show encoder.0.self_attention.weights[head=0]",
    .most = WORDS_MAX,
    .flags = {flags_model, flags_sentence, flags_target, flags_toy, flags_output},
    .needs_model = true,
    .needs_run = true,
    .shows_here = true,
    .pages = true,
    .choice = CHOICE_ADDRESS,
    .run = run_show,
};

const Command command_heat = {
    .name = "heat",
    .group = group,
    .arguments = "[ADDRESS ...]",
    .summary = N_("show a tensor as a heatmap; all heads unless one is named"),
    .details = N_(
        "Without an address: what this stage shows; \":heat head 2\" one head of it. "
        "Rows are queries (the side that asks), columns are keys. A * stands for "
        "every layer: encoder.*.self_attention.weights. `heat decoding` is what each "
        "token that was said looked at in the source."),
    .example = ":heat encoder.0.self_attention.weights[head=1]",
    .most = WORDS_MAX,
    .flags = {flags_model, flags_sentence, flags_target, flags_toy, flags_heat,
              flags_scale, flags_beside},
    .needs_model = true,
    .needs_run = true,
    .shows_here = true,
    .choice = CHOICE_ADDRESS,
    .run = run_heat,
};

const Command command_tokens = {
    .name = "tokens",
    .group = group,
    .arguments = "",
    .summary = N_("show the tokens of the sentence, their ids and bytes"),
    .details =
        N_("A · in front of a token is the space before the word. Bytes that are no "
           "whole letter are written <EB 82>."),
    .example = ":tokens",
    .flags = {flags_model, flags_sentence, flags_target},
    .needs_model = true,
    .needs_run = true,
    .pages = true,
    .run = run_tokens,
};

const Command command_merges = {
    .name = "merges",
    .group = group,
    .arguments = "[WORD]",
    .summary = N_("show how byte pairs were joined to tokens, merge by merge"),
    .details =
        N_("Without a word: of every word of the sentence. With one, no sentence is "
           "needed."),
    .example = ":merges",
    .most = 1,
    .flags = {flags_model, flags_sentence, flags_target},
    .needs = needs_of_merges,
    .pages = true,
    .run = run_merges,
};
