#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "lens/lens.h"
#include "ops/ops.h"

/* A copy of a run's tensors with the same numbers but separate gradients: those of the
 * run and the weights do not change. */
typedef struct {
    Arena *arena;
    const Tape *run;
    Tensor **made; /* by step */
} Shadow;

static Tensor *copy_bare(const Shadow *shadow, const Tensor *tensor) {
    Tensor *copy = ARENA_ARRAY(shadow->arena, Tensor, 1);
    *copy = *tensor;
    copy->grad = NULL;
    copy->grad_written = false;
    return copy;
}

Number *lens_gradient(const Tape *run, const Tensor *of, int cell, const Tensor *by,
                      Arena *arena) {
    Arena scratch = {0};
    Shadow shadow = {&scratch, run, ARENA_ARRAY(&scratch, Tensor *, of->step + 1)};
    for (int s = 0; s <= of->step; s++) {
        Tensor *made = copy_bare(&shadow, run->step[s].output);
        made->grad =
            arena_take_raw(&scratch, (size_t)tensor_size(made) * sizeof(Number));
        shadow.made[s] = made;
    }
    Tensor *end = shadow.made[of->step];
    memset(end->grad, 0, (size_t)tensor_size(end) * sizeof(Number));
    end->grad[cell] = 1;
    end->grad_written = true;
    for (int s = of->step; s > by->step; s--) {
        Step step = run->step[s];
        if (!shadow.made[s]->grad_written) continue;
        step.output = shadow.made[s];
        step.input = ARENA_ARRAY(&scratch, Tensor *, step.inputs);
        for (int i = 0; i < step.inputs; i++) {
            /* Inputs of the run need no gradient. */
            const Tensor *input = run->step[s].input[i];
            bool is_made = input->step != STEP_NONE && input->step < run->count &&
                           run->step[input->step].output == input;
            step.input[i] =
                is_made ? shadow.made[input->step] : copy_bare(&shadow, input);
        }
        step.op->backward(&step, &scratch);
    }
    Number *gradient = ARENA_ARRAY(arena, Number, tensor_size(by));
    if (by->step <= of->step && shadow.made[by->step]->grad_written)
        memcpy(gradient, shadow.made[by->step]->grad,
               (size_t)tensor_size(by) * sizeof(Number));
    arena_free(&scratch);
    return gradient;
}

/* Gradient times number, summed over each token: "lens.gradient.encoder.product". */
static void record_side(Tape *lens, const Tape *run, const Tensor *logits, int cell,
                        const char *stack) {
    Tensor *embedding =
        tape_find(run, arena_print(&lens->arena, "%s.embedding", stack));
    if (!embedding) return;
    Where before = tape_enter(lens, stack);
    Tensor *gradient = tape_given(lens, "gradient", embedding->rank, embedding->axis);
    if (gradient)
        gradient->data = lens_gradient(run, logits, cell, embedding, &lens->arena);
    row_product(lens, "product", gradient, embedding);
    tape_leave(lens, before);
}

bool lens_gradient_record(Tape *lens, const Story *story, const LensAim *aim,
                          Error *error) {
    const Tape *run = story->record.run;
    const Tensor *logits = tape_find(run, "logits");
    if (!logits)
        return fail(error,
                    "lens gradient needs logits, but this model has none: it ends "
                    "with encoder.output");
    int places = logits->rank > 2 ? logits->axis[1].size : 1;
    int width = tensor_row(logits);
    int word = width > 1 ? aim->word : 0; /* a sigmoid has one logit */
    int cell = (story->row * places + aim->place) * width + word;
    record_side(lens, run, logits, cell, "encoder");
    record_side(lens, run, logits, cell, "decoder");
    Tensor *aimed = tape_given(lens, "logit", 1, &(Axis){.name = "logit", .size = 1});
    if (aimed) aimed->data[0] = (Number)cell;
    if (aimed) aimed->holds_ids = true;
    return true;
}

/* The tokens of both stacks that the score can depend on, concatenated. */
typedef struct {
    const char **label;
    double *value;
    const Tensor **product;
    int *cell;
    int count;
    double max; /* the largest size */
} Hanging;

static void add_side(const Tape *lens, const Story *story, const char *stack,
                     int tokens_max, Hanging *hanging, Arena *arena) {
    const Tensor *product =
        tape_find(lens, arena_print(arena, "lens.gradient.%s.product", stack));
    if (!product) return;
    int tokens = tensor_row(product);
    const Tensor *padding =
        tape_find(story->record.run, arena_print(arena, "%s.padding_mask", stack));
    for (int t = 0; t < tokens && t < tokens_max; t++) {
        if (padding && padding->data[story->row * tensor_row(padding) + t] != 0)
            continue;
        int i = hanging->count++;
        hanging->cell[i] = story->row * tokens + t;
        hanging->product[i] = product;
        hanging->value[i] = (double)product->data[hanging->cell[i]];
        hanging->label[i] =
            arena_print(arena, "%s %s", stack,
                        address_label(&product->axis[1], story->row, t, arena));
        if (fabs(hanging->value[i]) > hanging->max)
            hanging->max = fabs(hanging->value[i]);
    }
}

static const Tensor *logits_of(const Story *story) {
    return tape_find(story->record.run, "logits");
}

static int aimed_of(const Tape *lens) {
    return (int)tape_find(lens, "lens.gradient.logit")->data[0];
}

static Hanging collect(const Tape *lens, const Story *story, Arena *arena) {
    const Tensor *logits = logits_of(story);
    int tokens = 0;
    for (int e = 0; e < lens->entries; e++)
        if (strcmp(lens->entry[e].name, "product") == 0)
            tokens += tensor_row(lens->entry[e].tensor);
    Hanging hanging = {.label = ARENA_ARRAY(arena, const char *, tokens),
                       .value = ARENA_ARRAY(arena, double, tokens),
                       .product = ARENA_ARRAY(arena, const Tensor *, tokens),
                       .cell = ARENA_ARRAY(arena, int, tokens)};
    int place = logits->rank > 2 ? tensor_index(logits, 1, aimed_of(lens)) : 0;
    bool causal = story->model->config.causal;
    int size = logits->rank > 2 ? logits->axis[1].size : 0;
    add_side(lens, story, "encoder", INT_MAX, &hanging, arena);
    add_side(lens, story, "decoder", causal ? place + 1 : size, &hanging, arena);
    return hanging;
}

void lens_gradient_say(const Tape *lens, const Story *story, int place, Page *page) {
    (void)place;
    static const char *const headings[] = {N_("gradient × input"), "", NULL};
    Arena *arena = page->arena;
    const Tensor *logits = logits_of(story);
    int aimed = aimed_of(lens);
    const Hanging all = collect(lens, story, arena);
    TableWriter writer = table_begin(headings, arena);
    int largest = 0;
    for (int i = 0; i < all.count; i++) {
        table_row(&writer, all.label[i]);
        table_print(&writer, "%.*f", story->digits, tensor_printed(all.value[i]));
        table_put(&writer, lens_bar(all.value[i], all.max, true, arena));
        if (fabs(all.value[i]) > fabs(all.value[largest])) largest = i;
    }
    page_line(page, "%s = %.*f", address_print(logits, aimed, arena), story->digits,
              tensor_printed((double)logits->data[aimed]));
    page_table(page, &writer.table);
    if (all.count)
        page_hint(
            page, tr("the largest of them, explained"),
            arena_print(arena, ":why %s",
                        address_print(all.product[largest], all.cell[largest], arena)));
}

/* One row: the tokens of both stacks. */
Figure lens_gradient_figure(const Tape *lens, const Story *story, int place,
                            Arena *arena) {
    (void)place;
    const Hanging all = collect(lens, story, arena);
    const char **row = ARENA_ARRAY(arena, const char *, 1);
    row[0] = tr("gradient × input");
    const Axis axis[] = {
        {.name = "sum", .size = 1, .labels = row, .label_rows = 1},
        {.name = "token", .size = all.count, .labels = all.label, .label_rows = 1}};
    Tensor *drawn = tensor_new(arena, "lens.gradient", 2, axis);
    for (int i = 0; i < all.count; i++) drawn->data[i] = (Number)all.value[i];
    Slice *slice = ARENA_ARRAY(arena, Slice, 1);
    *slice = slice_all(drawn);
    return (Figure){
        .kind = FIGURE_HEATMAP,
        .slice = slice,
        .slices = 1,
        .title = trf(arena, "gradient × input of %s",
                     address_print(logits_of(story), aimed_of(lens), arena)),
        .palette = story->palette,
        .scale = SCALE_SIGNED,
    };
}
