#include "view/flow.h"

static double mean_of(const Matrix *head, int heads, int row, int column) {
    double sum = 0;
    for (int h = 0; h < heads; h++)
        if (!matrix_is_hatched(&head[h], row, column))
            sum += matrix_value(&head[h], row, column);
    return sum / heads;
}

Flow flow_of(const Matrix *const *layer, int layers, int heads, int chosen,
             Arena *arena) {
    int words = layer[0]->rows;
    Flow flow = {.words = words, .layers = layers, .chosen = chosen};
    flow.share = ARENA_ARRAY(arena, double, (layers + 1) * words);
    flow.line =
        ARENA_ARRAY(arena, double, (size_t)layers *(size_t)words *(size_t)words);
    flow.share[layers * words + chosen] = 1;
    for (int l = layers - 1; l >= 0; l--)
        for (int from = 0; from < words; from++) {
            double share = flow.share[(l + 1) * words + from];
            if (share == 0) continue;
            double *line =
                flow.line + ((size_t)l * (size_t)words + (size_t)from) * (size_t)words;
            for (int to = 0; to < words; to++) {
                double looked = mean_of(layer[l], heads, from, to);
                line[to] = share * (looked + (from == to)) / 2;
                flow.share[l * words + to] += line[to];
            }
        }
    return flow;
}
