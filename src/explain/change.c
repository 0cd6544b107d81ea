#include "explain/change.h"

#include <string.h>

#include "tensor/address.h"

/* A "token" is the side's own, but for what the decoder asks the source about. */
bool change_is_target(const Tensor *tensor, int a) {
    const char *name = tensor->axis[a].name;
    int step;
    const char *address = address_behind_step(tensor->name, &step);
    if (strncmp(address, "encoder.", strlen("encoder.")) == 0) return false;
    if (strcmp(name, "target") == 0 || strcmp(name, "query") == 0) return true;
    return strcmp(name, "token") == 0 && !strstr(address, ".cross_attention.key") &&
           !strstr(address, ".cross_attention.value");
}

/* Does the override name this tensor, of the run or of a step? */
static bool names(const Override *override, const Tensor *tensor, int *step) {
    const char *rest = address_behind_step(tensor->name, step);
    if (override->rank != tensor->rank) return false;
    if (strcmp(override->address, tensor->name) == 0) {
        *step = NOWHERE; /* its own name: nothing is shifted */
        return true;
    }
    return *step != NOWHERE && strcmp(override->address, rest) == 0;
}

/* The part of a tensor that an override reaches, which may be empty. */
typedef struct {
    int from[RANK_MAX], to[RANK_MAX];
    int shift[RANK_MAX]; /* what place 0 of the tensor is in the override */
} Part;

/* Row t of the run is the last row of step t: see change.h. */
static Part part_of(const Override *override, const Tensor *tensor, int step) {
    Part part = {0};
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        bool shifts = step != NOWHERE && change_is_target(tensor, a);
        part.shift[a] = shifts ? step + 1 - axis->size : 0;
        part.from[a] = override->from[a] - part.shift[a];
        part.to[a] = override->to[a] - part.shift[a];
        if (override->to[a] == ALL) part.to[a] = axis->size;
        if (override->to[a] == ALL || part.from[a] < 0) part.from[a] = 0;
        if (part.to[a] > axis->size) part.to[a] = axis->size;
    }
    return part;
}

/* Go to the next cell of the part; false after the last one. */
static bool next_index(const Part *part, int rank, int *index) {
    for (int a = rank - 1; a >= 0; a--) {
        if (++index[a] < part->to[a]) return true;
        index[a] = part->from[a];
    }
    return false;
}

static bool is_empty(const Part *part, int rank) {
    for (int a = 0; a < rank; a++)
        if (part->from[a] >= part->to[a]) return true;
    return false;
}

static int cell_at(const Tensor *tensor, const int *index) {
    int cell = 0;
    for (int a = 0; a < tensor->rank; a++)
        cell = cell * tensor->axis[a].size + index[a];
    return cell;
}

/* Which of its values belongs there. With one for each no axis is open. */
static int value_at(const Override *override, const Part *part, const int *index) {
    if (override->values == 1) return 0;
    int value = 0;
    for (int a = 0; a < override->rank; a++)
        value = value * (override->to[a] - override->from[a]) + index[a] +
                part->shift[a] - override->from[a];
    return value;
}

/* What to do with each cell of a part. */
typedef void Visit(const Override *override, Tensor *tensor, int cell, int number);

static void visit(const Override *override, Tensor *tensor, int step, Visit *each) {
    const Part part = part_of(override, tensor, step);
    int index[RANK_MAX];
    if (is_empty(&part, tensor->rank)) return;
    memcpy(index, part.from, sizeof index);
    int number = 0;
    do {
        int which = override->value ? value_at(override, &part, index) : number;
        each(override, tensor, cell_at(tensor, index), which);
        number++;
    } while (next_index(&part, tensor->rank, index));
}

static void put(const Override *override, Tensor *tensor, int cell, int number) {
    tensor->data[cell] = override->value[number];
}

/* As the first input of the step has it, where it is of the same shape. */
static void copy_input(Tensor *tensor, const Step *step) {
    const Tensor *input = step->input[0];
    if (tensor_size(input) == tensor_size(tensor))
        memcpy(tensor->data, input->data, (size_t)tensor_size(tensor) * sizeof(Number));
}

static void override_apply(const Override *override, Tensor *tensor, const Step *step) {
    int number;
    if (!names(override, tensor, &number)) return;
    if (override->value)
        visit(override, tensor, number, put);
    else if (step)
        copy_input(tensor, step);
}

static void made(void *state, Tensor *tensor, const Step *step) {
    Changes *changes = state;
    changes->made++;
    for (int c = 0; c < changes->done; c++)
        for (int o = 0; o < changes->change[c].count; o++)
            override_apply(&changes->change[c].override[o], tensor, step);
}

const Hand *changes_hand(Changes *changes) {
    changes->hand = (Hand){made, changes};
    return &changes->hand;
}

bool changes_push(Changes *changes, const Change *change, Error *error) {
    if (changes->done == CHANGES_MAX)
        return fail(error,
                    "there are %d changes, and no more are kept; :reset begins "
                    "anew",
                    CHANGES_MAX);
    changes->count = changes->done;
    ARENA_GROW(&changes->arena, changes->change, changes->count, changes->capacity);
    changes->change[changes->count++] = *change;
    return true;
}

bool changes_keep_weights(Changes *changes) {
    int kept = 0;
    int before = changes->done;
    for (int c = 0; c < changes->done; c++)
        if (changes->change[c].of_weights) changes->change[kept++] = changes->change[c];
    changes->done = changes->count = kept;
    if (kept) return kept < before;
    arena_reset(&changes->arena);
    changes->change = NULL;
    changes->capacity = 0;
    return before > 0;
}

/* The tensor on the run, or the weight, that is meant; or NULL. */
static Tensor *find(const Override *override, const Tape *run, const Weights *weights) {
    Tensor *tensor = run ? tape_find(run, override->address) : NULL;
    return tensor ? tensor : weights_find(weights, override->address);
}

static const Step *maker(const Tensor *tensor, const Tape *run) {
    return run && tensor->step != STEP_NONE ? &run->step[tensor->step] : NULL;
}

static void remember(const Override *override, Tensor *tensor, int cell, int number) {
    (void)tensor;
    override->before[number] = tensor->data[cell];
}

static void put_back(const Override *override, Tensor *tensor, int cell, int number) {
    tensor->data[cell] = override->before[number];
}

/* The same cells, numbered one after the other. */
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
        override_apply(override, tensor, maker(tensor, run));
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

static bool reaches(const Override *override, const Tensor *tensor, int cell) {
    int step;
    if (!names(override, tensor, &step)) return false;
    const Part part = part_of(override, tensor, step);
    for (int a = 0; a < tensor->rank; a++) {
        int index = tensor_index(tensor, a, cell);
        if (index < part.from[a] || index >= part.to[a]) return false;
    }
    return true;
}

const Change *changes_of_cell(const Changes *changes, const Tensor *tensor, int cell) {
    for (int c = changes ? changes->done - 1 : -1; c >= 0; c--)
        for (int o = 0; o < changes->change[c].count; o++)
            if (reaches(&changes->change[c].override[o], tensor, cell))
                return &changes->change[c];
    return NULL;
}

const char *changes_text(const Changes *changes, Arena *arena) {
    const char *text = "";
    for (int c = 0; c < changes->done; c++)
        text =
            arena_print(arena, "%s%s%s", text, c ? "; " : "", changes->change[c].text);
    return text;
}
