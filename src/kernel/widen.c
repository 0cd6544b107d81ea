#include "kernel/widen.h"

#include <stdint.h>
#include <string.h>

#include "kernel/vector.h"

static inline float float_of(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

/* IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. Compute all three cases
 * and select one, since a loop with branches is not vectorized. */
static inline float from_f16(uint16_t half) {
    uint32_t exponent = half >> 10 & 31;
    uint32_t fraction = half & 1023;
    float subnormal = (float)(int32_t)fraction * 0x1p-24f;
    uint32_t bits;
    memcpy(&bits, &subnormal, sizeof bits);
    uint32_t normal = (exponent + 112) << 23 | fraction << 13;
    uint32_t special = fraction ? 0x7FC00000 : 0x7F800000; /* NaN, infinity */
    bits = exponent == 0 ? bits : exponent == 31 ? special : normal;
    return float_of(bits | (uint32_t)(half & 0x8000) << 16);
}

/* bfloat16 is the upper half of a float. */
static inline float from_bf16(uint16_t half) {
    return float_of((uint32_t)half << 16);
}

typedef void Widener(const unsigned char *restrict bytes, size_t count,
                     Number *restrict to);

/* Files are little endian, and so are the supported machines (x86, ARM). */
#define WIDENER(name, Type, convert)                                                   \
    CLONES static void name(const unsigned char *restrict bytes, size_t count,         \
                            Number *restrict to) {                                     \
        for (size_t i = 0; i < count; i++) {                                           \
            Type from;                                                                 \
            memcpy(&from, bytes + i * sizeof from, sizeof from);                       \
            to[i] = (Number)convert(from);                                             \
        }                                                                              \
    }

WIDENER(widen_f64, double, )
WIDENER(widen_f32, float, )
WIDENER(widen_f16, uint16_t, from_f16)
WIDENER(widen_bf16, uint16_t, from_bf16)
WIDENER(widen_i64, int64_t, (double))
WIDENER(widen_i32, int32_t, )
WIDENER(widen_i16, int16_t, )
WIDENER(widen_i8, int8_t, )
WIDENER(widen_u8, uint8_t, )

void widen(ElementKind kind, const unsigned char *bytes, size_t count, Number *to) {
    static Widener *const wideners[] = {
        [KIND_F64] = widen_f64,   [KIND_F32] = widen_f32, [KIND_F16] = widen_f16,
        [KIND_BF16] = widen_bf16, [KIND_I64] = widen_i64, [KIND_I32] = widen_i32,
        [KIND_I16] = widen_i16,   [KIND_I8] = widen_i8,   [KIND_U8] = widen_u8,
    };
    wideners[kind](bytes, count, to);
}
