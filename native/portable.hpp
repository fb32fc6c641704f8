// What compilers and machines have of their own, each with plain code in its place; LIKELY_PLAIN forces that.
//
// Vectors of four doubles are extensions that g++ and clang have on every machine, clang-cl on Windows too, and come to
// plain instructions where there are no wide ones.
#pragma once

#include <cstdint>

#if !defined(__GNUC__) && !defined(__clang__)
#error "likely._native needs g++ or clang (clang-cl on Windows), for vectors of four doubles"
#endif

// Hot loops are compiled twice, for any x86-64 and for AVX2 with FMA, and chosen when the module is loaded.
// Sanitizers start after the loader resolves such functions, so there they are compiled once.
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(LIKELY_PLAIN)
#define LIKELY_CLONES __attribute__((target_clones("default", "arch=x86-64-v3")))
#else
#define LIKELY_CLONES
#endif
#define LIKELY_LAMBDA __attribute__((always_inline))
#define LIKELY_INLINE inline LIKELY_LAMBDA
#define LIKELY_APART __attribute__((noinline))

// Sixteen bytes at once, where the machine is sure to have them.
#if defined(__SSE2__) && !defined(LIKELY_PLAIN)
#define LIKELY_SSE2
#endif

namespace likely {

// Four classes at once. Written out, since the compiler, left to itself, vectorises the short loop over classes across
// columns instead: Bernoulli scores of 1M x 50 with 10 classes took 202 ms so, and 69 ms as it is.
typedef double Four __attribute__((vector_size(32)));
typedef int64_t FourInts __attribute__((vector_size(32)));

// The two halves of a product of 128 bits, as one number.
LIKELY_INLINE uint64_t folded_product(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__) && !defined(LIKELY_PLAIN)
  const auto product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
  const uint64_t low = 0xffffffffull, a0 = a & low, a1 = a >> 32, b0 = b & low, b1 = b >> 32;
  const uint64_t corner = a0 * b0, left = a1 * b0 + (corner >> 32), right = a0 * b1 + (left & low);
  return ((right << 32) | (corner & low)) ^ (a1 * b1 + (left >> 32) + (right >> 32));
#endif
}

}  // namespace likely
