#include "lens/lens_habit.h"

#include <math.h>

#include "base/language.h"
#include "ops/ops.h"

static int key_before(int query, int last) {
    (void)last;
    return query ? query - 1 : 0;
}

static int key_first(int query, int last) {
    (void)query;
    (void)last;
    return 0;
}

static int key_itself(int query, int last) {
    (void)last;
    return query;
}

static int key_last(int query, int last) {
    (void)query;
    return last;
}

static int key_stop(int query, int last) {
    (void)query;
    return last ? last - 1 : 0;
}

const Habit habits[] = {
    {"previous", N_("the token before"), false, false, key_before},
    {"first", N_("the first token"), true, false, key_first},
    {"itself", N_("itself"), false, false, key_itself},
    {"last", N_("the last token"), true, true, key_last},
    {"stop", N_("the last but one, a full stop"), true, true, key_stop},
    {"uniform", N_("all alike"), true, false, NULL},
    {0},
};
static bool is_hidden(const Look *look, int batch, int query, int key) {
    const Tensor *w = look->weights;
    int cell = ((batch * w->axis[1].size) * w->axis[2].size + query) * w->axis[3].size;
    return look->mask && mask_reasons(look->mask, cell + key) != 0;
}

/* How many keys a query may see; where all are hidden it sees them all alike. */
static int count_visible(const Look *look, int batch, int query) {
    int keys = look->weights->axis[3].size;
    int count = 0;
    for (int k = 0; k < keys; k++) count += !is_hidden(look, batch, query, k);
    return count ? count : keys;
}

/* The last key that the last query may see. */
static int last_visible(const Look *look, int batch) {
    int last = look->weights->axis[3].size - 1;
    int query = look->weights->axis[2].size - 1;
    while (last > 0 && is_hidden(look, batch, query, last)) last--;
    return last;
}

bool habit_fits(const Habit *habit, const Look *look) {
    return (habit->across || !look->across) && (!habit->ahead || look->looks_ahead);
}

Tensor *habit_pattern(Tape *lens, const Habit *habit, const Look *look) {
    const Tensor *w = look->weights;
    const Axis axis[] = {w->axis[0], w->axis[2], w->axis[3]};
    Tensor *pattern = tape_given(lens, habit->name, 3, axis);
    int keys = w->axis[3].size;
    for (int i = 0; pattern && i < tensor_size(pattern); i++) {
        int key = i % keys;
        int query = i / keys % w->axis[2].size;
        int batch = i / keys / w->axis[2].size;
        int seen = count_visible(look, batch, query);
        bool hidden = seen < keys && is_hidden(look, batch, query, key);
        pattern->data[i] =
            habit->key ? (Number)(habit->key(query, last_visible(look, batch)) == key)
            : hidden   ? 0
                       : 1 / (Number)seen;
    }
    return pattern;
}

Tensor *habit_most(Tape *lens, const Look *look) {
    const Tensor *w = look->weights;
    const Axis axis[] = {
        w->axis[0], w->axis[2], {.name = "most", .size = 1, .label_rows = 1}};
    Tensor *most = tape_given(lens, "most", 3, axis);
    for (int i = 0; most && i < tensor_size(most); i++)
        most->data[i] =
            (Number)log2(count_visible(look, i / w->axis[2].size, i % w->axis[2].size));
    return most;
}
