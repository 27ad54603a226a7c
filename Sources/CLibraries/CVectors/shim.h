#pragma once
// Many bytes compared at once, the answers as bits: Swift's SIMD masks cannot be had so, and vectors of bits can. The
// compiler makes of it what the processor has.
#include <stdint.h>

typedef unsigned char pinpost_bytes __attribute__((ext_vector_type(64)));
typedef _Bool pinpost_bits __attribute__((ext_vector_type(64)));

/// Which of 64 bytes are `wanted`, or less than `bound`: a bit for each, the first the lowest.
static inline __attribute__((always_inline)) uint64_t
pinpost_bytes_that_are(const void *bytes, unsigned char wanted, unsigned char bound) {
    pinpost_bytes all;
    __builtin_memcpy(&all, bytes, sizeof all);
    pinpost_bits found = __builtin_convertvector((all == wanted) | (all < bound), pinpost_bits);
    uint64_t places;
    __builtin_memcpy(&places, &found, sizeof places);
    return places;
}
