// From texts to counts of their tokens by class, in one pass and without a matrix.
#pragma once

#include "text.hpp"

namespace likely {

// How often each token is in the texts of each class: for every token the classes in which it is, and the totals.
struct Tallied {
  Words words;
  Large<int64_t> starts;
  Large<int32_t> classes;
  Large<double> totals;
};

// Tokens of rows, a class at a time: so one row of counts is enough, and only what is there is kept.
class Tallying {
 public:
  explicit Tallying(std::size_t classes) : ends_(classes) {}

  // Makes room for tokens of numbers below `size`.
  void reach(std::size_t size) {
    if (count_.size() < size) count_.resize(std::max(size, 2 * count_.size()));
  }
  LIKELY_INLINE void fetch(int32_t id) const { __builtin_prefetch(&count_[(std::size_t)id]); }
  LIKELY_INLINE void add(int32_t id, double amount) {
    double& here = count_[(std::size_t)id];
    if (here == 0) seen_.push_back(id);
    here += amount;
  }

  // Tokens and how often each counts, all of them `share` times.
  void add(const int32_t* ids, const double* counts, std::size_t count, double share) {
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 16 < count) fetch(ids[i + 16]);
      add(ids[i], share * counts[i]);
    }
  }

  // Calls row(number) for the rows of each class in turn, which adds their tokens.
  template <class Row>
  void count(const int32_t* y, std::size_t rows, Row&& row) {
    std::vector<std::size_t> first(ends_.size() + 1), order(rows);
    for (std::size_t i = 0; i < rows; ++i) ++first[(std::size_t)y[i] + 1];
    for (std::size_t k = 0; k < ends_.size(); ++k) first[k + 1] += first[k];
    std::vector<std::size_t> next(first.begin(), first.end());
    for (std::size_t i = 0; i < rows; ++i) order[next[(std::size_t)y[i]]++] = i;
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      for (std::size_t at = first[k]; at < first[k + 1]; ++at) row(order[at]);
      close(k);
    }
  }

  // Turned over: by token, and within it by class.
  void turn(std::size_t size, Tallied& found) const {
    found.starts.assign(size + 1, 0);
    for (const int32_t id : ids_) ++found.starts[(std::size_t)id + 1];
    for (std::size_t i = 0; i < size; ++i) found.starts[i + 1] += found.starts[i];
    Large<int64_t> to(found.starts.begin(), found.starts.end() - 1);
    found.classes.resize(ids_.size());
    found.totals.resize(ids_.size());
    for (std::size_t k = 0, i = 0; k < ends_.size(); ++k)
      for (; i < ends_[k]; ++i) {
        const auto place = (std::size_t)to[(std::size_t)ids_[i]]++;
        found.classes[place] = (int32_t)k;
        found.totals[place] = totals_[i];
      }
  }

 private:
  void close(std::size_t k) {
    if (8 * seen_.size() > count_.size()) { // most are there: in their order, memory is read as it lies
      seen_.clear();
      for (std::size_t id = 0; id < count_.size(); ++id)
        if (count_[id] != 0) seen_.push_back((int32_t)id);
    }
    for (const int32_t id : seen_) {
      ids_.push_back(id);
      totals_.push_back(count_[(std::size_t)id]);
      count_[(std::size_t)id] = 0;
    }
    seen_.clear();
    ends_[k] = ids_.size();
  }

  Large<double> count_, totals_;
  Large<int32_t> ids_, seen_;
  std::vector<std::size_t> ends_; // of classes, in the two above
};

inline Tallied tally(const Text* texts, std::size_t count_of, const int32_t* y, const double* weight, std::size_t classes,
                     const Reading& how, const Words* known) {
  Tallied found;
  Numbers numbers(how, known, &found.words);
  Bag bag(how);
  Tallying tally(classes);
  const bool by_text = how.by_text();
  tally.count(y, count_of, [&](std::size_t row) {
    const double w = weight ? weight[row] : 1.0;
    if (!texts[row].data || w == 0) return;
    numbers.read(texts[row], [&](const int32_t* some, std::size_t of_them) LIKELY_LAMBDA {
      tally.reach(numbers.size());
      if (by_text) {
        bag.add(some, of_them);
        return;
      }
      for (std::size_t i = 0; i < of_them; ++i) tally.fetch(some[i]);
      for (std::size_t i = 0; i < of_them; ++i) tally.add(some[i], w);
    });
    if (!by_text) return;
    bag.empty([&](const int32_t* some, const double* times, std::size_t of_them) {
      tally.add(some, times, of_them, w);
    });
  });
  tally.turn(numbers.size(), found);
  return found;
}

using TallyArrays = std::tuple<Words, Made<int64_t>, Made<int32_t>, Made<double>>;

inline TallyArrays tally_texts(const Corpus& texts, std::size_t start, std::size_t end, const Vector<int32_t>& y,
                               const Weights& w, std::size_t classes, const ReadingNumbers& reading, const Words* stop,
                               const Words* known) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  require(classes <= 0x7FFFFFFF, "there are too many classes");
  Tallied found;
  {
    nb::gil_scoped_release release;
    const int32_t* code = class_codes(y, end - start, classes);
    found = tally(first, end - start, code, row_weights(w, end - start), classes, how, known);
  }
  return {std::move(found.words), made(std::move(found.starts)), made(std::move(found.classes)),
          made(std::move(found.totals))};
}

inline void define_tally(nb::module_& m) {
  m.def("tally_texts", &tally_texts, nb::arg("texts"), nb::arg("start"), nb::arg("end"), nb::arg("y").noconvert(),
        nb::arg("weight").noconvert().none(), nb::arg("classes"), nb::arg("reading"), nb::arg("stop").none(),
        nb::arg("known").none());
}

} // namespace likely
