#include <ctype.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "figure/web.h"
#include "lesson/html.h"
#include "why/cell.h"
#include "window/html.h"
#include "window/text.h"

/* Limits: numbers per row, rows of the table below a figure, and cells of a table whose
 * cells have separate explanations. */
enum { COLUMNS_MAX = 12, FIGURE_SIDE_MAX = 64, WHYS_MAX = 4096, FIGURE_DIGITS = 4 };

/* The first numbers of a matrix, as an HTML table. */
typedef struct {
    const Table *table;
    int rows, columns;
    bool whys; /* one explanation per cell, not one for all */
} Part;

static void attribute(Builder *html, const char *name, const char *value) {
    build(html, " %s=\"", name);
    html_text(html, value);
    build_text(html, "\"");
}

/* Return the part of an address for an index of the axis, "key=나는"; "" if the axis
 * has only one index. */
static const char *item_of(const Matrix *matrix, int a, int index, Arena *arena) {
    const Tensor *tensor = matrix->slice.tensor;
    const Axis *axis = &tensor->axis[a];
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 && a != batch ? matrix->slice.from[batch] : 0;
    if (a == batch && axis->size == 1) return "";
    return arena_print(arena, "%s=%s", axis->name,
                       address_choice(axis, row, index, arena));
}

static void write_cell(HtmlWindow *window, const Part *part, int row, int column) {
    const Matrix *matrix = part->table->matrix;
    Builder *html = window->html;
    bool is_moment = column >= matrix->columns;
    build_text(html, "<td");
    if (is_moment)
        build_text(html, " class=\"moment\"");
    else if (matrix_is_hatched(matrix, row, column))
        build_text(html, " class=\"hatched\"");
    const char *why = part->whys && !is_moment
                          ? short_why(&window->record, matrix->slice.tensor,
                                      matrix_cell(matrix, row, column), &window->arena)
                          : "";
    if (*why) attribute(html, "data-why", why);
    build_text(html, ">");
    html_text(html, table_cell(part->table, row, column, &window->arena));
    build_text(html, "</td>");
}

static void write_part(HtmlWindow *window, const Part *part) {
    const Table *table = part->table;
    const Matrix *matrix = table->matrix;
    const Tensor *tensor = matrix->slice.tensor;
    const int *from = matrix->slice.from;
    Builder *html = window->html;
    Arena *arena = &window->arena;
    const char *fixed = ""; /* indices that are the same for all cells: "head=2" */
    for (int a = 0; a < tensor->rank; a++) {
        if (a == matrix->row_axis || a == matrix->column_axis) continue;
        const char *item = item_of(matrix, a, from[a], arena);
        fixed = arena_print(arena, "%s%s%s", fixed, *fixed && *item ? ", " : "", item);
    }
    build(html,
          "<div class=\"wide\" tabindex=\"0\"><table class=\"numbers\" id=\"n%d\"",
          ++window->tables);
    attribute(html, "data-name", tensor->name);
    attribute(html, "data-fixed", fixed);
    const char *formula =
        part->whys ? "" : short_formula(&window->record, tensor, arena);
    if (*formula) attribute(html, "data-why", formula);
    build_text(html, ">\n<thead><tr>");
    if (table->row_label) html_element(window, "td", table->corner);
    for (int c = 0; c < table->columns; c++) {
        if (c >= part->columns && c < matrix->columns) continue;
        build_text(html, "<th scope=\"col\"");
        if (c < matrix->columns)
            attribute(html, "data-item",
                      item_of(matrix, matrix->column_axis,
                              from[matrix->column_axis] + c, arena));
        build_text(html, ">");
        html_text(html, table->column_label[c]);
        build_text(html, "</th>");
    }
    build_text(html, "</tr></thead>\n");
    for (int r = 0; r < part->rows && !interrupt_signal(); r++) {
        build_text(html, "<tr>");
        if (table->row_label) {
            build_text(html, "<th scope=\"row\"");
            attribute(
                html, "data-item",
                item_of(matrix, matrix->row_axis, from[matrix->row_axis] + r, arena));
            build_text(html, ">");
            html_text(html, table->row_label[r]);
            build_text(html, "</th>");
        }
        for (int c = 0; c < table->columns; c++)
            if (c < part->columns || c >= matrix->columns)
                write_cell(window, part, r, c);
        build_text(html, "</tr>\n");
    }
    html_close_table(window);
}

static int at_most(int count, int max) {
    return count < max ? count : max;
}

void html_numbers(HtmlWindow *window, const Block *block) {
    const NumbersBlock *numbers = &block->numbers;
    Arena *arena = &window->arena;
    int count;
    Slice slice = numbers->slice;
    int left_out =
        numbers->columns_max ? window_first_columns(numbers, &slice, COLUMNS_MAX) : 0;
    Matrix *matrix = matrix_list(&slice, NULL, arena, &count);
    for (int m = 0; m < count && !interrupt_signal(); m++) {
        const char *which = matrix_heading(&matrix[m], false, arena);
        Table table = window_numbers_table(numbers, &matrix[m], arena);
        Part part = {&table, matrix[m].rows, matrix[m].columns, false};
        const char *title = numbers->title ? numbers->title : "";
        const char *heading =
            arena_print(arena, "%s%s%s", title, *title && *which ? ", " : "", which);
        if (*heading) html_element(window, "h3", heading);
        write_part(window, &part);
    }
    if (left_out)
        html_paragraph(window, "p class=\"note\"",
                       trf(arena, "... and %d more numbers in each row: %s", left_out,
                           numbers->all));
}

/* Return true if every cell of the column is a number. */
static bool is_numeric(const Table *table, int column, Arena *arena) {
    for (int r = 0; r < table->rows; r++) {
        const char *cell = table_cell(table, r, column, arena);
        cell += strspn(cell, "+-.");
        if (!isdigit((unsigned char)*cell)) return false;
    }
    return table->rows > 0;
}

void html_table(HtmlWindow *window, const Block *block) {
    const Table *table = &block->table;
    Builder *html = window->html;
    Arena *arena = &window->arena;
    build_text(html, "<div class=\"wide\" tabindex=\"0\"><table class=\"words\">\n");
    if (table->column_label) {
        build_text(html, "<thead><tr>");
        if (table->row_label)
            html_element(window, "td", table->corner ? table->corner : "");
        for (int c = 0; c < table->columns; c++)
            html_element(window, "th scope=\"col\"", table->column_label[c]);
        build_text(html, "</tr></thead>\n");
    }
    for (int r = 0; r < table->rows && !interrupt_signal(); r++) {
        build_text(html, "<tr>");
        if (table->row_label)
            html_element(window, "th scope=\"row\"", table->row_label[r]);
        for (int c = 0; c < table->columns; c++)
            html_element(window,
                         is_numeric(table, c, arena) ? "td class=\"number\"" : "td",
                         table_cell(table, r, c, arena));
        build_text(html, "</tr>\n");
    }
    html_close_table(window);
}

/* Write the numbers of a figure, one table per matrix, with the figure's marks. */
static void figure_tables(HtmlWindow *window, const Figure *figure) {
    Arena *arena = &window->arena;
    for (int s = 0; s < figure->slices; s++) {
        int count;
        const unsigned char *hidden = figure->hidden ? figure->hidden[s] : NULL;
        Matrix *matrix = matrix_list(&figure->slice[s], hidden, arena, &count);
        for (int m = 0; m < count && !interrupt_signal(); m++, matrix++) {
            if (figure->marked && figure->kind != FIGURE_BARS)
                matrix->marked = figure->marked[s];
            if (count > 1)
                html_element(window, "h4", matrix_heading(matrix, true, arena));
            Table table = table_matrix(matrix, FIGURE_DIGITS, arena);
            Part part = {&table, at_most(matrix->rows, FIGURE_SIDE_MAX),
                         at_most(matrix->columns, FIGURE_SIDE_MAX), false};
            part.whys = part.rows * part.columns <= WHYS_MAX;
            write_part(window, &part);
            if (part.rows == matrix->rows && part.columns == matrix->columns) continue;
            html_paragraph(
                window, "p class=\"note\"",
                trf(arena, "%d of %d rows and %d of %d columns are shown; all: %s",
                    part.rows, matrix->rows, part.columns, matrix->columns,
                    arena_print(arena, ":show %s", matrix->slice.tensor->name)));
        }
    }
}

/* Draw the figure above its numbers, or write why it cannot be drawn. */
void html_figure(HtmlWindow *window, const Block *block) {
    const Figure *figure = &block->figure;
    Builder *html = window->html;
    Error error;
    build_text(html, "<figure>\n<div class=\"wide drawing\">");
    bool drawn = web_figure(figure, window->tables + 1, window->letters, html, &error);
    build_text(html, "</div>\n");
    if (!drawn) html_paragraph(window, "p class=\"note\"", error.message);
    if (figure->slices) {
        build_text(html, drawn ? "<details>" : "<details open>");
        html_element(window, "summary", tr(N_("The numbers as a table")));
        build_text(html, "\n");
        figure_tables(window, figure);
        build_text(html, "</details>\n");
    }
    build_text(html, "</figure>\n");
}
