/* Checkpoints with contents that no training writes, but with correct checksums: they
 * may be forged. */
#include <math.h>
#include <zlib.h>

#include "store/safetensors.h"
#include "units/training_run.h"

/* A change of a good checkpoint: a note, or the first number of a tensor, whose
 * checksum is updated. */
typedef struct {
    const char *name;
    const char *note, *text; /* text NULL: omit the note */
    const char *tensor;
    float number;
    const char *expected; /* part of the message; NULL: it is accepted */
} Change;

#define STEP_WORDS "its step, epoch, batch or data_seed is not a whole number from 0 to"
#define BIAS "lm_head.bias"

static const Change changes[] = {
    {"nothing", NULL, NULL, NULL, 0, NULL},
    {"another format", "format", "pt", NULL, 0, "is not a glassbox checkpoint"},
    {"no format", "format", NULL, NULL, 0, "is not a glassbox checkpoint"},
    {"no step", "step", NULL, NULL, 0, STEP_WORDS},
    {"a negative step", "step", "-1", NULL, 0, STEP_WORDS},
    {"a step with a sign", "step", "+1", NULL, 0, STEP_WORDS},
    {"half a step", "step", "1.5", NULL, 0, STEP_WORDS},
    {"an empty step", "step", "", NULL, 0, STEP_WORDS},
    {"a step of 2^31 - 1", "step", "2147483647", NULL, 0, STEP_WORDS},
    {"a step of 2^63", "step", "9223372036854775808", NULL, 0, STEP_WORDS},
    {"a step of 2^30", "step", "1073741824", NULL, 0, NULL},
    {"a step of 2^30 + 1", "step", "1073741825", NULL, 0, STEP_WORDS},
    {"a negative epoch", "epoch", "-1", NULL, 0, STEP_WORDS},
    {"an epoch far away", "epoch", "1000000", NULL, 0,
     "has step 3 of epoch 1000000, batch 3, but so few steps cannot reach that far"},
    {"a batch far away", "batch", "99", NULL, 0,
     "has step 3 of epoch 0, batch 99, but so few steps cannot reach that far"},
    {"no batch", "batch", NULL, NULL, 0, STEP_WORDS},
    {"more right than seen", "right", "1000000", NULL, 0, "its right and seen are no"},
    {"fewer than none right", "right", "-1", NULL, 0, "its right and seen are no"},
    {"nothing seen", "seen", NULL, NULL, 0, "its right and seen are no"},
    {"another seed", "data_seed", "2", NULL, 0, "belongs to another recipe"},
    {"another recipe", "recipe", "00000000", NULL, 0, "belongs to another recipe"},
    {"other data", "data", "00000000", NULL, 0, "belongs to other data"},
    {"a checksum of another", "crc32." BIAS, "00000000", NULL, 0,
     BIAS " is damaged: its checksum is wrong"},
    {"no checksum", "crc32." BIAS, NULL, NULL, 0, BIAS " is damaged"},
    {"a weight that is NaN", NULL, NULL, BIAS, NAN,
     BIAS " has nan as number 0; no training produces that"},
    {"an infinite weight", NULL, NULL, BIAS, -INFINITY, BIAS " has -inf as number 0"},
    {"a mean that is NaN", NULL, NULL, "adam.mean." BIAS, NAN,
     "adam.mean." BIAS " has nan as number 0"},
    {"a negative mean", NULL, NULL, "adam.mean." BIAS, -0.5f, NULL},
    {"a square that is infinite", NULL, NULL, "adam.square." BIAS, INFINITY,
     "adam.square." BIAS " has inf as number 0"},
    {"a negative square", NULL, NULL, "adam.square." BIAS, -1e-9f,
     "adam.square." BIAS " has -1e-09 as number 0; no training produces that"},
};

/* Return the tensor to write, with its first number changed if it is the requested
 * one. */
static Tensor *tensor_of(const StoredTensor *stored, const Change *change,
                         Arena *arena) {
    Axis axis[RANK_MAX] = {0};
    for (int a = 0; a < stored->rank; a++)
        axis[a] = (Axis){.name = "axis", .size = (int)stored->shape[a]};
    Tensor *tensor = tensor_new(arena, stored->name, stored->rank, axis);
    Number *number;
    assert_true(safetensors_numbers(stored, arena, &number));
    memcpy(tensor->data, number, stored->count * sizeof *number);
    if (change->tensor && strcmp(change->tensor, stored->name) == 0)
        tensor->data[0] = change->number;
    return tensor;
}

static const char *checksum_of(const Tensor *tensor, Arena *arena) {
    size_t bytes = (size_t)tensor_size(tensor) * sizeof(Number);
    const void *data = tensor->data;
    return arena_print(arena, "%08lx", crc32_z(0, data, bytes));
}

/* Write the checkpoint `file` with the change to `path`. */
static void write_changed(const SafeTensors *file, const Change *change,
                          const char *path) {
    Arena arena = {0};
    Error error;
    Stored *stored = ARENA_ARRAY(&arena, Stored, file->count);
    Note *note = ARENA_ARRAY(&arena, Note, file->notes);
    const char *sum =
        arena_print(&arena, "crc32.%s", change->tensor ? change->tensor : "");
    int notes = 0;
    for (int t = 0; t < file->count; t++)
        stored[t] =
            (Stored){file->tensor[t].name, tensor_of(&file->tensor[t], change, &arena)};
    for (int n = 0; n < file->notes; n++) {
        note[notes] = file->note[n];
        if (change->note && strcmp(change->note, file->note[n].key) == 0)
            note[notes].value = change->text;
        for (int t = 0; change->tensor && t < file->count; t++)
            if (strcmp(stored[t].name, change->tensor) == 0 &&
                strcmp(file->note[n].key, sum) == 0)
                note[notes].value = checksum_of(stored[t].tensor, &arena);
        notes += note[notes].value != NULL;
    }
    Contents contents = {
        .stored = stored, .count = file->count, .note = note, .notes = notes};
    if (!safetensors_save(path, &contents, true, &error)) fail_msg("%s", error.message);
    arena_free(&arena);
}

static void every_change_gets_its_verdict(void **state) {
    (void)state;
    Arena arena = {0};
    SafeTensors file;
    Error error;
    TrainingRun first = {
        .replaces = true, .set = {output("made", &arena), "steps=3"}, .sets = 2};
    must_train(&first);
    const char *path = in_folder("made/checkpoint.safetensors", &arena);
    if (!safetensors_read(&file, path, &arena, &error)) fail_msg("%s", error.message);
    for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
        const Change *change = &changes[c];
        write_changed(&file, change, path);
        TrainingRun again = {
            .resumes = true, .set = {output("made", &arena), "steps=4"}, .sets = 2};
        bool done = train(&again);
        if (done != !change->expected)
            fail_msg("%s: %s", change->name, done ? "accepted" : again.error.message);
        if (!done && (!strstr(again.error.message, change->expected) ||
                      !strstr(again.error.message, path)))
            fail_msg("%s: found '%s', not '%s'", change->name, again.error.message,
                     change->expected);
    }
    arena_free(&arena);
}

/* The batch after the last one of an epoch would be read beyond the plan. */
static void a_batch_after_the_last_one_is_rejected(void **state) {
    (void)state;
    Arena arena = {0};
    SafeTensors file;
    Error error;
    TrainingRun first = {
        .replaces = true, .set = {output("last", &arena), "steps=12"}, .sets = 2};
    must_train(&first); /* 75 pairs: an epoch has 10 batches of 8 */
    const char *path = in_folder("last/checkpoint.safetensors", &arena);
    if (!safetensors_read(&file, path, &arena, &error)) fail_msg("%s", error.message);
    TrainingRun again = {
        .resumes = true, .set = {output("last", &arena), "steps=13"}, .sets = 2};
    write_changed(&file, &(Change){.note = "batch", .text = "10"}, path);
    check_error(&again, "the checkpoint is at batch 10 of 10");
    write_changed(&file, &(Change){.note = "batch", .text = "9"}, path);
    must_train(&again);
    arena_free(&arena);
}

/* Files next to the checkpoint are also untrusted, but errors in them do not stop the
 * training. */
static void a_damaged_curve_is_read_up_to_the_damage(void **state) {
    (void)state;
    static const char *const curves[] = {
        "",
        "step,loss\n",
        "\xff\xfe\n",
        "a,b,c,d,e,f\n-1,2,3,4,5,6\n",
        "a,b,c,d,e,f\n1,nan,inf,-inf,1e999,0x1p9\n2,,,,,\n1e99,1,1,1,1,1\n",
        "a,b,c,d,e,f\n\"1,2,3,4,5,6\n",
    };
    Arena arena = {0};
    Error error;
    TrainingRun first = {
        .replaces = true, .set = {output("curve", &arena), "steps=3"}, .sets = 2};
    must_train(&first);
    Bytes good = bytes_of("curve/checkpoint.safetensors", &arena);
    for (size_t c = 0; c < sizeof curves / sizeof *curves; c++) {
        TrainingRun again = {
            .resumes = true, .set = {output("curve", &arena), "steps=4"}, .sets = 2};
        assert_true(file_save(in_folder("curve/checkpoint.safetensors", &arena),
                              good.bytes, good.size, true, &error));
        assert_true(file_save(in_folder("curve/train.csv", &arena), curves[c],
                              strlen(curves[c]), true, &error));
        bool done = train(&again);
        if (!done) assert_non_null(strstr(again.error.message, "curve/train.csv"));
    }
    arena_free(&arena);
}

static void damaged_snapshots_are_refused_by_their_name(void **state) {
    (void)state;
    Arena arena = {0};
    Error error;
    TrainingRun first = {
        .replaces = true, .set = {output("shots", &arena), "steps=3"}, .sets = 2};
    must_train(&first);
    const char *path = in_folder("shots/snapshots.safetensors", &arena);
    Bytes good = bytes_of("shots/snapshots.safetensors", &arena);
    TrainingRun again = {
        .resumes = true, .set = {output("shots", &arena), "steps=4"}, .sets = 2};
    for (size_t size = 0; size < good.size; size += 1 + good.size / 50) {
        assert_true(file_save(path, good.bytes, size, true, &error));
        check_error(&again, "shots/snapshots.safetensors");
    }
    assert_true(file_save(path, good.bytes, good.size, true, &error));
    must_train(&again);
    arena_free(&arena);
}

static int run_all(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_change_gets_its_verdict),
        cmocka_unit_test(a_batch_after_the_last_one_is_rejected),
        cmocka_unit_test(a_damaged_curve_is_read_up_to_the_damage),
        cmocka_unit_test(damaged_snapshots_are_refused_by_their_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
    return run_in_folder(run_all);
}
