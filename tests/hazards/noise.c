/* Loaded by LD_PRELOAD: changes the results of operations by up to two units in the
 * last place, as another processor or library might. NOISE=N in the environment is the
 * seed. The same number changes by the same amount wherever it is computed, so results
 * that must be bit-identical (a repeated run, a resumed training, a decoding with a
 * cache) stay so. Copies and single roundings (add, scale) are the same on every
 * machine and do not change. */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/tape.h"

static uint32_t seed;

static int is_exact(const Step *step) {
    static const char *const names[] = {
        "add",    "scale",  "multiply",    "relu",       "mask", "dropout",
        "choose", "equals", "token_types", "mean_heads", "embed"};
    if (step->op->reach == REACH_MOVED || step->output->holds_ids) return 1;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(step->op->name, names[n]) == 0) return 1;
    return 0;
}

/* A well-mixed function of the seed and the bits (the finalizer of MurmurHash3). */
static uint32_t mix(uint32_t bits) {
    bits ^= seed;
    bits = (bits ^ bits >> 16) * 0x85ebca6b;
    bits = (bits ^ bits >> 13) * 0xc2b2ae35;
    return bits ^ bits >> 16;
}

static void add_noise(const Step *step, void *numbers, size_t count,
                      size_t bytes_each) {
    if (bytes_each != sizeof(float) || is_exact(step)) return;
    float *number = numbers;
    for (size_t i = 0; i < count; i++) {
        if (!isnormal(number[i]) || fabsf(number[i]) == 1) continue;
        uint32_t bits;
        memcpy(&bits, &number[i], sizeof bits);
        uint32_t moved = bits + mix(bits) % 5 - 2; /* units in the last place */
        float found;
        memcpy(&found, &moved, sizeof found);
        if (isnormal(found)) number[i] = found;
    }
}

__attribute__((constructor)) static void begin(void) {
    const char *given = getenv("NOISE");
    void *hook = dlsym(RTLD_DEFAULT, "tape_noise");
    void (*const noise)(const Step *, void *, size_t, size_t) = add_noise;
    if (!given || !hook) return;
    seed = (uint32_t)strtoul(given, NULL, 10) * 0x9e3779b9;
    memcpy(hook, &noise, sizeof noise);
}
