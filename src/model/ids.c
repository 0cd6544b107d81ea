#include "model/ids.h"

Tensor *ids_given(Tape *tape, const Ids *ids, const char *axis_name, int first) {
    Axis axis[] = {{.name = "batch", .size = ids->rows},
                   {.name = axis_name,
                    .size = ids->length - first,
                    .labels = ids->labels,
                    .label_rows = ids->rows}};
    /* With a memory there is one row: its labels from `first` on are those needed. */
    if (ids->labels && first) axis[1].labels = ids->labels + first;
    Tensor *tensor = tape_given(tape, "ids", 2, axis);
    if (!tensor) return NULL;
    tensor->holds_ids = true;
    for (int row = 0; row < ids->rows; row++)
        for (int i = first; i < ids->length; i++)
            tensor->data[row * axis[1].size + i - first] =
                (Number)ids->id[row * ids->length + i];
    return tensor;
}
