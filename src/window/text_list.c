#include <string.h>

#include "canvas/look.h"
#include "text/unicode.h"
#include "window/text.h"

/* The columns of a list. */
typedef struct {
    bool apart;           /* a blank line before each item */
    const char *mark;     /* between mark and number; NULL: without both */
    int number, part;     /* widths of the number and of the part after it */
    const char *indent;   /* before the name */
    int name, value;      /* their widths; 0: no such column */
    const char *gap;      /* between name and value */
    const char *text_gap; /* before the text */
    bool cut;             /* cut a long text instead of folding it */
} ListLayout;

static const ListLayout layouts[LIST_KINDS] = {
    [LIST_STAGES] = {.mark = "",
                     .number = 3,
                     .part = 4,
                     .indent = " ",
                     .name = 36,
                     .text_gap = " ",
                     .cut = true},
    [LIST_SENTENCES] = {.mark = " ", .indent = "  ", .text_gap = "  "},
    [LIST_SETTINGS] =
        {.indent = "  ", .name = 12, .gap = " ", .value = 8, .text_gap = " "},
    [LIST_MODEL_OPTIONS] =
        {.indent = "  ", .name = 32, .gap = " ", .value = 14, .text_gap = " "},
    [LIST_MODEL_FLAGS] = {.indent = "  ", .name = 34, .text_gap = " "},
    [LIST_RECIPE_KEYS] =
        {.indent = "  ", .name = 15, .gap = " ", .value = 8, .text_gap = "  "},
    [LIST_MODELS] = {.indent = "  ", .name = 22, .text_gap = " "},
    [LIST_LESSONS] =
        {.mark = "", .number = 3, .indent = "  ", .name = 40, .text_gap = " "},
    [LIST_COMMANDS] = {.indent = "  ", .name = 29, .text_gap = " "},
    [LIST_FIRST_COMMANDS] =
        {.indent = "  ", .name = 9, .gap = " ", .value = 9, .text_gap = " "},
    [LIST_TERMS] = {.indent = "  ", .name = 20, .text_gap = " "},
    [LIST_KEYS] = {.indent = "  ", .name = 12, .text_gap = " "},
    [LIST_FLAGS] = {.apart = true, .indent = "  ", .name = 24, .text_gap = " "},
};

/* Write the first line of `words`, up to `room` wide, and the others after `indent`. */
static void write_column(TextWindow *text, const char *words, int room, int indent) {
    size_t length = look_fold(words, room);
    fprintf(text->out, "%.*s\n", (int)length, words);
    window_folded(text, indent, words + length + strspn(words + length, " "));
}

/* The text is the last column and is folded within it. A name wider than its column
 * gets its own line. */
void window_list(TextWindow *text, const Block *block) {
    enum { WIDTH_MIN = 20 };
    const ListBlock *list = &block->list;
    const ListLayout *layout = &layouts[list->kind];
    Arena *arena = &text->arena;
    FILE *out = text->out;
    int width = window_text_width(text);
    int mark = layout->mark ? 1 + unicode_width(layout->mark) + layout->number : 0;
    int start = mark + layout->part + unicode_width(layout->indent);
    int indent = start + layout->name + unicode_width(layout->gap ? layout->gap : "") +
                 layout->value + unicode_width(layout->text_gap);
    int room = width - indent < WIDTH_MIN ? WIDTH_MIN : width - indent;
    if (layout->apart) fputs("\n", out);
    for (int i = 0; i < list->count; i++) {
        const ListItem *item = &list->item[i];
        if (layout->mark)
            fprintf(out, "%c%s%*d", item->here ? '>' : ' ', layout->mark,
                    layout->number, item->number);
        const char *part = item->part ? arena_print(arena, ".%d", item->part) : "";
        fprintf(out, "%-*s%s", layout->part, part, layout->indent);
        const char *name = item->name;
        if (width - indent < WIDTH_MIN && !layout->cut) { /* too narrow for columns */
            const char *line = "";
            const char *const parts[] = {name, item->value, item->text};
            for (int p = 0; p < 3; p++)
                if (parts[p])
                    line =
                        arena_print(arena, "%s%s%s", line, *line ? "  " : "", parts[p]);
            write_column(text, line, width - start, start + 2);
            continue;
        }
        if (name && !layout->cut && unicode_width(name) > layout->name) {
            write_column(text, name, width - start, start + 2);
            fprintf(out, "%*s", start, "");
            name = "";
        }
        if (name) fputs(unicode_pad(name, layout->name, false, arena), out);
        if (layout->gap) fputs(layout->gap, out);
        if (item->value && !layout->value)
            fputs(item->value, out);
        else if (item->value)
            fputs(unicode_pad(item->value, layout->value, false, arena), out);
        fputs(layout->text_gap, out);
        if (layout->mark || layout->cut)
            fprintf(out, "%s\n",
                    layout->cut ? unicode_cut(item->text, room, arena) : item->text);
        else
            write_column(text, item->text, room, indent);
    }
}
