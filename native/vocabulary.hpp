// Words and their numbers, in the order in which they came.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include "pages.hpp"
#include "words.hpp"

namespace likely {

// Up to eight bytes as a number. More than those may be read, so there must be eight.
LIKELY_INLINE uint64_t eight(const char* p, std::size_t length) {
  uint64_t v;
  std::memcpy(&v, p, 8);
  return length >= 8 ? v : v & ((1ull << (8 * length)) - 1);
}

LIKELY_INLINE uint64_t hashed(const char* p, std::size_t length) {
  uint64_t h = 0x9E3779B97F4A7C15ull ^ length;
  std::size_t i = 0;
  for (; i + 8 < length; i += 8) h = folded_product(h ^ eight(p + i, 8), 0xD6E8FEB86659FD93ull);
  return folded_product(h ^ eight(p + i, length - i), 0xD6E8FEB86659FD93ull);
}

// A word to be looked up: where it is, and the twelve bytes by which a table knows it. They are the word itself, filled up
// with zeros; or, of a longer one and of one that those would not tell apart, a byte that begins no word and a hash.
struct Key {
  const char* p;
  std::size_t length;
  uint64_t hash, first;
  uint32_t second;

  Key() = default;

  static constexpr std::size_t kShort = 12;
  static constexpr uint64_t kLong = 0xFF;

  LIKELY_INLINE Key(const char* bytes, std::size_t n) : p(bytes), length(n) {
    if (n <= kShort && !(n && (bytes[n - 1] == 0 || (uint8_t)bytes[0] == kLong))) {
      first = eight(bytes, n);
      second = n > 8 ? (uint32_t)eight(bytes + 8, n - 8) : 0;
      hash = hash_of(first, second);
    } else {
      hash = hashed(bytes, n);
      first = hash | kLong;
      second = (uint32_t)n;
    }
  }

  static LIKELY_INLINE uint64_t hash_of(uint64_t first, uint32_t second) {
    return folded_product(first ^ 0x9E3779B97F4A7C15ull, second ^ 0xD6E8FEB86659FD93ull);
  }
};

// A hash table by open addressing, of slots of sixteen bytes: for nearly all words one look into memory is enough, and it
// can be fetched ahead. Wherever bytes of a word are read, eight more may be: those kept end with as many zeros.
class Words {
 public:
  Words() : slots_(1 << 10), bytes_(8), ends_{0} {}

  std::size_t size() const { return ends_.size() - 1; }

  LIKELY_INLINE void fetch(const Key& k) const { __builtin_prefetch(&slots_[place(k.hash)]); }

  LIKELY_INLINE int32_t find(const Key& k) const { return slots_[at(k)].id; }

  LIKELY_INLINE int32_t add(const Key& k) {
    Slot& slot = slots_[at(k)];
    if (slot.id >= 0) return slot.id;
    return take(slot, k);
  }

  const char* word(std::size_t id) const { return bytes_.data() + ends_[id]; }
  std::size_t length(std::size_t id) const { return (std::size_t)(ends_[id + 1] - ends_[id]); }
  const Large<int64_t>& ends() const { return ends_; }

 private:
  struct Slot {
    uint64_t first = 0;
    uint32_t second = 0;
    int32_t id = -1;
  };

  // The lowest bits of a hash are not kept in the slot of a long word.
  std::size_t place(uint64_t hash) const { return (hash >> 8) & (slots_.size() - 1); }

  LIKELY_INLINE std::size_t at(const Key& k) const {
    std::size_t at = place(k.hash);
    while (slots_[at].id >= 0 && !same(slots_[at], k)) at = (at + 1) & (slots_.size() - 1);
    return at;
  }

  LIKELY_INLINE bool same(const Slot& s, const Key& k) const {
    if (s.first != k.first || s.second != k.second) return false;
    if ((k.first & 0xFF) != Key::kLong) return true;
    return length((std::size_t)s.id) == k.length && std::memcmp(word((std::size_t)s.id), k.p, k.length) == 0;
  }

  LIKELY_APART int32_t take(Slot& slot, const Key& k) {
    require(size() < 0x7FFFFFFF, "there are too many words");
    const auto id = (int32_t)size();
    const auto start = (std::size_t)ends_.back();
    bytes_.resize(start + k.length + 8);
    std::memcpy(bytes_.data() + start, k.p, k.length);
    std::memset(bytes_.data() + start + k.length, 0, 8);
    ends_.push_back((int64_t)(start + k.length));
    slot = {k.first, k.second, id};
    if (3 * size() > 2 * slots_.size()) grow();
    return id;
  }

  void grow() {
    Large<Slot> before(2 * slots_.size());
    slots_.swap(before);
    for (const Slot& s : before) {
      if (s.id < 0) continue;
      std::size_t at = place((s.first & 0xFF) == Key::kLong ? s.first : Key::hash_of(s.first, s.second));
      while (slots_[at].id >= 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = s;
    }
  }

  Large<Slot> slots_;
  Large<char> bytes_;
  Large<int64_t> ends_;
};

template <class T>
using Made = nb::ndarray<nb::numpy, T, nb::ndim<1>, nb::c_contig>;

template <class T, class Memory>
Made<T> made(std::vector<T, Memory>&& values) {
  auto* kept = new std::vector<T, Memory>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T, Memory>*>(p); });
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

// The number of each of these words among those that end so in their bytes, -1 for none: in one pass over the bytes, which
// for the words of a few texts takes a twentieth of the time in which the table of all of them is made.
inline Made<int64_t> numbers_among(const Words& some, const Vector<int64_t>& ends, const Vector<uint8_t>& bytes) {
  std::vector<int64_t> numbers(some.size(), -1);
  {
    nb::gil_scoped_release release;
    const auto* all = reinterpret_cast<const char*>(bytes.data());
    const auto size = (int64_t)bytes.shape(0), safe = size - 8; // up to where eight more bytes may be read
    std::vector<char> last;
    int64_t start = 0;
    for (std::size_t i = 0; i < ends.shape(0); ++i) {
      const int64_t end = ends.data()[i];
      require(start <= end && end <= size, "the words do not fit their bytes");
      const char* word = all + start;
      if (end > safe) {
        last.assign((std::size_t)(end - start) + 8, 0);
        std::copy(word, all + end, last.begin());
        word = last.data();
      }
      const int32_t found = some.find({word, (std::size_t)(end - start)});
      if (found >= 0) {
        require(numbers[(std::size_t)found] < 0, "a word is there twice");
        numbers[(std::size_t)found] = (int64_t)i;
      }
      start = end;
    }
  }
  return made(std::move(numbers));
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
    constexpr std::size_t ahead = 16;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (i + ahead < other.size()) both.fetch({other.word(i + ahead), other.length(i + ahead)});
      at[i] = both.add({other.word(i), other.length(i)});
    }
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
