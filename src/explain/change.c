#include "explain/change.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/address.h"

/* A "token" axis belongs to its own stack, except for the source keys in the decoder.
 */
bool change_is_target(const Tensor *tensor, int a) {
    const char *name = tensor->axis[a].name;
    int step;
    const char *address = address_behind_step(tensor->name, &step);
    if (strncmp(address, "encoder.", strlen("encoder.")) == 0) return false;
    if (strcmp(name, "target") == 0 || strcmp(name, "query") == 0) return true;
    return strcmp(name, "token") == 0 && !strstr(address, ".cross_attention.key") &&
           !strstr(address, ".cross_attention.value");
}

/* The part of a tensor that an override reaches; it may be empty. */
typedef struct {
    int from[RANK_MAX], to[RANK_MAX];
    int shift[RANK_MAX]; /* index in the override of the tensor's index 0 */
} Part;

/* For a tensor of a decoding step, its last row is row `last` of the run: see change.h.
 * NOWHERE: the tensor belongs to the run. */
static Part part_of(const Override *override, const Tensor *tensor, int last) {
    Part part = {0};
    for (int a = 0; a < tensor->rank; a++) {
        const Axis *axis = &tensor->axis[a];
        bool shifts = last != NOWHERE && change_is_target(tensor, a);
        part.shift[a] = shifts ? last + 1 - axis->size : 0;
        part.from[a] = override->from[a] - part.shift[a];
        part.to[a] = override->to[a] - part.shift[a];
        if (override->to[a] == ALL) part.to[a] = axis->size;
        if (override->to[a] == ALL || part.from[a] < 0) part.from[a] = 0;
        if (part.to[a] > axis->size) part.to[a] = axis->size;
    }
    return part;
}

/* Advance to the next cell of the part; false after the last one. */
static bool next_index(const Part *part, int rank, int *index) {
    for (int a = rank - 1; a >= 0; a--) {
        if (++index[a] < part->to[a]) return true;
        index[a] = part->from[a];
    }
    return false;
}

static int cell_at(const Tensor *tensor, const int *index) {
    int cell = 0;
    for (int a = 0; a < tensor->rank; a++)
        cell = cell * tensor->axis[a].size + index[a];
    return cell;
}

/* Return the index of the value for this cell. If there is one value per cell, no axis
 * is ALL. */
static int value_at(const Override *override, const Part *part, const int *index) {
    if (override->values == 1) return 0;
    int value = 0;
    for (int a = 0; a < override->rank; a++)
        value = value * (override->to[a] - override->from[a]) + index[a] +
                part->shift[a] - override->from[a];
    return value;
}

/* Called for each cell of a part. */
typedef void Visit(const Override *override, Tensor *tensor, int cell, int number);

static void visit(const Override *override, Tensor *tensor, int last, Visit *each) {
    const Part part = part_of(override, tensor, last);
    int index[RANK_MAX];
    for (int a = 0; a < tensor->rank; a++)
        if (part.from[a] >= part.to[a]) return;
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

/* Return the slot of the address in the table, or the free slot for it. */
static Altered *place_of(const Changes *changes, const char *address) {
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = address; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    uint32_t mask = (uint32_t)changes->places - 1;
    for (uint32_t p = (hash ^ hash >> 15) & mask;; p = (p + 1) & mask) {
        Altered *altered = &changes->altered[p];
        if (!altered->address || strcmp(altered->address, address) == 0) return altered;
    }
}

bool changes_alter(const Changes *changes, const char *address) {
    return changes->places && place_of(changes, address)->count;
}

/* Double the table when it is half full. */
static void make_places(Changes *changes) {
    enum { FIRST = 16 };
    if (2 * changes->addresses < changes->places) return;
    const Changes old = *changes;
    changes->places = old.places ? 2 * old.places : FIRST;
    changes->altered = ARENA_ARRAY(&changes->arena, Altered, changes->places);
    for (int p = 0; p < old.places; p++)
        if (old.altered[p].address)
            *place_of(changes, old.altered[p].address) = old.altered[p];
}

/* Remove the last change from the text and the table, or add one. */
static void forget_last(Changes *changes) {
    const Change *change = &changes->change[--changes->count];
    for (int o = 0; o < change->count; o++)
        place_of(changes, change->override[o].address)->count--;
    changes->bytes = changes->count ? change[-1].joined : 0;
}

static void add_row(Changes *changes, const Change *change) {
    Arena *arena = &changes->arena;
    for (int o = 0; o < change->count; o++) {
        make_places(changes);
        Altered *altered = place_of(changes, change->override[o].address);
        changes->addresses += !altered->address;
        altered->address = change->override[o].address;
        ARENA_GROW(arena, altered->row, altered->count, altered->capacity);
        altered->row[altered->count].change = changes->count;
        altered->row[altered->count++].override = &change->override[o];
    }
    const char *const part[] = {changes->count ? "; " : "", change->text};
    for (int p = 0; p < 2; p++)
        for (const char *c = part[p]; *c; c++) {
            ARENA_GROW(arena, changes->text, changes->bytes, changes->room);
            changes->text[changes->bytes++] = *c;
        }
    ARENA_GROW(arena, changes->change, changes->count, changes->capacity);
    changes->change[changes->count] = *change;
    changes->change[changes->count++].joined = changes->bytes;
}

/* What applies to a tensor: the overrides of its name and, if a decoding step computed
 * it, those of the same tensor of the run. */
typedef struct {
    const Altered *own, *shared;
    int owns, shares; /* number of overrides in effect */
    int last;         /* the row of the run that a decoding step computed, or NOWHERE */
} Held;

static Held held_by(const Changes *changes, const Tensor *tensor) {
    static const Altered none = {0};
    Held held = {.own = &none, .shared = &none};
    int step;
    const char *rest = address_behind_step(tensor->name, &step);
    held.last = step == NOWHERE ? NOWHERE : step + changes->prompt - 1;
    if (changes->places) held.own = place_of(changes, tensor->name);
    if (changes->places && rest != tensor->name) held.shared = place_of(changes, rest);
    held.owns = held.own->count;
    held.shares = held.shared->count;
    while (held.owns && held.own->row[held.owns - 1].change >= changes->done)
        held.owns--;
    while (held.shares && held.shared->row[held.shares - 1].change >= changes->done)
        held.shares--;
    return held;
}

static void made(void *state, Tensor *tensor, const Step *step) {
    Changes *changes = state;
    const Held held = held_by(changes, tensor);
    changes->made++;
    for (int i = 0, j = 0; i < held.owns || j < held.shares;) {
        bool is_own =
            i < held.owns &&
            (j == held.shares || held.own->row[i].change <= held.shared->row[j].change);
        if (is_own)
            override_apply(held.own->row[i++].override, tensor, NOWHERE, step);
        else
            override_apply(held.shared->row[j++].override, tensor, held.last, step);
    }
}

const TapeHook *changes_hand(Changes *changes) {
    changes->hand = (TapeHook){made, changes};
    return &changes->hand;
}

void changes_forget_undone(Changes *changes) {
    while (changes->count > changes->done) forget_last(changes);
}

bool changes_push(Changes *changes, const Change *change, Error *error) {
    if (changes->done == CHANGES_MAX)
        return fail(error,
                    "there are %d changes, which is the limit; :reset removes them "
                    "all",
                    CHANGES_MAX);
    changes_forget_undone(changes);
    add_row(changes, change);
    return true;
}

bool changes_keep_weights(Changes *changes) {
    int before = changes->done;
    while (changes->count) forget_last(changes);
    for (int c = 0; c < before; c++) {
        const Change change = changes->change[c];
        if (change.of_weights) add_row(changes, &change);
    }
    changes->done = changes->count;
    if (changes->done) return changes->done < before;
    arena_reset(&changes->arena);
    *changes = (Changes){
        .arena = changes->arena,
        .made = changes->made,
        .hand = changes->hand,
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
        if (index < part.from[a] || index >= part.to[a]) return false;
    }
    return true;
}

const Change *changes_of_cell(const Changes *changes, const Tensor *tensor, int cell) {
    if (!changes) return NULL;
    const Held held = held_by(changes, tensor);
    int own = held.owns - 1;
    int shared = held.shares - 1;
    while (own >= 0 && !reaches(held.own->row[own].override, tensor, NOWHERE, cell))
        own--;
    while (shared >= 0 &&
           !reaches(held.shared->row[shared].override, tensor, held.last, cell))
        shared--;
    int last = own >= 0 ? held.own->row[own].change : -1;
    if (shared >= 0 && held.shared->row[shared].change > last)
        last = held.shared->row[shared].change;
    return last < 0 ? NULL : &changes->change[last];
}

const char *changes_text(const Changes *changes, Arena *arena) {
    if (!changes->done) return "";
    return arena_copy(arena, changes->text,
                      (size_t)changes->change[changes->done - 1].joined);
}
