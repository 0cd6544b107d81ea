#include "base/crc32.h"

#include <pthread.h>

/* What a byte does to the remainder of the division by the polynomial 0x04c11db7, whose
 * bits stand in reverse order here; row r: when r further bytes of 0 follow. Four bytes
 * at a time are three times as fast as one. */
static uint32_t table[4][256];

static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t rest = byte;
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? 0xedb88320u : 0);
        table[0][byte] = rest;
    }
    for (int row = 1; row < 4; row++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t before = table[row - 1][byte];
            table[row][byte] = before >> 8 ^ table[0][before & 0xff];
        }
}

uint32_t crc32_add(uint32_t sum, const void *bytes, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const unsigned char *b = bytes;
    pthread_once(&once, fill_table);
    sum = ~sum;
    for (; size >= 4; size -= 4, b += 4) {
        sum ^= b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        sum = table[3][sum & 0xff] ^ table[2][sum >> 8 & 0xff] ^
              table[1][sum >> 16 & 0xff] ^ table[0][sum >> 24];
    }
    for (; size > 0; size--, b++) sum = sum >> 8 ^ table[0][(sum ^ *b) & 0xff];
    return ~sum;
}
