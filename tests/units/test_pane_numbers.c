/* A number is never cut: every kind of block is drawn into panes of 20 to 200 columns,
 * as the full screen shows it, and every number there is a number of the block, rounded
 * as a whole. All digits except the first are 6 or more, so that no prefix of a number
 * equals a rounded one; numbers that the windows count themselves are small. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "units/view_inputs.h"
#include "window/text.h"

#include <cmocka.h> /* last: it has a macro named fail */

enum { NARROWEST = 20, WIDEST = 200, NUMBERS_MAX = 200, VARIANTS = 8 };

/* The contents of a block: its numbers, and the small ones that a window may add. */
typedef struct {
    double number[NUMBERS_MAX];
    int count;
    int counted; /* whole numbers below it are indices and counts */
} Known;

static Known known;

static void know(double number) {
    assert_true(known.count < NUMBERS_MAX);
    known.number[known.count++] = fabs(number);
}

/* Parse a number at `text`: its value, the unit of its last digit, and its length in
 * bytes; 0 bytes: there is none. */
static int read_number(const char *text, double *number, double *step) {
    int length = 0;
    int decimals = 0;
    if (!isdigit((unsigned char)*text)) return 0;
    while (isdigit((unsigned char)text[length])) length++;
    if (text[length] == '.' && isdigit((unsigned char)text[length + 1])) {
        for (length++; isdigit((unsigned char)text[length]); length++) decimals++;
    }
    int power = 0;
    const char *e = text + length;
    if (*e == 'e' && (e[1] == '-' || e[1] == '+') && isdigit((unsigned char)e[2])) {
        power = (int)strtol(e + 1, NULL, 10);
        length += 2;
        while (isdigit((unsigned char)text[length])) length++;
    }
    *number = strtod(text, NULL);
    *step = pow(10, power - decimals);
    return length;
}

/* Record every number of a text that is given to a block; return the text. */
static const char *say(const char *text) {
    for (const char *at = text; *at;) {
        double number;
        double step;
        int length = read_number(at, &number, &step);
        if (length) know(number);
        at += length ? length : 1;
    }
    return text;
}

static bool is_known(double number, double step) {
    if (step == 1 && number < known.counted) return true;
    for (int i = 0; i < known.count; i++)
        if (fabs(known.number[i] - number) <= step * 0.5001) return true;
    return false;
}

static void check_line(const char *line, const char *what, int width) {
    for (const char *at = line; *at;) {
        double number;
        double step;
        int length = read_number(at, &number, &step);
        if (length && !is_known(number, step))
            fail_msg("%s, %d columns: %.*s is none of its numbers: '%s'", what, width,
                     length, at, line);
        at += length ? length : 1;
    }
}

/* Words on axes, and numbers in their cells. */
static Tensor *tensor_made(const char *name, int heads, int rows, int columns) {
    static const char *const labels[] = {"나는", "·어제", "·library", "·서",
                                         "울",   "에서",  "<end>"};
    static const double numbers[] = {87.6979,  8.78679, 7.67997e-05, 8767.98,
                                     -97.6897, 0.87869, 76.8977};
    const Axis axis[] = {
        {.name = "head", .size = heads, .label_rows = 1},
        {.name = "query", .size = rows, .labels = labels, .label_rows = 1},
        {.name = "key", .size = columns, .labels = labels, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, name, 3, axis);
    tensor->short_name = strrchr(name, '.') + 1;
    for (int i = 0; i < tensor_size(tensor); i++) {
        tensor->data[i] = (Number)numbers[(i * 3 + i / 7) % 7];
        know((double)tensor->data[i]);
    }
    return tensor;
}

static double first_term(const Explanation *explanation) {
    return explanation->term[0].value;
}

#define PROSE                                                                          \
    "The probability 0.876979 of 나는 is 9.86769e-05 less than 8769.68, and the "    \
    "weights[head=7, query=부산, key=8769] of 98769 tokens hold 7.69797 of them: "   \
    "encoder.9.self_attention.weights[head=8,query=87698,key=97689]=0.76987698 (87 "   \
    "%)."

static bool make_heading(Block *block, int variant) {
    block->heading = (HeadingBlock){97, variant ? 8 : 0, 9876,
                                    say("All 8769 positions, turned by 0.8769 radians"),
                                    say("decoder.7.query_rotated")};
    know(97), know(97.8), know(9876);
    return variant < 2;
}

static bool make_answer(Block *block, int variant) {
    block->answer = (AnswerBlock){say(variant ? PROSE : "It costs 8769 and 97.68."),
                                  say("confidence: 87.69% per token")};
    return variant < 2;
}

static bool make_text(Block *block, int variant) {
    block->text = say(PROSE);
    return variant < 1;
}

static bool make_document(Block *block, int variant) {
    block->text = say("step,loss,rate\n8769,0.876979,9.86769e-05\n" PROSE "\n");
    return variant < 1;
}

static bool make_gap(Block *block, int variant) {
    (void)block;
    return variant < 1;
}

static bool make_item(Block *block, int variant) {
    block->item = (ItemBlock){1 + variant, variant ? "-" : say("97)"), say(PROSE)};
    return variant < 3;
}

static bool make_formula(Block *block, int variant) {
    static const char *const line[] = {
        "scaled = scores / √9876 = 8.76979 / 99.3778",
        "weights = softmax(scaled + mask × 9876)·0.876979 + encoder.7.norm_8"};
    for (int l = 0; l < 2; l++) say(line[l]);
    block->formula = (FormulaBlock){line, 2, variant > 0};
    return variant < 2;
}

static bool make_hint(Block *block, int variant) {
    block->hint = (HintBlock){say("head 7 of 98; all of them"),
                              say(":show encoder.7.weights[head=87, query=9876]")};
    return variant < 1;
}

static bool make_list(Block *block, int variant) {
    static ListItem item[2];
    item[0] = (ListItem){true,      87, 9, say("name 8769 or 0.8769"), say("0.876979"),
                         say(PROSE)};
    item[1] = (ListItem){
        false,        9876,         0, say("a name of many words and 8769.79 of them"),
        say("98769"), say("7.6979")};
    know(87), know(87.9), know(9876);
    block->list = (ListBlock){(ListKind)variant, item, 2};
    return variant < (int)LIST_KINDS;
}

static bool make_shape(Block *block, int variant) {
    static Tensor *input[2];
    input[0] = tensor_made("encoder.7.self_attention.query", 1, 7, 6);
    input[1] = tensor_made("encoder.7.self_attention.key", 1, 6, 7);
    block->shape =
        (ShapeBlock){say("encoder.7.self_attention.scores_of_98769_positions"),
                     input[0], variant ? "dot" : NULL, input, 2};
    return variant < 2;
}

static bool make_numbers(Block *block, int variant) {
    Tensor *tensor = tensor_made("encoder.7.weights", 1, 5, 6);
    block->numbers = (NumbersBlock){.title = say("weights of 98769 positions"),
                                    .slice = slice_all(tensor),
                                    .digits = variant % 4,
                                    .columns_max = variant < 4 ? 0 : 6,
                                    .rows_left_out = variant == 7,
                                    .all = say(":show encoder.7.weights[head=87]"),
                                    .moments = variant > 5};
    for (int row = 0; row < 5; row++) {
        double mean = 0;
        double square = 0;
        const Number *number = tensor->data + row * 6;
        for (int c = 0; c < 6; c++) mean += (double)number[c] / 6;
        for (int c = 0; c < 6; c++)
            square += ((double)number[c] - mean) * ((double)number[c] - mean) / 6;
        if (variant > 5) know(mean), know(sqrt(square));
    }
    return variant < 8;
}

static bool make_table(Block *block, int variant) {
    static const char *const rows[] = {"step 8769", "a long name of 97698 words"};
    static const char *const columns[] = {"loss 0.87", "rate", "tokens of 98769",
                                          "what"};
    static const char *const cells[] = {
        "0.876979", "9.86769e-05", "98769767",    "8769 words",
        "7.69797",  "-8769.68",    "97698679.86", "0.87 of a very long sentence"};
    for (int i = 0; i < 8; i++) say(cells[i]);
    for (int i = 0; i < 4; i++) say(columns[i]);
    for (int i = 0; i < 2; i++) say(rows[i]);
    block->table = (Table){.corner = say("97 rows ↓"),
                           .rows = 2,
                           .columns = 4,
                           .row_label = variant == 1 ? NULL : rows,
                           .column_label = columns,
                           .cell = cells,
                           .rows_max = variant == 2,
                           .all = say(":show all 98769")};
    return variant < 3;
}

/* The kinds whose numbers come from a tensor. */
static bool make_figure(Block *block, int variant) {
    static const FigureKind kinds[] = {FIGURE_HEATMAP, FIGURE_GRID, FIGURE_BARS};
    static Slice slice;
    slice = slice_all(tensor_made("encoder.7.weights", variant == 1 ? 3 : 1, 6, 7));
    block->figure =
        (Figure){.kind = kinds[variant % 3],
                 .slice = &slice,
                 .slices = 1,
                 .annotate = variant < 3 ? ANNOTATE_WHERE_ROOM : ANNOTATE_ALWAYS};
    say(slice.tensor->name);
    return variant < 6;
}

static bool make_terms(Block *block, int variant) {
    static Term term[7];
    static TermLabel label[7];
    static int order[7];
    static const Rule rule = {.name = "sum of 98769", .combine = first_term};
    static Explanation explanation;
    static const double values[] = {87.6979,  -8.78679, 7.67997e-05, 8767.98,
                                    -97.6897, 0.87869,  76.8977};
    explanation = (Explanation){
        .rule = &rule, .formula = "Σ", .term = term, .count = 7, .chosen = 0};
    for (int t = 0; t < 7; t++) {
        term[t] = (Term){.value = values[t],
                         .text = say(t % 2 ? "exp(-87.6979) × 9.86769e-05 of all"
                                           : "0.8769 × -97.6897")};
        label[t] = (TermLabel){variant ? say("d_head=97") : "",
                               {say("encoder.8.weights[head=7, query=나는, key=9876]"),
                                say("encoder.9.value[head=8, key=9876]")}};
        order[t] = t;
        know(values[t]);
    }
    say(rule.name);
    know(98.7679);
    know(77.6979);
    block->terms = (TermsBlock){
        .address = say("encoder.8.context[head=7, query=나는, d_head=98]"),
        .value = 87.6979,
        .given = variant == 2 ? say("given by 9876 others") : NULL,
        .formula = say("context = Σ weights · value, of 98769 terms"),
        .note = say("of 0.876979 the largest"),
        .explanation = variant == 2 ? NULL : &explanation,
        .order = order,
        .shown = variant == 3 ? 6 : 7,
        .rest = 76.8977,
        .label = label,
        .common = {say("encoder.8.weights[head=7, query=나는, key=…]"),
                   variant ? say("encoder.9.value[head=8, key=9876]") : NULL}};
    return variant < 4;
}

static bool make_tree(Block *block, int variant) {
    static TreeNode leaf[2], branch, root;
    const char *text =
        "encoder.8.self_attention.weights[head=7, query=나는, key=9876] = 0.876979";
    for (int i = 0; i < 2; i++)
        leaf[i] =
            (TreeNode){.text = say(text), .share = i ? 0.97 : 0.07, .number = 97 + i};
    branch = (TreeNode){.text = say(text),
                        .share = 0.87,
                        .is_against = true,
                        .child = leaf,
                        .children = 2};
    root = (TreeNode){.text = say(text), .child = &branch, .children = 1};
    know(7), know(97), know(87), know(98);
    block->tree = (TreeBlock){&root};
    return variant < 1;
}

static RankingBlock ranking_made(bool shares) {
    static Guess guess[3];
    static const double share[] = {0.876979, 0.0976879, 0.00876979};
    for (int g = 0; g < 3; g++) {
        double value = shares ? share[g] : share[g] * 1e4;
        guess[g] =
            (Guess){say(g ? "·word" : "·a word of 97689 letters"), 8769 + g, value};
        know(8769 + g), know(value);
    }
    return (RankingBlock){say("·token 98"), guess, 3, shares, 3};
}

static bool make_ranking(Block *block, int variant) {
    block->ranking = ranking_made(variant == 0);
    return variant < 2;
}

static bool make_rankings(Block *block, int variant) {
    static RankingBlock ranking[2];
    ranking[0] = ranking[1] = ranking_made(variant == 0);
    block->rankings = (RankingsBlock){ranking, 2, variant > 0};
    return variant < 2;
}

static bool make_choices(Block *block, int variant) {
    block->choices = (ChoicesBlock){ranking_made(true).guess, 3, 98767};
    know(98767), know(98768), know(98769);
    return variant < 1;
}

static bool make_tokens(Block *block, int variant) {
    static TokenRow row[3];
    for (int i = 0; i < 3; i++)
        row[i] = (TokenRow){"·token", 98767 + i, i ? "EB 82 98 EB 8A 94" : NULL,
                            8767 + i, 9876 + i,  i > 1 ? "나" : NULL};
    for (int i = 0; i < 3; i++) know(98767 + i), know(8767 + i), know(9876 + i);
    know(82), know(98), know(8), know(94);
    block->tokens = (TokensBlock){row, 3};
    return variant < 1;
}

static bool make_sample(Block *block, int variant) {
    block->sample =
        (SampleBlock){variant ? 9876 : 0, say(PROSE), variant ? say(PROSE) : NULL,
                      variant > 1 ? say("8769.79") : NULL};
    know(9876);
    return variant < 3;
}

static bool make_merges(Block *block, int variant) {
    static MergeRow row[2];
    row[0] = (MergeRow){-1, NULL, NULL, say("<98> <7> a 8 | 9769")};
    row[1] =
        (MergeRow){98769, say("9769"), say("8769"), say("97698769 | 8 | 9876986796")};
    know(98769);
    block->merges = (MergesBlock){say("97698769"), row, 2, variant > 0};
    return variant < 2;
}

static bool make_frequencies(Block *block, int variant) {
    static const Frequency bar[] = {{7, 98, 9876}, {987, 987, 87}, {98769, 987698, 8}};
    for (int b = 0; b < 3; b++)
        know(bar[b].first), know(bar[b].last), know(bar[b].count);
    block->frequencies = (FrequenciesBlock){bar, 3, 9876};
    return variant < 1;
}

static bool make_progress(Block *block, int variant) {
    static const double losses[] = {9.87697, 8.76979, 7.69797};
    static const int counts[] = {1, 1, 1};
    block->progress = (ProgressBlock){.step = 8769,
                                      .total = 98769,
                                      .loss = 8.76979,
                                      .speed = 97689,
                                      .seconds = 27,
                                      .losses = losses,
                                      .counts = counts,
                                      .shares = 3,
                                      .ended = true};
    know(8769), know(98769), know(8.76979), know(97689), know(27);
    return variant < 1;
}

static bool make_counting(Block *block, int variant) {
    block->counting = (CountingBlock){8769, 98769, "sentences"};
    know(8769), know(98769);
    return variant < 1;
}

/* A kind without a row here fails. `variant`: another version of it; false after the
 * last. */
static bool (*const makes[BLOCK_KINDS])(Block *block, int variant) = {
    [BLOCK_HEADING] = make_heading,
    [BLOCK_ANSWER] = make_answer,
    [BLOCK_SECTION] = make_text,
    [BLOCK_GAP] = make_gap,
    [BLOCK_PROSE] = make_text,
    [BLOCK_ITEM] = make_item,
    [BLOCK_NOTE] = make_text,
    [BLOCK_LINE] = make_text,
    [BLOCK_DOCUMENT] = make_document,
    [BLOCK_FORMULA] = make_formula,
    [BLOCK_HINT] = make_hint,
    [BLOCK_LIST] = make_list,
    [BLOCK_SHAPE] = make_shape,
    [BLOCK_NUMBERS] = make_numbers,
    [BLOCK_TABLE] = make_table,
    [BLOCK_FIGURE] = make_figure,
    [BLOCK_TERMS] = make_terms,
    [BLOCK_TREE] = make_tree,
    [BLOCK_RANKING] = make_ranking,
    [BLOCK_RANKINGS] = make_rankings,
    [BLOCK_CHOICES] = make_choices,
    [BLOCK_TOKENS] = make_tokens,
    [BLOCK_SAMPLE] = make_sample,
    [BLOCK_MERGES] = make_merges,
    [BLOCK_FREQUENCIES] = make_frequencies,
    [BLOCK_PROGRESS] = make_progress,
    [BLOCK_COUNTING] = make_counting,
};

/* Draw the block in a pane, check it line by line, and return how many numbers it
 * has. */
static void check_pane(const Block *block, const char *what, int width) {
    const int color = 1; /* never */
    Arena drawn = {0};
    Builder printed = {.arena = &drawn};
    FILE *out = builder_stream(&printed);
    TextWindow *window = window_text_new(&drawn, out, &width, &color);
    Error error;
    window->is_terminal = true; /* as for the screen */
    if (!window->window.draw(window->window.state, block, &error))
        fail_msg("%s, %d columns: %s", what, width, error.message);
    fclose(out);
    for (const char *line = builder_text(&printed); *line;) {
        size_t length = strcspn(line, "\n");
        const char *shown =
            unicode_cut(arena_copy(&drawn, line, length), width, &drawn);
        assert_true(unicode_width(shown) <= width);
        check_line(shown, what, width);
        line += length + (line[length] == '\n');
    }
    window_text_free(window);
    arena_free(&drawn);
}

static void every_kind_of_block_cuts_no_number(void **state) {
    (void)state;
    for (int kind = 0; kind < BLOCK_KINDS; kind++) {
        if (!makes[kind]) fail_msg("blocks of kind %d have no case", kind);
        for (int variant = 0;; variant++) {
            Block block = {.kind = (BlockKind)kind};
            known = (Known){.counted = 7};
            if (!makes[kind](&block, variant)) break;
            for (int width = NARROWEST; width <= WIDEST; width++)
                check_pane(&block,
                           arena_print(&arena, "kind %d, variant %d", kind, variant),
                           width);
        }
        arena_reset(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_block_cuts_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, reset);
}
