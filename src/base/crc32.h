/* crc32.h - a checksum that finds damage: CRC-32 as in PNG, gzip and Ethernet. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The checksum of what gave `sum` (at the start: 0) and `size` bytes more. */
uint32_t crc32_add(uint32_t sum, const void *bytes, size_t size);
