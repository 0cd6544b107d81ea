/* widen.h - convert numbers of a file to Numbers, from any stored type. */
#pragma once

#include <stddef.h>

#include "tensor/tensor.h"

typedef enum {
    KIND_F64,
    KIND_F32,
    KIND_F16,
    KIND_BF16,
    KIND_I64,
    KIND_I32,
    KIND_I16,
    KIND_I8,
    KIND_U8
} ElementKind;

/* Convert `count` elements of that kind at `bytes`, little endian, any alignment. */
void widen(ElementKind kind, const unsigned char *bytes, size_t count, Number *to);
