#include <string.h>

#include "base/language.h"
#include "change/toy.h"
#include "commands/commands.h"
#include "explain/drawing.h"
#include "explain/export.h"
#include "explain/hidden.h"
#include "present/beside.h"
#include "present/draw_alone.h"
#include "present/draw_scale.h"
#include "present/figures.h"
#include "present/show_lens.h"

static bool export(Session *session, const Arguments *arguments, const Slice *slice,
                   int count, Error *error) {
    const char *path = arguments_flag(arguments, "output");
    if (!slice_can_save(path))
        return fail(error,
                    "%s: expected a name ending in .csv or .npy; for pictures "
                    "use draw",
                    path);
    if (count > 1) return fail(error, "a file holds one tensor; give its address");
    if (!slice_save(slice, path, arguments_replace(arguments), error)) return false;
    page_line(&session->page, "wrote %s", session_safe(session, path));
    return true;
}

/* Let a window that shows tensors follow the command. */
static void note_looked(Session *session, const Slice *slices, int count,
                        bool numbers) {
    const char *name = slices[0].tensor->name;
    if (count > 1) return;
    session->outcome.tensor = arena_copy(&session->scratch, name, strlen(name));
    session->outcome.is_table = numbers;
}

static const Flag flags_show[] = {
    {"as", 0, "keep", N_("for a mask: also show 1 = keep, as in most tutorials")},
    {0},
};

static const char *const mask_forms[] = {"hide", "keep", NULL};

/* Show the mask of the same sentences in the opposite convention. */
static bool show_kept(Session *session, const Slice *slice, Error *error) {
    const Tensor *mask = slice->tensor;
    if (!hidden_convention(mask))
        return fail(error,
                    "--as keep applies only to mask.padding, mask.look_ahead and "
                    "mask.combined, not to %s",
                    mask->name);
    Arena *arena = session->page.arena;
    Slice kept = slice_all(mask_kept(&session->run->tape, mask, arena));
    kept.from[0] = slice->from[0];
    kept.to[0] = slice->to[0];
    const Story story = session_story(session);
    story_numbers(&story, &kept, &session->page);
    page_note(
        &session->page,
        mask->rank == 2
            ? N_("1 is kept, 0 is masked; one row for each query, all equal")
        : strcmp(mask->short_name, "combined") == 0
            ? N_("1 is kept, 0 is masked: the product of 1 - mask.padding and 1 - "
                 "mask.look_ahead")
            : N_("1 is kept, 0 is masked: a lower triangle, as made by tril"));
    return true;
}

static bool run_show(Session *session, const Arguments *arguments, Error *error) {
    Slice *slices;
    int count;
    int form = 0;
    if (!arguments_choice(arguments, "as", mask_forms, &form, error)) return false;
    if (!figures_slices(session, arguments, &session->scratch, &slices, &count, error))
        return false;
    if (arguments_flag(arguments, "output"))
        return export(session, arguments, slices, count, error);
    note_looked(session, slices, count, true);
    Story story = session_story(session);
    for (int s = 0; s < count; s++) story_numbers(&story, &slices[s], &session->page);
    const char *convention = hidden_convention(slices[0].tensor);
    if (convention) page_note(&session->page, "%s", convention);
    for (int s = 0; form && s < count; s++)
        if (!show_kept(session, &slices[s], error)) return false;
    return true;
}

static const Flag flags_heat[] = {
    {"head", 0, "N", N_("for `heat decoding`: one head instead of the mean")},
    {0},
};

/* Show a figure as in a file; with --beside or --minus, two. */
static bool show_figure(Session *session, const Arguments *arguments, Figure *figure,
                        Error *error) {
    if (!draw_scale(arguments, figure, error)) return false;
    page_figure(&session->page, figure);
    return true;
}

static bool run_heat(Session *session, const Arguments *arguments, Error *error) {
    if (arguments->words == 1 && strcmp(arguments->word[0], "decoding") == 0) {
        Figure figure = {.palette = session_story(session).palette};
        if (draw_is_double(arguments))
            return fail(error, "--beside and --minus take addresses; %s is not one",
                        arguments->word[0]);
        return show_looked(session, arguments, &figure, error) &&
               show_figure(session, arguments, &figure, error);
    }
    if (arguments_flag(arguments, "head"))
        return fail_usage(error, "--head is for :heat decoding; elsewhere give a "
                                 "head as in :heat weights head 2");
    Slice *slices;
    int count;
    if (!figures_slices(session, arguments, &session->scratch, &slices, &count, error))
        return false;
    note_looked(session, slices, count, false);
    const Record record = session_record(session);
    const Palette *palette = session_story(session).palette;
    for (int shown = 0; shown < count;) {
        int together = arguments->words == 1
                           ? count
                           : figures_alike(slices + shown, count - shown);
        if (together < count && draw_is_double(arguments))
            return fail(error,
                        "a second map is drawn next to one figure, but %s and %s "
                        "have different shapes",
                        slices[0].tensor->name, slices[together].tensor->name);
        Figure figure = drawing_new(&record, slices + shown, together, palette,
                                    session->page.arena);
        if ((draw_is_double(arguments) &&
             !draw_beside(session, arguments, &figure, error)) ||
            !show_figure(session, arguments, &figure, error))
            return false;
        shown += together;
    }
    return true;
}

const Command command_show = {
    .name = "show",
    .group = GROUP_LOOK,
    .arguments = "[ADDRESS ...]",
    .summary = N_("show a tensor or a slice as a table"),
    .details = N_(
        "Without an address: what this stage shows. A short address is the nearest "
        "from here: weights, norm_1, weights head 2, scores layer 1, [query=나는]. A "
        "slice is written weights[head=0, key=1:4]. The masks are mask.padding, "
        "mask.look_ahead and mask.combined; --as keep also prints them as most "
        "tutorials do. With -o the numbers are written to a file: .csv with labels, "
        "or .npy."),
    .example = ":show encoder.0.self_attention.weights[head=0]",
    .words = {0, WORDS_MAX},
    .flags = {flags_show, flags_model, flags_sentence, flags_target, flags_toy,
              flags_output},
    .needs = {.model = true, .run = true},
    .shows_here = true,
    .pages = true,
    .choice = CHOICE_ADDRESS,
    .run = run_show,
};

const Command command_heat = {
    .pages = true,
    .name = "heat",
    .group = GROUP_LOOK,
    .is_first = true,
    .arguments = "[ADDRESS ...]",
    .summary = N_("show a tensor as a heatmap (default: all heads)"),
    .details = N_(
        "Without an address: what this stage shows; \":heat head 2\" is one head of "
        "it. Rows are queries, columns are keys. A * means every layer: "
        "encoder.*.self_attention.weights. `heat decoding` shows what each generated "
        "token attended to in the source."),
    .example = ":heat encoder.0.self_attention.weights[head=1]",
    .words = {0, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target, flags_toy, flags_heat,
              flags_scale, flags_beside},
    .needs = {.model = true, .run = true},
    .shows_here = true,
    .choice = CHOICE_ADDRESS,
    .run = run_heat,
};

/* Without a name, it lists the lenses. */
static Needs needs_of_lens(const Arguments *arguments) {
    bool named = arguments->words > 0;
    return (Needs){.model = named, .run = named};
}

static bool run_lens(Session *session, const Arguments *arguments, Error *error) {
    int count = 0;
    if (arguments->words) return show_lens(session, arguments, error);
    while (lenses[count].name) count++;
    ListItem *item = ARENA_ARRAY(session->page.arena, ListItem, count);
    for (int l = 0; l < count; l++)
        item[l] = (ListItem){.name = lenses[l].name, .text = tr(lenses[l].summary)};
    page_list(&session->page, LIST_MODELS, item, count);
    return true;
}

const Command command_lens = {
    .name = "lens",
    .group = GROUP_LOOK,
    .arguments = "[NAME [PLACE]]",
    .summary = N_("analyze the run: logits, rollout, entropy, gradient"),
    .details = N_(
        "\":lens logit\" shows what each layer would predict if it were the last; with "
        "a predicted word, or [target=0], the best few at that position. \":lens "
        "rollout\" multiplies the attention of all layers. \":lens entropy\" shows how "
        "spread out each head is, and which simple pattern it resembles most. \":lens "
        "gradient\" shows which words the score of a predicted word depends on: the "
        "one with the least confidence, or \":lens gradient friend\". Each number has "
        "an address that starts with lens. and works with :why, :show and :draw: "
        "\":draw lens.rollout.decoder.1.rollout\". With -o the picture is written to a "
        "file; for rollout, it is the encoder's."),
    .example = ":lens rollout",
    .words = {0, 2},
    .flags = {flags_model, flags_sentence, flags_target, flags_output, flags_figure},
    .needs_of = needs_of_lens,
    .pages = true,
    .choice = CHOICE_LENS,
    .run = run_lens,
};

static bool run_toy(Session *session, const Arguments *arguments, Error *error) {
    const char *typed = arguments_text(arguments, &session->scratch);
    if (!session_toy(session, typed, error)) return false;
    toy_say(&session->toy.tape, &session->page);
    return true;
}

const Command command_toy = {
    .name = "toy",
    .group = GROUP_LOOK,
    .arguments = "query=... keys=... values=...",
    .summary = N_("walk through attention on vectors you type"),
    .details =
        N_("Separate numbers with commas and rows with bars. Instead of queries, keys "
           "and values: tokens=1,0|0,1 with the matrices W_Q=, W_K= and W_V=, each "
           "[feature, d_head]. The numbers stay available: :why weights[query=0, "
           "key=1], :heat weights, :show context; elsewhere with --toy \"query=... "
           "keys=... values=...\"."),
    .example = ":toy query=1,0,1 keys=1,0,0|0,1,1 values=1,2|3,4",
    .words = {1, WORDS_MAX},
    .run = run_toy,
};
