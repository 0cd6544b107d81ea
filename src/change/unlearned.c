#include "change/unlearned.h"

#include <stdlib.h>
#include <string.h>

const bool *unlearned_rows(const Model *model, const Tensor *table, Arena *arena) {
    Model initial;
    Error error;
    if (!model->steps || model_is_untrained(model) || !model->seed) return NULL;
    unsigned long long seed = strtoull(model->seed, NULL, 10);
    if (!model_new(&initial, &model->config, seed, NULL, &error)) return NULL;
    const Tensor *before = weights_find(&initial.weights, table->name);
    int rows = table->axis[0].size;
    size_t bytes = (size_t)tensor_row(table) * sizeof(Number);
    bool *unlearned = ARENA_ARRAY(arena, bool, rows);
    int count = 0;
    for (int row = 0; before && row < rows; row++) {
        unlearned[row] = memcmp(table->data + row * tensor_row(table),
                                before->data + row * tensor_row(table), bytes) == 0;
        count += unlearned[row];
    }
    model_free(&initial);
    return count ? unlearned : NULL;
}
