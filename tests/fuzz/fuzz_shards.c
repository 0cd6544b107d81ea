/* An index of arbitrary bytes and two files that it may name: rejected, or the weights
 * of a GPT-2 layer are read from them.
 *
 * The input: two bytes with the size of the index, the index, two bytes with the size
 * of the file "a", that file, and the file "b". */
#include <math.h>

#include "fuzz.h"
#include "store/folder.h"

static Bytes sized_part(Bytes *rest) {
    size_t size = (size_t)fuzz_choice(rest);
    size |= (size_t)fuzz_choice(rest) << 8;
    Bytes part = {rest->bytes, size < rest->size ? size : rest->size};
    *rest = (Bytes){rest->bytes + part.size, rest->size - part.size};
    return part;
}

/* Parts of a transposed matrix, and a matrix that is not transposed. */
static void declare(Weights *weights) {
    static const char *const names[] = {"q_proj", "k_proj", "v_proj", "out_proj"};
    const Axis axis[] = {{.name = "out", .size = 2}, {.name = "in", .size = 2}};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char place[64];
        snprintf(place, sizeof place, "model.decoder.layers.0.self_attn.%s", names[n]);
        weights_add(weights, place, "weight", INITIAL_MATRIX, 2, axis);
        weights_add(weights, place, "bias", INITIAL_ZERO, 1, axis);
    }
    weights_add(weights, "model.decoder.embed_tokens", "weight", INITIAL_MATRIX, 2,
                axis);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int index = -1;
    static int a, b;
    if (index < 0) {
        index = fuzz_file("model.safetensors.index.json");
        a = fuzz_file("a");
        b = fuzz_file("b");
    }
    Bytes rest = {(const char *)data, size};
    fuzz_fill(index, sized_part(&rest));
    fuzz_fill(a, sized_part(&rest));
    fuzz_fill(b, rest);
    Arena arena = {0};
    Weights weights = {0};
    Origin origin;
    Error error = {0};
    declare(&weights);
    if (folder_read_weights(fuzz_folder, family_find("gpt2"), &weights, &origin, &arena,
                            &error)) {
        int numbers = 0;
        for (int w = 0; w < weights.count; w++) {
            const Tensor *tensor = weights.weight[w].tensor;
            for (int i = 0; i < tensor_size(tensor); i++)
                numbers += isnan(tensor->data[i]) || tensor->data[i] <= INFINITY;
        }
        MUST(numbers == weights_size(&weights));
    } else {
        MUST(*error.message);
    }
    weights_free(&weights);
    arena_free(&arena);
    return 0;
}
