#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/language.h"
#include "command/figure_flags.h"
#include "commands/commands.h"
#include "explain/drawing.h"
#include "explain/export.h"
#include "player/line.h"
#include "present/beside.h"
#include "present/draw_alone.h"
#include "present/draw_scale.h"
#include "present/figures.h"
#include "present/walk_page.h"
#include "prompt/dispatch.h"
#include "session/sentence.h"

static const Flag flags_draw[] = {
    {"as", 0, "KIND", N_("lines, flow, histogram, curves ...; default: what fits")},
    {"dimensions", 0, "LIST", N_("curves, of these columns: 0,1,4")},
    {"palette", 0, "NAME", N_("the colors, such as grey; a wrong name lists them")},
    {"blank", 0, "SHARE",
     N_("a worksheet with this fraction of cells empty, and its "
        "key")},
    {"seed", 0, "N", N_("with --blank: chooses the empty cells")},
    {"annotate", 0, NULL, N_("write the number into every cell")},
    {"delay", 0, "SECONDS", N_("in an .apng: how long a frame is shown")},
    {"scale", 0, "N", N_(".png pixels per screen pixel: 2 for print")},
    {0},
};

/* Make the figure of an address in the current run. */
static bool make_figure(Session *session, const Arguments *arguments, Figure *figure,
                        Error *error) {
    Arena *arena = &session->scratch;
    Slice *slices;
    int count;
    if (!figures_slices(session, arguments, arena, &slices, &count, error))
        return false;
    bool all = arguments->words == 1 || draw_is_split(arguments);
    int together = all ? count : figures_alike(slices, count);
    if (together < count)
        page_line(&session->messages,
                  "a file holds one figure: %s; draw a tensor of another shape by "
                  "its own address, %s",
                  session_safe(session, slices[0].tensor->name),
                  session_safe(session, slices[together].tensor->name));
    count = together;
    Record record = session_record(session);
    *figure =
        drawing_new(&record, slices, count, session_story(session).palette, arena);
    return !draw_is_double(arguments) || draw_beside(session, arguments, figure, error);
}

static Needs needs_of_draw(const Arguments *arguments) {
    const Alone *alone = alone_find(arguments);
    /* Positions of a given size belong to no model. */
    if (alone && strcmp(alone->name, "position") == 0 &&
        arguments_flag(arguments, "d-model"))
        return (Needs){0};
    return alone ? alone->needs : (Needs){.model = true, .run = true};
}

/* Apply the flags to a figure. */
static bool read_flags(const Arguments *arguments, Figure *figure, Arena *arena,
                       Error *error) {
    const Bounds delay = {.min = 0.02, .max = 60};
    const char *palette = arguments_flag(arguments, "palette");
    const char *path = arguments_flag(arguments, "output");
    const char *dimensions = arguments_flag(arguments, "dimensions");
    int kind = (int)figure->kind;
    if (!arguments_choice(arguments, "as", figure_kinds, &kind, error)) return false;
    figure->kind = (FigureKind)kind;
    if (palette) figure->palette = palette_find(palette);
    if (palette && !figure->palette)
        return fail_usage(error, "--palette is '%s'; expected one of %s", palette,
                          palette_names(arena));
    if (dimensions) {
        int *dimension = ARENA_ARRAY(arena, int, strlen(dimensions));
        figure->dimension = dimension;
        for (const char *c = dimensions; *c;) {
            char *end;
            long number = strtol(c, &end, 10);
            if (end == c || number < 0 || number > INT_MAX || (*end && *end != ','))
                return fail_usage(error,
                                  "--dimensions is '%s'; expected a list such as 0,1,4",
                                  dimensions);
            dimension[figure->dimensions++] = (int)number;
            c = *end ? end + 1 : end;
        }
        if (!arguments_flag(arguments, "as")) figure->kind = FIGURE_CURVES;
        if (figure->kind != FIGURE_CURVES)
            return fail(
                error,
                "--dimensions chooses curves; leave out --as, or give --as curves");
    }
    if (!arguments_number(arguments, "scale", 1, FIGURE_SCALE_MAX, &figure->pixels,
                          error))
        return false;
    if (arguments_flag(arguments, "delay") &&
        (!path || !file_has_ending(path, ".apng")))
        return fail_usage(error, "--delay is only for moving pictures: -o NAME.apng");
    if (!arguments_real(arguments, "delay", delay, &figure->delay, error)) return false;
    if (arguments_flag(arguments, "annotate")) figure->annotate = ANNOTATE_ALWAYS;
    return draw_worksheet_read(arguments, figure, error);
}

static bool run_draw(Session *session, const Arguments *typed, Error *error) {
    Arena *arena = &session->scratch;
    Arguments settled = *typed;
    const Arguments *arguments = &settled;
    FigureLook look;
    if (!figure_flags_read(&settled, &look, arena, error)) return false;
    const Alone *alone = alone_find(arguments);
    Figure figure = {.palette = session_story(session).palette};
    if (!alone_check(alone, arguments, error)) return false;
    if (alone && draw_is_double(arguments))
        return fail(error, "--beside and --minus take addresses; %s is not one",
                    arguments->word[0]);
    if (!(alone ? alone->make(session, arguments, &figure, error)
                : make_figure(session, arguments, &figure, error)) ||
        !read_flags(arguments, &figure, arena, error))
        return false;
    figure.look = look;
    figure.stands_alone = alone != NULL;
    if (!draw_scale(arguments, &figure, error)) return false;
    Arguments told = settled;
    draw_beside_write_out(session, &told);
    if (alone && alone->tell) alone->tell(session, &told, arena);
    figures_add_facts(session, &told, NULL, NULL, &figure, arena);
    const char *path = arguments_flag(arguments, "output");
    if (!path)
        path =
            arena_print(arena, "%s.png", address_file_name(arguments->word[0], arena));
    /* A worksheet and its key, one file per part, or one file. */
    if (figure.worksheet.share > 0)
        return draw_worksheet_save(session, arguments, &figure, path, error);
    if (draw_is_split(arguments)) return draw_split(session, arguments, &figure, error);
    return figures_save(session, arguments, &figure, path, error);
}

const Command command_draw = {
    .name = "draw",
    .group = GROUP_FILES,
    .is_first = true,
    .arguments = "[ADDRESS ...]",
    .summary = N_("draw a tensor to a .png, .svg, .pdf, .tex or .txt"),
    .details = N_(
        "Attention weights become a heatmap (a grid for all heads), probabilities "
        "become bars. In an address, * means every layer, [head=mean] combines the "
        "heads (also max and min), and [batch=0:2, head=0] shows two sentences side "
        "by side. `position` and `schedule` need no sentence; `map`, `beam`, "
        "`decoding` and `steps` need no address. Without an address: what this stage "
        "shows. --width 12cm sets the width of the figure. :help figures has an "
        "example of each."),
    .example = ":draw encoder.0.self_attention.weights[head=0] -o weights.png --force",
    .words = {0, WORDS_MAX},
    .flags = {flags_model, flags_sentence, flags_target, flags_toy, flags_output,
              flags_draw, flags_figure, flags_scale, flags_files, flags_beside,
              flags_alone},
    .needs_of = needs_of_draw,
    .shows_here = true,
    .choice = CHOICE_ADDRESS,
    .run = run_draw,
};

static const Flag flags_page[] = {
    {"depth", 0, "DEPTH", N_("numbers, steps or boxes: the depth of the walk")},
    {"palette", 0, "NAME",
     N_("the colors: viridis, cividis ...; a wrong name lists them")},
    {0},
};

const Command command_page = {
    .name = "page",
    .group = GROUP_FILES,
    .arguments = "-o FILE.html",
    .summary = N_("write the walk as an HTML page"),
    .details =
        N_("One file that needs no network: every stage with its text, formulas, "
           "tables and figures. Point at a number, or go to it with Tab and the "
           "arrow keys, to see its address and how it was computed. Without --depth "
           "it is as deep as the walk is now. `lesson page` writes a lesson."),
    .example = ":page -o walk.html --force",
    .flags = {flags_model, flags_sentence, flags_target, flags_output, flags_page},
    .needs = {.model = true, .run = true},
    .run = walk_page,
};

static bool run_trace(Session *session, const Arguments *arguments, Error *error) {
    Arena *arena = &session->scratch;
    const char *path = arguments_flag(arguments, "output");
    if (!path)
        return fail(error, "trace needs a file; give -o run.safetensors, .npz or "
                           ".json");
    Figure facts = {0};
    figures_add_facts(session, arguments, NULL, NULL, &facts, arena);
    Note *note = ARENA_ARRAY(arena, Note, facts.facts);
    for (int f = 0; f < facts.facts; f++)
        note[f] = (Note){facts.fact[f].name, facts.fact[f].value};
    Contents trace = {.note = note, .notes = facts.facts};
    trace.stored = trace_entries(&session->run->tape, arena, &trace.count);
    if (!trace_save(&trace, path, arguments_replace(arguments), error)) return false;
    page_line(&session->page, "wrote %s: %d tensors", session_safe(session, path),
              trace.count);
    return true;
}

static void say_generated(Session *session) {
    page_line(
        &session->page, "%s",
        sentence_spoken(&session->model, &session->run->generated, &session->scratch));
}

/* Generate from each line of standard input. */
static bool generate_input(Session *session, int limit, Error *error) {
    Arena arena = {0};
    const char *line;
    bool done = true;
    for (int number = 1; done && (line = line_read(false, &arena)); number++) {
        Error problem;
        Request request = {.source = line, .limit = limit};
        if (strlen(line) > TOKENIZER_BYTES)
            done =
                fail(error, "line %d has more than %d bytes", number, TOKENIZER_BYTES);
        else if (!session_generate(session, &request, say_generated, &problem))
            done = fail(error, "line %d: %s", number, problem.message);
        page_flush(&session->page);
        arena_reset(&arena);
    }
    arena_free(&arena);
    return done && (!ferror(stdin) ||
                    fail(error, "cannot read standard input: %s", error_reason(errno)));
}

static bool run_generate(Session *session, const Arguments *arguments, Error *error) {
    Request request = {.limit = INT_MAX};
    if (!dispatch_request(arguments, &request, error)) return false;
    if (request.source || request.source_ids)
        return session_generate(session, &request, say_generated, error);
    /* At a prompt, standard input has the next commands. */
    if (!session->command) return generate_input(session, request.limit, error);
    /* The current sentences, as they were given. */
    if (!session->run->is_made)
        return fail(error, "no sentence to run; type one, or give --source");
    const Side *source = &session->run->source;
    const char *typed = sentence_print(source, &session->scratch);
    if (session->what_if.changes.done)
        page_note(&session->messages,
                  "generate reads the sentence again, without its changes");
    *(source->sentence[0].text ? &request.source : &request.source_ids) = typed;
    return session_generate(session, &request, say_generated, error);
}

const Command command_trace = {
    .name = "trace",
    .group = GROUP_FILES,
    .arguments = "-o FILE",
    .summary =
        N_("write every tensor of the run to a .safetensors, .npz or .json file"),
    .details =
        N_("Each tensor is stored under its address, with the words of its axes: "
           "\"words\" holds each list once, \"labels\" says which axis uses which. "
           "The run is of source and target (teacher forcing); without a target, of "
           "the output of greedy decoding."),
    .example = ":trace -o run.npz --force",
    .flags = {flags_model, flags_sentence, flags_target, flags_output},
    .needs = {.model = true, .run = true},
    .run = run_trace,
};

const Command command_generate = {
    .name = "generate",
    .group = GROUP_FILES,
    .summary = N_("print the greedy output of each sentence"),
    .details =
        N_("Without --source it is the current sentence; in a shell, sentences are "
           "read from standard input."),
    .example = ":generate --source \"나는 어제 친구를 만났다.\" --limit 5",
    .flags = {flags_model, flags_sentence},
    .needs = {.model = true},
    .run = run_generate,
};
