#include "tensor/explanation.h"

#include <math.h>

#include "base/language.h"

static double sum(const Explanation *explanation) {
    double total = 0;
    for (int t = 0; t < explanation->count; t++) total += explanation->term[t].value;
    return total;
}

/* If every key is masked, no weight can be distributed. */
static double quotient(const Explanation *explanation) {
    double total = sum(explanation);
    return total == 0 ? 0 : explanation->term[explanation->chosen].value / total;
}

static double mean(const Explanation *explanation) {
    return sum(explanation) / explanation->count;
}

static double sigmoid(const Explanation *explanation) {
    return 1 / (1 + exp(-sum(explanation)));
}

static double tanh_of_sum(const Explanation *explanation) {
    return tanh(sum(explanation));
}

static double chosen(const Explanation *explanation) {
    return explanation->term[explanation->chosen].value;
}

static double largest(const Explanation *explanation) {
    int best = -1; /* skip NaN */
    for (int t = 0; t < explanation->count; t++)
        if (!isnan(explanation->term[t].value) &&
            (best < 0 || explanation->term[t].value > explanation->term[best].value))
            best = t;
    return best < 0 ? 0 : best;
}

const Rule rule_sum = {.name = N_("sum"), .combine = sum};
const Rule rule_quotient = {.name = N_("this one / the sum of all"),
                            .combine = quotient};
const Rule rule_mean = {.name = N_("sum / count"), .combine = mean};
const Rule rule_sigmoid = {.name = N_("σ(sum)"), .combine = sigmoid};
const Rule rule_tanh = {.name = N_("tanh(sum)"), .combine = tanh_of_sum};
const Rule rule_largest = {.name = N_("the index of the largest"), .combine = largest};
const Rule rule_chosen = {.name = N_("this one"), .combine = chosen};

double explanation_size(const Explanation *explanation) {
    double size = 0;
    for (int t = 0; t < explanation->count; t++)
        size += fabs(explanation->term[t].value);
    return size;
}
