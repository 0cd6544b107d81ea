#include <ctype.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "explain/short_why.h"
#include "figure/web.h"
#include "lesson/html.h"
#include "window/html.h"
#include "window/text.h"

/* Of a row so many numbers are shown, as of a table under a figure so many rows; cells
 * up to a number of them say how they came about. */
enum { COLUMNS_MOST = 12, FIGURE_SIDE_MOST = 64, WHYS_MOST = 4096, FIGURE_DIGITS = 4 };

/* The first numbers of a matrix, as a table of the page. */
typedef struct {
    const Table *table;
    int rows, columns;
    bool whys; /* of each cell, not of all together */
} Part;

static void attribute(Builder *html, const char *name, const char *value) {
    build(html, " %s=\"", name);
    html_text(html, value);
    build_text(html, "\"");
}

/* What stands in an address for an index of the axis: "key=나는"; "" for one that has
 * no other. */
static const char *item_of(const Matrix *matrix, int a, int index, Arena *arena) {
    const Tensor *tensor = matrix->slice.tensor;
    const Axis *axis = &tensor->axis[a];
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 && a != batch ? matrix->slice.from[batch] : 0;
    if (a == batch && axis->size == 1) return "";
    return arena_print(arena, "%s=%s", axis->name,
                       address_choice(axis, row, index, arena));
}

/* What is the same for all cells of the matrix: "head=2". */
static const char *fixed_of(const Matrix *matrix, Arena *arena) {
    const char *fixed = "";
    for (int a = 0; a < matrix->slice.tensor->rank; a++) {
        if (a == matrix->row_axis || a == matrix->column_axis) continue;
        const char *item = item_of(matrix, a, matrix->slice.from[a], arena);
        fixed = arena_print(arena, "%s%s%s", fixed, *fixed && *item ? ", " : "", item);
    }
    return fixed;
}

static void write_headings(HtmlWindow *window, const Part *part) {
    const Table *table = part->table;
    const Matrix *matrix = table->matrix;
    Builder *html = window->html;
    build_text(html, "<thead><tr>");
    if (table->row_label) html_element(window, "td", table->corner);
    for (int c = 0; c < table->columns; c++) {
        if (c == part->columns && c < matrix->columns) c = matrix->columns;
        if (c == table->columns) break;
        build_text(html, "<th scope=\"col\"");
        if (c < matrix->columns)
            attribute(html, "data-item",
                      item_of(matrix, matrix->column_axis,
                              matrix->slice.from[matrix->column_axis] + c,
                              &window->arena));
        build_text(html, ">");
        html_text(html, table->column_label[c]);
        build_text(html, "</th>");
    }
    build_text(html, "</tr></thead>\n");
}

static void write_cell(HtmlWindow *window, const Part *part, int row, int column) {
    const Matrix *matrix = part->table->matrix;
    Builder *html = window->html;
    build_text(html, "<td");
    if (column < matrix->columns) {
        int cell = matrix_cell(matrix, row, column);
        if (matrix_is_hatched(matrix, row, column))
            build_text(html, " class=\"hatched\"");
        const char *why = part->whys ? short_why(&window->record, matrix->slice.tensor,
                                                 cell, &window->arena)
                                     : "";
        if (*why) attribute(html, "data-why", why);
    } else {
        build_text(html, " class=\"moment\"");
    }
    build_text(html, ">");
    html_text(html, table_cell(part->table, row, column, &window->arena));
    build_text(html, "</td>");
}

static void write_row(HtmlWindow *window, const Part *part, int row) {
    const Table *table = part->table;
    const Matrix *matrix = table->matrix;
    Builder *html = window->html;
    build_text(html, "<tr>");
    if (table->row_label) {
        build_text(html, "<th scope=\"row\"");
        attribute(html, "data-item",
                  item_of(matrix, matrix->row_axis,
                          matrix->slice.from[matrix->row_axis] + row, &window->arena));
        build_text(html, ">");
        html_text(html, table->row_label[row]);
        build_text(html, "</th>");
    }
    for (int c = 0; c < table->columns; c++) {
        if (c == part->columns && c < matrix->columns) c = matrix->columns;
        if (c < table->columns) write_cell(window, part, row, c);
    }
    build_text(html, "</tr>\n");
}

static void write_part(HtmlWindow *window, const Part *part) {
    const Matrix *matrix = part->table->matrix;
    Builder *html = window->html;
    Arena *arena = &window->arena;
    build(html,
          "<div class=\"wide\" tabindex=\"0\"><table class=\"numbers\" id=\"n%d\"",
          ++window->tables);
    attribute(html, "data-name", matrix->slice.tensor->name);
    attribute(html, "data-fixed", fixed_of(matrix, arena));
    const char *formula =
        part->whys ? "" : short_formula(&window->record, matrix->slice.tensor, arena);
    if (*formula) attribute(html, "data-why", formula);
    build_text(html, ">\n");
    write_headings(window, part);
    for (int r = 0; r < part->rows && !interrupt_signal(); r++)
        write_row(window, part, r);
    html_close_table(window);
}

static int at_most(int count, int most) {
    return count < most ? count : most;
}

static void note(HtmlWindow *window, const char *text) {
    html_element(window, "p class=\"note\"", text);
    build_text(window->html, "\n");
}

void html_numbers(HtmlWindow *window, const Block *block) {
    const NumbersBlock *numbers = &block->numbers;
    Arena *arena = &window->arena;
    int count;
    int left_out = 0;
    Matrix *matrix = matrix_list(&numbers->slice, NULL, arena, &count);
    for (int m = 0; m < count && !interrupt_signal(); m++) {
        const char *which = matrix_heading(&matrix[m], arena);
        Table table = window_numbers_table(numbers, &matrix[m], arena);
        int most = numbers->columns_most ? COLUMNS_MOST : matrix[m].columns;
        Part part = {&table, matrix[m].rows, at_most(matrix[m].columns, most), false};
        html_element(
            window, "h3",
            arena_print(arena, "%s%s%s", numbers->title, *which ? ", " : "", which));
        write_part(window, &part);
        left_out = matrix[m].columns - part.columns;
    }
    if (left_out)
        note(window, say(arena, "... and %d more numbers in each row: %s", left_out,
                         numbers->all));
}

/* Does every cell of the column hold a number? */
static bool is_numeric(const Table *table, int column, Arena *arena) {
    for (int r = 0; r < table->rows; r++) {
        const char *cell = table_cell(table, r, column, arena);
        cell += strspn(cell, "+-.");
        if (!isdigit((unsigned char)*cell)) return false;
    }
    return table->rows > 0;
}

static void table_row(HtmlWindow *window, const Table *table, int row) {
    build_text(window->html, "<tr>");
    if (table->row_label)
        html_element(window, "th scope=\"row\"", table->row_label[row]);
    for (int c = 0; c < table->columns; c++)
        html_element(
            window, is_numeric(table, c, &window->arena) ? "td class=\"number\"" : "td",
            table_cell(table, row, c, &window->arena));
    build_text(window->html, "</tr>\n");
}

void html_table(HtmlWindow *window, const Block *block) {
    const Table *table = &block->table;
    Builder *html = window->html;
    html_open_table(window, "words", NULL);
    if (table->column_label) {
        build_text(html, "<thead><tr>");
        if (table->row_label)
            html_element(window, "td", table->corner ? table->corner : "");
        for (int c = 0; c < table->columns; c++)
            html_element(window, "th scope=\"col\"", table->column_label[c]);
        build_text(html, "</tr></thead>\n");
    }
    for (int r = 0; r < table->rows && !interrupt_signal(); r++)
        table_row(window, table, r);
    html_close_table(window);
}

static void figure_table(HtmlWindow *window, const Matrix *matrix) {
    Arena *arena = &window->arena;
    Table table = table_matrix(matrix, FIGURE_DIGITS, arena);
    Part part = {&table, at_most(matrix->rows, FIGURE_SIDE_MOST),
                 at_most(matrix->columns, FIGURE_SIDE_MOST), false};
    part.whys = part.rows * part.columns <= WHYS_MOST;
    write_part(window, &part);
    if (part.rows < matrix->rows || part.columns < matrix->columns)
        note(window, say(arena,
                         "%d of %d rows and %d of %d columns stand here; all of them: "
                         "%s",
                         part.rows, matrix->rows, part.columns, matrix->columns,
                         arena_print(arena, ":show %s", matrix->slice.tensor->name)));
}

/* The numbers of what is drawn, matrix by matrix, as the figure marks them. */
static void figure_tables(HtmlWindow *window, const Figure *figure) {
    Arena *arena = &window->arena;
    for (int s = 0; s < figure->slices; s++) {
        int count;
        const unsigned char *hidden = figure->hidden ? figure->hidden[s] : NULL;
        Matrix *matrix = matrix_list(&figure->slice[s], hidden, arena, &count);
        for (int m = 0; m < count && !interrupt_signal(); m++) {
            const char *which = matrix_heading(&matrix[m], arena);
            if (count > 1) html_element(window, "h4", which);
            figure_table(window, &matrix[m]);
        }
    }
}

/* Where it cannot be drawn, the reason stands in its place, above its numbers. */
void html_figure(HtmlWindow *window, const Block *block) {
    const Figure *figure = &block->figure;
    Builder *html = window->html;
    Error error;
    build_text(html, "<figure>\n<div class=\"wide drawing\">");
    bool drawn = web_figure(figure, window->tables + 1, window->letters, html, &error);
    build_text(html, "</div>\n");
    if (!drawn) note(window, error.message);
    if (figure->slices) {
        build_text(html, drawn ? "<details>" : "<details open>");
        html_element(window, "summary", said(N_("The numbers as a table")));
        build_text(html, "\n");
        figure_tables(window, figure);
        build_text(html, "</details>\n");
    }
    build_text(html, "</figure>\n");
}
