#include "explain/record.h"

#include <string.h>

#include "base/language.h"
#include "base/nearest.h"

/* Return the first actual decoding step. The encoder's steps before it have the
 * addresses of the run. */
static int first_step(const Tape *steps) {
    int e = 0;
    while (e < steps->entries && steps->entry[e].where.step == NOWHERE) e++;
    return e;
}

const Entry *record_entry(const Record *record, int i) {
    int entries = record->run ? record->run->entries : 0;
    if (i < entries) return &record->run->entry[i];
    i -= entries;
    if (record->steps) {
        int first = first_step(record->steps);
        entries = record->steps->entries - first;
        if (i < entries) return &record->steps->entry[first + i];
        i -= entries;
    }
    entries = record->toy ? record->toy->entries : 0;
    return i < entries ? &record->toy->entry[i] : NULL;
}

const char *record_address(const Record *record, int i) {
    const Entry *entry = record_entry(record, i);
    if (entry) return entry->address;
    if (record->run) i -= record->run->entries;
    if (record->steps) i -= record->steps->entries - first_step(record->steps);
    if (record->toy) i -= record->toy->entries;
    int weights = record->weights ? record->weights->count : 0;
    if (i < weights) return record->weights->weight[i].tensor->name;
    i -= weights;
    if (!record->gradients || i >= record->gradients->count) return NULL;
    return record->gradients->tensor[i].name;
}

/* Return true if the name is a prefix, a suffix or a box of longer addresses: "weights"
 * of thirty, "self_attention" of more. */
static bool is_part(const char *name, const char *address, Arena *arena) {
    size_t length = strlen(name);
    size_t whole = strlen(address);
    if (length == 0 || length >= whole) return false;
    if (strncmp(address, name, length) == 0) return true;
    return strcmp(address + whole - length, name) == 0 ||
           strstr(address, arena_print(arena, ".%s.", name));
}

static const char *suggest(const Record *record, const char *name, Arena *arena) {
    Nearest nearest = {.word = name};
    const char *address;
    for (int i = 0; (address = record_address(record, i)); i++)
        nearest_offer(&nearest, address);
    for (int i = 0; nearest.count == 0 && (address = record_address(record, i)); i++) {
        /* An operation's name is also that of stages: "softmax". */
        const Entry *entry = record_entry(record, i);
        const Step *step = entry ? record_step(record, entry->tensor) : NULL;
        if (is_part(name, address, arena) ||
            (step && strcmp(step->op->name, name) == 0))
            return trf(arena, "; for example %s (:goto finds stages)", address);
    }
    /* The last part of each address, once: short names can be mistyped too. */
    const Entry *offered;
    bool offers_names = nearest.count == 0;
    for (int i = 0; offers_names && (offered = record_entry(record, i)); i++) {
        bool is_offered = false;
        for (int b = 0; b < nearest.count; b++)
            is_offered = is_offered || strcmp(nearest.best[b], offered->name) == 0;
        if (!is_offered) nearest_offer(&nearest, offered->name);
    }
    return nearest_question(&nearest, arena);
}

bool record_has_layer(const Record *record, const char *address, Arena *arena,
                      Error *error) {
    int step, last = NOWHERE;
    const char *from = address_after_step(address, &step);
    const char *stack = arena_copy(arena, from, strcspn(from, "."));
    const int layer = address_layer(arena_print(arena, "%s.", address));
    for (int e = 0; record->run && e < record->run->entries; e++) {
        const Where *where = &record->run->entry[e].where;
        if (strcmp(where->stack, stack) == 0 && where->layer > last)
            last = where->layer;
    }
    return last == NOWHERE || layer <= last ||
           fail(error, "there is no %s.%d; the last one is %s.%d", stack, layer, stack,
                last);
}

bool record_find(const Record *record, const char *address, Arena *arena,
                 const Tensor **tensor, Error *error) {
    const char *name = address_name(address, arena);
    *tensor = record->run ? tape_find(record->run, name) : NULL;
    if (!*tensor && record->steps) *tensor = tape_find(record->steps, name);
    if (!*tensor && record->toy) *tensor = tape_find(record->toy, name);
    if (!*tensor && record->lens) *tensor = tape_find(record->lens, name);
    if (!*tensor && record->weights) *tensor = weights_find(record->weights, name);
    if (!*tensor) *tensor = gradients_find(record->gradients, name);
    if (*tensor) return true;
    const char *ending = strrchr(name, '.');
    bool is_gradient = ending && ending > name && strcmp(ending, ".grad") == 0;
    if (is_gradient && !record->gradients)
        return fail(error, "%s: there are no gradients yet; compute them with :learn",
                    name);
    return record_has_layer(record, name, arena, error) &&
           fail(error, "there is no address '%s'%s", name,
                suggest(record, name, arena));
}

bool record_cell(const Record *record, const char *address, Arena *arena,
                 const Tensor **tensor, int *cell, Error *error) {
    return record_find(record, address, arena, tensor, error) &&
           address_cell(address, *tensor, arena, cell, error);
}

bool record_cells(const Record *record, const char *address, Arena *arena,
                  AxisCells *cells, Error *error) {
    const Tensor *tensor;
    return record_find(record, address, arena, &tensor, error) &&
           address_cells(address, tensor, arena, cells, error);
}

bool record_slice(const Record *record, const char *address, Arena *arena, Slice *slice,
                  Error *error) {
    const Tensor *tensor;
    return record_find(record, address, arena, &tensor, error) &&
           address_slice(address, tensor, arena, slice, error);
}

const Step *record_step(const Record *record, const Tensor *tensor) {
    enum { TAPES = 5 };
    if (tensor->step == STEP_NONE) return NULL;
    const Tape *const tape[TAPES] = {
        record->run, record->steps, record->toy, record->lens,
        record->gradients ? record->gradients->tape : NULL};
    for (int t = 0; t < TAPES; t++)
        if (tape[t] && tensor->step < tape[t]->count &&
            tape[t]->step[tensor->step].output == tensor)
            return &tape[t]->step[tensor->step];
    return NULL;
}
