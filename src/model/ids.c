#include "model/ids.h"

#include "base/builder.h"

const char *ids_print(const int *id, int count, Arena *arena) {
    Builder text = {.arena = arena};
    for (int i = 0; i < count; i++) build_item(&text, ",", "%d", id[i]);
    return builder_text(&text);
}

Tensor *ids_given(Tape *tape, const Ids *ids, const char *axis_name) {
    Axis axis[] = {{.name = "batch", .size = ids->rows},
                   {.name = axis_name,
                    .size = ids->length,
                    .labels = ids->labels,
                    .label_rows = ids->rows}};
    Tensor *tensor = tape_given(tape, "ids", 2, axis);
    if (!tensor) return NULL;
    tensor->holds_ids = true;
    for (int i = 0; i < ids->rows * ids->length; i++)
        tensor->data[i] = (Number)ids->id[i];
    return tape_set(tape, tensor);
}
