#include "model/weights.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"

Tensor *weights_add(Weights *weights, const char *place, const char *name,
                    Initial initial, int rank, const Axis *axis) {
    Arena *arena = &weights->arena;
    Tensor *tensor = ARENA_ARRAY(arena, Tensor, 1);
    tensor->name = arena_print(arena, "%s.%s", place, name);
    tensor->rank = rank;
    tensor->step = STEP_NONE;
    for (int a = 0; a < rank; a++) tensor->axis[a] = axis[a];
    ARENA_GROW(arena, weights->weight, weights->count, weights->capacity);
    weights->weight[weights->count++] = (Weight){tensor, initial};
    return tensor;
}

Linear weights_linear(Weights *weights, const char *place, Axis out, int in) {
    Axis axis[] = {out, {.name = "in", .size = in}};
    return (Linear){
        .weight = weights_add(weights, place, "weight", INITIAL_MATRIX, 2, axis),
        .bias = weights_add(weights, place, "bias", INITIAL_ZERO, 1, &out),
    };
}

Norm weights_norm(Weights *weights, const char *place, int d_model) {
    Axis axis = {.name = "d_model", .size = d_model};
    return (Norm){
        .gain = weights_add(weights, place, "weight", INITIAL_ONE, 1, &axis),
        .bias = weights_add(weights, place, "bias", INITIAL_ZERO, 1, &axis),
    };
}

static void fill(Tensor *tensor, double value) {
    for (int i = 0, size = tensor_size(tensor); i < size; i++)
        tensor->data[i] = (Number)value;
}

/* Uniform from -limit to limit, which has the deviation limit / sqrt(3). */
static void fill_uniform(Tensor *tensor, double limit, Random *random) {
    for (int i = 0, size = tensor_size(tensor); i < size; i++)
        tensor->data[i] = (Number)(limit * (2 * random_unit(random) - 1));
}

void weights_initialise(Weights *weights, unsigned long long seed) {
    Random random = random_new(seed);
    for (int w = 0; w < weights->count; w++) {
        Tensor *tensor = weights->weight[w].tensor;
        size_t bytes = (size_t)tensor_size(tensor) * sizeof(Number);
        tensor->data = arena_take_raw(&weights->arena, bytes);
        double row = tensor_row(tensor);
        switch (weights->weight[w].initial) {
        case INITIAL_MATRIX:
            fill_uniform(tensor, sqrt(6 / (row + tensor->axis[0].size)), &random);
            break;
        case INITIAL_EMBEDDING:
            fill_uniform(tensor, sqrt(3 / row), &random);
            break;
        case INITIAL_ZERO:
            fill(tensor, 0);
            break;
        case INITIAL_ONE:
            fill(tensor, 1);
            break;
        }
    }
}

Tensor *weights_find(const Weights *weights, const char *name) {
    for (int w = 0; w < weights->count; w++)
        if (strcmp(weights->weight[w].tensor->name, name) == 0)
            return weights->weight[w].tensor;
    return NULL;
}

static bool same_shape(const Tensor *tensor, const StoredTensor *stored) {
    if (tensor->rank != stored->rank) return false;
    for (int a = 0; a < tensor->rank; a++)
        if (tensor->axis[a].size != stored->shape[a]) return false;
    return true;
}

/* The sentence about what is wrong, which grows up to LINES_MAX parts. */
typedef struct {
    const SafeTensors *file;
    int wrong;
    const char *text;
    Arena arena;
} Complaint;

enum { LINES_MAX = 10 };

static void complain(Complaint *complaint, const char *sentence) {
    if (complaint->wrong++ < LINES_MAX)
        complaint->text = arena_print(&complaint->arena, "%s\n  %s",
                                      complaint->text ? complaint->text : "", sentence);
}

static void take_one(Weights *weights, Tensor *tensor, Complaint *complaint) {
    const StoredTensor *stored = safetensors_find(complaint->file, tensor->name);
    Arena *arena = &complaint->arena;
    if (!stored)
        complain(complaint, arena_print(arena, "%s is missing", tensor->name));
    else if (!same_shape(tensor, stored))
        complain(complaint, arena_print(arena, "%s is %s but must be %s", tensor->name,
                                        safetensors_describe(stored, arena),
                                        tensor_shape(tensor, arena)));
    else
        safetensors_numbers(stored, &weights->arena, &tensor->data);
}

bool weights_take(Weights *weights, const SafeTensors *file, Error *error) {
    Complaint complaint = {.file = file};
    for (int w = 0; w < weights->count; w++)
        take_one(weights, weights->weight[w].tensor, &complaint);
    for (int t = 0; t < file->count; t++)
        if (!weights_find(weights, file->tensor[t].name))
            complain(&complaint,
                     arena_print(&complaint.arena, "%s is not part of such a model",
                                 file->tensor[t].name));
    bool done = complaint.wrong == 0;
    if (!done)
        fail(error, "%s does not fit config.json (%d differences):%s", file->path,
             complaint.wrong, complaint.text);
    arena_free(&complaint.arena);
    return done;
}

long long weights_size(const Weights *weights) {
    long long size = 0;
    for (int w = 0; w < weights->count; w++)
        size += tensor_size(weights->weight[w].tensor);
    return size;
}

int weights_broken(const Weights *weights, const Tensor **first, int *cell) {
    int broken = 0;
    for (int w = 0; w < weights->count; w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        for (int i = 0, size = tensor_size(tensor); i < size; i++) {
            if (isfinite(tensor->data[i])) continue;
            if (broken++ == 0) *first = tensor, *cell = i;
        }
    }
    return broken;
}

void weights_free(Weights *weights) {
    arena_free(&weights->arena);
    *weights = (Weights){0};
}
