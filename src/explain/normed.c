#include "explain/normed.h"

#include "ops/ops.h"

static bool is_of_norm(const Tape *tape, const Tensor *tensor) {
    for (int s = 0; tape && s < tape->count; s++) {
        const Step *step = &tape->step[s];
        if (step->op == &op_layer_norm &&
            (step->output == tensor || step->input[0] == tensor))
            return true;
    }
    return false;
}

bool normed_rows(const Record *record, const Tensor *tensor) {
    return is_of_norm(record->run, tensor) || is_of_norm(record->steps, tensor);
}
