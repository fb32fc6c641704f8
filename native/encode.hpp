// Values to codes: the position of each value among the distinct ones, in the order in which they appear, or among
// labels that are given. Missing cells are -1; a value that is not among given labels gets the code after the last.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <random>

#include "block.hpp"

namespace likely {

inline uint64_t mixed(uint64_t h) {
  h ^= h >> 32;
  h *= 0x9E3779B97F4A7C15ull;
  return h ^ (h >> 29);
}

// Drawn once a process, so that nobody can prepare values that all collide. No result depends on it.
inline uint64_t hash_seed() {
  static const uint64_t seed = ((uint64_t)std::random_device{}() << 32) ^ std::random_device{}();
  return seed;
}

// Codes of distinct values by open addressing: `equal(code)` is whether a stored value is the one sought.
class Index {
 public:
  explicit Index(std::size_t expected = 0) {
    std::size_t slots = 256;
    while (slots < expected * kRoom + 1) slots *= 2;
    slots_.assign(slots, {});
  }
  std::size_t size() const { return size_; }

  // The code of the value with this hash, or size() if it is new; `add` then stores it under that code.
  template <class Equal>
  std::size_t find(uint64_t hash, Equal&& equal) {
    const std::size_t mask = slots_.size() - 1;
    for (at_ = hash & mask; slots_[at_].code; at_ = (at_ + 1) & mask)
      if (slots_[at_].hash == hash && equal((std::size_t)slots_[at_].code - 1)) return (std::size_t)slots_[at_].code - 1;
    return size_;
  }
  void add(uint64_t hash) { // at the place where find has just ended
    slots_[at_] = {hash, (uint32_t)++size_};
    if (size_ * kRoom < slots_.size()) return;
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& s : old) {
      if (!s.code) continue;
      std::size_t at = s.hash & mask;
      while (slots_[at].code) at = (at + 1) & mask;
      slots_[at] = s;
    }
  }

 private:
  // Slots per value at least: a probe that must go on is a branch mispredicted, and a column has few values.
  static constexpr std::size_t kRoom = 4;
  struct Slot {
    uint64_t hash = 0;
    uint32_t code = 0; // code + 1; 0 is an empty slot
  };
  std::vector<Slot> slots_;
  std::size_t size_ = 0, at_ = 0;
};

template <class Label> // double, int64_t or uint64_t
class NumberIndex {
 public:
  explicit NumberIndex(std::size_t expected = 0) : index_(expected) { std::fill(small_, small_ + 256, -1); }

  // Whole numbers below 256, which most columns of categories hold, are looked up without hashing.
  LIKELY_INLINE int32_t code(Label v, bool grow) {
    if (v >= 0 && v < 256) {
      const auto small = (std::size_t)v;
      if ((Label)small == v && small_[small] >= 0) return small_[small];
    }
    return sought(v, grow);
  }
  std::vector<Label> labels;

 private:
  LIKELY_APART int32_t sought(Label v, bool grow) {
    if (v == 0) v = 0; // one zero, whatever its sign
    uint64_t bits;
    std::memcpy(&bits, &v, 8);
    const uint64_t hash = mixed(bits ^ hash_seed());
    const std::size_t found = index_.find(hash, [&](std::size_t k) { return labels[k] == v; });
    if (found == labels.size() && grow) {
      index_.add(hash);
      labels.push_back(v);
    }
    if (v >= 0 && v < 256 && (Label)(std::size_t)v == v && found < labels.size()) small_[(std::size_t)v] = (int32_t)found;
    return (int32_t)found;
  }
  Index index_;
  int32_t small_[256];
};

template <class T>
nb::object owned_array(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  const std::size_t size = kept->size();
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {size}, owner));
}

// Codes of numbers, column by column. `valid` (rows x columns) marks the cells that are there, beside NaN. Without
// `known`, returns the distinct values of each column: float64 for floats, uint64 for uint64, else int64. With `known`,
// one array of distinct labels per column of that same type.
using Mask = nb::ndarray<const bool, nb::ndim<2>, nb::device::cpu>;

inline std::vector<nb::object> encode_numbers(const Matrix& x, const std::optional<Mask>& valid,
                                              const std::optional<std::vector<nb::object>>& known, Output<int32_t> codes) {
  const std::size_t n = x.shape(0), d = x.shape(1);
  require(codes.shape(0) == d && codes.shape(1) == n, "the codes do not fit");
  require(!valid || (valid->shape(0) == n && valid->shape(1) == d), "the mask does not fit");
  require(!known || known->size() == d, "one array of labels per column is needed");
  return dispatch(x, [&](auto* element) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(element)>>;
    using Whole = std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>;
    using Label = std::conditional_t<std::is_floating_point_v<T>, double, Whole>;
    std::vector<NumberIndex<Label>> columns(d);
    if (known)
      for (std::size_t j = 0; j < d; ++j) {
        const auto labels = nb::cast<Vector<Label>>((*known)[j], false);
        columns[j] = NumberIndex<Label>(labels.shape(0));
        for (std::size_t k = 0; k < labels.shape(0); ++k) columns[j].code(labels.data()[k], true);
        require(columns[j].labels.size() == labels.shape(0), "the labels are not distinct");
      }
    {
      nb::gil_scoped_release release;
      const T* data = static_cast<const T*>(x.data());
      const std::ptrdiff_t row = x.stride(0), column = x.stride(1);
      const std::size_t step = std::clamp<std::size_t>(2048 / std::max<std::size_t>(d, 1), 16, 1024);
      for (std::size_t start = 0; start < n; start += step)
        for (std::size_t j = 0; j < d; ++j) {
          const T* from = data + (std::ptrdiff_t)start * row + (std::ptrdiff_t)j * column;
          int32_t* to = codes.data() + j * n + start;
          const std::size_t rows = std::min(step, n - start);
          NumberIndex<Label>& index = columns[j];
          if (valid) {
            const bool* there = valid->data() + (std::ptrdiff_t)start * valid->stride(0) + (std::ptrdiff_t)j * valid->stride(1);
            for (std::size_t i = 0; i < rows; ++i, from += row, there += valid->stride(0))
              to[i] = *there && *from == *from ? index.code((Label)*from, !known) : -1;
          } else {
            for (std::size_t i = 0; i < rows; ++i, from += row)
              to[i] = *from == *from ? index.code((Label)*from, !known) : -1;
          }
        }
    }
    std::vector<nb::object> labels;
    if (!known)
      for (auto& c : columns) labels.push_back(owned_array(std::move(c.labels)));
    return labels;
  });
}

inline uint64_t hash_bytes(const char* p, std::size_t n) {
  uint64_t h = hash_seed() ^ n, v;
  for (; n >= 8; n -= 8, p += 8) {
    std::memcpy(&v, p, 8);
    h = mixed(h ^ v);
  }
  v = 0;
  std::memcpy(&v, p, n);
  return mixed(h ^ v);
}

// A text of up to 16 bytes as two words, zeros behind its end. Reads 16 bytes at once where that many are there: texts
// in a column of categories are short and of mixed lengths, and a branch on the length would be mispredicted.
struct Short {
  uint64_t low = 0, high = 0;

  Short(const char* p, std::size_t n, const char* end) {
    if (end - p >= 16) {
      static constexpr uint64_t kAll = ~0ull;
      std::memcpy(&low, p, 8);
      std::memcpy(&high, p + 8, 8);
      low &= n >= 8 ? kAll : (1ull << 8 * n) - 1;
      high &= n >= 16 ? kAll : n > 8 ? (1ull << 8 * (n - 8)) - 1 : 0;
    } else {
      std::memcpy(&low, p, std::min<std::size_t>(n, 8));
      if (n > 8) std::memcpy(&high, p + 8, n - 8);
    }
  }
  uint64_t hash(std::size_t n) const { return mixed(mixed(low ^ hash_seed()) + (high ^ n)); }
};

class TextIndex {
 public:
  std::vector<int64_t> offsets{0};
  std::vector<char> bytes;

  // The text at p of n bytes; reading is allowed up to `end`.
  LIKELY_INLINE int32_t code(const char* p, std::size_t n, const char* end, bool grow) {
    if (n > 16) return code_long(p, n, grow);
    const Short text(p, n, end);
    const uint64_t hash = text.hash(n);
    const std::size_t found = index_.find(hash, [&](std::size_t k) {
      return words_[k].low == text.low && words_[k].high == text.high && length(k) == n;
    });
    if (found == index_.size() && grow) add(hash, p, n, text);
    return (int32_t)found;
  }

 private:
  int32_t code_long(const char* p, std::size_t n, bool grow) {
    const uint64_t hash = hash_bytes(p, n);
    const std::size_t found = index_.find(
        hash, [&](std::size_t k) { return length(k) == n && std::memcmp(bytes.data() + offsets[k], p, n) == 0; });
    if (found == index_.size() && grow) add(hash, p, n, Short(p, 0, p));
    return (int32_t)found;
  }
  void add(uint64_t hash, const char* p, std::size_t n, Short words) {
    index_.add(hash);
    words_.push_back(words);
    bytes.insert(bytes.end(), p, p + n);
    offsets.push_back((int64_t)bytes.size());
  }
  std::size_t length(std::size_t k) const { return (std::size_t)(offsets[k + 1] - offsets[k]); }

  Index index_;
  std::vector<Short> words_;
};

// Text as Arrow keeps it: n + 1 offsets into the bytes.
template <class Offset>
struct Texts {
  const Offset* offsets;
  const char *bytes, *end;
  std::size_t length(std::size_t i) const { return (std::size_t)(offsets[i + 1] - offsets[i]); }
  const char* operator[](std::size_t i) const { return bytes + offsets[i]; }
  int32_t code(std::size_t i, TextIndex& index, bool grow) const { return index.code((*this)[i], length(i), end, grow); }
};

template <class Offset>
void check_texts(const Vector<Offset>& offsets, std::size_t bytes) {
  const std::size_t n = offsets.shape(0);
  require(n >= 1 && offsets.data()[0] >= 0 && (std::size_t)offsets.data()[n - 1] <= bytes &&
              std::is_sorted(offsets.data(), offsets.data() + n),
          "the offsets do not fit the bytes");
}

inline bool is_set(const uint8_t* bitmap, std::size_t bit) { return bitmap[bit / 8] >> (bit % 8) & 1; }

// n texts, and a bitmap of those that are there, which is read from bit `bit` on.
template <class Offset>
Texts<Offset> checked_texts(const Vector<Offset>& offsets, const Vector<uint8_t>& bytes,
                            const std::optional<Vector<uint8_t>>& valid, std::size_t bit, std::size_t n) {
  require(offsets.shape(0) == n + 1, "one offset per text and the end are needed");
  check_texts(offsets, bytes.shape(0));
  require(!valid || (bit <= valid->shape(0) * 8 && n <= valid->shape(0) * 8 - bit), "the bitmap is too short");
  const auto all = (const char*)bytes.data();
  return {offsets.data(), all, all + bytes.shape(0)};
}

// Codes of text. `valid` is Arrow's bitmap, read from bit `bit` on. Without `known`, returns the distinct texts as
// (offsets, bytes); with it, an empty pair.
template <class Offset>
std::pair<nb::object, nb::object> encode_text(const Vector<Offset>& offsets, const Vector<uint8_t>& bytes,
                                              const std::optional<Vector<uint8_t>>& valid, std::size_t bit,
                                              const std::optional<std::pair<Vector<int64_t>, Vector<uint8_t>>>& known,
                                              OutputVector<int32_t> codes) {
  const std::size_t n = codes.shape(0);
  const Texts<Offset> text = checked_texts(offsets, bytes, valid, bit, n);
  TextIndex index;
  {
    const uint8_t* bitmap = valid ? valid->data() : nullptr;
    if (known) check_texts(known->first, known->second.shape(0));
    nb::gil_scoped_release release;
    if (known) {
      const auto known_bytes = (const char*)known->second.data();
      const Texts<int64_t> labels{known->first.data(), known_bytes, known_bytes + known->second.shape(0)};
      for (std::size_t k = 0; k + 1 < known->first.shape(0); ++k)
        require(labels.code(k, index, true) == (int32_t)k, "the labels are not distinct");
    }
    for (std::size_t i = 0; i < n; ++i) {
      const bool present = !bitmap || is_set(bitmap, bit + i);
      codes.data()[i] = present ? text.code(i, index, !known) : -1;
    }
  }
  if (known) return {nb::none(), nb::none()};
  std::vector<uint8_t> label_bytes(index.bytes.begin(), index.bytes.end());
  return {owned_array(std::move(index.offsets)), owned_array(std::move(label_bytes))};
}

} // namespace likely
