#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/language.h"
#include "canvas/look.h"
#include "text/unicode.h"
#include "window/text.h"

/* Where the columns of a list stand. */
typedef struct {
    bool apart;           /* a blank line stands before it */
    const char *mark;     /* between the mark and the number; NULL: it has neither */
    int number;           /* how wide numbers are */
    const char *indent;   /* in front of the name */
    int name, value;      /* how wide they are; 0: there is none */
    const char *gap;      /* between name and value */
    const char *text_gap; /* in front of the text */
    bool cut;             /* a text that is too long is cut, not folded */
} ListLayout;

static const ListLayout layouts[LIST_KINDS] = {
    [LIST_STAGES] = {.mark = "",
                     .number = 3,
                     .indent = "  ",
                     .name = 36,
                     .text_gap = "  ",
                     .cut = true},
    [LIST_SENTENCES] = {.mark = " ", .indent = "  ", .text_gap = "  "},
    [LIST_SETTINGS] =
        {.indent = "  ", .name = 12, .gap = " ", .value = 8, .text_gap = " "},
    [LIST_MODEL_OPTIONS] =
        {.indent = "  ", .name = 32, .gap = " ", .value = 14, .text_gap = " "},
    [LIST_MODEL_FLAGS] = {.indent = "  ", .name = 34, .text_gap = " "},
    [LIST_RECIPE_KEYS] =
        {.indent = "  ", .name = 15, .gap = " ", .value = 8, .text_gap = "  "},
    [LIST_PRESETS] = {.indent = "  ", .name = 34, .text_gap = " "},
    [LIST_MODELS] = {.indent = "  ", .name = 22, .text_gap = " "},
    [LIST_LESSONS] =
        {.mark = "", .number = 3, .indent = "  ", .name = 40, .text_gap = " "},
    [LIST_COMMANDS] = {.indent = "  ", .name = 29, .text_gap = " "},
    [LIST_KEYS] = {.indent = "  ", .name = 12, .text_gap = " "},
    [LIST_FLAGS] = {.apart = true, .indent = "  ", .name = 24, .text_gap = " "},
};

/* The last column, in lines below each other where it is longer than the row. */
static void write_text(TextWindow *text, const ListLayout *layout, const char *words) {
    enum { LEAST = 20 };
    const char *gap = layout->text_gap;
    const char *before = layout->gap ? layout->gap : "";
    int mark = layout->mark ? 1 + unicode_width(layout->mark) + layout->number : 0;
    int indent = mark + unicode_width(layout->indent) + layout->name +
                 unicode_width(before) + layout->value + unicode_width(gap);
    int room = window_text_width(text) - indent;
    if (room < LEAST) room = LEAST;
    if (layout->cut) words = unicode_cut(words, room, &text->arena);
    size_t length = look_fold(words, room);
    bool fits = layout->mark || !words[length];
    fprintf(text->out, "%s%.*s\n", gap, fits ? (int)strlen(words) : (int)length, words);
    if (!fits)
        window_folded(text, indent, words + length + strspn(words + length, " "));
}

static void write_item(TextWindow *text, const ListLayout *layout,
                       const ListItem *item) {
    Arena *arena = &text->arena;
    FILE *out = text->out;
    if (layout->mark)
        fprintf(out, "%c%s%*d", item->here ? '>' : ' ', layout->mark, layout->number,
                item->number);
    fputs(layout->indent, out);
    if (item->name) fputs(unicode_pad(item->name, layout->name, false, arena), out);
    if (layout->gap) fputs(layout->gap, out);
    if (item->value && !layout->value)
        fputs(item->value, out);
    else if (item->value)
        fputs(unicode_pad(item->value, layout->value, false, arena), out);
    write_text(text, layout, item->text);
}

void window_list(TextWindow *text, const Block *block) {
    const ListBlock *list = &block->list;
    const ListLayout *layout = &layouts[list->kind];
    if (layout->apart) fputs("\n", text->out);
    for (int i = 0; i < list->count; i++) write_item(text, layout, &list->item[i]);
}

enum { GUESS_WIDTH = 16, GUESS_BAR = 30 };

/* One guess a line, with a bar for its share. */
void window_ranking(TextWindow *text, const Block *block) {
    const RankingBlock *ranking = &block->ranking;
    Arena *arena = &text->arena;
    for (int g = 0; g < ranking->count; g++) {
        const Guess *guess = &ranking->guess[g];
        fprintf(text->out, "    %s %6d  %10s  %s\n",
                unicode_pad(guess->label, GUESS_WIDTH, false, arena), guess->id,
                arena_print(arena, "%.*f", ranking->shares ? 4 : ranking->digits,
                            guess->value),
                ranking->shares ? look_bar(guess->value, GUESS_BAR, arena) : "");
    }
}

enum { PLACE_WIDTH = 14 };

/* One line for each place: "나는 →  I 0.93, he 0.02, she 0.01". */
static void write_best(TextWindow *text, const RankingBlock *ranking) {
    enum { BAR_WIDTH = 10 };
    Arena *arena = &text->arena;
    const char *guesses = "";
    for (int g = 0; g < ranking->count; g++)
        guesses = arena_print(arena, "%s%s%s %.*f", guesses, g ? ",  " : "",
                              ranking->guess[g].label, ranking->digits,
                              ranking->guess[g].value);
    const char *line = arena_print(
        arena, "  %s %s %s", unicode_pad(ranking->place, PLACE_WIDTH, false, arena),
        ranking->shares
            ? unicode_pad(look_bar(ranking->guess[0].value, BAR_WIDTH, arena),
                          BAR_WIDTH, false, arena)
            : "→",
        guesses);
    fprintf(text->out, "%s\n", unicode_cut(line, window_text_width(text), arena));
}

void window_rankings(TextWindow *text, const Block *block) {
    const RankingsBlock *rankings = &block->rankings;
    fprintf(text->out, "\n  %s %s\n",
            unicode_pad(said("after"), PLACE_WIDTH, false, &text->arena),
            said("the best that come next"));
    for (int r = 0; r < rankings->count; r++) write_best(text, &rankings->ranking[r]);
}

void window_choices(TextWindow *text, const Block *block) {
    const ChoicesBlock *choices = &block->choices;
    Arena *arena = &text->arena;
    enum { BESIDE = 29 }; /* columns that the numbers of a line take */
    int room = window_text_width(text) - BESIDE;
    int label = room < GUESS_WIDTH ? room : GUESS_WIDTH;
    int length = room - label < GUESS_BAR ? room - label : GUESS_BAR;
    for (int t = 0; t < choices->count; t++) {
        const Guess *step = &choices->step[t];
        fprintf(text->out, "  step.%-4d %s %6d  %.4f  %s\n", t,
                unicode_pad(step->label, label, false, arena), step->id, step->value,
                look_bar(step->value, length, arena));
    }
}

enum { TOKEN_WIDTH = 14, ID_WIDTH = 6, RANGE_WIDTH = 9 };

static void write_token(TextWindow *text, const TokenRow *row, int number) {
    Arena *arena = &text->arena;
    const char *label = unicode_pad(row->label, TOKEN_WIDTH, false, arena);
    if (!row->bytes) {
        fprintf(text->out, "%4d  %s %*d  %s\n", number, label, ID_WIDTH, row->id,
                said("(no bytes)"));
        return;
    }
    const char *range = arena_print(arena, "%d-%d", row->start, row->end);
    const char *part = row->letter ? say(arena, "  (part of %s)", row->letter) : "";
    const char *line =
        arena_print(arena, "%4d  %s %*d  %s  %s%s", number, label, ID_WIDTH, row->id,
                    unicode_pad(range, RANGE_WIDTH, false, arena), row->bytes, part);
    fprintf(text->out, "%s\n", unicode_cut(line, window_text_width(text), arena));
}

void window_tokens(TextWindow *text, const Block *block) {
    const TokensBlock *tokens = &block->tokens;
    Arena *arena = &text->arena;
    const char *head = arena_print(
        arena, "%4s  %s %*s  %s  %s", "#",
        unicode_pad(said("token"), TOKEN_WIDTH, false, arena), ID_WIDTH, "id",
        unicode_pad(said("bytes"), RANGE_WIDTH, false, arena), said("in hexadecimal"));
    fprintf(text->out, "%s\n", unicode_cut(head, window_text_width(text), arena));
    for (int i = 0; i < tokens->count; i++) write_token(text, &tokens->row[i], i);
}

void window_sample(TextWindow *text, const Block *block) {
    const SampleBlock *sample = &block->sample;
    fputs("    ", text->out);
    if (sample->line) fprintf(text->out, "%d: ", sample->line);
    fputs(sample->source, text->out);
    if (sample->target) fprintf(text->out, " -> %s", sample->target);
    if (sample->wanted) fprintf(text->out, said(" (wanted: %s)"), sample->wanted);
    fputs("\n", text->out);
}

/* "·나 + 는: ·나는" and the pieces that are left. */
void window_merges(TextWindow *text, const Block *block) {
    enum { INDENT = 6, MERGE = 11 };
    const MergesBlock *merges = &block->merges;
    fprintf(text->out, "  \"%s\"\n", merges->word);
    for (int m = 0; m < merges->count; m++) {
        const MergeRow *row = &merges->row[m];
        const char *line =
            row->rank < 0
                ? arena_print(&text->arena, "%s %s",
                              unicode_pad(said("bytes"), MERGE, false, &text->arena),
                              row->pieces)
                : arena_print(&text->arena, "%s %s + %s:  %s",
                              unicode_pad(say(&text->arena, "merge %d", row->rank),
                                          MERGE, false, &text->arena),
                              row->left, row->right, row->pieces);
        window_folded(text, INDENT, line);
    }
}

void window_frequencies(TextWindow *text, const Block *block) {
    enum { WIDTH = 40 };
    const FrequenciesBlock *frequencies = &block->frequencies;
    for (int b = 0; b < frequencies->count; b++) {
        const Frequency *bar_of = &frequencies->bar[b];
        const char *range =
            bar_of->first == bar_of->last
                ? arena_print(&text->arena, "%d", bar_of->first)
                : say(&text->arena, "%d to %d", bar_of->first, bar_of->last);
        fprintf(text->out, "    %12s %7d ", range, bar_of->count);
        int length = (int)((long long)bar_of->count * WIDTH / frequencies->most);
        for (int i = 0; i < length; i++) fputs("█", text->out);
        fputs(length == 0 && bar_of->count ? "▏\n" : "\n", text->out);
    }
}

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
