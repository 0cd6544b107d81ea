#include "store/element.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* The programs that this one shares files with run on little-endian machines, as do
 * x86 and ARM: the bytes of a number are copied as they stand. */
#define READ(type, bytes, value)                                                       \
    type value;                                                                        \
    memcpy(&(value), bytes, sizeof(value))

static double from_f64(const unsigned char *bytes) {
    READ(double, bytes, value);
    return value;
}

static double from_f32(const unsigned char *bytes) {
    READ(float, bytes, value);
    return value;
}

/* bfloat16 is the upper half of a float. */
static double from_bf16(const unsigned char *bytes) {
    READ(uint16_t, bytes, half);
    uint32_t whole = (uint32_t)half << 16;
    float value;
    memcpy(&value, &whole, sizeof value);
    return value;
}

/* IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. */
static double from_f16(const unsigned char *bytes) {
    READ(uint16_t, bytes, half);
    int exponent = half >> 10 & 31;
    int fraction = half & 1023;
    double size;
    if (exponent == 31)
        size = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        size = ldexp(fraction, -24);
    else
        size = ldexp(1024 + fraction, exponent - 25);
    return half >> 15 ? -size : size;
}

static double from_i64(const unsigned char *bytes) {
    READ(int64_t, bytes, value);
    return (double)value;
}

static double from_i32(const unsigned char *bytes) {
    READ(int32_t, bytes, value);
    return value;
}

static double from_i16(const unsigned char *bytes) {
    READ(int16_t, bytes, value);
    return value;
}

static double from_i8(const unsigned char *bytes) {
    READ(int8_t, bytes, value);
    return value;
}

static double from_u8(const unsigned char *bytes) {
    return *bytes;
}

static const ElementType types[] = {
    {"F32", 4, from_f32}, {"F16", 2, from_f16}, {"BF16", 2, from_bf16},
    {"F64", 8, from_f64}, {"I64", 8, from_i64}, {"I32", 4, from_i32},
    {"I16", 2, from_i16}, {"I8", 1, from_i8},   {"U8", 1, from_u8},
    {"BOOL", 1, from_u8}, {NULL, 0, NULL},
};

const ElementType *element_type(const char *name) {
    for (const ElementType *type = types; type->name; type++)
        if (strcmp(type->name, name) == 0) return type;
    return NULL;
}

bool element_numbers(const ElementType *type, const unsigned char *bytes, size_t count,
                     Arena *arena, Number **numbers) {
    bool fits = type->number == (sizeof(Number) == 4 ? from_f32 : from_f64) &&
                (uintptr_t)bytes % sizeof(Number) == 0;
    if (fits) {
        /* The bytes belong to the caller's arena, which may write where it read. */
        memcpy(numbers, &bytes, sizeof *numbers);
        return true;
    }
    Number *made = arena_take_raw(arena, count * sizeof(Number));
    for (size_t i = 0; i < count; i++)
        made[i] = (Number)type->number(bytes + i * type->bytes);
    *numbers = made;
    return true;
}
