/* element.h - the kinds of numbers that a safetensors file can hold. */
#pragma once

#include <stddef.h>

#include "tensor/tensor.h"

typedef struct ElementType {
    const char *name; /* "F32" */
    size_t bytes;
    double (*number)(const unsigned char *bytes); /* one element, little endian */
} ElementType;

/* The type of that name, or NULL. */
const ElementType *element_type(const char *name);

/* `count` elements as Numbers: where they lie if they are Numbers already and aligned,
 * else converted into `arena`. */
bool element_numbers(const ElementType *type, const unsigned char *bytes, size_t count,
                     Arena *arena, Number **numbers);
