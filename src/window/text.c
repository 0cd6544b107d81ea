#include "window/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/builder.h"
#include "base/interrupt.h"
#include "base/language.h"
#include "canvas/look.h"
#include "text/unicode.h"

const char *const color_modes[] = {"auto", "never", "256", "true", NULL};

int window_text_width(const TextWindow *text) {
    enum { WIDTH_MIN = 20, WIDTH_DEFAULT = 80, WIDTH_MAX = 10000 };
    struct winsize size;
    int width = *text->width;
    const char *columns = getenv("COLUMNS");
    if (!width && text->is_terminal && ioctl(text->file, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (!width && columns) {
        long number = strtol(columns, NULL, 10);
        width = number > 0 && number <= WIDTH_MAX ? (int)number : WIDTH_DEFAULT;
    }
    if (width <= 0) width = WIDTH_DEFAULT;
    return width < WIDTH_MIN ? WIDTH_MIN : width;
}

Colors window_text_colors(const TextWindow *text) {
    if (*text->color) return (Colors)(*text->color - 1);
    const char *none = getenv("NO_COLOR");
    const char *kind = getenv("TERM");
    const char *depth = getenv("COLORTERM");
    if (!text->is_terminal || (none && *none) || !kind || strcmp(kind, "dumb") == 0)
        return COLORS_NONE;
    if (depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0))
        return COLORS_TRUE;
    return strstr(kind, "256color") || strstr(kind, "kitty") ? COLORS_256 : COLORS_NONE;
}

enum { READABLE = 80 }; /* longer lines are hard to read */

static int readable_width(const TextWindow *text) {
    int width = window_text_width(text);
    return width < READABLE ? width : READABLE;
}

void window_item(TextWindow *text, int number) {
    if (!text->kept) return;
    fflush(text->out);
    styled_item(text->kept, number);
}

/* Write lines with looks, one by one, so that the user can interrupt long output. */
static void write_styled(TextWindow *text, const Styled *lines) {
    const int count = lines->text.count;
    fflush(text->out);
    for (int at = 0, end; at < count && !interrupt_signal(); at = end) {
        const char *line = lines->text.text + at;
        const char *last = memchr(line, '\n', (size_t)(count - at));
        end = last ? at + (int)(last - line) + 1 : count;
        if (text->kept)
            styled_add_part(text->kept, lines, at, end);
        else
            styled_write(lines, at, end, window_text_colors(text), text->out);
    }
    if (text->kept) styled_look(text->kept, look_plain);
}

/* Write `words` in bold, if the output has colors. */
static void write_bold(TextWindow *text, const char *words) {
    Styled bold = {.text.arena = &text->arena};
    styled_add(&bold, window_text_colors(text) ? look_bold : look_plain, "%s", words);
    write_styled(text, &bold);
}

/* Write `words` in lines indented by `indent` spaces, at most `width` wide. */
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

/* Write a sentence, wrapped to a readable width. */
static void window_sentence(TextWindow *text, const char *sentence) {
    write_folded(text, 2, readable_width(text), sentence);
}

/* The title on the left, and the name on the right if both fit. */
static void write_heading(TextWindow *text, const Block *block) {
    const HeadingBlock *heading = &block->heading;
    Arena *arena = &text->arena;
    int width = window_text_width(text);
    const char *part = heading->part ? arena_print(arena, ".%d", heading->part) : "";
    const char *left = unicode_cut(arena_print(arena, "%d%s/%d  %s", heading->number,
                                               part, heading->count, heading->title),
                                   width, arena);
    int gap = width - unicode_width(left) - unicode_width(heading->name);
    fputs("\n", text->out);
    write_bold(text, left);
    if (gap >= 2) fprintf(text->out, "%*s%s", gap, "", heading->name);
    fputs("\n", text->out);
}

/* The answer on the left, and the confidence on the right, or below if it does not fit.
 */
static void write_answer(TextWindow *text, const Block *block) {
    const AnswerBlock *answer = &block->answer;
    int width = readable_width(text);
    int gap = width - 2 - unicode_width(answer->text) - unicode_width(answer->sure);
    fputs("\n", text->out);
    for (const char *rest = answer->text; *rest; rest += strspn(rest, " ")) {
        size_t length = look_fold(rest, width - 2);
        write_bold(text, arena_print(&text->arena, "  %.*s", (int)length, rest));
        rest += length;
        if (gap < 2) fputs("\n", text->out);
    }
    fprintf(text->out, "%*s%s\n", gap >= 2 ? gap : 2, "", answer->sure);
}

/* The mark, with its lines to the right. */
static void write_item(TextWindow *text, const Block *block) {
    const ItemBlock *item = &block->item;
    int width = readable_width(text);
    int indent = 2 * item->level + unicode_width(item->mark) + 1;
    size_t length = look_fold(item->text, width - indent);
    fprintf(text->out, "%*s%s %.*s\n", 2 * item->level, "", item->mark, (int)length,
            item->text);
    const char *rest = item->text + length;
    write_folded(text, indent, width, rest + strspn(rest, " "));
}

static void write_formula(TextWindow *text, const Block *block) {
    const char *gap = block->formula.is_close ? "" : "\n";
    fputs(gap, text->out);
    for (int l = 0; l < block->formula.count; l++)
        write_folded(text, 4, window_text_width(text), block->formula.line[l]);
    fputs(gap, text->out);
}

/* "scores [head 4, ...] = dot(query [...], key [...])", wrapped. */
static void write_shape(TextWindow *text, const Block *block) {
    const ShapeBlock *shape = &block->shape;
    Arena *arena = &text->arena;
    int width = window_text_width(text);
    write_folded(
        text, 2, width,
        arena_print(arena, "%s %s", shape->address, shape_text(shape->tensor).text));
    if (!shape->operation) return;
    Builder inputs = {.arena = arena};
    for (int i = 0; i < shape->inputs; i++)
        build_item(&inputs, ", ", "%s %s", shape->input[i]->short_name,
                   shape_text(shape->input[i]).text);
    write_folded(
        text, 6, width,
        arena_print(arena, "= %s(%s)", shape->operation, builder_text(&inputs)));
}

/* Cut a line that is wider than the window. */
static void write_cut(TextWindow *text, const char *line) {
    fprintf(text->out, "%s\n",
            unicode_cut(line, window_text_width(text), &text->arena));
}

enum { GUESS_WIDTH = 16, GUESS_BAR = 30 };

/* One candidate per line, with a bar for its probability. */
static void write_ranking(TextWindow *text, const Block *block) {
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

/* One line per position: "나는 →  I 0.93, he 0.02, she 0.01". */
static void write_rankings(TextWindow *text, const Block *block) {
    enum { PLACE_WIDTH = 14, BAR_WIDTH = 10 };
    Arena *arena = &text->arena;
    fprintf(text->out, "\n  %s %s\n",
            unicode_pad(block->rankings.in_place ? tr("masked position") : tr("after"),
                        PLACE_WIDTH, false, arena),
            block->rankings.in_place ? tr("the best that fit there")
                                     : tr("the best that come next"));
    for (int r = 0; r < block->rankings.count; r++) {
        const RankingBlock *ranking = &block->rankings.ranking[r];
        const char *line = arena_print(
            arena, "  %s %s ", unicode_pad(ranking->place, PLACE_WIDTH, false, arena),
            ranking->shares
                ? unicode_pad(look_bar(ranking->guess[0].value, BAR_WIDTH, arena),
                              BAR_WIDTH, false, arena)
                : "→");
        for (int g = 0; g < ranking->count; g++)
            line = arena_print(arena, "%s%s%s %.*f", line, g ? ",  " : "",
                               ranking->guess[g].label, ranking->digits,
                               ranking->guess[g].value);
        write_cut(text, line);
    }
}

static void write_choices(TextWindow *text, const Block *block) {
    const ChoicesBlock *choices = &block->choices;
    Arena *arena = &text->arena;
    enum { BESIDE = 29 }; /* columns for the numbers of a line */
    int room = window_text_width(text) - BESIDE;
    int label = room < GUESS_WIDTH ? room : GUESS_WIDTH;
    int length = room - label < GUESS_BAR ? room - label : GUESS_BAR;
    for (int t = 0; t < choices->count; t++) {
        const Guess *step = &choices->step[t];
        fprintf(text->out, "  step.%-4d %s %6d  %.4f  %s\n", choices->first + t,
                unicode_pad(step->label, label, false, arena), step->id, step->value,
                look_bar(step->value, length, arena));
    }
}

static void write_tokens(TextWindow *text, const Block *block) {
    enum { TOKEN_WIDTH = 14, RANGE_WIDTH = 9 };
    Arena *arena = &text->arena;
    write_cut(text,
              arena_print(arena, "%4s  %s %6s  %s  %s", "#",
                          unicode_pad(tr("token"), TOKEN_WIDTH, false, arena), "id",
                          unicode_pad(tr("bytes"), RANGE_WIDTH, false, arena),
                          tr("in hexadecimal")));
    for (int i = 0; i < block->tokens.count; i++) {
        const TokenRow *row = &block->tokens.row[i];
        const char *line =
            arena_print(arena, "%4d  %s %6d  ", i,
                        unicode_pad(row->label, TOKEN_WIDTH, false, arena), row->id);
        if (!row->bytes) {
            fprintf(text->out, "%s%s\n", line, tr("(no bytes)"));
            continue;
        }
        const char *range = arena_print(arena, "%d-%d", row->start, row->end);
        const char *part = row->letter ? trf(arena, "  (part of %s)", row->letter) : "";
        write_cut(text, arena_print(arena, "%s%s  %s%s", line,
                                    unicode_pad(range, RANGE_WIDTH, false, arena),
                                    row->bytes, part));
    }
}

static void write_sample(TextWindow *text, const Block *block) {
    const SampleBlock *sample = &block->sample;
    fputs("    ", text->out);
    if (sample->line) fprintf(text->out, "%d: ", sample->line);
    fputs(sample->source, text->out);
    if (sample->target) fprintf(text->out, " -> %s", sample->target);
    if (sample->expected) fprintf(text->out, tr(" (expected: %s)"), sample->expected);
    fputs("\n", text->out);
}

/* "·나 + 는: ·나는", and the pieces left after it. */
static void write_merges(TextWindow *text, const Block *block) {
    enum { INDENT = 6, MERGE = 11 };
    const MergesBlock *merges = &block->merges;
    fprintf(text->out, "  \"%s\"\n", merges->word);
    for (int m = 0; m < merges->count; m++) {
        const MergeRow *row = &merges->row[m];
        const char *line =
            row->rank < 0
                ? arena_print(&text->arena, "%s %s",
                              unicode_pad(merges->letters ? tr("letters") : tr("bytes"),
                                          MERGE, false, &text->arena),
                              row->pieces)
                : arena_print(&text->arena, "%s %s + %s:  %s",
                              unicode_pad(trf(&text->arena, "merge %d", row->rank),
                                          MERGE, false, &text->arena),
                              row->left, row->right, row->pieces);
        window_folded(text, INDENT, line);
    }
}

static void write_frequencies(TextWindow *text, const Block *block) {
    enum { WIDTH = 40 };
    const FrequenciesBlock *frequencies = &block->frequencies;
    for (int b = 0; b < frequencies->count; b++) {
        const Frequency *bar_of = &frequencies->bar[b];
        const char *range =
            bar_of->first == bar_of->last
                ? arena_print(&text->arena, "%d", bar_of->first)
                : trf(&text->arena, "%d to %d", bar_of->first, bar_of->last);
        fprintf(text->out, "    %12s %7d ", range, bar_of->count);
        int length = (int)((long long)bar_of->count * WIDTH / frequencies->max);
        for (int i = 0; i < length; i++) fputs("█", text->out);
        fputs(length == 0 && bar_of->count ? "▏\n" : "\n", text->out);
    }
}

Table window_numbers_table(const NumbersBlock *numbers, Matrix *matrix, Arena *arena) {
    /* Show the masks "encoder.padding_mask" and "mask.combined" as yes or no. */
    const Tensor *tensor = matrix->slice.tensor;
    bool is_mask = strcmp(tensor->short_name, "padding_mask") == 0 ||
                   strncmp(tensor->name, "mask.", 5) == 0;
    matrix->marked = numbers->marked;
    Table table = table_matrix(matrix, is_mask ? 0 : numbers->digits, arena);
    if (numbers->moments) table_add_moments(&table, arena);
    return table;
}

int window_first_columns(const NumbersBlock *numbers, Slice *slice, int max) {
    int last = slice->tensor->rank - 1;
    int columns = slice->to[last] - slice->from[last];
    if (columns <= max) return 0;
    int from = numbers->column_first;
    if (from > columns - max) from = columns - max;
    slice->from[last] += from;
    slice->to[last] = slice->from[last] + max;
    return columns - max;
}

/* Of long rows, show as many numbers as fit in the width. */
static void write_numbers(TextWindow *text, const Block *block) {
    enum { LABELS = 18, COLUMNS_MIN = 2 };
    Arena *arena = &text->arena;
    const NumbersBlock *numbers = &block->numbers;
    Slice slice = numbers->slice;
    int width = window_text_width(text);
    int left_out = 0;
    if (numbers->columns_max) {
        int fit = (width - LABELS) / (numbers->digits + 6);
        if (numbers->moments) fit -= TABLE_MOMENTS;
        if (fit > numbers->columns_max) fit = numbers->columns_max;
        if (fit < COLUMNS_MIN) fit = COLUMNS_MIN;
        left_out = window_first_columns(numbers, &slice, fit);
    }
    int count;
    Matrix *matrix = matrix_list(&slice, NULL, arena, &count);
    for (int m = 0; m < count && !interrupt_signal(); m++) {
        const char *which = matrix_heading(&matrix[m], false, arena);
        Table table = window_numbers_table(numbers, &matrix[m], arena);
        fputs("\n", text->out);
        if (numbers->title)
            fprintf(text->out, "%s%s%s\n", numbers->title, *which ? ", " : "", which);
        Styled lines = {.text.arena = arena};
        build_text(&lines.text, table_text(&table, width, arena));
        write_styled(text, &lines);
    }
    const int last = slice.tensor->rank - 1;
    if (numbers->rows_left_out)
        window_sentence(text, trf(arena, "%d of %d rows, %d of %d columns; all: %s",
                                  slice.to[last - 1] - slice.from[last - 1],
                                  slice.to[last - 1] - slice.from[last - 1] +
                                      numbers->rows_left_out,
                                  tensor_row(slice.tensor) - left_out,
                                  tensor_row(slice.tensor), numbers->all));
    else if (left_out)
        window_sentence(text, trf(arena, "... and %d more numbers in each row: %s",
                                  left_out, numbers->all));
}

static void write_figure(TextWindow *text, const Block *block) {
    const Styled *lines =
        figure_text(&block->figure, window_text_width(text), window_text_colors(text),
                    &text->arena, &text->error);
    text->failed = !lines;
    if (!lines) return;
    fputs("\n", text->out);
    write_styled(text, lines);
}

static WindowDraw *const draws[BLOCK_KINDS] = {
    [BLOCK_HEADING] = write_heading,
    [BLOCK_ANSWER] = write_answer,
    [BLOCK_ITEM] = write_item,
    [BLOCK_FORMULA] = write_formula,
    [BLOCK_LIST] = window_list,
    [BLOCK_SHAPE] = write_shape,
    [BLOCK_NUMBERS] = write_numbers,
    [BLOCK_FIGURE] = write_figure,
    [BLOCK_TERMS] = window_terms,
    [BLOCK_TREE] = window_tree,
    [BLOCK_RANKING] = write_ranking,
    [BLOCK_RANKINGS] = write_rankings,
    [BLOCK_CHOICES] = write_choices,
    [BLOCK_TOKENS] = write_tokens,
    [BLOCK_SAMPLE] = write_sample,
    [BLOCK_MERGES] = write_merges,
    [BLOCK_PROGRESS] = window_progress,
    [BLOCK_COUNTING] = window_counting,
    [BLOCK_FREQUENCIES] = write_frequencies,
};

static void write_plain(TextWindow *text, const Block *block) {
    const int width = window_text_width(text);
    const HintBlock *hint = &block->hint;
    if (block->kind == BLOCK_GAP) fputs("\n", text->out);
    if (block->kind == BLOCK_SECTION) fprintf(text->out, "\n%s\n", block->text);
    if (block->kind == BLOCK_PROSE) window_sentence(text, block->text);
    if (block->kind == BLOCK_LINE && text->is_terminal && !strchr(block->text, '\n') &&
        unicode_width(block->text) > width)
        window_folded(text, 0, block->text); /* wraps at spaces, not within a word */
    else if (block->kind == BLOCK_LINE)
        fprintf(text->out, "%s\n", block->text);
    if (block->kind == BLOCK_DOCUMENT) fputs(block->text, text->out);
    if (block->kind == BLOCK_NOTE && text->is_terminal)
        window_folded(text, 2, block->text);
    else if (block->kind == BLOCK_NOTE)
        fprintf(text->out, "  %s\n", block->text);
    if (block->kind ==
        BLOCK_HINT) { /* the command on one line if it fits, to copy it */
        const char *line =
            arena_print(&text->arena, "%s: %s", hint->text, hint->command);
        bool fits = unicode_width(line) + 2 <= width;
        bool folds = fits || unicode_width(hint->command) + 2 > width;
        if (!folds) line = arena_print(&text->arena, "%s:", hint->text);
        window_folded(text, 2, line);
        if (!folds) fprintf(text->out, "  %s\n", hint->command);
    }
    if (block->kind == BLOCK_TABLE)
        fputs(table_text(&block->table, width, &text->arena), text->out);
}

static bool draw(void *state, const Block *block, Error *error) {
    TextWindow *text = state;
    text->failed = false;
    if (block->kind != BLOCK_PROGRESS) window_progress_clear(text);
    (draws[block->kind] ? draws[block->kind] : write_plain)(text, block);
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
