#include "learn/checkpoint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/interrupt.h"
#include "base/options.h"
#include "store/safetensors.h"

static const char *const format = "glassbox checkpoint 1";

enum { ROWS = 3, NOTES = 10, WHOLE_MAX = 1 << 30 };

/* The rows of Adam, and the prefixes of their tensors. */
enum { SQUARES = 2 };
static const char *const prefixes[ROWS] = {"",
                                           "adam.mean.", [SQUARES] = "adam.square."};

/* Return the part of row `row` for weight `w`, as a tensor. */
static Stored stored_part(const Weights *weights, const Adam *adam, int row, int w,
                          Arena *arena) {
    Number *const rows[ROWS] = {adam->value, adam->mean, adam->square};
    Tensor *part = ARENA_ARRAY(arena, Tensor, 1);
    *part = *weights->weight[w].tensor;
    part->data = rows[row] + adam_offset(weights, w);
    return (Stored){arena_print(arena, "%s%s", prefixes[row], part->name), part};
}

/* Return a note with a number: hexadecimal for a checksum, else decimal. */
static Note sum_note(const char *key, uLong sum, Arena *arena) {
    return (Note){key, arena_print(arena, "%08lx", sum)};
}

static Note number_note(const char *key, long long number, Arena *arena) {
    return (Note){key, arena_print(arena, "%lld", number)};
}

static Note part_note(const char *tensor, uLong sum, Arena *arena) {
    return sum_note(arena_print(arena, "crc32.%s", tensor), sum, arena);
}

static Note recipe_note(const CheckpointFacts *facts, Arena *arena) {
    const void *recipe = facts->recipe;
    const void *config = facts->config;
    uLong sum = crc32_z(0, recipe, strlen(facts->recipe));
    return sum_note("recipe", crc32_z(sum, config, strlen(facts->config)), arena);
}

/* Checksum the numbers as 32-bit floats, as stored in the file. */
static uLong checksum(const Tensor *tensor) {
    enum { CHUNK = 1 << 14 };
    float number[CHUNK];
    uLong sum = 0;
    for (int i = 0, size = tensor_size(tensor); i < size; i += CHUNK) {
        int many = size - i < CHUNK ? size - i : CHUNK;
        for (int k = 0; k < many; k++) number[k] = (float)tensor->data[i + k];
        sum = crc32_z(sum, (const void *)number, (size_t)many * sizeof *number);
    }
    return sum;
}

bool checkpoint_save(const char *path, const Weights *weights, const Adam *adam,
                     const CheckpointFacts *facts, Error *error) {
    Arena arena = {0};
    int count = ROWS * weights->count;
    Stored *stored = ARENA_ARRAY(&arena, Stored, count);
    Note *note = ARENA_ARRAY(&arena, Note, NOTES + count);
    int notes = 0;
    note[notes++] = (Note){"format", format};
    note[notes++] = number_note("step", adam->step, &arena);
    note[notes++] = number_note("epoch", facts->epoch, &arena);
    note[notes++] = number_note("batch", facts->batch, &arena);
    note[notes++] = number_note("seen", facts->seen.all, &arena);
    note[notes++] = number_note("right", facts->seen.right, &arena);
    note[notes++] = number_note("data_seed", facts->data_seed, &arena);
    note[notes++] = sum_note("data", facts->data, &arena);
    note[notes++] = recipe_note(facts, &arena);
    if (!isnan(facts->loss))
        note[notes++] = (Note){"loss", arena_print(&arena, "%.17g", facts->loss)};
    for (int i = 0; i < count; i++) {
        stored[i] =
            stored_part(weights, adam, i / weights->count, i % weights->count, &arena);
        note[notes++] = part_note(stored[i].name, checksum(stored[i].tensor), &arena);
    }
    bool done = safetensors_save(
        path,
        &(Contents){.stored = stored, .count = count, .note = note, .notes = notes},
        true, error);
    arena_free(&arena);
    return done;
}

/* Read a note that is a whole number from 0 to WHOLE_MAX, like all numbers of a
 * recipe. */
static bool read_whole(const SafeTensors *file, const char *key, int *number) {
    const char *text = safetensors_note(file, key);
    char *end;
    if (!text || *text < '0' || *text > '9') return false;
    long read = strtol(text, &end, 10);
    if (*end || read > WHOLE_MAX) return false;
    *number = (int)read;
    return true;
}

static bool has_note(const SafeTensors *file, Note note) {
    const char *found = safetensors_note(file, note.key);
    return found && strcmp(found, note.value) == 0;
}

static bool read_facts(const SafeTensors *file, int *step, CheckpointFacts *facts,
                       Arena *arena, Error *error) {
    const char *path = file->path;
    Tally *seen = &facts->seen;
    int seed;
    if (!has_note(file, (Note){"format", format}))
        return fail(error, "%s is not a glassbox checkpoint; restart with --force",
                    path);
    if (!read_whole(file, "step", step) || !read_whole(file, "epoch", &facts->epoch) ||
        !read_whole(file, "batch", &facts->batch) ||
        !read_whole(file, "data_seed", &seed))
        return fail(error,
                    "%s: its step, epoch, batch or data_seed is not a whole number "
                    "from 0 to %d",
                    path, WHOLE_MAX);
    const char *all = safetensors_note(file, "seen");
    const char *right = safetensors_note(file, "right");
    if (!all || !right || !option_whole(all, &seen->all) ||
        !option_whole(right, &seen->right) || seen->right < 0 ||
        seen->right > seen->all)
        return fail(error,
                    "%s: its right and seen are not possible for the tokens "
                    "of an epoch",
                    path);
    const char *loss = safetensors_note(file, "loss");
    char *end = NULL;
    facts->loss = loss ? strtod(loss, &end) : NAN;
    if (loss && (*step == 0 || end == loss || *end || !isfinite(facts->loss)))
        return fail(error, "%s: its loss is not possible for a finished step", path);
    /* Each epoch has at least one batch. */
    if ((long long)facts->epoch + facts->batch > *step)
        return fail(error,
                    "%s has step %d of epoch %d, batch %d, but so few steps cannot "
                    "reach that far",
                    path, *step, facts->epoch, facts->batch);
    if (!has_note(file, recipe_note(facts, arena)) || seed != facts->data_seed)
        return fail(error,
                    "%s belongs to another recipe; resume with that recipe, or "
                    "restart with --force",
                    path);
    if (!has_note(file, sum_note("data", facts->data, arena)))
        return fail(error,
                    "%s belongs to other data or another vocabulary: one of them has "
                    "changed since the training started",
                    path);
    return true;
}

/* Get the numbers of a part from the file, if they have the right shape and checksum.
 * Reject numbers that training cannot produce: non-finite ones and negative means of
 * squares. */
static bool read_part(const SafeTensors *file, const Stored *part, bool squares,
                      Number **number, Arena *arena, Error *error) {
    const StoredTensor *stored = safetensors_find(file, part->name);
    const Tensor *expected = part->tensor;
    bool fits = stored && strcmp(stored->type->name, "F32") == 0 &&
                stored->rank == expected->rank;
    for (int a = 0; fits && a < expected->rank; a++)
        fits = stored->shape[a] == expected->axis[a].size;
    if (!fits)
        return fail(error, "%s: %s is missing, or not %s", file->path, part->name,
                    shape_text(expected).text);
    enum { PIECE = 1 << 22 };
    size_t bytes = stored->count * stored->type->bytes;
    uLong sum = 0;
    for (size_t i = 0; i < bytes && !interrupt_signal(); i += PIECE)
        sum = crc32_z(sum, stored->bytes + i, bytes - i < PIECE ? bytes - i : PIECE);
    if (!interrupt_none(error)) return false;
    if (!has_note(file, part_note(part->name, sum, arena)))
        return fail(error, "%s: %s is damaged: its checksum is wrong", file->path,
                    part->name);
    safetensors_numbers(stored, arena, number);
    for (size_t i = 0; i < stored->count && !interrupt_signal(); i++)
        if (!isfinite((*number)[i]) || (squares && (*number)[i] < 0))
            return fail(error,
                        "%s: %s has %g as number %zu; no training produces "
                        "that",
                        file->path, part->name, (double)(*number)[i], i);
    return interrupt_none(error);
}

bool checkpoint_read(const char *path, const Weights *weights, Adam *adam,
                     CheckpointFacts *facts, Error *error) {
    Arena arena = {0};
    SafeTensors file;
    int count = ROWS * weights->count;
    Stored *part = ARENA_ARRAY(&arena, Stored, count);
    Number **number = ARENA_ARRAY(&arena, Number *, count);
    int step = 0;
    bool done = safetensors_read(&file, path, &arena, error) &&
                read_facts(&file, &step, facts, &arena, error);
    for (int i = 0; done && i < count; i++) {
        int row = i / weights->count;
        part[i] = stored_part(weights, adam, row, i % weights->count, &arena);
        done = read_part(&file, &part[i], row == SQUARES, &number[i], &arena, error);
    }
    for (int i = 0; done && i < count; i++)
        memcpy(part[i].tensor->data, number[i],
               (size_t)tensor_size(part[i].tensor) * sizeof **number);
    if (done) adam->step = step;
    arena_free(&arena);
    return done;
}
