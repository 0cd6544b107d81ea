#include <limits.h>

#include "base/language.h"
#include "kernel/vector.h"
#include "ops/ops.h"
#include "ops/shape.h"
#include "ops/term.h"

static bool shape(const Step *step, int *rank, Axis *axis, Error *error) {
    const Tensor *scores = step->input[0];
    const Tensor *padding = step->input[1];
    if (!shape_rank(step->op, scores, 4, "batch, head, query, key", error) ||
        !shape_rank(step->op, padding, 2, "batch, key", error))
        return false;
    if (scores->axis[0].size != padding->axis[0].size ||
        scores->axis[3].size != padding->axis[1].size)
        return fail(error, "mask: %s %s must agree in batch and key with %s %s",
                    padding->name, shape_text(padding).text, scores->name,
                    shape_text(scores).text);
    return shape_as_input(step, rank, axis, error);
}

/* Return the position of a query among the keys: the last query is at the last key. */
static int place_of_query(const Tensor *scores, int query) {
    return query + scores->axis[3].size - scores->axis[2].size;
}

/* One query's row of scores: key k is masked if it is `self`, before `first`, at or
 * after `later`, or if padding[k] is not 0. */
typedef struct {
    const Number *padding;
    int first, later, self, size;
    Number value;
    bool adds; /* add the value to the score instead of replacing it */
} MaskRow;

static MaskRow mask_row(const Step *step, int batch, int query) {
    const Tensor *scores = step->input[0];
    int keys = scores->axis[3].size;
    int place = place_of_query(scores, query);
    int flags = step->setting.count;
    int window = step->setting.window;
    return (MaskRow){.padding = step->input[1]->data + batch * keys,
                     .first = window ? place - window + 1 : 0,
                     .later = flags & MASK_LATER ? place + 1
                              : window           ? place + window
                                                 : INT_MAX,
                     .self = flags & MASK_SELF ? place : -1,
                     .size = keys,
                     .value = (Number)step->setting.number,
                     .adds = flags & MASK_ADD};
}

static inline bool hides(const MaskRow *row, const Number *padding, int k) {
    return (padding[k] != 0) | (k >= row->later) | (k == row->self) | (k < row->first);
}

/* y = x, or the mask's value if masked (MASK_ADD: x + the value) */
CLONES static void forward(Step *step, Arena *arena) {
    (void)arena;
    const Tensor *scores = step->input[0];
    const Number *x = scores->data;
    Number *y = step->output->data;
    int heads = scores->axis[1].size, queries = scores->axis[2].size;
    for (int head = 0, all = shape_matrices(scores); head < all; head++)
        for (int query = 0; query < queries; query++) {
            const MaskRow r = mask_row(step, head / heads, query);
            const Number *padding = r.padding;
#pragma omp simd
            for (int k = 0; k < r.size; k++) {
                Number lowered = r.adds ? x[k] + r.value : r.value;
                y[k] = hides(&r, padding, k) ? lowered : x[k];
            }
            x += r.size;
            y += r.size;
        }
}

/* dx = dy, or 0 if masked, since a replaced score does not matter (MASK_ADD: dy
 * everywhere) */
CLONES static void backward(const Step *step, Arena *scratch) {
    (void)scratch;
    Tensor *scores = step->input[0];
    if (!scores->grad) return;
    const Number *dy = step->output->grad;
    Number *dx = scores->grad;
    Number keep = tensor_grad_factor(scores);
    int heads = scores->axis[1].size, queries = scores->axis[2].size;
    for (int head = 0, all = shape_matrices(scores); head < all; head++)
        for (int query = 0; query < queries; query++) {
            const MaskRow r = mask_row(step, head / heads, query);
            const Number *padding = r.padding;
#pragma omp simd
            for (int k = 0; k < r.size; k++) {
                Number passing = dy[k];
                bool stopped = hides(&r, padding, k) & !r.adds;
                dx[k] = kept(keep, dx[k]) + (stopped ? 0 : passing);
            }
            dx += r.size;
            dy += r.size;
        }
}

int mask_reasons(const Step *step, int cell) {
    const Tensor *scores = step->input[0];
    MaskRow row =
        mask_row(step, tensor_index(scores, 0, cell), tensor_index(scores, 2, cell));
    int key = tensor_index(scores, 3, cell);
    int later = step->setting.count & MASK_LATER ? MASK_LATER : MASK_FAR;
    return (key >= row.later ? later : 0) | (key < row.first ? MASK_FAR : 0) |
           (key == row.self ? MASK_SELF : 0) |
           (row.padding[key] != 0 ? MASK_PADDING : 0);
}

static const char *note(const Step *step, int cell, int reasons, Arena *arena) {
    const Tensor *x = step->input[0];
    int batch = tensor_index(x, 0, cell);
    const char *query = term_index(arena, &x->axis[2], batch, tensor_index(x, 2, cell));
    const char *key = term_index(arena, &x->axis[3], batch, tensor_index(x, 3, cell));
    bool pads = reasons & MASK_PADDING;
    if (reasons & MASK_LATER)
        return trf(arena,
                   pads ? N_("hidden: %s comes after %s (look-ahead mask), and it is "
                             "padding")
                        : N_("hidden: %s comes after %s (look-ahead mask)"),
                   key, query);
    if (reasons & MASK_FAR)
        return trf(
            arena,
            pads ? N_("hidden: %s is at least %d positions away from %s (window), and "
                      "it is padding")
                 : N_("hidden: %s is at least %d positions away from %s (window)"),
            key, step->setting.window, query);
    if (reasons & MASK_SELF)
        return trf(
            arena,
            pads ? N_("hidden: %s is the position of %s itself, and it is padding")
                 : N_("hidden: %s is the position of %s itself"),
            key, query);
    return trf(arena, "hidden: %s is padding", key);
}

static void explain(const Step *step, int cell, Arena *arena,
                    Explanation *explanation) {
    Place score = {step->input[0], cell};
    int reasons = mask_reasons(step, cell);
    if (!reasons) {
        *explanation = terms_new(arena, &rule_sum, N_("the score, not hidden"), 1);
        explanation->term[0] = term_same(arena, score);
        return;
    }
    bool adds = step->setting.count & MASK_ADD;
    double value = (double)(Number)step->setting.number;
    *explanation = adds ? terms_new(arena, &rule_sum, N_("the score + the mask"), 2)
                        : terms_new(arena, &rule_chosen,
                                    N_("the mask value, which replaces the score"), 2);
    explanation->chosen = 1;
    explanation->note = note(step, cell, reasons, arena);
    explanation->term[0] = term_same(arena, score);
    explanation->term[1] = (Term){value, term_number(arena, value), {{0}}};
}

/* Return "where k > q or k is padding": what this step masks, according to its
 * flags. */
static const char *formula_of(const Step *step, Arena *arena) {
    int flags = step->setting.count;
    const char *later =
        flags & MASK_SELF ? flags & MASK_LATER ? "k ≥ q" : "k = q" : "k > q";
    const char *hidden = flags & MASK_ADD ? "$0[q, k] + $n" : "$n";
    int window = step->setting.window;
    if (window)
        return trf(
            arena, "$y[q, k] = $0[q, k], but %s where %s or k is padding", hidden,
            flags & MASK_LATER ? arena_print(arena, "%s, k ≤ q − %d", later, window)
                               : arena_print(arena, "|k − q| ≥ %d", window));
    if (!(flags & (MASK_SELF | MASK_LATER)))
        return trf(arena, "$y[q, k] = $0[q, k], but %s where k is padding", hidden);
    return trf(arena, "$y[q, k] = $0[q, k], but %s where %s or k is padding", hidden,
               later);
}

/* The value that replaces a score or is added to it is the same for every sentence. */
static void relevance(Back *back) {
    const Step *step = back->step;
    for (int i = 0; i < back->flow->count; i++) {
        int cell = back->flow->from + i;
        double slope = back->flow->slope[i];
        if (slope == 0) continue;
        bool passes = !mask_reasons(step, cell) || step->setting.count & MASK_ADD;
        double before = passes ? (double)step->input[0]->data[cell] : 0;
        if (passes) back_pass(back, 0, cell, slope);
        double more = (double)step->output->data[cell] - before;
        if (more != 0) back->constant += slope * more;
    }
}

#define PADDING "hidden = ($1 != 0)[:, None, None, :]\n"
#define NUMPY_PADDING PADDING "$v"
#define TORCH_PADDING PADDING "$w"
#define NUMPY_LATER                                                                    \
    NUMPY_PADDING "hidden = hidden | (numpy.triu(numpy.ones(($m)), $d) > 0)\n"
#define TORCH_LATER TORCH_PADDING "hidden = hidden | (torch.ones($m).triu($d) > 0)\n"
#define NUMPY_FILL "$y = numpy.where(hidden, $n, $0)"
#define TORCH_FILL "$y = $0.masked_fill(hidden, $n)"
#define SUM_HIDDEN "$y = $0 + $n * hidden"

static bool adds_later(const Step *step) {
    return step->setting.count & MASK_ADD && step->setting.count & MASK_LATER;
}

static bool adds_padding(const Step *step) {
    return step->setting.count == MASK_ADD;
}

static bool fills_later(const Step *step) {
    return (step->setting.count & ~MASK_SELF) == MASK_LATER;
}

static bool fills_padding(const Step *step) {
    return step->setting.count == 0;
}

static const Code code[] = {
    {adds_later, {NUMPY_LATER SUM_HIDDEN, TORCH_LATER SUM_HIDDEN}},
    {adds_padding, {NUMPY_PADDING SUM_HIDDEN, TORCH_PADDING SUM_HIDDEN}},
    {fills_later, {NUMPY_LATER NUMPY_FILL, TORCH_LATER TORCH_FILL}},
    {fills_padding, {NUMPY_PADDING NUMPY_FILL, TORCH_PADDING TORCH_FILL}},
    {0},
};

/* $m: queries, keys. $d: the diagonal where later keys start, for triu(). $v, $w: what
 * a window masks. */
static const char *code_word(const Step *step, char letter, Arena *arena) {
    const Tensor *scores = step->output;
    if (letter == 'v' || letter == 'w') {
        /* A line of code that masks keys that are too far away, or nothing. */
        bool is_torch = letter == 'w';
        int queries = scores->axis[2].size, keys = scores->axis[3].size;
        int window = step->setting.window;
        int place = place_of_query(scores, 0);
        const char *lower =
            arena_print(arena,
                        is_torch ? "(torch.ones(%d, %d).tril(%d) > 0)"
                                 : "(numpy.tril(numpy.ones((%d, %d)), %d) > 0)",
                        queries, keys, place - window);
        const char *upper =
            arena_print(arena,
                        is_torch ? " | (torch.ones(%d, %d).triu(%d) > 0)"
                                 : " | (numpy.triu(numpy.ones((%d, %d)), %d) > 0)",
                        queries, keys, place + window);
        if (!window) return "";
        return arena_print(arena, "hidden = hidden | %s%s\n", lower,
                           step->setting.count & MASK_LATER ? "" : upper);
    }
    int ahead = step->setting.count & MASK_SELF ? 0 : 1;
    return letter == 'm' ? arena_print(arena, "%d, %d", scores->axis[2].size,
                                       scores->axis[3].size)
                         : arena_print(arena, "%d", ahead + place_of_query(scores, 0));
}

const Op op_mask = {
    .name = "mask",
    .formula = N_("$y = $0, or $n if hidden"),
    .formula_of = formula_of,
    .inputs_min = 2,
    .inputs_max = 2,
    .learned = 1,
    .reach = REACH_PLACE,
    .shape = shape,
    .forward = forward,
    .backward = backward,
    .explain = explain,
    .relevance = relevance,
    .code = code,
    .code_word = code_word,
};

Tensor *mask(Tape *tape, const char *name, Tensor *scores, Tensor *padding,
             MaskSetting setting) {
    return tape_run(tape, &op_mask, name, (Tensor *[]){scores, padding}, 2,
                    (Setting){.count = setting.flags,
                              .window = setting.window,
                              .number = setting.value});
}
