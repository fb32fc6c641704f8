// What the words of a text are, read slowly and in plain steps: characters, then all of them in lower case, then words.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "../words.hpp"

namespace plain {

// Ends the run with what is wrong, so that the fuzzer keeps the input.
inline void expect(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "it does not hold that %s\n", what);
  std::abort();
}

// A copy that ends where its memory ends, so that a read behind it is found.
template <class T>
struct Exact {
  std::size_t size;
  T* data;

  explicit Exact(const std::vector<T>& from) : size(from.size()), data(new T[from.size()]) {
    std::copy(from.begin(), from.end(), data);
  }
  Exact(const Exact&) = delete;
  ~Exact() { delete[] data; }
};

using Characters = std::vector<uint32_t>;

// The table of well-formed sequences in the Unicode standard (3-7), row by row; a byte that is in none is half a
// character.
inline Characters characters_of(const std::string& bytes) {
  struct Row {
    int least, most, second_least, second_most, length;
  };
  static constexpr Row rows[] = {{0x00, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
                                 {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
                                 {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
  const auto byte = [&](std::size_t i) { return i < bytes.size() ? (int)(uint8_t)bytes[i] : -1; };
  Characters found;
  for (std::size_t i = 0; i < bytes.size();) {
    std::size_t length = 0;
    for (const Row& row : rows) {
      bool fits = row.least <= byte(i) && byte(i) <= row.most;
      if (row.length > 1) fits = fits && row.second_least <= byte(i + 1) && byte(i + 1) <= row.second_most;
      for (int k = 2; k < row.length; ++k) fits = fits && 0x80 <= byte(i + k) && byte(i + k) <= 0xBF;
      if (fits) length = (std::size_t)row.length;
    }
    if (length == 0) {
      found.push_back(0xDC00u + (uint32_t)byte(i++));
      continue;
    }
    uint32_t code = length == 1 ? (uint32_t)byte(i) : (uint32_t)byte(i) % (1u << (7 - length));
    for (std::size_t k = 1; k < length; ++k) code = code * 64 + (uint32_t)byte(i + k) % 64;
    found.push_back(code);
    i += length;
  }
  return found;
}

inline std::string utf8_of(uint32_t c) {
  const auto part = [&](int shift) { return (char)(0x80 + c / (1u << shift) % 64); };
  if (c < 0x80) return {(char)c};
  if (c < 0x800) return {(char)(0xC0 + c / 64), part(0)};
  if (c < 0x10000) return {(char)(0xE0 + c / 4096), part(6), part(0)};
  return {(char)(0xF0 + c / 262144), part(12), part(6), part(0)};
}

inline bool is(uint32_t c, uint8_t kind) { return likely::kind_of(c) & kind; }

// Whether the next character there, step by step and but for ignorable ones, is cased.
inline bool cased(const Characters& text, std::ptrdiff_t i, std::ptrdiff_t step) {
  for (i += step; i >= 0 && i < std::ssize(text); i += step)
    if (!is(text[(std::size_t)i], likely::kIgnorable)) return is(text[(std::size_t)i], likely::kCased);
  return false;
}

inline Characters lowered(const Characters& text) {
  Characters low;
  for (std::ptrdiff_t i = 0; i < std::ssize(text); ++i) {
    const uint32_t c = text[(std::size_t)i];
    if (c == 0x130) { // the one letter that is two in lower case
      low.insert(low.end(), {'i', 0x307});
    } else if (c == 0x3A3) {
      low.push_back(cased(text, i, -1) && !cased(text, i, 1) ? 0x3C2 : 0x3C3);
    } else if (is(c, likely::kLowers)) {
      low.push_back(c + (uint32_t)likely::kSteps[likely::kStepPage[c / 256] * 256 + c % 256]);
    } else {
      low.push_back(c);
    }
  }
  return low;
}

inline std::vector<std::string> words_of(const Characters& text, bool lower, bool whole, std::size_t least) {
  std::vector<std::string> words;
  std::string word;
  std::size_t length = 0;
  const auto finish = [&] {
    if (length && length >= least) words.push_back(word);
    word.clear();
    length = 0;
  };
  for (const uint32_t c : lower ? lowered(text) : text) {
    if (whole ? is(c, likely::kSpace) : !is(c, likely::kWord)) {
      finish();
      continue;
    }
    word += utf8_of(c);
    ++length;
  }
  finish();
  return words;
}

} // namespace plain
