/* widen.h - numbers of a file become Numbers, whatever type they were stored in. */
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

/* `count` elements of that kind at `bytes`, little endian and at any address. */
void widen(ElementKind kind, const unsigned char *bytes, size_t count, Number *to);
