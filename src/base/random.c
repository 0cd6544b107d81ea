#include "base/random.h"

Random random_new(uint64_t seed) {
    Random random = {seed};
    random_bits(&random);
    return random;
}

uint64_t random_bits(Random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_unit(Random *random) {
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

int random_below(Random *random, int count) {
    return (int)(random_unit(random) * count);
}

void random_shuffle(Random *random, int *number, int count) {
    for (int i = count - 1; i > 0; i--) {
        int other = random_below(random, i + 1);
        int kept = number[i];
        number[i] = number[other];
        number[other] = kept;
    }
}
