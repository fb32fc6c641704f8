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

inline Tallied tally(const Text* texts, std::size_t count_of, const int32_t* y, const double* weight, std::size_t classes,
                     const Reading& how, const Words* known) {
  Tallied found;
  Numbers numbers(how, known, &found.words);
  Bag bag(how);
  const bool by_text = how.by_text();
  // Class by class, so that one row of counts is enough, and only what is there is kept.
  std::vector<std::size_t> first(classes + 1), order(count_of);
  for (std::size_t i = 0; i < count_of; ++i) ++first[(std::size_t)y[i] + 1];
  for (std::size_t k = 0; k < classes; ++k) first[k + 1] += first[k];
  std::vector<std::size_t> next(first.begin(), first.end());
  for (std::size_t i = 0; i < count_of; ++i) order[next[(std::size_t)y[i]]++] = i;

  Large<double> count;
  Large<int32_t> ids, seen;
  Large<double> totals;
  std::vector<std::size_t> ends(classes);
  const auto add = [&](int32_t id, double amount) LIKELY_LAMBDA {
    double& here = count[(std::size_t)id];
    if (here == 0) seen.push_back(id);
    here += amount;
  };
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t at = first[k]; at < first[k + 1]; ++at) {
      const Text& text = texts[order[at]];
      const double w = weight ? weight[order[at]] : 1.0;
      if (!text.data || w == 0) continue;
      numbers.read(text, [&](const int32_t* some, std::size_t of_them) LIKELY_LAMBDA {
        if (count.size() < numbers.size()) count.resize(std::max(numbers.size(), 2 * count.size()));
        if (by_text) {
          bag.add(some, of_them);
          return;
        }
        for (std::size_t i = 0; i < of_them; ++i) __builtin_prefetch(&count[(std::size_t)some[i]]);
        for (std::size_t i = 0; i < of_them; ++i) add(some[i], w);
      });
      if (!by_text) continue;
      bag.empty([&](const int32_t* some, const double* times, std::size_t of_them) {
        for (std::size_t i = 0; i < of_them; ++i) add(some[i], w * times[i]);
      });
    }
    if (8 * seen.size() > count.size()) { // most are there: in their order, memory is read as it lies
      seen.clear();
      for (std::size_t id = 0; id < count.size(); ++id)
        if (count[id] != 0) seen.push_back((int32_t)id);
    }
    for (const int32_t id : seen) {
      ids.push_back(id);
      totals.push_back(count[(std::size_t)id]);
      count[(std::size_t)id] = 0;
    }
    seen.clear();
    ends[k] = ids.size();
  }
  // Turned over: by token, and within it by class.
  found.starts.assign(numbers.size() + 1, 0);
  for (const int32_t id : ids) ++found.starts[(std::size_t)id + 1];
  for (std::size_t i = 0; i < numbers.size(); ++i) found.starts[i + 1] += found.starts[i];
  Large<int64_t> to(found.starts.begin(), found.starts.end() - 1);
  found.classes.resize(ids.size());
  found.totals.resize(ids.size());
  for (std::size_t k = 0, i = 0; k < classes; ++k)
    for (; i < ends[k]; ++i) {
      const auto place = (std::size_t)to[(std::size_t)ids[i]]++;
      found.classes[place] = (int32_t)k;
      found.totals[place] = totals[i];
    }
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
