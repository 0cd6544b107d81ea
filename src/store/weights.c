#include "store/weights.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/language.h"
#include "base/mapped.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/vector.h"

Tensor *weights_add(Weights *weights, const char *place, const char *name,
                    Initial initial, int rank, const Axis *axis) {
    Arena *arena = &weights->arena;
    Tensor *tensor = ARENA_ARRAY(arena, Tensor, 1);
    const char *dot = strrchr(name, '.');
    tensor->name = arena_print(arena, "%s.%s", place, name);
    tensor->short_name = dot ? dot + 1 : name;
    tensor->rank = rank;
    tensor->step = STEP_NONE;
    for (int a = 0; a < rank; a++) tensor->axis[a] = axis[a];
    ARENA_GROW(arena, weights->weight, weights->count, weights->capacity);
    weights->weight[weights->count++] = (Weight){.tensor = tensor, .initial = initial};
    return tensor;
}

Linear weights_linear(Weights *weights, const char *place, Axis out, int in,
                      bool has_bias) {
    Axis axis[] = {out, {.name = "in", .size = in}};
    return (Linear){
        .weight = weights_add(weights, place, "weight", INITIAL_MATRIX, 2, axis),
        .bias = has_bias ? weights_add(weights, place, "bias", INITIAL_ZERO, 1, &out)
                         : NULL,
    };
}

Norm weights_norm(Weights *weights, const char *place, const Config *config) {
    Axis axis = {.name = "d_model", .size = config->d_model};
    bool has_gain = config->norm_type != NORM_TYPE_RMS_PLAIN;
    bool has_bias = config->norm_type == NORM_TYPE_LAYER;
    return (Norm){
        .gain = has_gain ? weights_add(weights, place, "weight", INITIAL_ONE, 1, &axis)
                         : NULL,
        .bias = has_bias ? weights_add(weights, place, "bias", INITIAL_ZERO, 1, &axis)
                         : NULL,
        .epsilon = config->layer_norm_epsilon,
    };
}

static void fill_with(Tensor *tensor, double value) {
    for (int i = 0, size = tensor_size(tensor); i < size; i++)
        tensor->data[i] = (Number)value;
}

/* Uniform from -limit to limit, with deviation limit / sqrt(3). */
static void fill_uniform(Tensor *tensor, double limit, Random *random) {
    for (int i = 0, size = tensor_size(tensor); i < size && !interrupt_signal(); i++)
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
            fill_with(tensor, 0);
            break;
        case INITIAL_ONE:
            fill_with(tensor, 1);
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

/* Does the stored tensor have the shape that the source requires? */
static bool same_shape(const Tensor *tensor, const FamilySource *source) {
    const StoredTensor *stored = source->stored;
    if (tensor->rank != stored->rank) return false;
    bool turns = source->transposed && tensor->rank == 2;
    for (int a = 0; a < tensor->rank; a++) {
        long long size = tensor->axis[turns ? 1 - a : a].size;
        bool is_out = (turns ? 1 - a : a) == 0;
        if (size * (is_out ? source->parts : 1) != stored->shape[a]) return false;
    }
    return true;
}

/* A matrix to transpose: from [in, step] in a file to [out, in]. */
typedef struct {
    const StoredTensor *from;
    Number *to;
    size_t in, out, step, part;
} Turning;

static void turn_part(void *context, int part, int parts) {
    const Turning *turning = context;
    const ElementType *type = turning->from->type;
    size_t in = turning->in;
    size_t end = turning->out * (size_t)(part + 1) / (size_t)parts;
    /* A few rows at a time, so that they stay in the cache while a column is read. */
    enum { ROWS = 16 };
    for (size_t first = turning->out * (size_t)part / (size_t)parts;
         first < end && !interrupt_signal(); first += ROWS) {
        size_t rows = first + ROWS < end ? ROWS : end - first;
        size_t start = turning->part * turning->out + first;
        Number column[ROWS];
        for (size_t i = 0; i < in; i++) {
            widen(type->kind,
                  turning->from->bytes + (i * turning->step + start) * type->bytes,
                  rows, column);
            for (size_t o = 0; o < rows; o++)
                turning->to[(first + o) * in + i] = column[o];
        }
    }
}

/* Copy our rows from theirs: a part of them, or transposed. Transpose once, because
 * products and displays read the matrix by rows. */
static void take_numbers(Tensor *tensor, const FamilySource *source, Arena *arena) {
    const StoredTensor *stored = source->stored;
    size_t parts = (size_t)source->parts;
    size_t part = (size_t)source->part;
    StoredTensor own = *stored;
    own.count /= parts;
    own.bytes += part * own.count * own.type->bytes;
    if (source->transposed && tensor->rank == 2) {
        tensor->data = arena_take_raw(arena, own.count * sizeof *tensor->data);
        Turning turning = {.from = stored,
                           .to = tensor->data,
                           .in = (size_t)tensor->axis[1].size,
                           .out = (size_t)tensor->axis[0].size,
                           .step = (size_t)tensor->axis[0].size * parts,
                           .part = part};
        threads_run(turn_part, &turning);
    } else {
        safetensors_numbers(&own, arena, &tensor->data);
    }
    /* After the last part, the mapped bytes are no longer needed. */
    bool is_copy = (const unsigned char *)tensor->data != own.bytes;
    if (is_copy && stored->is_mapped && part + 1 == parts)
        mapped_release(stored->bytes, stored->count * stored->type->bytes);
}

/* Errors in the file; the first few are reported. */
typedef struct {
    const SafeTensors *file;
    int wrong;
    Error lines;
    Arena arena;
} Misfit;

enum { LINES_MAX = 10 };

static const char *shown(Misfit *misfit, const char *name) {
    return safetensors_show(name, &misfit->arena);
}

/* Return where the numbers are in the file, for Weight.index. */
static const char *index_of(const Tensor *tensor, const FamilySource *source,
                            Arena *arena) {
    const char *key = arena_print(arena, "[%s]", json_quote(source->name, arena));
    int out = tensor->axis[0].size;
    bool turns = source->transposed && tensor->rank == 2;
    if (source->parts > 1)
        key = arena_print(arena, turns ? "%s[:, %d:%d]" : "%s[%d:%d]", key,
                          source->part * out, (source->part + 1) * out);
    return turns ? arena_print(arena, "%s.T", key) : key;
}

/* Find where each weight is in the file; add errors to `misfit`. */
static void find_sources(const Weights *weights, const Family *family, Misfit *misfit,
                         FamilySource *source, Arena *scratch) {
    const SafeTensors *file = misfit->file;
    bool *used = ARENA_ARRAY(scratch, bool, file->count);
    for (int w = 0; w < weights->count && !interrupt_signal(); w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        const char *name = tensor->name;
        source[w] =
            family ? family_source(family, file, name, scratch)
                   : (FamilySource){name, safetensors_find(file, name), false, 0, 1};
        const StoredTensor *stored = source[w].stored;
        if (stored) used[stored - file->tensor] = true;
        if (stored && same_shape(tensor, &source[w])) continue;
        if (misfit->wrong++ >= LINES_MAX) continue;
        if (!stored)
            add_detail(&misfit->lines, "%s is missing", shown(misfit, source[w].name));
        else
            add_detail(&misfit->lines, "%s is %s; expected %s", shown(misfit, name),
                       safetensors_describe(stored, &misfit->arena),
                       shape_text(tensor).text);
    }
    for (int t = 0; t < file->count && !interrupt_signal(); t++) {
        const char *name = file->tensor[t].name;
        if (used[t] || (family && family_ignores(family, name))) continue;
        if (misfit->wrong++ < LINES_MAX)
            add_detail(&misfit->lines, "%s is not part of such a model",
                       shown(misfit, name));
    }
}

/* Check all names and shapes before copying: memory is allocated for what config.json
 * describes, whatever the file contains. */
bool weights_take(Weights *weights, const SafeTensors *file, const Family *family,
                  Error *error) {
    Misfit misfit = {.file = file};
    Arena scratch = {0};
    FamilySource *source = ARENA_ARRAY(&scratch, FamilySource, weights->count);
    find_sources(weights, family, &misfit, source, &scratch);
    bool done = interrupt_none(error);
    if (done && misfit.wrong) {
        int more = misfit.wrong - LINES_MAX;
        done = fail(error,
                    misfit.wrong == 1
                        ? N_("%s does not fit config.json (%d difference):")
                        : N_("%s does not fit config.json (%d differences):"),
                    file->path, misfit.wrong);
        memcpy(error->details, misfit.lines.details, sizeof error->details);
        if (more > 0) add_detail(error, "and %d more", more);
    }
    for (int w = 0; done && w < weights->count; w++) {
        Tensor *tensor = weights->weight[w].tensor;
        take_numbers(tensor, &source[w], &weights->arena);
        if (strcmp(source[w].name, tensor->name) != 0)
            weights->weight[w].index = index_of(tensor, &source[w], &weights->arena);
        done = interrupt_none(error);
    }
    arena_free(&scratch);
    arena_free(&misfit.arena);
    return done;
}

bool weights_check(const Weights *weights, Error *error) {
    size_t all = 0;
    for (int w = 0; w < weights->count; w++) {
        const Tensor *tensor = weights->weight[w].tensor;
        size_t size = 1;
        bool fits = true;
        for (int a = 0; a < tensor->rank && fits; a++)
            fits = size_multiply(size, (size_t)tensor->axis[a].size, &size);
        if (fits && size_add(all, size, &all) && all <= WEIGHTS_MAX) continue;
        Arena arena = {0};
        fail(error,
             "with %s the model exceeds the limit of %d weights; choose a smaller "
             "d_model, d_ff or vocabulary, or fewer layers",
             tensor_describe(tensor, &arena), WEIGHTS_MAX);
        arena_free(&arena);
        return false;
    }
    return true;
}

long long weights_size(const Weights *weights) {
    long long size = 0;
    for (int w = 0; w < weights->count; w++)
        size += tensor_size(weights->weight[w].tensor);
    return size;
}

bool weights_broken(const Weights *weights, int *next, Broken *broken) {
    enum { PIECE = 1 << 20 };
    while (*next < weights->count) {
        const Tensor *tensor = weights->weight[(*next)++].tensor;
        int size = tensor_size(tensor);
        *broken = (Broken){.tensor = tensor};
        for (int start = 0; start < size && !interrupt_signal(); start += PIECE) {
            int end = size - start < PIECE ? size : start + PIECE;
            /* If the sum is finite, every number is. */
            if (isfinite(vector_sum(tensor->data + start, end - start))) continue;
            for (int i = start; i < end; i++) {
                if (isfinite(tensor->data[i])) continue;
                bool nan = isnan(tensor->data[i]);
                if (broken->nans + broken->infinities == 0) broken->first = i;
                broken->nans += nan;
                broken->infinities += !nan;
            }
        }
        if (broken->nans + broken->infinities > 0) return true;
    }
    return false;
}

const char *weights_describe_broken(const Broken *broken, Arena *arena) {
    const Tensor *tensor = broken->tensor;
    const char *kinds =
        broken->nans && broken->infinities
            ? trf(arena, "%d NaN and %d infinite", broken->nans, broken->infinities)
        : broken->nans ? arena_print(arena, "%d NaN", broken->nans)
                       : trf(arena, "%d infinite", broken->infinities);
    const char *cell = "";
    for (int a = 0; a < tensor->rank; a++)
        cell = arena_print(arena, "%s%s%d", cell, a ? "," : "",
                           tensor_index(tensor, a, broken->first));
    return trf(arena, "tensor %s: %s, first at [%s]", tensor->name, kinds, cell);
}

void weights_free(Weights *weights) {
    arena_free(&weights->arena);
    *weights = (Weights){0};
}
