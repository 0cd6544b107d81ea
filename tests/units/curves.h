/* curves.h - compare the curves of two trainings. */
#pragma once

#include <math.h>

#include "learn/pictures.h"
#include "units/training_run.h"

/* The columns of steps, losses and rates: speed differs between runs. */
static inline Curve curve_of(const char *name) {
    Arena arena = {0};
    Curve curve = {0};
    Error error;
    if (!curve_read(&curve, in_folder(name, &arena), 1 << 30, &error))
        fail_msg("%s", error.message);
    arena_free(&arena);
    return curve;
}

static inline void check_same_curves(const char *one, const char *other, int steps) {
    Curve a = curve_of(one);
    Curve b = curve_of(other);
    assert_int_equal(a.count, steps);
    assert_int_equal(b.count, steps);
    for (int p = 0; p < steps; p++) {
        assert_int_equal(a.point[p].step, b.point[p].step);
        assert_true(a.point[p].loss == b.point[p].loss);
        assert_true(a.point[p].rate == b.point[p].rate);
        bool both = isnan(a.point[p].valid_loss) && isnan(b.point[p].valid_loss);
        assert_true(both || a.point[p].valid_loss == b.point[p].valid_loss);
        both = isnan(a.point[p].train_accuracy) && isnan(b.point[p].train_accuracy);
        assert_true(both || a.point[p].train_accuracy == b.point[p].train_accuracy);
    }
    curve_free(&a);
    curve_free(&b);
}

static inline void check_same_files(const char *one, const char *other) {
    Arena arena = {0};
    Bytes a = bytes_of(one, &arena);
    Bytes b = bytes_of(other, &arena);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    arena_free(&arena);
}
