#include "present/draw_scale.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "explain/drawing.h"
#include "present/figures.h"

bool draw_worksheet_read(const Arguments *arguments, Figure *figure, Error *error) {
    int seed = 1;
    bool given = arguments_flag(arguments, "blank") != NULL;
    if (!arguments_real(arguments, "blank", (Bounds){.max = 1, .above = true},
                        &figure->worksheet.share, error) ||
        !arguments_number(arguments, "seed", 0, INT_MAX, &seed, error))
        return false;
    if (!given && arguments_flag(arguments, "seed"))
        return fail_usage(error,
                          "--seed chooses the cells that --blank leaves empty; also "
                          "give --blank");
    bool cells = figure->kind == FIGURE_HEATMAP || figure->kind == FIGURE_GRID;
    if (given && !cells)
        return fail(error,
                    "--blank leaves cells of a heatmap empty, but this figure has no "
                    "cells");
    if (given && draw_is_split(arguments))
        return fail(error, "--blank makes one worksheet; give -o a name without *");
    figure->worksheet.seed = (uint64_t)seed;
    if (!given) return true;
    figure->annotate = ANNOTATE_ALWAYS;
    /* Worksheets are copied without colors and written on, so use gray. */
    bool shares = figure->scale == SCALE_SHARES;
    if (shares && !figure->palette) figure->palette = palette_find("grey");
    return true;
}

bool draw_worksheet_save(Session *session, const Arguments *arguments,
                         const Figure *figure, const char *path, Error *error) {
    /* "sheet.png" and "sheet-key.png". */
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    const char *ending = dot ? dot : "";
    const char *const paths[] = {path, arena_print(&session->scratch, "%.*s-key%s",
                                                   (int)(strlen(path) - strlen(ending)),
                                                   path, ending)};
    for (int k = 0; k < 2; k++)
        if (!arguments_replace(arguments) && file_exists(paths[k]))
            return fail(error,
                        "%s already exists; choose another name, or overwrite it "
                        "with --force",
                        paths[k]);
    for (int k = 0; k < 2; k++) {
        Figure sheet = *figure;
        sheet.worksheet.is_key = k == 1;
        if (!figures_save(session, arguments, &sheet, paths[k], error)) return false;
    }
    return true;
}

const Flag flags_scale[] = {
    {"range", 0, "A:B", N_("the colors go from A to B, as in 0:0.3")},
    {"log", 0, NULL, N_("colors by logarithm: equal factors, equal steps")},
    {"best", 0, "N", N_("bars of this many tokens of each row")},
    {0},
};

const Flag flags_files[] = {
    {"same-scale", 0, NULL, N_("one scale for all files of -o 'head-*.png'")},
    {0},
};

/* "0:0.3" */
static bool read_range(const char *text, ScaleOptions *options) {
    static const char letters[] = "+-.0123456789eE";
    char *end;
    const char *colon = strchr(text, ':');
    if (!colon || strspn(text, letters) != (size_t)(colon - text)) return false;
    if (strspn(colon + 1, letters) != strlen(colon + 1)) return false;
    options->min = strtod(text, &end);
    if (end == text || end != colon) return false;
    options->max = strtod(colon + 1, &end);
    return end != colon + 1 && !*end && isfinite(options->max - options->min) &&
           options->min < options->max;
}

static const char *pattern_of(const Arguments *arguments) {
    const char *path = arguments_flag(arguments, "output");
    const char *name = path ? strrchr(path, '/') : NULL;
    return path && strchr(name ? name : path, '*') ? path : NULL;
}

bool draw_is_split(const Arguments *arguments) {
    return pattern_of(arguments) != NULL;
}

bool draw_scale(const Arguments *arguments, Figure *figure, Error *error) {
    static const char *const flags[] = {"range", "log", "same-scale"};
    const char *range = arguments_flag(arguments, "range");
    figure->scale_options.ranged = range != NULL;
    figure->scale_options.logarithmic = arguments_flag(arguments, "log") != NULL;
    if (range && !read_range(range, &figure->scale_options))
        return fail_usage(error,
                          "--range is '%s'; expected two numbers, the smaller first, "
                          "as in 0:0.3",
                          range);
    if (arguments_flag(arguments, "best")) {
        if (!arguments_flag(arguments, "as") && figure->slices)
            figure->kind = FIGURE_BARS;
        if (figure->kind != FIGURE_BARS)
            return fail(error,
                        "--best chooses bars; leave out --as, or give --as bars");
        if (!arguments_number(arguments, "best", 1, BARS_MAX, &figure->best, error))
            return false;
    }
    const bool splits = draw_is_split(arguments);
    if (arguments_flag(arguments, "same-scale") && !splits)
        return fail_usage(error, "--same-scale is for several files; -o 'head-*.png' "
                                 "writes one for each head or address");
    if (splits && figure->slices == 0)
        return fail(error, "this figure has no parts; give -o a name without *");
    if (splits && arguments_flag(arguments, "beside"))
        return fail(error, "--beside draws one figure; give -o a name without *");
    bool colored = figure->kind == FIGURE_HEATMAP || figure->kind == FIGURE_GRID;
    for (size_t f = 0; f < sizeof flags / sizeof *flags && !colored; f++)
        if (arguments_flag(arguments, flags[f]))
            return fail(error,
                        "--%s sets the colors of a heatmap, but this figure has none",
                        flags[f]);
    return true;
}

/* The parts of a figure, and the name of each in its file name. */
typedef struct {
    Slice *slice;
    const unsigned char **hidden, **marked; /* see Figure */
    const char **name;
    int count;
} Pieces;

static Pieces pieces_of(const Figure *figure, Arena *arena) {
    Pieces pieces = {0};
    if (figure->slices == 1) {
        const unsigned char *hidden = figure->hidden ? figure->hidden[0] : NULL;
        const Matrix *matrix =
            matrix_list(&figure->slice[0], hidden, arena, &pieces.count);
        pieces.slice = ARENA_ARRAY(arena, Slice, pieces.count);
        for (int p = 0; p < pieces.count; p++) pieces.slice[p] = matrix[p].slice;
    } else {
        pieces.count = figure->slices;
        pieces.slice = ARENA_ARRAY(arena, Slice, pieces.count);
        memcpy(pieces.slice, figure->slice, (size_t)pieces.count * sizeof(Slice));
    }
    pieces.name = ARENA_ARRAY(arena, const char *, pieces.count);
    pieces.hidden = ARENA_ARRAY(arena, const unsigned char *, pieces.count);
    pieces.marked = ARENA_ARRAY(arena, const unsigned char *, pieces.count);
    for (int p = 0; p < pieces.count; p++) {
        int s = figure->slices == 1 ? 0 : p;
        if (figure->hidden) pieces.hidden[p] = figure->hidden[s];
        if (figure->marked) pieces.marked[p] = figure->marked[s];
    }
    return pieces;
}

/* Return the length of the common prefix (or suffix) of all names, which ends (or
 * starts) at a dot. */
static size_t common(const Pieces *pieces, bool ending) {
    const char *first = pieces->slice[0].tensor->name;
    size_t length = strlen(first);
    for (int p = 1; p < pieces->count; p++) {
        const char *name = pieces->slice[p].tensor->name;
        size_t whole = strlen(name);
        size_t same = 0;
        while (same < length && same < whole &&
               (ending ? first[strlen(first) - 1 - same] == name[whole - 1 - same]
                       : first[same] == name[same]))
            same++;
        length = same;
    }
    /* Whole address parts: "encoder." and ".weights". */
    while (length > 0 &&
           (ending ? first[strlen(first) - length] : first[length - 1]) != '.')
        length--;
    return length;
}

/* "0" for "encoder.0.self_attention.weights" among several layers, "2" for head 2. */
static const char *piece_name(const Pieces *pieces, int p, Arena *arena) {
    const Slice *slice = &pieces->slice[p];
    const char *name = slice->tensor->name;
    size_t start = common(pieces, false);
    size_t end = common(pieces, true);
    size_t length = strlen(name);
    const char *own = start + end < length
                          ? arena_copy(arena, name + start, length - start - end)
                          : "";
    for (int a = 0; a < slice->tensor->rank; a++) {
        bool is_shared = true; /* every part has this index */
        for (int q = 1; q < pieces->count; q++)
            is_shared = is_shared && a < pieces->slice[q].tensor->rank &&
                        pieces->slice[q].from[a] == pieces->slice[0].from[a];
        if (!is_shared)
            own = arena_print(arena, "%s%s%d", own, *own ? "-" : "", slice->from[a]);
    }
    return own;
}

/* "head-*.png" -> "head-2.png". */
static const char *path_of(const char *pattern, const char *name, Arena *arena) {
    const char *slash = strrchr(pattern, '/');
    const char *star = strchr(slash ? slash : pattern, '*');
    return arena_print(arena, "%.*s%s%s", (int)(star - pattern), pattern, name,
                       star + 1);
}

bool draw_split(Session *session, const Arguments *arguments, const Figure *figure,
                Error *error) {
    Arena *arena = &session->scratch;
    Pieces pieces = pieces_of(figure, arena);
    Record record = session_record(session);
    Scale scale;
    bool shares = arguments_flag(arguments, "same-scale") != NULL;
    bool differ = true; /* names that are not unique are replaced by numbers */
    for (int p = 0; p < pieces.count; p++) {
        pieces.name[p] = piece_name(&pieces, p, arena);
        for (int q = 0; q < p; q++)
            differ = differ && strcmp(pieces.name[q], pieces.name[p]) != 0;
        differ = differ && (pieces.count == 1 || *pieces.name[p]);
    }
    for (int p = 0; p < pieces.count && !differ; p++)
        pieces.name[p] = arena_print(arena, "%d", p);
    if (pieces.count == 1) pieces.name[0] = pieces.slice[0].tensor->short_name;
    if (shares && !figure_scale(figure, arena, &scale, error)) return false;
    /* Fail before anything is written if one of the files exists. */
    for (int p = 0; p < pieces.count && !arguments_replace(arguments); p++) {
        const char *path = path_of(pattern_of(arguments), pieces.name[p], arena);
        if (file_exists(path))
            return fail(error, "%s exists; --force overwrites it and the other files",
                        path);
    }
    for (int p = 0; p < pieces.count; p++) {
        Figure part = *figure;
        part.slice = &pieces.slice[p];
        part.hidden = &pieces.hidden[p];
        part.marked = figure->marked ? &pieces.marked[p] : NULL;
        part.slices = 1;
        /* As if the slice were drawn separately. */
        part.row_sums =
            part.row_sums || drawing_new(&record, part.slice, 1, NULL, arena).row_sums;
        if (shares) part.shared = &scale;
        const char *path = path_of(pattern_of(arguments), pieces.name[p], arena);
        if (!figures_save(session, arguments, &part, path, error)) return false;
    }
    return true;
}
