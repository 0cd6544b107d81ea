/* The words of a figure: its title and headings, the facts below it, and a description
 * for screen readers. */
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/language.h"
#include "figure/figure_draw.h"
#include "text/label.h"
#include "text/unicode.h"

/* Minimum width of titles and facts, in line heights, if the drawing is narrower. */
enum { CAPTION_MIN = 22, CAPTION_LEAST = 12 };

/* Up to this number, words are listed one by one. */
enum { WORDS_TOLD = 40 };

static const double title_size = 1.3, footer_size = 0.85;

/* Is there a title above the drawing? "none" omits it; the metadata of the file has the
 * default title. */
static bool is_titled(const FigureLook *look) {
    return !look->title || strcmp(look->title, "none") != 0;
}

/* Do all slices have the same tensor name? */
static bool has_one_name(const Figure *figure) {
    const char *first = figure->slice[0].tensor->name;
    for (int i = 1; i < figure->slices; i++)
        if (strcmp(figure->slice[i].tensor->name, first) != 0) return false;
    return true;
}

/* Return the common end of all names, starting at a dot: ".self_attention.weights"; ""
 * if there is none. */
static const char *figure_ending(const Figure *figure) {
    const char *first = figure->slice[0].tensor->name;
    for (const char *end = strchr(first, '.'); end; end = strchr(end + 1, '.')) {
        bool common = true;
        for (int i = 1; i < figure->slices && common; i++) {
            const char *name = figure->slice[i].tensor->name;
            size_t length = strlen(name);
            common =
                length >= strlen(end) && strcmp(name + length - strlen(end), end) == 0;
        }
        if (common) return end;
    }
    return "";
}

/* Return "query 0 to 3, head: mean of 4", the part of the tensors that is shown; "" if
 * it differs between slices. */
static const char *common_ranges(const Work *work) {
    const Figure *figure = work->figure;
    const char *first = matrix_ranges(&figure->slice[0], figure->in_words, work->arena);
    for (int i = 1; i < figure->slices; i++)
        if (strcmp(first, matrix_ranges(&figure->slice[i], figure->in_words,
                                        work->arena)) != 0)
            return "";
    return first;
}

/* Return the length of the part of a tensor's name that differs from the other
 * slices. */
static int own_length(const Figure *figure, const char *name) {
    if (has_one_name(figure)) return 0;
    return (int)(strlen(name) - strlen(figure_ending(figure)));
}

const char *figure_called(const Work *work, int s) {
    const Figure *figure = work->figure;
    const char *name = figure->slice[s].tensor->name;
    if (figure->called && *figure->called[s]) return figure->called[s];
    return arena_copy(work->arena, name, (size_t)own_length(figure, name));
}

const char *figure_subject(const Figure *figure) {
    const char *ending = figure_ending(figure);
    if (has_one_name(figure)) return figure->slice[0].tensor->name;
    return *ending ? ending + 1 : "";
}

/* Return an address, or a part of one, as displayed. */
static const char *said(const Work *work, const char *address) {
    return work->figure->in_words ? address_words(address, work->arena) : address;
}

/* Return the heading of a panel: "encoder.0, head 3"; only "head 3" if there is one
 * tensor. */
static const char *heading_of(const Work *work, const Matrix *matrix) {
    const Figure *figure = work->figure;
    const char *heading = matrix_heading(matrix, figure->in_words, work->arena);
    if (figure->slices < 2) return heading;
    const char *ranges = matrix_ranges(&matrix->slice, figure->in_words, work->arena);
    if (*ranges && !*common_ranges(work))
        heading =
            arena_print(work->arena, "%s%s%s", heading, *heading ? ", " : "", ranges);
    const char *called = "";
    for (int i = figure->slices - 1; figure->called && i >= 0; i--)
        if (figure->slice[i].tensor == matrix->slice.tensor) called = figure->called[i];
    const char *name = matrix->slice.tensor->name;
    name = said(work, arena_copy(work->arena, name, (size_t)own_length(figure, name)));
    return arena_print(work->arena, "%s%s%s%s%s", called, *called && *name ? ", " : "",
                       name, *heading && (*name || *called) ? ", " : "", heading);
}

static const char *safe(const Work *work, const char *text) {
    return unicode_escape(text, strlen(text), work->arena);
}

void figure_collect_words(Work *work) {
    const Figure *figure = work->figure;
    work->heading = ARENA_ARRAY(work->arena, const char *, work->count);
    for (int i = 0; i < work->count; i++)
        work->heading[i] = heading_of(work, &work->matrix[i]);
    Fact *fact = ARENA_ARRAY(work->arena, Fact, figure->facts);
    for (int i = 0; i < figure->facts; i++)
        fact[i] = (Fact){figure->fact[i].name, safe(work, figure->fact[i].value)};
    const char *title = figure->title ? figure->title : "";
    if (!figure->title &&
        figure->slices) { /* the tensors, and the part that is shown */
        bool one = figure->slices == 1 && work->count == 1;
        const char *heading = one ? work->heading[0] : "";
        const char *ranges = common_ranges(work);
        title =
            arena_print(work->arena, "%s%s%s%s%s", said(work, figure_subject(figure)),
                        *heading ? ", " : "", heading, *ranges ? ", " : "", ranges);
        if (figure->after)
            title = arena_print(work->arena, "%s%s%s", title, *title ? ": " : "",
                                figure->after);
    }
    if (figure->look.title && is_titled(&figure->look)) title = figure->look.title;
    if (figure->worksheet.share > 0)
        title = worksheet_title(&figure->worksheet, title, work->arena);
    work->facts = (Facts){safe(work, title), fact, figure->facts, NULL};
}

/* Lines that are filled piece by piece. */
typedef struct {
    Caption caption;
    Canvas *canvas;
    Arena *arena;
    double max;
    int capacity;
    double used; /* in the last line */
} CaptionLines;

static double measure(const CaptionLines *lines, const char *text) {
    return lines->canvas->measure(lines->canvas, lines->caption.style, text);
}

/* Append `text` to the last line if it fits, else start a new line. */
static void add_piece(CaptionLines *lines, const char *between, const char *text) {
    Caption *caption = &lines->caption;
    double width = measure(lines, text);
    double space = measure(lines, between);
    bool fits = lines->used + space + width <= lines->max;
    if (caption->count > 0 && fits) {
        const char **last = &caption->line[caption->count - 1];
        *last = arena_print(lines->arena, "%s%s%s", *last, between, text);
        lines->used += space + width;
    } else {
        ARENA_GROW(lines->arena, caption->line, caption->count, lines->capacity);
        caption->line[caption->count++] = text;
        lines->used = width;
    }
    caption->width = fmax(caption->width, lines->used);
}

/* A word that is longer than a line is broken between letters. */
static void add_words(CaptionLines *lines, const char *text) {
    while (*text) {
        size_t length = strcspn(text, " ");
        const char *word = arena_copy(lines->arena, text, length);
        if (length && measure(lines, word) <= lines->max) {
            add_piece(lines, " ", word);
        } else {
            for (size_t at = 0, bytes; at < length; at += bytes) {
                bytes = (size_t)unicode_grapheme(word + at);
                add_piece(lines, at ? "" : " ",
                          arena_copy(lines->arena, word + at, bytes));
            }
        }
        text += length + (text[length] == ' ');
    }
}

static CaptionLines begin(const Work *work, Style style, double width) {
    const Metrics *metrics = &work->canvas->metrics;
    double size = metrics->characters ? 1 : style.size;
    return (CaptionLines){.caption = {.style = style, .pitch = metrics->line * size},
                          .canvas = work->canvas,
                          .arena = work->arena,
                          .max = width};
}

static Caption finish(CaptionLines *lines) {
    lines->caption.height = lines->caption.count * lines->caption.pitch;
    return lines->caption;
}

void caption_draw(const Caption *caption, Canvas *canvas, Point at) {
    for (int i = 0; i < caption->count; i++)
        canvas->text(canvas, (Point){at.x, at.y + (i + 0.5) * caption->pitch},
                     caption->style, caption->line[i]);
}
/* "key ·어제 to ·친구" without the dots for spaces. */
static const char *without_dots(const char *text, Arena *arena) {
    char *plain = arena_copy(arena, text, strlen(text));
    char *to = plain;
    size_t length = strlen(LABEL_SPACE);
    for (const char *c = text; *c; c++) {
        bool begins = c == text || c[-1] == ' ';
        bool dot = begins && strncmp(c, LABEL_SPACE, length) == 0;
        if (dot && c[length] && c[length] != ' ') c += length;
        *to++ = *c;
    }
    *to = '\0';
    return plain;
}

/* Plan the note, then the facts, each on one line if possible: all facts, or only those
 * that readers need to understand the figure. */
static Caption plan_footer(const Work *work, double width) {
    static const char *const few[] = {"toy", "sentence", "model", NULL};
    int length = work->figure->look.caption;
    CaptionLines lines =
        begin(work, (Style){.size = footer_size, .faint = true}, width);
    if (length == CAPTION_NONE) return lines.caption;
    if (work->note) {
        add_words(&lines, work->note);
        lines.used = width; /* start the next piece on a new line */
    }
    for (int i = 0; i < work->facts.count; i++) {
        const Fact *fact = &work->facts.fact[i];
        const char *const *name = few;
        while (*name && strcmp(fact->name, *name) != 0) name++;
        if (length == CAPTION_SHORT && !*name) continue;
        const char *text =
            arena_print(work->arena, "%s: %s", tr(fact->name), fact->value);
        if (measure(&lines, text) <= width) {
            add_piece(&lines, "   ·   ", text);
            continue;
        }
        lines.used = width;
        add_words(&lines, text);
    }
    return finish(&lines);
}

void figure_place_words(Work *work) {
    const Metrics *metrics = &work->canvas->metrics;
    const FigureLook *look = &work->figure->look;
    double min = metrics->min - 2 * metrics->margin;
    int wide = metrics->room == ROOM_FULL ? CAPTION_MIN : CAPTION_LEAST;
    double width = fmax(work->width, fmax(wide * metrics->line, min));
    if (metrics->characters) width = metrics->max;
    const char *title = is_titled(look) ? work->facts.title : "";
    if (look->labels == LABELS_PLAIN) title = without_dots(title, work->arena);
    CaptionLines lines = begin(work, (Style){.size = title_size, .bold = true}, width);
    add_words(&lines, title);
    work->title = finish(&lines);
    work->footer = plan_footer(work, width);
    double gap = metrics->characters ? 1 : 1.5 * metrics->gap;
    double above = work->title.count ? work->title.height + gap : 0;
    double below = work->footer.count ? work->footer.height + gap : 0;
    double margin = metrics->margin;
    width = fmax(fmax(work->width, min), fmax(work->title.width, work->footer.width));
    work->page = (Box){margin, margin + above, width + 2 * margin,
                       above + work->height + below + 2 * margin};
}

/* Return "나는, 친구, …", in the arena. */
static const char *list_words(const Work *work, const char *const *word, int count) {
    Builder list = {.arena = work->arena};
    for (int i = 0; i < count && i < WORDS_TOLD; i++)
        build_item(&list, ", ", "%s", word[i]);
    return count > WORDS_TOLD ? arena_print(work->arena, "%s, …", builder_text(&list))
                              : builder_text(&list);
}

/* Describe one axis: "11 rows (query: the side that asks): 나는, ·어제". */
static const char *describe_axis(const Work *work, const char **label, bool columns) {
    const Matrix *matrix = &work->matrix[0];
    int count = columns ? matrix->columns : matrix->rows;
    const char *title = matrix_axis_title(matrix, columns);
    const char *words = list_words(work, label, count);
    if (!*title) return tr("One row.");
    return columns ? trf(work->arena, "%d columns (%s): %s.", count, title, words)
                   : trf(work->arena, "%d rows (%s): %s.", count, title, words);
}

static const char *describe_one(const Work *work) {
    Arena *arena = work->arena;
    const Matrix *matrix = &work->matrix[0];
    const char **rows = matrix_labels(matrix, false, arena);
    const char **columns = matrix_labels(matrix, true, arena);
    const char *text = trf(arena, "A heatmap. %s %s Colors mean: %s.",
                           describe_axis(work, rows, false),
                           describe_axis(work, columns, true), work->scale.note);
    /* The largest number of a worksheet may be one that students should find. */
    if (work->figure->worksheet.share > 0 && !work->figure->worksheet.is_key)
        return text;
    int row = -1;
    int column = -1;
    for (int i = 0; i < matrix->rows * matrix->columns; i++) {
        int r = i / matrix->columns;
        int c = i % matrix->columns;
        if (!matrix_is_hatched(matrix, r, c) &&
            (row < 0 ||
             matrix_value(matrix, r, c) > matrix_value(matrix, row, column))) {
            row = r;
            column = c;
        }
    }
    if (row < 0) return text;
    const char *max =
        scale_number(&work->scale, matrix_value(matrix, row, column), arena);
    const char *where =
        *rows[row] ? trf(arena, "The largest number is %s, in row %s and column %s.",
                         max, rows[row], columns[column])
                   : trf(arena, "The largest number is %s, in column %s.", max,
                         columns[column]);
    return arena_print(arena, "%s %s", text, where);
}

const char *figure_describe(const Work *work) {
    Arena *arena = work->arena;
    const Figure *figure = work->figure;
    const Plot *plot = &work->plot;
    if (work->description) return work->description;
    if (figure->kind == FIGURE_BARS) { /* each row by the chosen word, or the best */
        const Bars *bars = &work->bars;
        const char **best = ARENA_ARRAY(arena, const char *, bars->count);
        for (int g = 0; g < bars->count; g++) {
            const BarGroup *group = &bars->group[g];
            int told = 0;
            for (int b = 0; b < group->count; b++)
                if (group->bar[b].marked) told = b;
            best[g] = group->count
                          ? arena_print(arena, "%s%s%s %s", group->title,
                                        *group->title ? ": " : "",
                                        group->bar[told].word, group->bar[told].text)
                          : group->title;
        }
        return trf(arena, "%s. The best as bars: %s.", work->facts.title,
                   list_words(work, best, bars->count));
    }
    if (figure->kind == FIGURE_DIAGRAM) {
        const Diagram *diagram = figure->diagram;
        const char **label = ARENA_ARRAY(arena, const char *, diagram->count);
        for (int b = 0; b < diagram->count; b++)
            label[b] = arena_print(arena, "%s %s", diagram->box[b].label,
                                   diagram->box[b].shape);
        return trf(arena, "Boxes and arrows, from below: %s.",
                   list_words(work, label, diagram->count));
    }
    if (figure->kind == FIGURE_BRANCHES) {
        const BranchTree *branches = figure->branches;
        const char **word = ARENA_ARRAY(arena, const char *, branches->count);
        int count = 0;
        for (int b = 0; b < branches->count; b++)
            if (branches->branch[b].wins) word[count++] = branches->branch[b].label;
        return trf(arena, "A tree of %d tokens; the best path through it is: %s.",
                   branches->count, list_words(work, word, count));
    }
    if (plot->series) {
        const char **name = ARENA_ARRAY(arena, const char *, plot->count);
        for (int i = 0; i < plot->count; i++) name[i] = plot->series[i].name;
        return trf(arena, "Curves of %s over %s: %s.", plot->y_title, plot->x_title,
                   list_words(work, name, plot->count));
    }
    if (work->panels.count == 0) return "";
    if (work->count == 1) return describe_one(work);
    return trf(arena,
               "%d heatmaps on one scale: %s. Rows of the first are %s, columns %s. "
               "Colors mean: %s.",
               work->count, list_words(work, work->heading, work->count),
               matrix_axis_title(&work->matrix[0], false),
               matrix_axis_title(&work->matrix[0], true), work->scale.note);
}
