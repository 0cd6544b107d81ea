#include "page/table.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "text/unicode.h"

enum { GAP = 2, BLOCKS_MAX = 4 };

/* Special indices: LEFT_OUT marks omitted rows or columns, HEADINGS the headings. */
enum { LEFT_OUT = -1, HEADINGS = -2 };

/* The rows or columns shown, in order; LEFT_OUT where some are omitted. */
typedef struct {
    int *index;
    int count, missing;
} Shown;

/* A table being written. */
typedef struct {
    const Table *table;
    Arena *arena;
    int width;
    int labels; /* width of the row labels, including the gap after them */
    Shown row, column;
    int *wide;   /* by column of the table; 0: not measured yet */
    bool *right; /* is it right-aligned? */
    Builder out;
} Writer;

static void add(Writer *writer, const char *text) {
    build_text(&writer->out, text);
}

static void end_line(Writer *writer) {
    Builder *out = &writer->out;
    while (out->count && out->text[out->count - 1] == ' ') out->count--;
    add(writer, "\n");
}

static bool is_number(const char *text) {
    text += *text == '-' || *text == '+';
    return isdigit((unsigned char)*text) || (*text == '.' && text[1]) ||
           strcmp(text, "inf") == 0 || strcmp(text, "nan") == 0;
}

/* After an interrupt the rest of a table stays empty. */
const char *table_cell(const Table *table, int row, int column, Arena *arena) {
    if (table->cell) return table->cell[row * table->columns + column];
    if (interrupt_signal()) return "";
    if (column >= table->matrix->columns) {
        Moments moments = matrix_moments(table->matrix, row);
        bool mean = column == table->matrix->columns;
        return arena_print(arena, "%.*f", table->digits,
                           tensor_printed(mean ? moments.mean : moments.deviation));
    }
    return arena_print(arena, "%.*f", table->digits,
                       tensor_printed(matrix_value(table->matrix, row, column)));
}

/* Select the first and the last ones, with LEFT_OUT between them if some are
 * omitted. */
static Shown show(int count, int first, int last, Arena *arena) {
    bool all = first + last >= count;
    if (all) first = count;
    Shown shown = {.index = ARENA_ARRAY(arena, int, first + 1 + last),
                   .count = all ? count : first + 1 + last,
                   .missing = all ? 0 : count - first - last};
    for (int i = 0; i < first; i++) shown.index[i] = i;
    if (all) return shown;
    shown.index[first] = LEFT_OUT;
    for (int i = 0; i < last; i++) shown.index[first + 1 + i] = count - last + i;
    return shown;
}

static int at_least(int a, int b) {
    return a > b ? a : b;
}

static int column_width(Writer *writer, int column) {
    if (column == LEFT_OUT) return 1;
    if (writer->wide[column] == 0) {
        const Table *table = writer->table;
        int wide = table->column_label ? unicode_width(table->column_label[column]) : 1;
        bool right = table->rows > 0;
        for (int i = 0; i < writer->row.count; i++) {
            int row = writer->row.index[i];
            if (row == LEFT_OUT) continue;
            const char *cell = table_cell(table, row, column, writer->arena);
            wide = at_least(wide, unicode_width(cell));
            right = right && is_number(cell);
        }
        int room = writer->width - writer->labels;
        writer->wide[column] = wide < room ? wide : room;
        writer->right[column] = right;
    }
    return writer->wide[column];
}

/* Return the end of the block of columns that starts at shown column `from`. */
static int block_end(Writer *writer, int from) {
    int used = writer->labels;
    int end = from;
    while (end < writer->column.count) {
        used += column_width(writer, writer->column.index[end]) + (end > from) * GAP;
        if (used > writer->width && end > from) break;
        end++;
    }
    return end;
}

/* Fold the columns into a few blocks, or else show one block with the first and
 * last. */
static void choose_columns(Writer *writer) {
    int columns = writer->table->columns;
    writer->column = show(columns, columns, 0, writer->arena);
    int blocks = 0;
    /* Measure only as many columns as necessary: there can be thousands. */
    for (int from = 0; from < columns && blocks <= BLOCKS_MAX; blocks++)
        from = block_end(writer, from);
    if (blocks <= BLOCKS_MAX) return;
    int room = writer->width - writer->labels - 1;
    int first = 0;
    int last = 0;
    for (bool left = true;; left = !left) {
        int next = left ? first : columns - 1 - last;
        room -= column_width(writer, next) + GAP;
        if (room < 0) break;
        first += left;
        last += !left;
    }
    writer->column = show(columns, at_least(first, 1), last, writer->arena);
}

/* Add a row of the table, or the headings. */
static void add_row(Writer *writer, int row, const char *label, int from, int to) {
    const Table *table = writer->table;
    Arena *arena = writer->arena;
    if (writer->labels) {
        add(writer, unicode_pad(label, writer->labels - GAP, false, arena));
        add(writer, "  ");
    }
    for (int i = from; i < to; i++) {
        int column = writer->column.index[i];
        bool missing = row == LEFT_OUT || column == LEFT_OUT;
        bool right = column == LEFT_OUT || writer->right[column];
        const char *text = missing               ? "…"
                           : row != HEADINGS     ? table_cell(table, row, column, arena)
                           : table->column_label ? table->column_label[column]
                                                 : "";
        if (i > from) add(writer, "  ");
        add(writer, unicode_pad(text, column_width(writer, column), right, arena));
    }
    end_line(writer);
}

static void add_note(Writer *writer) {
    const Table *table = writer->table;
    int rows = writer->row.missing;
    int columns = writer->column.missing;
    int all = table->cell ? table->columns : table->matrix->columns;
    if (rows == 0 && columns == 0) return;
    const char *left =
        rows && columns
            ? trf(writer->arena, "… %d of %d rows and %d of %d columns left out", rows,
                  table->rows, columns, all)
        : rows ? trf(writer->arena, "… %d of %d rows left out", rows, table->rows)
               : trf(writer->arena, "… %d of %d columns left out", columns, all);
    add(writer, left);
    if (table->all) {
        end_line(writer);
        add(writer, trf(writer->arena, "  to see them: %s", table->all));
    }
    end_line(writer);
}

const char *table_text(const Table *table, int width, Arena *arena) {
    Writer writer = {
        .table = table, .arena = arena, .width = width, .out.arena = arena};
    writer.wide = ARENA_ARRAY(arena, int, table->columns);
    writer.right = ARENA_ARRAY(arena, bool, table->columns);
    bool cut = table->rows_max > 0 && table->rows > table->rows_max;
    int half = table->rows_max / 2;
    writer.row = cut ? show(table->rows, table->rows_max - half, half, arena)
                     : show(table->rows, table->rows, 0, arena);
    /* Labels take at most a third of the line. */
    int labels = 0;
    for (int i = 0; i < writer.row.count && table->row_label; i++)
        if (writer.row.index[i] != LEFT_OUT)
            labels =
                at_least(labels, unicode_width(table->row_label[writer.row.index[i]]));
    int corner = table->corner ? unicode_width(table->corner) : 0;
    if (corner <= width / 3) labels = at_least(labels, corner);
    if (labels > width / 3) labels = width / 3;
    writer.labels = labels ? labels + GAP : 0;
    choose_columns(&writer);
    for (int from = 0, to; from < writer.column.count; from = to) {
        to = block_end(&writer, from);
        if (from > 0) add(&writer, "\n");
        bool fits = table->corner && corner <= writer.labels - GAP;
        if (table->corner && !fits && from == 0) {
            add(&writer, unicode_cut(table->corner, width, arena));
            end_line(&writer);
        }
        if (table->column_label || fits)
            add_row(&writer, HEADINGS, fits ? table->corner : "", from, to);
        for (int i = 0; i < writer.row.count && !interrupt_signal(); i++) {
            int row = writer.row.index[i];
            const char *label = row == LEFT_OUT    ? "…"
                                : table->row_label ? table->row_label[row]
                                                   : "";
            add_row(&writer, row, label, from, to);
        }
    }
    add_note(&writer);
    return arena_copy(arena, builder_text(&writer.out), (size_t)writer.out.count);
}

Table table_matrix(const Matrix *matrix, int digits, Arena *arena) {
    const Axis *down = matrix_axis(matrix, false);
    const char *across = matrix_axis(matrix, true)->name;
    const char **label = down ? matrix_labels(matrix, false, arena) : NULL;
    for (int row = 0; label && matrix->marked && row < matrix->rows; row++)
        if (matrix_row_is_marked(matrix, row)) /* a row with a highlighted cell */
            label[row] = arena_print(arena, "> %s", label[row]);
    return (Table){
        .corner = down ? arena_print(arena, "%s ↓  %s →", down->name, across)
                       : arena_print(arena, "%s →", across),
        .rows = matrix->rows,
        .columns = matrix->columns,
        .row_label = label,
        .column_label = matrix_labels(matrix, true, arena),
        .matrix = matrix,
        .digits = matrix->slice.tensor->holds_ids ? 0 : digits,
    };
}

void table_add_moments(Table *table, Arena *arena) {
    const Matrix *matrix = table->matrix;
    if (matrix->column_axis != matrix->slice.tensor->rank - 1) return;
    const char **label =
        ARENA_ARRAY(arena, const char *, table->columns + TABLE_MOMENTS);
    memcpy(label, table->column_label, (size_t)table->columns * sizeof *label);
    label[table->columns] = tr("mean");
    label[table->columns + 1] = tr("deviation");
    table->column_label = label;
    table->columns += TABLE_MOMENTS;
}

TableWriter table_begin(const char *const *heading, Arena *arena) {
    TableWriter writer = {.arena = arena};
    int columns = 0;
    while (heading[columns]) columns++;
    const char **title = ARENA_ARRAY(arena, const char *, columns);
    for (int c = 0; c < columns; c++) title[c] = tr(heading[c]);
    writer.cell = ARENA_ARRAY(arena, const char *, 1);
    writer.table =
        (Table){.columns = columns, .column_label = title, .cell = writer.cell};
    return writer;
}

void table_row(TableWriter *writer, const char *label) {
    ARENA_GROW(writer->arena, writer->label, writer->labels, writer->label_capacity);
    writer->label[writer->labels++] = label;
    writer->table.row_label = writer->label;
}

void table_put(TableWriter *writer, const char *text) {
    ARENA_GROW(writer->arena, writer->cell, writer->cells, writer->cell_capacity);
    writer->cell[writer->cells++] = text;
    writer->table.cell = writer->cell;
    writer->table.rows = writer->cells / writer->table.columns;
}

void table_print(TableWriter *writer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    table_put(writer, arena_print_list(writer->arena, format, arguments));
    va_end(arguments);
}
