/* view_inputs.h - numbers to draw, and the width of the result. */
#pragma once

#include <math.h>

#include "tensor/tensor.h"
#include "text/unicode.h"
#include "units/scratch.h"

/* [token, d_model] with positive and negative numbers. */
static inline Tensor *waves(int tokens, int features) {
    Axis axis[] = {{.name = "token", .size = tokens, .label_rows = 1},
                   {.name = "d_model", .size = features, .label_rows = 1}};
    Tensor *tensor = tensor_new(&arena, "encoder.position", 2, axis);
    for (int i = 0; i < tokens * features; i++) tensor->data[i] = (Number)sin(i * 0.7);
    return tensor;
}

static inline int widest_line(const char *text) {
    int max = 0;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        int width = unicode_width(arena_copy(&arena, line, length));
        max = width > max ? width : max;
        line += length + (line[length] == '\n');
    }
    return max;
}
