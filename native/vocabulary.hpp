// Words and their numbers, in the order in which they came.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "words.hpp"

namespace likely {

inline uint64_t mixed(uint64_t a, uint64_t b) {
  const auto product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

// Up to eight bytes as a number. More than those may be read, so there must be eight.
LIKELY_INLINE uint64_t eight(const char* p, std::size_t length) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return length >= 8 ? v : v & ((1ull << (8 * length)) - 1);
}

LIKELY_INLINE uint64_t hashed(const char* p, std::size_t length) {
  uint64_t h = 0x9E3779B97F4A7C15ull ^ length;
  std::size_t i = 0;
  for (; i + 8 < length; i += 8) h = mixed(h ^ eight(p + i, 8), 0xD6E8FEB86659FD93ull);
  return mixed(h ^ eight(p + i, length - i), 0xD6E8FEB86659FD93ull);
}

// A word to be looked up: where it is, and what the table wants to know of it.
struct Key {
  const char* p;
  std::size_t length;
  uint64_t hash, first, second; // the first sixteen bytes

  Key(const char* bytes, std::size_t n)
      : p(bytes), length(n), hash(hashed(bytes, n)), first(eight(bytes, n)), second(n > 8 ? eight(bytes + 8, n - 8) : 0) {}
};

// A hash table by open addressing. A slot holds the first sixteen bytes of its word, so that for nearly all words one
// look into memory is enough; and it can be fetched ahead. Wherever bytes of a word are read, eight more may be: the
// bytes kept end with as many zeros.
class Words {
 public:
  Words() : slots_(1 << 10), bytes_(8), ends_{0} {}

  std::size_t size() const { return ends_.size() - 1; }

  void fetch(const Key& k) const { __builtin_prefetch(&slots_[k.hash & (slots_.size() - 1)]); }

  int32_t find(const Key& k) const {
    for (std::size_t at = k.hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].id < 0) return -1;
      if (same(slots_[at], k)) return slots_[at].id;
    }
  }

  int32_t add(const Key& k) {
    std::size_t at = k.hash & (slots_.size() - 1);
    for (; slots_[at].id >= 0; at = (at + 1) & (slots_.size() - 1))
      if (same(slots_[at], k)) return slots_[at].id;
    require(size() < 0x7FFFFFFF, "there are too many words");
    const auto id = (int32_t)size();
    const std::size_t start = (std::size_t)ends_.back();
    bytes_.resize(start + k.length + 8);
    std::memcpy(bytes_.data() + start, k.p, k.length);
    std::memset(bytes_.data() + start + k.length, 0, 8);
    ends_.push_back((int64_t)(start + k.length));
    slots_[at] = {k.first, k.second, start, (uint32_t)std::min<std::size_t>(k.length, 0xFFFFFFFF), id};
    if (3 * size() > 2 * slots_.size()) grow();
    return id;
  }

  const char* word(std::size_t id) const { return bytes_.data() + ends_[id]; }
  std::size_t length(std::size_t id) const { return (std::size_t)(ends_[id + 1] - ends_[id]); }
  const std::vector<int64_t>& ends() const { return ends_; }

 private:
  struct Slot {
    uint64_t first = 0, second = 0, start = 0;
    uint32_t length = 0;
    int32_t id = -1;
  };

  bool same(const Slot& s, const Key& k) const {
    return s.first == k.first && s.second == k.second && s.length == k.length &&
           (k.length <= 16 || std::memcmp(bytes_.data() + s.start + 16, k.p + 16, k.length - 16) == 0);
  }

  void grow() {
    std::vector<Slot> larger(2 * slots_.size());
    for (const Slot& s : slots_) {
      if (s.id < 0) continue;
      std::size_t at = hashed(bytes_.data() + s.start, s.length) & (larger.size() - 1);
      while (larger[at].id >= 0) at = (at + 1) & (larger.size() - 1);
      larger[at] = s;
    }
    slots_.swap(larger);
  }

  std::vector<Slot> slots_;
  std::vector<char> bytes_;
  std::vector<int64_t> ends_;
};

template <class T>
using Made = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <class T>
Made<T> made(std::vector<T>&& values) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return Made<T>(kept->data(), {kept->size()}, owner);
}

// Words from where they end in their bytes, all different.
inline Words words_of(const Vector<int64_t>& ends, const Vector<uint8_t>& bytes) {
  nb::gil_scoped_release release;
  Words words;
  std::vector<char> padded(bytes.shape(0) + 8);
  if (bytes.shape(0)) std::memcpy(padded.data(), bytes.data(), bytes.shape(0));
  int64_t start = 0;
  for (std::size_t i = 0; i < ends.shape(0); ++i) {
    const int64_t end = ends.data()[i];
    require(start <= end && end <= (int64_t)bytes.shape(0), "the words do not fit their bytes");
    require((std::size_t)words.add({padded.data() + start, (std::size_t)(end - start)}) == i, "a word is there twice");
    start = end;
  }
  return words;
}

inline std::pair<Made<int64_t>, Made<uint8_t>> buffers(const Words& words) {
  std::vector<int64_t> ends(words.ends().begin() + 1, words.ends().end());
  std::vector<uint8_t> bytes((std::size_t)words.ends().back());
  if (!bytes.empty()) std::memcpy(bytes.data(), words.word(0), bytes.size());
  return {made(std::move(ends)), made(std::move(bytes))};
}

// All words of both, those of `other` that are new behind the others; and the number that each word of `other` now has.
inline std::pair<Words, Made<int64_t>> joined(const Words& words, const Words& other) {
  Words both;
  std::vector<int64_t> at(other.size());
  {
    nb::gil_scoped_release release;
    both = words;
    for (std::size_t i = 0; i < other.size(); ++i) at[i] = both.add({other.word(i), other.length(i)});
  }
  return {std::move(both), made(std::move(at))};
}

// The words with these numbers, in this order.
inline Words chosen(const Words& words, const Vector<int64_t>& numbers) {
  nb::gil_scoped_release release;
  Words some;
  for (std::size_t i = 0; i < numbers.shape(0); ++i) {
    const auto at = (std::size_t)numbers.data()[i];
    require(at < words.size(), "there is no such word");
    some.add({words.word(at), words.length(at)});
  }
  return some;
}

} // namespace likely
