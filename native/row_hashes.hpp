// Hashes of the cells of rows, added up row by row: by what follows from the sum, a digest knows rows again.
#pragma once

#include "encode.hpp"
#include "rows.hpp"

namespace likely {

// SplitMix64's: neighbours have nothing in common.
LIKELY_INLINE uint64_t spread(uint64_t h) {
  h = (h + 1) * 0x9E3779B97F4A7C15ull;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
  return h ^ (h >> 31);
}

// A column of numbers, and which of its cells are there. A missing cell, as NaN is one, adds nothing; -0.0 is 0.0, and
// numbers are equal whatever type they have.
inline void add_number_hashes(const Values& values, const std::optional<Vector<bool>>& there, uint64_t name,
                              OutputVector<uint64_t> totals) {
  const std::size_t rows = totals.shape(0);
  require(values.shape(0) == rows, "one value per row is needed");
  require(!there || there->shape(0) == rows, "one mark per row is needed");
  nb::gil_scoped_release release;
  dispatch(values, [&](auto* element) {
    const auto* from = static_cast<decltype(element)>(values.data());
    const bool* marks = there ? there->data() : nullptr;
    for (std::size_t i = 0; i < rows; ++i) {
      const double number = (double)from[i] + 0.0;
      uint64_t bits;
      std::memcpy(&bits, &number, sizeof bits);
      if (number == number && (!marks || marks[i])) totals.data()[i] += spread(bits ^ name);
    }
  });
}

// Of all bytes of a text, eight at a time; reading is allowed up to `end`.
LIKELY_INLINE uint64_t hash_of(const char* text, std::size_t size, const char* end) {
  uint64_t hash = size;
  for (std::size_t before = 0; before < size; before += 8) {
    const std::size_t left = size - before;
    uint64_t word = 0;
    if (end - text >= (std::ptrdiff_t)before + 8) {
      std::memcpy(&word, text + before, 8);
      if (left < 8) word &= (1ull << 8 * left) - 1;
    } else {
      std::memcpy(&word, text + before, left);
    }
    hash += spread(word ^ spread(before));
  }
  return hash;
}

// A column of text as Arrow keeps it; `valid` is its bitmap, read from bit `bit` on.
inline void add_text_hashes(const Vector<int64_t>& offsets, const Vector<uint8_t>& bytes,
                            const std::optional<Vector<uint8_t>>& valid, std::size_t bit, uint64_t name,
                            OutputVector<uint64_t> totals) {
  const std::size_t rows = totals.shape(0);
  const Texts<int64_t> texts = checked_texts(offsets, bytes, valid, bit, rows);
  const uint8_t* bitmap = valid ? valid->data() : nullptr;
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < rows; ++i)
    if (!bitmap || is_set(bitmap, bit + i))
      totals.data()[i] += spread(hash_of(texts[i], texts.length(i), texts.end) ^ name);
}

} // namespace likely
