#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "shell/window_draw.h"

/* Line by line, since a person may stop what fills many screens. */
static void write_lines(const TextWindow *text, const char *lines) {
    while (*lines && !interrupt_signal()) {
        size_t length = strcspn(lines, "\n");
        length += lines[length] == '\n';
        fwrite(lines, 1, length, text->out);
        lines += length;
    }
}

/* A mask says yes or no: "encoder.padding_mask", "mask.combined". */
static bool is_mask(const Tensor *tensor) {
    static const char begin[] = "mask.";
    return strcmp(tensor->short_name, "padding_mask") == 0 ||
           strncmp(tensor->name, begin, strlen(begin)) == 0;
}

Table window_numbers_table(const NumbersBlock *numbers, const Matrix *matrix,
                           Arena *arena) {
    int digits = is_mask(matrix->slice.tensor) ? 0 : numbers->digits;
    Table table = table_matrix(matrix, digits, arena);
    if (numbers->moments) table_add_moments(&table, arena);
    return table;
}

static void write_matrices(TextWindow *text, const NumbersBlock *numbers,
                           const Slice *slice) {
    Arena *arena = &text->arena;
    int count;
    Matrix *matrix = matrix_list(slice, NULL, arena, &count);
    for (int m = 0; m < count && !interrupt_signal(); m++) {
        const char *which = matrix_heading(&matrix[m], arena);
        Table table = window_numbers_table(numbers, &matrix[m], arena);
        fprintf(text->out, "\n%s%s%s\n", numbers->title, *which ? ", " : "", which);
        write_lines(text, table_text(&table, window_text_width(text), arena));
    }
}

/* How many numbers of a row stand beside each other at this width. */
static int columns_that_fit(const TextWindow *text, const NumbersBlock *numbers) {
    enum { LABELS = 18 };
    int cell = numbers->digits + 6;
    int fit = (window_text_width(text) - LABELS) / cell;
    if (numbers->moments) fit -= TABLE_MOMENTS;
    if (fit > numbers->columns_most) fit = numbers->columns_most;
    return fit < 2 ? 2 : fit;
}

void window_numbers(TextWindow *text, const Block *block) {
    const NumbersBlock *numbers = &block->numbers;
    Slice slice = numbers->slice;
    int last = slice.tensor->rank - 1;
    int left_out = 0;
    if (numbers->columns_most) {
        int end = slice.from[last] + columns_that_fit(text, numbers);
        if (slice.to[last] > end) left_out = slice.to[last] - end;
        slice.to[last] -= left_out;
    }
    write_matrices(text, numbers, &slice);
    if (left_out)
        window_sentence(text,
                        say(&text->arena, "... and %d more numbers in each row: %s",
                            left_out, numbers->all));
}

void window_table(TextWindow *text, const Block *block) {
    fputs(table_text(&block->table, window_text_width(text), &text->arena), text->out);
}

void window_figure(TextWindow *text, const Block *block) {
    const char *lines =
        figure_text(&block->figure, window_text_width(text), window_text_colors(text),
                    &text->arena, &text->error);
    text->failed = !lines;
    if (!lines) return;
    fputs("\n", text->out);
    write_lines(text, lines);
}
