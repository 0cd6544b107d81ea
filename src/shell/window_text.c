#include "shell/window_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "shell/session.h"
#include "shell/window_draw.h"

static WindowDraw *const draws[BLOCK_KINDS] = {
    [BLOCK_HEADING] = window_heading,   [BLOCK_ANSWER] = window_answer,
    [BLOCK_SECTION] = window_section,   [BLOCK_GAP] = window_gap,
    [BLOCK_PROSE] = window_prose,       [BLOCK_NOTE] = window_note,
    [BLOCK_LINE] = window_line,         [BLOCK_DOCUMENT] = window_document,
    [BLOCK_FORMULA] = window_formula,   [BLOCK_HINT] = window_hint,
    [BLOCK_LIST] = window_list,         [BLOCK_SHAPE] = window_shape,
    [BLOCK_NUMBERS] = window_numbers,   [BLOCK_TABLE] = window_table,
    [BLOCK_FIGURE] = window_figure,     [BLOCK_TERMS] = window_terms,
    [BLOCK_TREE] = window_tree,         [BLOCK_RANKING] = window_ranking,
    [BLOCK_RANKINGS] = window_rankings, [BLOCK_CHOICES] = window_choices,
    [BLOCK_TOKENS] = window_tokens,     [BLOCK_SAMPLE] = window_sample,
    [BLOCK_MERGES] = window_merges,     [BLOCK_FREQUENCIES] = window_frequencies,
    [BLOCK_PROGRESS] = window_progress, [BLOCK_COUNTING] = window_counting,
    [BLOCK_ITEM] = window_item,
};

static bool draw(void *state, const Block *block, Error *error) {
    TextWindow *text = state;
    text->failed = false;
    if (block->kind != BLOCK_PROGRESS) window_progress_clear(text);
    draws[block->kind](text, block);
    arena_reset(&text->arena);
    if (text->failed) *error = text->error;
    return !text->failed;
}

static void flush(void *state) {
    const TextWindow *text = state;
    fflush(text->out);
}

TextWindow *window_text_new(Arena *arena, FILE *out, const int *width,
                            const int *color) {
    TextWindow *text = ARENA_ARRAY(arena, TextWindow, 1);
    *text = (TextWindow){
        .window = {.state = text, .draw = draw, .flush = flush},
        .out = out,
        .file = fileno(out),
        .is_terminal = isatty(fileno(out)),
        .width = width,
        .color = color,
    };
    return text;
}

void window_text_free(TextWindow *text) {
    arena_free(&text->arena);
}

int window_text_width(const TextWindow *text) {
    enum { LEAST = 40, USUAL = 80, MOST = 10000 };
    struct winsize size;
    int width = *text->width;
    const char *columns = getenv("COLUMNS");
    if (!width && text->is_terminal && ioctl(text->file, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (!width && columns) {
        long number = strtol(columns, NULL, 10);
        width = number > 0 && number <= MOST ? (int)number : USUAL;
    }
    if (width <= 0) width = USUAL;
    return width < LEAST ? LEAST : width;
}

Colors window_text_colors(const TextWindow *text) {
    const char *mode = color_modes[*text->color];
    if (strcmp(mode, "never") == 0) return COLORS_NONE;
    if (strcmp(mode, "256") == 0) return COLORS_256;
    if (strcmp(mode, "true") == 0) return COLORS_TRUE;
    const char *none = getenv("NO_COLOR");
    const char *kind = getenv("TERM");
    const char *depth = getenv("COLORTERM");
    if (!text->is_terminal || (none && *none) || !kind || strcmp(kind, "dumb") == 0)
        return COLORS_NONE;
    if (depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0))
        return COLORS_TRUE;
    return strstr(kind, "256color") || strstr(kind, "kitty") ? COLORS_256 : COLORS_NONE;
}
