/* A safetensors file of arbitrary bytes: rejected, or every tensor is inside it. */
#include "fuzz.h"
#include "store/safetensors.h"

/* The tensors are consecutive and fill the file after the header. */
static void check_place(const SafeTensors *file, const uint8_t *data, size_t size) {
    size_t header = 0;
    size_t bytes = 0;
    for (int b = 7; b >= 0; b--) header = header << 8 | data[b];
    for (int t = 0; t < file->count; t++) {
        const StoredTensor *tensor = &file->tensor[t];
        size_t numbers = 1;
        for (int a = 0; a < tensor->rank; a++) numbers *= (size_t)tensor->shape[a];
        MUST(numbers == tensor->count);
        MUST(tensor->bytes == file->tensor[0].bytes + bytes);
        bytes += numbers * tensor->type->bytes;
    }
    MUST(8 + header + bytes == size);
}

static void look_at(const SafeTensors *file, Arena *arena) {
    for (int t = 0; t < file->count; t++) {
        const StoredTensor *tensor = &file->tensor[t];
        Number *numbers = NULL;
        Number sum = 0;
        MUST(safetensors_find(file, tensor->name) == tensor);
        MUST(*safetensors_describe(tensor, arena));
        if (!safetensors_numbers(tensor, arena, &numbers)) continue;
        for (size_t i = 0; i < tensor->count; i++) sum += numbers[i] > 0;
        MUST(sum >= 0);
    }
    for (int n = 0; n < file->notes; n++)
        MUST(safetensors_note(file, file->note[n].key) == file->note[n].value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = fuzz_file("model.safetensors");
    const char *path = fuzz_fill(file, (Bytes){(const char *)data, size});
    Arena arena = {0};
    SafeTensors tensors;
    Error error = {0};
    if (safetensors_read(&tensors, path, &arena, &error)) {
        check_place(&tensors, data, size);
        look_at(&tensors, &arena);
    } else {
        MUST(*error.message);
    }
    arena_free(&arena);
    return 0;
}
