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

/* Write an item. The text is the last column and is folded within it. A name wider than
 * its column gets its own line. */
static void write_list_item(TextWindow *text, const ListLayout *layout,
                            const ListItem *item) {
    enum { WIDTH_MIN = 20 };
    Arena *arena = &text->arena;
    FILE *out = text->out;
    int width = window_text_width(text);
    int mark = layout->mark ? 1 + unicode_width(layout->mark) + layout->number : 0;
    int start = mark + layout->part + unicode_width(layout->indent);
    int indent = start + layout->name + unicode_width(layout->gap ? layout->gap : "") +
                 layout->value + unicode_width(layout->text_gap);
    if (layout->mark)
        fprintf(out, "%c%s%*d", item->here ? '>' : ' ', layout->mark, layout->number,
                item->number);
    const char *part = item->part ? arena_print(arena, ".%d", item->part) : "";
    fprintf(out, "%-*s%s", layout->part, part, layout->indent);
    const char *name = item->name;
    if (width - indent < WIDTH_MIN && !layout->cut) { /* too narrow for columns */
        const char *line = "";
        const char *const parts[] = {name, item->value, item->text};
        for (int p = 0; p < 3; p++)
            if (parts[p])
                line = arena_print(arena, "%s%s%s", line, *line ? "  " : "", parts[p]);
        size_t length = look_fold(line, width - start);
        fprintf(out, "%.*s\n", (int)length, line);
        window_folded(text, start + 2, line + length + strspn(line + length, " "));
        return;
    }
    if (name && !layout->cut && unicode_width(name) > layout->name) {
        size_t length = look_fold(name, width - start);
        fprintf(out, "%.*s\n", (int)length, name);
        window_folded(text, start + 2, name + length + strspn(name + length, " "));
        fprintf(out, "%*s", start, "");
        name = "";
    }
    if (name) fputs(unicode_pad(name, layout->name, false, arena), out);
    if (layout->gap) fputs(layout->gap, out);
    if (item->value && !layout->value)
        fputs(item->value, out);
    else if (item->value)
        fputs(unicode_pad(item->value, layout->value, false, arena), out);
    const char *words = item->text;
    int room = width - indent;
    if (room < WIDTH_MIN) room = WIDTH_MIN;
    if (layout->cut) words = unicode_cut(words, room, arena);
    size_t length = look_fold(words, room);
    bool fits = layout->mark || !words[length];
    fprintf(out, "%s%.*s\n", layout->text_gap, fits ? (int)strlen(words) : (int)length,
            words);
    if (!fits)
        window_folded(text, indent, words + length + strspn(words + length, " "));
}

void window_list(TextWindow *text, const Block *block) {
    const ListBlock *list = &block->list;
    const ListLayout *layout = &layouts[list->kind];
    if (layout->apart) fputs("\n", text->out);
    for (int i = 0; i < list->count; i++) write_list_item(text, layout, &list->item[i]);
}
