#include "window/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "canvas/look.h"
#include "text/unicode.h"

/* `words` in lines that begin with `indent` spaces and end within `width`. */
static void write_folded(const TextWindow *text, int indent, int width,
                         const char *words) {
    while (*words) {
        size_t length = look_fold(words, width - indent);
        fprintf(text->out, "%*s%.*s\n", indent, "", (int)length, words);
        words += length;
        words += strspn(words, " ");
    }
}

void window_folded(TextWindow *text, int indent, const char *words) {
    write_folded(text, indent, window_text_width(text), words);
}

void window_sentence(TextWindow *text, const char *sentence) {
    enum { READABLE = 80 }; /* longer lines are hard to read */
    int width = window_text_width(text);
    write_folded(text, 2, width < READABLE ? width : READABLE, sentence);
}

/* The title at the left, the name at the right where there is room for both. */
void window_heading(TextWindow *text, const Block *block) {
    const HeadingBlock *heading = &block->heading;
    Arena *arena = &text->arena;
    int width = window_text_width(text);
    const char *left = unicode_cut(arena_print(arena, "%d/%d  %s", heading->number,
                                               heading->count, heading->title),
                                   width, arena);
    int gap = width - unicode_width(left) - unicode_width(heading->name);
    bool bold = window_text_colors(text) != COLORS_NONE;
    fprintf(text->out, "\n%s%s%s", bold ? "\x1b[1m" : "", left, bold ? "\x1b[0m" : "");
    if (gap >= 2) fprintf(text->out, "%*s%s", gap, "", heading->name);
    fputs("\n", text->out);
}

/* The answer at the left, how sure it is at the right, or below where there is no room.
 */
void window_answer(TextWindow *text, const Block *block) {
    enum { READABLE = 80 };
    const AnswerBlock *answer = &block->answer;
    int width = window_text_width(text);
    if (width > READABLE) width = READABLE;
    bool bold = window_text_colors(text) != COLORS_NONE;
    int gap = width - 2 - unicode_width(answer->text) - unicode_width(answer->sure);
    fputs("\n", text->out);
    if (bold) fputs("\x1b[1m", text->out);
    if (gap >= 2)
        fprintf(text->out, "  %s", answer->text);
    else
        write_folded(text, 2, width, answer->text);
    if (bold) fputs("\x1b[0m", text->out);
    fprintf(text->out, "%*s%s\n", gap >= 2 ? gap : 2, "", answer->sure);
}

void window_section(TextWindow *text, const Block *block) {
    fprintf(text->out, "\n%s\n", block->text);
}

void window_gap(TextWindow *text, const Block *block) {
    (void)block;
    fputs("\n", text->out);
}

void window_prose(TextWindow *text, const Block *block) {
    window_sentence(text, block->text);
}

/* Its lines stand behind the mark, one below the other. */
void window_item(TextWindow *text, const Block *block) {
    enum { READABLE = 80 };
    const ItemBlock *item = &block->item;
    int width = window_text_width(text);
    int indent = 2 * item->level + unicode_width(item->mark) + 1;
    if (width > READABLE) width = READABLE;
    size_t length = look_fold(item->text, width - indent);
    fprintf(text->out, "%*s%s %.*s\n", 2 * item->level, "", item->mark, (int)length,
            item->text);
    const char *rest = item->text + length;
    write_folded(text, indent, width, rest + strspn(rest, " "));
}

void window_note(TextWindow *text, const Block *block) {
    if (text->is_terminal)
        window_folded(text, 2, block->text);
    else
        fprintf(text->out, "  %s\n", block->text);
}

void window_line(TextWindow *text, const Block *block) {
    fprintf(text->out, "%s\n", block->text);
}

void window_document(TextWindow *text, const Block *block) {
    fputs(block->text, text->out);
}

void window_formula(TextWindow *text, const Block *block) {
    fputs("\n", text->out);
    for (int l = 0; l < block->formula.count; l++)
        write_folded(text, 4, window_text_width(text), block->formula.line[l]);
    fputs("\n", text->out);
}

void window_hint(TextWindow *text, const Block *block) {
    window_sentence(text, arena_print(&text->arena, "%s: %s", block->hint.text,
                                      block->hint.command));
}

/* "scores [head 4, ...] = dot(query [...], key [...])", in as many lines as it takes.
 */
void window_shape(TextWindow *text, const Block *block) {
    const ShapeBlock *shape = &block->shape;
    Arena *arena = &text->arena;
    int width = window_text_width(text);
    write_folded(
        text, 2, width,
        arena_print(arena, "%s %s", shape->address, shape_text(shape->tensor).text));
    if (!shape->operation) return;
    const char *inputs = "";
    for (int i = 0; i < shape->inputs; i++)
        inputs =
            arena_print(arena, "%s%s%s %s", inputs, i ? ", " : "",
                        shape->input[i]->short_name, shape_text(shape->input[i]).text);
    write_folded(text, 6, width,
                 arena_print(arena, "= %s(%s)", shape->operation, inputs));
}

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

const char *const color_modes[] = {"auto", "never", "256", "true", NULL};

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
