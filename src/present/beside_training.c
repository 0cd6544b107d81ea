#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/language.h"
#include "base/options.h"
#include "learn/pictures.h"
#include "model/ids.h"
#include "present/beside.h"
#include "present/figures.h"
#include "session/program.h"
#include "store/safetensors.h"

bool beside_read_step(const char *typed, int *step, Error *error) {
    long long read;
    if (!option_whole(typed, &read) || read < 0 || read > INT_MAX)
        return fail_usage(error, "step %s: a step is a whole number from 0 on", typed);
    *step = (int)read;
    return true;
}

/* "5,7,2", as the training wrote it. */
static const char *ids_text(const Tensor *ids, Arena *arena) {
    int *id = ARENA_ARRAY(arena, int, tensor_size(ids));
    for (int i = 0; i < tensor_size(ids); i++) id[i] = (int)ids->data[i];
    return ids_print(id, tensor_size(ids), arena);
}

/* Are the tensors of the file those of the sentence at hand? A row under the words of
 * another sentence would be a lie. */
static bool check_ids(const Session *session, const SafeTensors *file, bool is_target,
                      Arena *arena, Error *error) {
    const Tensor *ids =
        tape_find(&session->run->tape, is_target ? "decoder.ids" : "encoder.ids");
    const char *kept =
        safetensors_note(file, is_target ? SNAPSHOT_TARGET : SNAPSHOT_SOURCE);
    if (!kept)
        return fail(error,
                    "%s does not say of which sentence it is: it comes from an older "
                    "training",
                    file->path);
    if (!ids || strcmp(ids_text(ids, arena), kept) == 0) return true;
    return is_target ? fail(error,
                            "the training kept another target: give it by "
                            "--target-ids %s",
                            kept)
                     : fail(error,
                            "the training kept another sentence: give it by "
                            "--source-ids %s",
                            kept);
}

/* The tensor with the numbers of the file, under its address, if it is that of the
 * sentence at hand. */
static void put_tensor(const Session *session, const StoredTensor *stored,
                       const char *address, Tape *tape) {
    const Tensor *like = tape_find(&session->run->tape, address);
    Number *number;
    if (!like || stored->count != (size_t)tensor_size(like) ||
        !safetensors_numbers(stored, &tape->arena, &number))
        return;
    Tensor *tensor = tape_given(tape, like->name, like->rank, like->axis);
    if (!tensor) return;
    tensor->holds_ids = like->holds_ids;
    memcpy(tensor->data, number, stored->count * sizeof *number);
}

/* "step 20.encoder.input" -> "encoder.input", of that step; NULL of another. */
static const char *address_at(const char *name, int step, Arena *arena) {
    const char *start = arena_print(arena, SNAPSHOT_NAME "%d.", step);
    size_t length = strlen(start);
    return strncmp(name, start, length) == 0 ? name + length : NULL;
}

/* "0, 20, 40": the steps of which something was kept. */
static const char *steps_of(const SafeTensors *file, Arena *arena) {
    const char *list = "";
    long last = -1;
    for (int t = 0; t < file->count; t++) {
        const char *name = file->tensor[t].name;
        if (strncmp(name, SNAPSHOT_NAME, strlen(SNAPSHOT_NAME)) != 0) continue;
        long step = strtol(name + strlen(SNAPSHOT_NAME), NULL, 10);
        if (step == last) continue;
        list = arena_print(arena, "%s%s%ld", list, *list ? ", " : "", step);
        last = step;
    }
    return list;
}

bool beside_training(const Session *session, int step, bool needs_target, Tape *tape,
                     Error *error) {
    Arena *arena = &tape->arena;
    const char *path = file_join(arena, session->model.path, SNAPSHOT_FILE);
    SafeTensors file;
    if (!session->model.path || !file_exists(path))
        return fail(error,
                    "the training of %s kept nothing: a recipe says what to keep by "
                    "\"snapshots\"",
                    program_path(session->model.path, arena));
    if (session->run->source.rows > 1)
        return fail(error, "one sentence was kept of the training: no batch");
    if (!safetensors_read(&file, path, arena, error)) return false;
    int found = 0;
    for (int t = 0; t < file.count; t++) {
        const char *address = address_at(file.tensor[t].name, step, arena);
        if (!address) continue;
        found++;
        put_tensor(session, &file.tensor[t], address, tape);
    }
    if (!check_ids(session, &file, false, arena, error)) return false;
    if (found == 0)
        return fail(error, "nothing was kept at step %d, but at %s", step,
                    steps_of(&file, arena));
    return !needs_target || check_ids(session, &file, true, arena, error);
}
