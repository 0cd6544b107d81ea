/* A checkpoint of arbitrary bytes, for a model of two tensors: rejected without
 * changes, or read completely. */
#include "fuzz.h"
#include "learn/checkpoint.h"

enum { NUMBERS = 6 };

static Weights small_weights(void) {
    Weights weights = {0};
    const Axis axis[] = {{.name = "out", .size = 2}, {.name = "in", .size = 2}};
    weights_add(&weights, "layer", "weight", INITIAL_MATRIX, 2, axis);
    weights_add(&weights, "layer", "bias", INITIAL_ONE, 1, axis);
    weights_initialise(&weights, 1);
    return weights;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = fuzz_file("checkpoint.safetensors");
    const char *path = fuzz_fill(file, (Bytes){(const char *)data, size});
    Weights weights = small_weights();
    Adam adam = adam_new(&weights, &(AdamOptions){.beta_1 = 0.9, .beta_2 = 0.98});
    CheckpointFacts facts = {.recipe = "r", .config = "c", .data = 7, .data_seed = 1};
    Number before[3][NUMBERS];
    Number *const row[] = {adam.value, adam.mean, adam.square};
    for (int r = 0; r < 3; r++) memcpy(before[r], row[r], sizeof before[r]);
    Error error = {0};
    if (checkpoint_read(path, &weights, &adam, &facts, &error)) {
        MUST(adam.step >= 0 && facts.epoch >= 0 && facts.batch >= 0);
    } else {
        MUST(*error.message && adam.step == 0);
        for (int r = 0; r < 3; r++)
            MUST(memcmp(before[r], row[r], sizeof before[r]) == 0);
    }
    weights_free(&weights);
    return 0;
}
