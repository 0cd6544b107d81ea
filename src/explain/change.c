#include "explain/change.h"

#include <stdlib.h>
#include <string.h>

#include "base/builder.h"
#include "tensor/address.h"

/* A "token" axis belongs to its own stack, except for the source keys in the decoder.
 */
bool change_is_target(const Tensor *tensor, int a) {
    const char *name = tensor->axis[a].name;
    int step;
    const char *address = address_after_step(tensor->name, &step);
    if (strncmp(address, "encoder.", strlen("encoder.")) == 0) return false;
    if (strcmp(name, "target") == 0 || strcmp(name, "query") == 0) return true;
    return strcmp(name, "token") == 0 && !strstr(address, ".cross_attention.key") &&
           !strstr(address, ".cross_attention.value");
}

/* The part of a tensor that an override reaches; it may be empty. */
typedef struct {
    Slice slice;
    int shift[RANK_MAX]; /* index in the override of the tensor's index 0 */
} Part;

/* For a tensor of a decoding step, its last row is row `last` of the run: see change.h.
 * NOWHERE: the tensor belongs to the run. */
static Part part_of(const Override *override, const Tensor *tensor, int last) {
    Part part = {.slice.tensor = tensor};
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        bool shifts = last != NOWHERE && change_is_target(tensor, a);
        part.shift[a] = shifts ? last + 1 - axis->size : 0;
        part.slice.from[a] = override->from[a] - part.shift[a];
        part.slice.to[a] = override->to[a] - part.shift[a];
        if (override->to[a] == ALL) part.slice.to[a] = axis->size;
        if (override->to[a] == ALL || part.slice.from[a] < 0) part.slice.from[a] = 0;
        if (part.slice.to[a] > axis->size) part.slice.to[a] = axis->size;
    }
    return part;
}

/* Called for each cell of a part. */
typedef void Visit(const Override *override, Tensor *tensor, int cell, int number);

static void visit(const Override *override, Tensor *tensor, int last, Visit *each) {
    const Part part = part_of(override, tensor, last);
    int index[RANK_MAX];
    for (int a = 0; a < tensor->rank; a++)
        if (part.slice.from[a] >= part.slice.to[a]) return;
    memcpy(index, part.slice.from, sizeof index);
    int number = 0;
    do {
        int which = number++;
        if (override->value) {
            /* The value for this cell; if each cell has its own, no axis is ALL. */
            which = 0;
            for (int a = 0; override->values > 1 && a < override->rank; a++)
                which = which * (override->to[a] - override->from[a]) + index[a] +
                        part.shift[a] - override->from[a];
        }
        each(override, tensor, tensor_cell(tensor, index), which);
    } while (slice_next(&part.slice, tensor->rank, index));
}

static void put(const Override *override, Tensor *tensor, int cell, int number) {
    tensor->data[cell] = override->value[number];
}

static void override_apply(const Override *override, Tensor *tensor, int last,
                           const Step *step) {
    if (override->rank != tensor->rank) return;
    if (override->value) {
        visit(override, tensor, last, put);
    } else if (step && tensor_size(step->input[0]) == tensor_size(tensor)) {
        memcpy(tensor->data, step->input[0]->data,
               (size_t)tensor_size(tensor) * sizeof(Number));
    }
}

/* The two addresses by which a change may name a tensor: its own and, if a decoding
 * step computed it (else NULL), that of the same tensor in the run, where its last row
 * is row `last`. */
typedef struct {
    const char *own, *shared;
    int last;
} Named;

static Named named(const Changes *changes, const Tensor *tensor) {
    int step;
    const char *rest = address_after_step(tensor->name, &step);
    if (step == NOWHERE) return (Named){.own = tensor->name};
    return (Named){tensor->name, rest, step + changes->prompt - 1};
}

/* Return true if the override names the tensor; set `*last` for part_of(). */
static bool is_about(const Override *override, const Named *named, int *last) {
    const bool is_own = strcmp(override->address, named->own) == 0;
    *last = is_own ? NOWHERE : named->last;
    return is_own || (named->shared && strcmp(override->address, named->shared) == 0);
}

bool changes_alter(const Changes *changes, const char *address) {
    for (int c = 0; c < changes->count; c++)
        for (int o = 0; o < changes->change[c].count; o++)
            if (strcmp(changes->change[c].override[o].address, address) == 0)
                return true;
    return false;
}

static void made(void *state, Tensor *tensor, const Step *step) {
    Changes *changes = state;
    const Named name = named(changes, tensor);
    int last;
    changes->made++;
    for (int c = 0; c < changes->done; c++)
        for (int o = 0; o < changes->change[c].count; o++) {
            const Override *override = &changes->change[c].override[o];
            if (is_about(override, &name, &last))
                override_apply(override, tensor, last, step);
        }
}

const TapeHook *changes_hook(Changes *changes) {
    changes->hook = (TapeHook){made, changes};
    return &changes->hook;
}

void changes_forget_undone(Changes *changes) {
    changes->count = changes->done;
}

bool changes_push(Changes *changes, const Change *change, Error *error) {
    if (changes->done == CHANGES_MAX)
        return fail(error,
                    "there are %d changes, which is the limit; :reset removes them "
                    "all",
                    CHANGES_MAX);
    changes_forget_undone(changes);
    ARENA_GROW(&changes->arena, changes->change, changes->count, changes->capacity);
    changes->change[changes->count++] = *change;
    return true;
}

bool changes_keep_weights(Changes *changes) {
    int before = changes->done;
    changes->count = 0;
    for (int c = 0; c < before; c++)
        if (changes->change[c].of_weights)
            changes->change[changes->count++] = changes->change[c];
    changes->done = changes->count;
    if (changes->done) return changes->done < before;
    arena_reset(&changes->arena);
    *changes = (Changes){
        .arena = changes->arena,
        .made = changes->made,
        .hook = changes->hook,
        .prompt = changes->prompt,
    };
    return before > 0;
}

/* Return the tensor of the run, or the weight, that is overridden; or NULL. */
static Tensor *find(const Override *override, const Tape *run, const Weights *weights) {
    Tensor *tensor = run ? tape_find(run, override->address) : NULL;
    return tensor ? tensor : weights_find(weights, override->address);
}

static void remember(const Override *override, Tensor *tensor, int cell, int number) {
    (void)tensor;
    override->before[number] = tensor->data[cell];
}

static void put_back(const Override *override, Tensor *tensor, int cell, int number) {
    tensor->data[cell] = override->before[number];
}

/* Visit the same cells, numbered consecutively. */
static void visit_before(const Override *override, Tensor *tensor, Visit *each) {
    Override numbered = *override;
    numbered.value = NULL;
    visit(&numbered, tensor, NOWHERE, each);
}

void change_apply(const Change *change, const Tape *run, const Weights *weights) {
    for (int o = 0; o < change->count; o++) {
        const Override *override = &change->override[o];
        Tensor *tensor = find(override, run, weights);
        if (!tensor) continue;
        if (override->before) visit_before(override, tensor, remember);
        const Step *maker =
            run && tensor->step != STEP_NONE ? &run->step[tensor->step] : NULL;
        override_apply(override, tensor, NOWHERE, maker);
    }
}

void change_restore(const Change *change, const Weights *weights) {
    for (int o = change->count - 1; o >= 0; o--) {
        const Override *override = &change->override[o];
        Tensor *tensor = weights_find(weights, override->address);
        if (tensor && override->before) visit_before(override, tensor, put_back);
    }
}

static int first_reader(const Tape *run, const Tensor *tensor) {
    for (int s = tensor->step + 1; s < run->count; s++)
        for (int i = 0; i < run->step[s].inputs; i++)
            if (run->step[s].input[i] == tensor) return s;
    return run->count;
}

int change_first_step(const Change *change, const Tape *run, const Weights *weights,
                      bool anew) {
    int first = run->count;
    for (int o = 0; o < change->count; o++) {
        const Tensor *tensor = find(&change->override[o], run, weights);
        if (!tensor) continue;
        bool remake = anew && tensor->step != STEP_NONE;
        int step = remake ? tensor->step : first_reader(run, tensor);
        if (step < first) first = step;
    }
    return first;
}

static bool reaches(const Override *override, const Tensor *tensor, int last,
                    int cell) {
    if (override->rank != tensor->rank) return false;
    const Part part = part_of(override, tensor, last);
    for (int a = 0; a < tensor->rank; a++) {
        int index = tensor_index(tensor, a, cell);
        if (index < part.slice.from[a] || index >= part.slice.to[a]) return false;
    }
    return true;
}

const Change *changes_of_cell(const Changes *changes, const Tensor *tensor, int cell) {
    int last;
    if (!changes) return NULL;
    const Named name = named(changes, tensor);
    for (int c = changes->done - 1; c >= 0; c--)
        for (int o = 0; o < changes->change[c].count; o++) {
            const Override *override = &changes->change[c].override[o];
            if (is_about(override, &name, &last) &&
                reaches(override, tensor, last, cell))
                return &changes->change[c];
        }
    return NULL;
}

const char *changes_text(const Changes *changes, Arena *arena) {
    Builder text = {.arena = arena};
    for (int c = 0; c < changes->done; c++)
        build_item(&text, "; ", "%s", changes->change[c].text);
    return builder_text(&text);
}
