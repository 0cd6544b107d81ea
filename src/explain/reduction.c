#include "explain/reduction.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/language.h"
#include "explain/hidden.h"

/* A reduction: combines numbers one by one, from `start`. */
typedef struct {
    const char *name;
    double start;
    double (*add)(double so_far, double number);
    bool divides; /* by the number of cells */
    const char *told_unmasked;
} Reduction;

static double add_sum(double so_far, double number) {
    return so_far + number;
}

/* Like fmax(), but keeps NaN. */
static double add_max(double so_far, double number) {
    return isnan(number) || number > so_far ? number : so_far;
}

static double add_min(double so_far, double number) {
    return isnan(number) || number < so_far ? number : so_far;
}

static const Reduction reductions[] = {
    {"mean", 0, add_sum, true, N_("mean, unmasked")},
    {"max", -INFINITY, add_max, false, N_("largest, unmasked")},
    {"min", INFINITY, add_min, false, N_("min, unmasked")},
};

static const Reduction *find(const char *word) {
    for (size_t r = 0; r < sizeof reductions / sizeof *reductions; r++)
        if (strcmp(word, reductions[r].name) == 0) return &reductions[r];
    return NULL;
}

bool is_reduction(const char *word) {
    return find(word) != NULL;
}

/* The cells reduced to one cell: those that differ only along axis `a`. */
typedef struct {
    int first, stride, count;
} Line;

static Line line_at(const Tensor *tensor, int a, int cell) {
    int stride = tensor_stride(tensor, a);
    int first = cell / stride * stride * tensor->axis[a].size + cell % stride;
    int batch = tensor_axis(tensor, "batch");
    int row = batch >= 0 ? tensor_index(tensor, batch, first) : 0;
    return (Line){first, stride, unpadded_size(&tensor->axis[a], row)};
}

/* A masked score has no value. A masked weight is 0, and its row still sums to 1. */
static bool is_skipped(const Tensor *tensor, const unsigned char *hidden, int cell) {
    return hidden && hidden[cell] && tensor->data[cell] != 0;
}

static const Tensor *reduce(const Tensor *tensor, int a, const Reduction *reduction,
                            const unsigned char *hidden, Arena *arena) {
    Axis axis[RANK_MAX] = {0};
    memcpy(axis, tensor->axis, sizeof axis);
    bool skips = false; /* some masked cells are left out */
    for (int cell = 0; hidden && cell < tensor_size(tensor); cell++)
        skips = skips || is_skipped(tensor, hidden, cell);
    int rows = axis[a].labels ? axis[a].label_rows : 1;
    const char **label = ARENA_ARRAY(arena, const char *, rows);
    for (int row = 0; row < rows; row++) {
        const int size = unpadded_size(&axis[a], row);
        label[row] = skips                  ? tr(reduction->told_unmasked)
                     : reduction->divides   ? trf(arena, "mean of %d", size)
                     : reduction->start < 0 ? trf(arena, "largest of %d", size)
                                            : trf(arena, "min of %d", size);
    }
    axis[a].size = 1;
    axis[a].label_rows = rows;
    axis[a].labels = label;
    axis[a].names = NULL;
    Tensor *reduced = tensor_new(arena, tensor->name, tensor->rank, axis);
    reduced->short_name = tensor->short_name;
    reduced->step = STEP_NONE;
    memcpy(reduced->reduced, tensor->reduced, sizeof reduced->reduced);
    reduced->reduced[a] = reduction->name;
    for (int cell = 0; cell < tensor_size(reduced); cell++) {
        Line line = line_at(tensor, a, cell);
        double so_far = reduction->start;
        int count = 0;
        for (int i = 0; i < line.count && !isnan(so_far); i++) {
            int from = line.first + i * line.stride;
            if (is_skipped(tensor, hidden, from)) continue;
            so_far = reduction->add(so_far, (double)tensor->data[from]);
            count++;
        }
        if (reduction->divides && count) so_far /= count;
        /* If everything is masked, the result is masked. */
        reduced->data[cell] = count ? (Number)so_far : tensor->data[line.first];
    }
    return reduced;
}

/* A cell is masked if all its cells along axis `a` are. */
static const unsigned char *reduce_hidden(const Tensor *tensor, int a,
                                          const unsigned char *hidden, Arena *arena) {
    if (!hidden) return NULL;
    int size = tensor_size(tensor) / tensor->axis[a].size;
    unsigned char *all = arena_take(arena, (size_t)size);
    bool any = false;
    for (int cell = 0; cell < size; cell++) {
        Line line = line_at(tensor, a, cell);
        all[cell] = 1;
        for (int i = 0; i < line.count; i++)
            all[cell] &= hidden[line.first + i * line.stride];
        any = any || all[cell];
    }
    return any ? all : NULL;
}

/* Return true if the axis is the same, or reduced. */
static bool is_same(const Tensor *whole, const Tensor *reduced) {
    if (whole->rank != reduced->rank) return false;
    for (int a = 0; a < whole->rank; a++)
        if (!reduced->reduced[a] && whole->axis[a].size != reduced->axis[a].size)
            return false;
    return true;
}

const unsigned char *hidden_cells(const Record *record, const Tensor *tensor,
                                  Arena *arena) {
    Error error;
    const Tensor *whole;
    bool is_reduced = false;
    for (int a = 0; a < tensor->rank; a++)
        is_reduced = is_reduced || tensor->reduced[a];
    if (!is_reduced) return masked_cells(record, tensor, arena);
    if (!record_find(record, tensor->name, arena, &whole, &error) || whole == tensor ||
        !is_same(whole, tensor))
        return NULL;
    const unsigned char *hidden = masked_cells(record, whole, arena);
    Tensor sized = *whole;
    for (int a = 0; a < whole->rank && hidden; a++) {
        if (!tensor->reduced[a]) continue;
        hidden = reduce_hidden(&sized, a, hidden, arena);
        sized.axis[a].size = 1;
    }
    return hidden;
}

/* An address from which reductions are removed one by one. */
typedef struct {
    const char *address; /* the rest of it */
    const Tensor *tensor;
    const unsigned char *hidden;
} Reducing;

static const char *trim(const char *from, const char *to, Arena *arena) {
    while (from < to && *from == ' ') from++;
    while (to > from && to[-1] == ' ') to--;
    return arena_copy(arena, from, (size_t)(to - from));
}

static bool is_a_label(const Axis *axis, const char *word) {
    for (int i = 0; axis->labels && i < axis->size * axis->label_rows; i++)
        if (axis->labels[i] && strcmp(axis->labels[i], word) == 0) return true;
    return false;
}

static bool check_axis(const Tensor *tensor, const char *name, int a, Error *error) {
    if (a < 0)
        return fail(error, "%s has no axis '%s': its axes are %s", tensor->name, name,
                    shape_text(tensor).text);
    if (tensor->reduced[a])
        return fail(error, "%s: the axis '%s' is combined twice", tensor->name, name);
    if (strcmp(name, "batch") == 0)
        return fail(error,
                    "%s: the sentences of a batch cannot be combined, because their "
                    "words differ",
                    tensor->name);
    if (tensor->holds_ids)
        return fail(error, "%s holds ids or marks, not quantities to combine",
                    tensor->name);
    return tensor->axis[a].size > 0 || fail(error, "%s has no numbers", tensor->name);
}

/* Return the address without [from, to) and one comma. */
static const char *without(const char *address, const char *from, const char *to,
                           Arena *arena) {
    bool first = from[-1] == '[';
    if (first && *to == ',') to++;
    if (!first) from--;
    return arena_print(arena, "%.*s%s", (int)(from - address), address, to);
}

/* Apply the first reduction. Set `*found` to false if there is none. */
static bool reduce_next(Reducing *reducing, Arena *arena, bool *found, Error *error) {
    const char *from = strchr(reducing->address, '[');
    *found = false;
    while (from && *from && *from != ']') {
        const char *to = address_item_end(++from);
        const Tensor *tensor = reducing->tensor;
        /* "head = mean" */
        const char *equals = memchr(from, '=', (size_t)(to - from));
        const char *name = equals ? trim(from, equals, arena) : "";
        const Reduction *reduction = equals ? find(trim(equals + 1, to, arena)) : NULL;
        int a = tensor_axis(tensor, name);
        if (!reduction || (a >= 0 && is_a_label(&tensor->axis[a], reduction->name))) {
            from = to;
            continue;
        }
        if (!check_axis(tensor, name, a, error)) return false;
        *found = true;
        reducing->tensor = reduce(tensor, a, reduction, reducing->hidden, arena);
        reducing->hidden = reduce_hidden(tensor, a, reducing->hidden, arena);
        reducing->address = without(reducing->address, from, to, arena);
        return true;
    }
    return true;
}

bool reduction_slice(const Record *record, const char *address, const Tensor *tensor,
                     Arena *arena, Slice *slice, Error *error) {
    Reducing reducing = {address, tensor, NULL};
    bool found = strchr(address, '[') != NULL;
    /* Masked cells are expensive to find: do it only if there is a reduction. */
    for (size_t r = 0; found && r < sizeof reductions / sizeof *reductions; r++)
        if (strstr(address, reductions[r].name) && !reducing.hidden)
            reducing.hidden = hidden_cells(record, tensor, arena);
    while (found)
        if (!reduce_next(&reducing, arena, &found, error)) return false;
    return address_slice(reducing.address, reducing.tensor, arena, slice, error);
}
