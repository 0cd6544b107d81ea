#include <string.h>

#include "shell/window_draw.h"
#include "text/unicode.h"
#include "view/fold.h"

/* `words` in lines that begin with `indent` spaces and end within `width`. */
static void write_folded(const TextWindow *text, int indent, int width,
                         const char *words) {
    while (*words) {
        size_t length = fold_line(words, width - indent);
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
    size_t length = fold_line(item->text, width - indent);
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
