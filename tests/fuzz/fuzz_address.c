/* An arbitrary address in a tensor whose labels look like other syntax. Three labels
 * come from the input. Each cell that is found must be found again by its printed
 * address. */
#include "fuzz.h"
#include "tensor/address.h"

static void check_slice(const Slice *slice) {
    for (int a = 0; a < slice->tensor->rank; a++) {
        MUST(slice->from[a] >= 0 && slice->from[a] < slice->to[a]);
        MUST(slice->to[a] <= slice->tensor->axis[a].size);
    }
    MUST(slice_size(slice) > 0);
}

static void check_cell(const Tensor *tensor, int cell, Arena *arena) {
    int again = -1;
    Error error;
    const char *printed = address_print(tensor, cell, arena);
    MUST(cell >= 0 && cell < tensor_size(tensor));
    MUST(strcmp(address_name(printed, arena), tensor->name) == 0);
    MUST(address_cell(printed, tensor, arena, &again, &error));
    MUST(again == cell);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Bytes rest = {(const char *)data, size};
    Arena arena = {0};
    const char *words[] = {"나는", "a,b", "나는", "2", "", "", "", "-1"};
    for (int w = 4; w < 7; w++) words[w] = fuzz_text(&rest, &arena);
    const char *address = fuzz_text(&rest, &arena);
    const Axis axis[] = {{.name = "batch", .size = 2},
                         {.name = "head", .size = 3},
                         {.name = "query", .size = 4, .labels = words, .label_rows = 2},
                         {.name = "key", .size = 4, .labels = words, .label_rows = 2}};
    const Tensor *tensor = tensor_new(&arena, "encoder.0.weights", 4, axis);
    Slice slice;
    int cell;
    Error error = {0};
    if (address_slice(address, tensor, &arena, &slice, &error))
        check_slice(&slice);
    else
        MUST(*error.message);
    if (address_cell(address, tensor, &arena, &cell, &error))
        check_cell(tensor, cell, &arena);
    for (int c = 0; c < tensor_size(tensor); c += 5) check_cell(tensor, c, &arena);
    arena_free(&arena);
    return 0;
}
