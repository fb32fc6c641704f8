// Texts that are read once and counted in several ways: from the numbers of their words, in order, rows are made with or
// without pairs of neighbours, and tallies are made of rows.
#pragma once

#include "tally.hpp"

namespace likely {

using TokenArrays = std::tuple<Words, Made<int64_t>, Made<int32_t>>;

// The tokens of each text by their numbers, as often and in the order as they come.
inline TokenArrays tokens_of_texts(const Corpus& texts, std::size_t start, std::size_t end, const ReadingNumbers& reading,
                                   const Words* stop) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  Words words;
  Large<int64_t> starts{0};
  Large<int32_t> ids;
  {
    nb::gil_scoped_release release;
    Numbers numbers(how, nullptr, &words);
    ids.reserve(std::accumulate(first, first + (end - start), (std::size_t)0,
                                [](std::size_t sum, const Text& text) { return sum + text.length / 4; }));
    for (std::size_t i = 0; i < end - start; ++i) {
      if (first[i].data)
        numbers.read(first[i], [&](const int32_t* some, std::size_t count) { ids.insert(ids.end(), some, some + count); });
      starts.push_back((int64_t)ids.size());
    }
  }
  return {std::move(words), made(std::move(starts)), made(std::move(ids))};
}

// The numbers of pairs of words, in the order in which they come, behind those of the words. They have no names: a table
// of numbers is a third of the work.
class Pairs {
 public:
  Pairs(std::size_t words, std::size_t most) : next_(words) {
    std::size_t size = 1 << 10;
    while (size < most) size *= 2;
    slots_.resize(size);
  }

  static uint64_t key(int32_t first, int32_t second) { return (uint64_t)first << 32 | (uint32_t)second; }
  std::size_t next() const { return next_; }

  LIKELY_INLINE void fetch(uint64_t key) const { __builtin_prefetch(&slots_[place(key)]); }

  LIKELY_INLINE int32_t add(uint64_t key) {
    std::size_t at = place(key);
    while (slots_[at].id >= 0 && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].id >= 0) return slots_[at].id;
    require(next_ < 0x7FFFFFFF, "there are too many pairs");
    const auto id = (int32_t)next_++;
    slots_[at] = {key, id};
    if (3 * ++used_ > 2 * slots_.size()) grow();
    return id;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t id = -1;
  };

  std::size_t place(uint64_t key) const {
    return (std::size_t)folded_product(key ^ 0x9E3779B97F4A7C15ull, 0xD6E8FEB86659FD93ull) & (slots_.size() - 1);
  }

  void grow() {
    Large<Slot> before(2 * slots_.size());
    slots_.swap(before);
    for (const Slot& s : before) {
      if (s.id < 0) continue;
      std::size_t at = place(s.key);
      while (slots_[at].id >= 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = s;
    }
  }

  Large<Slot> slots_;
  std::size_t next_, used_ = 0;
};

// Rows as they come from Python: where each starts among the tokens of all, whose numbers are below `size`.
inline void check_rows(const Vector<int64_t>& starts, const Vector<int32_t>& ids, std::size_t size) {
  const std::size_t end = starts.shape(0);
  require(end > 0 && starts.data()[0] == 0 && starts.data()[end - 1] == (int64_t)ids.shape(0), "the rows do not fit");
  for (std::size_t row = 0; row + 1 < end; ++row)
    require(starts.data()[row] <= starts.data()[row + 1], "the rows are not in order");
  for (std::size_t i = 0; i < ids.shape(0); ++i) require((std::size_t)ids.data()[i] < size, "a token is out of range");
}

// How many tokens there are; and of each text those that are different and how often each counts, in its whole length.
using RowArrays = std::tuple<std::size_t, Made<int64_t>, Made<int32_t>, Made<double>>;

inline RowArrays rows_of_tokens(const Vector<int64_t>& starts, const Vector<int32_t>& tokens, std::size_t size,
                                const ReadingNumbers& reading) {
  const Reading how = reading_of(reading, nullptr);
  require(how.shortest == 1 && how.longest <= 2, "rows are of words, or of pairs of them too");
  Large<int64_t> ends{0};
  Large<int32_t> ids;
  Large<double> counts;
  {
    nb::gil_scoped_release release;
    check_rows(starts, tokens, size);
    constexpr std::size_t many = 64;
    uint64_t keys[many];
    int32_t numbers[many];
    ids.reserve(how.longest * tokens.shape(0));
    counts.reserve(how.longest * tokens.shape(0));
    Pairs pairs(size, how.longest == 2 ? tokens.shape(0) : 0);
    Bag bag(how);
    for (std::size_t row = 0; row + 1 < starts.shape(0); ++row) {
      const auto from = (std::size_t)starts.data()[row], to = (std::size_t)starts.data()[row + 1];
      const int32_t* token = tokens.data();
      if (from < to) bag.add(token + from, to - from);
      for (std::size_t i = from; how.longest == 2 && i + 1 < to; i += many) {
        const std::size_t some = std::min(many, to - 1 - i);
        for (std::size_t j = 0; j < some; ++j) pairs.fetch(keys[j] = Pairs::key(token[i + j], token[i + j + 1]));
        for (std::size_t j = 0; j < some; ++j) numbers[j] = pairs.add(keys[j]);
        bag.add(numbers, some);
      }
      bag.empty_whole([&](const int32_t* some, const double* times, std::size_t count) {
        ids.insert(ids.end(), some, some + count);
        counts.insert(counts.end(), times, times + count);
      });
      ends.push_back((int64_t)ids.size());
    }
    size = pairs.next();
  }
  return {size, made(std::move(ends)), made(std::move(ids)), made(std::move(counts))};
}

// As tally_texts of rows; with `root` one of n tokens counts as the root of n in all.
inline std::tuple<Made<int64_t>, Made<int32_t>, Made<double>> tally_rows(
    const Vector<int64_t>& starts, const Vector<int32_t>& ids, const Vector<double>& counts, std::size_t size, bool root,
    const Vector<int32_t>& y, const Weights& w, std::size_t classes) {
  require(size <= 0x7FFFFFFF && classes <= 0x7FFFFFFF, "there are too many words or classes");
  Tallied found;
  {
    nb::gil_scoped_release release;
    check_rows(starts, ids, size);
    require(counts.shape(0) == ids.shape(0), "the rows do not fit");
    const std::size_t rows = starts.shape(0) - 1;
    const int32_t* code = class_codes(y, rows, classes);
    const double* weight = row_weights(w, rows);
    Tallying tally(classes);
    tally.reach(size);
    tally.count(code, rows, [&](std::size_t row) {
      const auto from = (std::size_t)starts.data()[row], to = (std::size_t)starts.data()[row + 1];
      const double times = weight ? weight[row] : 1.0;
      if (times == 0) return;
      const double share = root ? times / std::sqrt(std::accumulate(counts.data() + from, counts.data() + to, 0.0)) : times;
      tally.add(ids.data() + from, counts.data() + from, to - from, share);
    });
    tally.turn(size, found);
  }
  return {made(std::move(found.starts)), made(std::move(found.classes)), made(std::move(found.totals))};
}

inline void define_token_rows(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("tokens_of_texts", &tokens_of_texts, nb::arg("texts"), nb::arg("start"), nb::arg("end"), nb::arg("reading"),
        nb::arg("stop").none());
  m.def("rows_of_tokens", &rows_of_tokens, as_is("starts"), as_is("tokens"), nb::arg("size"), nb::arg("reading"));
  m.def("tally_rows", &tally_rows, as_is("starts"), as_is("ids"), as_is("counts"), nb::arg("size"), nb::arg("root"),
        as_is("y"), nb::arg("weight").noconvert().none(), nb::arg("classes"));
}

} // namespace likely
