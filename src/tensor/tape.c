#include "tensor/tape.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/language.h"

static const char *join(Tape *tape, const char *name) {
    return tape->where.prefix
               ? arena_print(&tape->arena, "%s.%s", tape->where.prefix, name)
               : arena_copy(&tape->arena, name, strlen(name));
}

static Where nowhere(void) {
    return (Where){
        .place = "", .stack = "", .layer = NOWHERE, .box = "", .step = NOWHERE};
}

static Where enter(Tape *tape, const char *name) {
    Where before = tape->where;
    if (!before.prefix) tape->where = nowhere();
    tape->where.prefix = join(tape, name);
    return before;
}

Where tape_enter(Tape *tape, const char *box) {
    Where before = enter(tape, box);
    tape->where.box = box;
    return before;
}

Where tape_enter_stack(Tape *tape, const char *stack) {
    Where before = enter(tape, stack);
    tape->where.stack = stack;
    tape->where.place = tape->where.prefix;
    return before;
}

static Where enter_number(Tape *tape, int number) {
    char name[16];
    snprintf(name, sizeof name, "%d", number);
    Where before = enter(tape, name);
    tape->where.place = tape->where.prefix;
    return before;
}

Where tape_enter_layer(Tape *tape, int layer) {
    Where before = enter_number(tape, layer);
    tape->where.layer = layer;
    return before;
}

Where tape_enter_step(Tape *tape, int step) {
    Where before = enter(tape, "step");
    enter_number(tape, step);
    tape->where.step = step;
    return before;
}

void tape_leave(Tape *tape, Where before) {
    tape->where = before;
}

bool tape_done(const Tape *tape, Error *error) {
    if (!tape->failed) return true;
    fail(error, "%s", tape->error.message);
    error->is_stop = tape->error.is_stop;
    return false;
}

Tensor *tape_fail(Tape *tape, const char *format, ...) {
    if (tape->failed) return NULL;
    va_list arguments;
    va_start(arguments, format);
    trf_into(tape->error.message, sizeof tape->error.message, format, arguments);
    va_end(arguments);
    tape->error.is_stop = false;
    tape->failed = true;
    return NULL;
}

static void record_address(Tape *tape, const char *address, const char *name,
                           Tensor *tensor) {
    ARENA_GROW(&tape->arena, tape->entry, tape->entries, tape->entry_capacity);
    Where where = tape->where.prefix ? tape->where : nowhere();
    size_t place = strlen(where.place);
    tape->entry[tape->entries++] = (Entry){
        .address = address,
        .part = address + place + (place > 0),
        .name = address + strlen(address) - strlen(name),
        .where = where,
        .tensor = tensor,
    };
}

/* Number of numbers in all tapes. */
static atomic_size_t held;

/* How much `numbers` of a tape count toward the limit: twice with gradients; not at all
 * for a training tape, whose threads have a limit per tape. */
static size_t held_of(const Tape *tape, size_t numbers) {
    if (tape->recycles) return 0;
    return tape->learns ? 2 * numbers : numbers;
}

static Tensor *make(Tape *tape, const char *name, int rank, const Axis *axis) {
    const char *address = join(tape, name);
    size_t size = 1;
    bool fits = true; /* the user may choose the sizes */
    for (int a = 0; a < rank; a++)
        fits = fits && size_multiply(size, (size_t)axis[a].size, &size);
    if (!fits || size > TAPE_NUMBERS_MAX - tape->numbers)
        return tape_fail(tape,
                         "with %s, this run would need more than %d numbers (2 GiB); "
                         "give shorter sentences, or fewer at a time",
                         address, TAPE_NUMBERS_MAX);
    if (held_of(tape, size) > TAPE_HELD_MAX - atomic_load(&held))
        return tape_fail(tape,
                         "with %s, all runs together would hold more than %d numbers "
                         "(4 GiB); give a shorter sentence, undo learning (:learn "
                         "undo), or open the model again (:model)",
                         address, TAPE_HELD_MAX);
    tape->numbers += size;
    held += held_of(tape, size);
    Tensor *tensor = tensor_new(&tape->arena, address, rank, axis);
    tensor->short_name = address + strlen(address) - strlen(name);
    if (tape->learns && !tape->recycles)
        tensor->grad = arena_take_raw(&tape->arena, size * sizeof(Number));
    record_address(tape, address, name, tensor);
    return tensor;
}

void (*tape_noise)(const Step *step, void *numbers, size_t count, size_t bytes_each);

static void forward(Step *step, Arena *arena) {
    const Tensor *output = step->output;
    step->op->forward(step, arena);
    if (tape_noise)
        tape_noise(step, output->data, (size_t)tensor_size(output), sizeof(Number));
}

static void backward(const Step *step, Arena *arena) {
    step->op->backward(step, arena);
    for (int i = 0; tape_noise && i < step->inputs; i++) {
        const Tensor *input = step->input[i];
        if (op_learns(step->op, i) && input->grad_written)
            tape_noise(step, input->grad, (size_t)tensor_size(input), sizeof(Number));
    }
}

static void let_change(const Tape *tape, Tensor *tensor, const Step *step) {
    if (tape->hook) tape->hook->made(tape->hook->state, tensor, step);
}

Tensor *tape_run(Tape *tape, const Op *op, const char *name, Tensor *const *input,
                 int inputs, Setting setting) {
    if (tape->failed) return NULL;
    tape->failed = !interrupt_none(&tape->error);
    if (tape->failed) return NULL;
    assert(inputs >= op->inputs_min && inputs <= op->inputs_max);
    Step step = {.op = op, .inputs = inputs, .setting = setting};
    step.where = tape->where.prefix ? tape->where : nowhere();
    step.input = ARENA_ARRAY(&tape->arena, Tensor *, inputs);
    for (int i = 0; i < inputs; i++) {
        assert(input[i]);
        step.input[i] = input[i];
    }
    Axis axis[RANK_MAX] = {0};
    int rank = 0;
    Error error;
    if (!op->shape(&step, &rank, axis, &error))
        return tape_fail(tape, "%s: %s", join(tape, name), error.message);
    step.output = make(tape, name, rank, axis);
    if (!step.output) return NULL;
    step.output->step = tape->count;
    forward(&step, &tape->arena);
    let_change(tape, step.output, &step);
    ARENA_GROW(&tape->arena, tape->step, tape->count, tape->capacity);
    tape->step[tape->count++] = step;
    return step.output;
}

Tensor *tape_given(Tape *tape, const char *name, int rank, const Axis *axis) {
    return tape->failed ? NULL : make(tape, name, rank, axis);
}

Tensor *tape_set(Tape *tape, Tensor *tensor) {
    if (tensor) let_change(tape, tensor, NULL);
    return tensor;
}

Tensor *tape_alias(Tape *tape, const char *name, Tensor *tensor) {
    if (tensor) record_address(tape, join(tape, name), name, tensor);
    return tensor;
}

Tensor *tape_find(const Tape *tape, const char *address) {
    for (int e = 0; e < tape->entries; e++)
        if (strcmp(tape->entry[e].address, address) == 0) return tape->entry[e].tensor;
    return NULL;
}

bool op_learns(const Op *op, int input) {
    const int bits = 8 * (int)sizeof op->learned;
    return op->learned == ~0u || (input < bits && op->learned >> input & 1);
}

/* Gradients that were returned and can be used again. */
typedef struct {
    struct Spare {
        Number *numbers;
        int size;
    } * spare;
    int count, capacity;
} GradientPool;

/* Give `tensor` a grad without setting its numbers: the last one of its size that was
 * returned, which is probably still in the cache, or a new one. */
static void borrow_gradient(GradientPool *pool, Tensor *tensor, Arena *arena) {
    if (tensor->grad) return;
    int size = tensor_size(tensor);
    int s = pool->count - 1;
    while (s >= 0 && pool->spare[s].size != size) s--;
    if (s < 0) {
        tensor->grad = arena_take_raw(arena, (size_t)size * sizeof *tensor->grad);
        return;
    }
    tensor->grad = pool->spare[s].numbers;
    for (pool->count--; s < pool->count; s++) pool->spare[s] = pool->spare[s + 1];
}

void tape_backward(Tape *tape, Tensor *loss) {
    assert(tape->learns && !tape->failed && loss->step != STEP_NONE);
    GradientPool pool = {0};
    Arena *arena = &tape->arena;
    borrow_gradient(&pool, loss, arena);
    for (int i = 0; i < tensor_size(loss); i++) loss->grad[i] = 1;
    loss->grad_written = true;
    for (int s = loss->step; s >= 0; s--) {
        const Step *step = &tape->step[s];
        Tensor *output = step->output;
        tape->failed = !interrupt_none(&tape->error);
        if (tape->failed) return;
        if (output->grad_written) {
            for (int i = 0; i < step->inputs; i++)
                if (op_learns(step->op, i) && step->input[i]->step != STEP_NONE)
                    borrow_gradient(&pool, step->input[i], arena);
            backward(step, arena);
        }
        if (!tape->recycles || !output->grad) continue;
        ARENA_GROW(arena, pool.spare, pool.count, pool.capacity);
        pool.spare[pool.count++] = (struct Spare){output->grad, tensor_size(output)};
        output->grad = NULL;
    }
}

void tape_rerun_part(Tape *tape, int from, int to) {
    for (int s = from; s < to && !tape->failed; s++) {
        Step *step = &tape->step[s];
        Axis axis[RANK_MAX] = {0};
        int rank = 0;
        Error error;
        tape->failed = !interrupt_none(&tape->error);
        if (tape->failed) return;
        if (!step->op->shape(step, &rank, axis, &error)) {
            tape_fail(tape, "%s: %s", step->output->name, error.message);
            return;
        }
        forward(step, &tape->arena);
        let_change(tape, step->output, step);
    }
}

void tape_rerun(Tape *tape, int from) {
    tape_rerun_part(tape, from, tape->count);
}

TapeMark tape_mark(const Tape *tape) {
    return (TapeMark){*tape, arena_mark(&tape->arena)};
}

/* Operations allocate what they save for backward when they first run, so nothing that
 * a marked step owns is after the mark. */
void tape_cut(Tape *tape, const TapeMark *mark) {
    Arena arena = tape->arena;
    const TapeHook *hook = tape->hook;
    arena_back(&arena, mark->arena);
    held -= held_of(tape, tape->numbers - mark->tape.numbers);
    *tape = mark->tape;
    tape->arena = arena;
    tape->hook = hook;
}

void tape_reset(Tape *tape) {
    enum { KEPT = 1 << 24 }; /* numbers; after a larger run the memory is freed */
    Arena arena = tape->arena;
    held -= held_of(tape, tape->numbers);
    if (tape->numbers > KEPT && !tape->recycles)
        arena_free(&arena);
    else
        arena_reset(&arena);
    *tape = (Tape){.arena = arena,
                   .learns = tape->learns,
                   .recycles = tape->recycles,
                   .dropout_on = tape->dropout_on};
}

void tape_free(Tape *tape) {
    held -= held_of(tape, tape->numbers);
    arena_free(&tape->arena);
    *tape = (Tape){0};
}
