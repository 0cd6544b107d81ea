#include "walk/telling.h"

#include <math.h>
#include <string.h>

#include "base/language.h"
#include "tensor/address.h"
#include "text/label.h"

const Tensor *asked_part(const Telling *asked, const char *name) {
    const Stage *stage = asked->stage;
    for (int t = 0; t < stage->tensors; t++)
        if (strcmp(stage->called[t], name) == 0) return stage->tensor[t];
    return NULL;
}

const Tensor *asked_beside(const Telling *asked, const Tensor *tensor,
                           const char *name) {
    const char *dot = strrchr(tensor->name, '.');
    int before = dot ? (int)(dot - tensor->name) : 0;
    const char *address =
        arena_print(asked->arena, "%.*s.%s", before, tensor->name, name);
    return tape_find(asked->story->record.run, address);
}

const Step *asked_step(const Telling *asked, const Tensor *tensor) {
    return record_step(&asked->story->record, tensor);
}

static int row_of(const Telling *asked, const Tensor *tensor) {
    int batch = tensor_axis(tensor, "batch");
    int rows = batch < 0 ? 1 : tensor->axis[batch].size;
    return asked->story->row < rows ? asked->story->row : 0;
}

int asked_tokens(const Telling *asked, const Tensor *tensor, int a) {
    const Axis *axis = &tensor->axis[a];
    int count = 0;
    while (count < axis->size) {
        const char *label = axis_label(axis, row_of(asked, tensor), count);
        if (label_is_padding(label)) break;
        count++;
    }
    return count;
}

const char *bare_label(const char *label) {
    const char *word = label_bare(label);
    return *word == '#' ? label : word; /* ·#2: the second space alone */
}

const char *asked_full_label(const Telling *asked, const Tensor *tensor, int a,
                             int index) {
    return address_label(&tensor->axis[a], row_of(asked, tensor), index, asked->arena);
}

const char *asked_label(const Telling *asked, const Tensor *tensor, int a, int index) {
    return bare_label(asked_full_label(asked, tensor, a, index));
}

void tell_apart(const char **label, int count) {
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            if (strcmp(bare_label(label[i]), bare_label(label[j])) == 0) return;
    for (int i = 0; i < count; i++) label[i] = bare_label(label[i]);
}

bool is_mark(const char *label) {
    label = bare_label(label);
    return label[0] == '<' || (label[0] && !label[1] && strchr(".,?!", label[0]));
}

bool asked_is_mark(const Telling *asked, const Tensor *tensor, int a, int index) {
    /* not as in an address, where the second full stop is .#2 */
    const char *label = axis_label(&tensor->axis[a], row_of(asked, tensor), index);
    return label && is_mark(label);
}

int asked_row(const Telling *asked, const Tensor *tensor, int token) {
    int size = tensor_row(tensor);
    int tokens = tensor->rank > 1 ? tensor->axis[tensor->rank - 2].size : 1;
    return (row_of(asked, tensor) * tokens + token) * size;
}

Here here_nothing(void) {
    return (Here){.head = -1};
}

Here here_cell(const Telling *asked, const char *text, const Tensor *tensor, int cell) {
    const char *address = address_print(tensor, cell, asked->arena);
    /* A bracket alone means what the stage at hand shows first. */
    bool at_hand = asked->stage && asked->stage->tensor[0] == tensor;
    const char *bracket = strchr(address, '[');
    int head = tensor_axis(tensor, "head");
    return (Here){
        .text = text,
        .told = address,
        .command = arena_print(asked->arena, ":why %s",
                               at_hand && bracket ? bracket : address),
        .head = head < 0 ? -1 : tensor_index(tensor, head, cell),
    };
}

static double inner(const Number *a, const Number *b, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)a[i] * (double)b[i];
    return sum;
}

double row_length(const Number *a, int size) {
    return sqrt(inner(a, a, size));
}

double row_cosine(const Number *a, const Number *b, int size) {
    double lengths = row_length(a, size) * row_length(b, size);
    return lengths > 0 ? inner(a, b, size) / lengths : 0;
}

double row_mean(const Number *a, int size) {
    double sum = 0;
    for (int i = 0; i < size; i++) sum += (double)a[i];
    return size ? sum / size : 0;
}

double row_deviation(const Number *a, int size) {
    double mean = row_mean(a, size);
    double sum = 0;
    for (int i = 0; i < size; i++) sum += ((double)a[i] - mean) * ((double)a[i] - mean);
    return size ? sqrt(sum / size) : 0;
}

int row_largest(const Number *a, int size) {
    int best = 0;
    for (int i = 1; i < size; i++)
        if (fabs((double)a[i]) > fabs((double)a[best]) || isnan(a[best])) best = i;
    return best;
}

Here here_broken(const Telling *asked, const Tensor *tensor, int cell) {
    const char *text = trf(asked->arena, "Not every number here is finite: %s is %g.",
                           address_print(tensor, cell, asked->arena),
                           tensor_printed((double)tensor->data[cell]));
    return here_cell(asked, text, tensor, cell);
}
