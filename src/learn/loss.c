#include "learn/loss.h"

#include <math.h>

#include "ops/ops.h"
#include "ops/vector.h"

static bool has_labels(const Config *config) {
    return config->model_type == MODEL_CLASSIFIER;
}

/* The wanted id that does not count. */
static int ignored(const Config *config) {
    return has_labels(config) ? -1 : config->pad_id;
}

static Tensor *given_wanted(Tape *tape, const Ids *wanted, bool labels) {
    Axis axis[] = {{.name = "batch", .size = wanted->rows},
                   {.name = "target", .size = wanted->length}};
    Tensor *tensor = tape_given(tape, "wanted", labels ? 1 : 2, axis);
    if (!tensor) return NULL;
    tensor->holds_ids = true;
    for (int i = 0; i < wanted->rows * wanted->length; i++)
        tensor->data[i] = (Number)wanted->id[i];
    return tensor;
}

Tensor *loss_run(Tape *tape, const Config *config, Tensor *logits, const Ids *wanted,
                 double smoothing) {
    Tensor *given = given_wanted(tape, wanted, has_labels(config));
    if (config->label_activation == LABEL_SIGMOID)
        return binary_cross_entropy(tape, "loss", logits, given, smoothing);
    return cross_entropy(tape, "loss", logits, given,
                         (CrossEntropy){ignored(config), smoothing});
}

const Number *loss_row(const Tensor *logits, int row, LogitPair pair, int *count) {
    int size = tensor_row(logits);
    const Number *logit = logits->data + (size_t)row * (size_t)size;
    *count = size;
    if (size != 1) return logit;
    *count = 2;
    pair[0] = 0;
    pair[1] = *logit;
    return pair;
}

int loss_said(const Number *logit, int count) {
    return vector_largest_place(logit, count);
}

/* Is the wanted one the first of the largest? Cross-entropy has looked for the largest
 * already, and a row of logits may be longer than what the caches hold. */
static bool is_said(const Step *loss, int row, int wanted) {
    const Tensor *logits = loss->input[0];
    if (loss->op != &op_cross_entropy) {
        LogitPair pair;
        int count;
        const Number *logit = loss_row(logits, row, pair, &count);
        return loss_said(logit, count) == wanted;
    }
    const Number *logit = logits->data + (size_t)row * (size_t)tensor_row(logits);
    Number most = cross_entropy_most(loss, row);
    if (logit[wanted] != most) return false;
    int said = 0;
    while (said < wanted && logit[said] != most) said++;
    return said == wanted;
}

long long loss_right(const Config *config, const Step *loss) {
    const Tensor *wanted = loss->input[1];
    long long right = 0;
    for (int row = 0; row < tensor_size(wanted); row++) {
        int id = (int)wanted->data[row];
        right += id != ignored(config) && is_said(loss, row, id);
    }
    return right;
}

void tally_add(Tally *tally, const Tally *more) {
    tally->right += more->right;
    tally->all += more->all;
}

double tally_share(const Tally *tally) {
    return tally->all ? (double)tally->right / (double)tally->all : NAN;
}
