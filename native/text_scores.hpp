// From texts to scores, in one pass.
#pragma once

#include "text.hpp"

namespace likely {

// sums[class] += as often as each token counts, the extra of the classes in which it was seen.
LIKELY_CLONES inline void add_pairs(const int32_t* tokens, const double* amounts, std::size_t count, const int64_t* starts,
                                    const int32_t* classes, const double* extra, std::size_t c, double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = (std::size_t)starts[tokens[i]], to = (std::size_t)starts[tokens[i] + 1];
    for (std::size_t at = from; at < to + 7; at += 8) __builtin_prefetch(extra + at);
    for (std::size_t at = from; to - from < c && at < to + 15; at += 16) __builtin_prefetch(classes + at);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = (std::size_t)starts[tokens[i]], to = (std::size_t)starts[tokens[i] + 1];
    const double amount = amounts ? amounts[i] : 1.0;
    if (to - from < c) {
      for (std::size_t at = from; at < to; ++at) sums[classes[at]] += amount * extra[at];
      continue;
    }
    std::size_t k = 0; // in every class, in their order
    for (; k + 4 <= c; k += 4) put(sums + k, four(sums + k) + amount * four(extra + from + k));
    for (; k < c; ++k) sums[k] += amount * extra[from + k];
  }
}

// How a text is scored: out (rows x classes) += constant[class], and for each known token, as often as it counts,
// each[class] + common[token] + the extra of the classes in which it was seen. With `strict` a class in which a known
// token was never seen is impossible. With `prior`, prior[class] is added too, divided by how often all tokens count; a
// text without known tokens adds nothing. `starts`, `classes` and `extra` are as tally_texts gives them. With `idf`, a
// token counts idf[token] times as much, texts count in their whole length, and what the tokens and the prior add is
// divided by the root of the sum of squares of how much the tokens count.
inline void score_texts(const Corpus& texts, std::size_t start, std::size_t end, const ReadingNumbers& reading,
                        const Words* stop, const Words* known, const Vector<int64_t>& starts,
                        const Vector<int32_t>& classes, const Vector<double>& extra, const Vector<double>& constant,
                        const Vector<double>& each, const std::optional<Vector<double>>& common,
                        const std::optional<Vector<double>>& prior, const std::optional<Vector<double>>& idf, bool strict,
                        Output<double> out) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  require(known || how.hashing, "words or buckets are needed");
  const std::size_t c = each.shape(0), size = how.hashing ? how.hashing : known->size(), pairs = classes.shape(0);
  require(out.shape(0) == end - start && out.shape(1) == c && constant.shape(0) == c, "the output does not fit");
  require(starts.shape(0) == size + 1 && extra.shape(0) == pairs, "the table does not fit the words");
  require(!common || common->shape(0) == size, "one number for each word is needed");
  require(!prior || prior->shape(0) == c, "one number for each class is needed");
  require(!idf || (idf->shape(0) == size && how.by_text() && prior && !strict), "idf does not fit the words");
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < size; ++i)
    require(0 <= starts.data()[i] && starts.data()[i] <= starts.data()[i + 1], "the table is not in order");
  require(starts.data()[size] == (int64_t)pairs, "the table does not fit");
  for (std::size_t i = 0; i < pairs; ++i) require((std::size_t)classes.data()[i] < c, "a class code is out of range");
  Numbers numbers(how, known, nullptr);
  Bag bag(how);
  const bool by_text = how.by_text();
  std::vector<double> sums(c), hits(c), weighed;
  for (std::size_t row = 0; row < end - start; ++row) {
    if (!first[row].data) continue;
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(hits.begin(), hits.end(), 0.0);
    double times = 0, all = 0, tokens = 0, squares = 0;
    const auto add = [&](const int32_t* some, const double* amounts, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(starts.data() + some[i]);
      tokens += (double)count;
      if (idf) {
        weighed.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
          weighed[i] = amounts[i] * idf->data()[some[i]];
          squares += weighed[i] * weighed[i];
        }
        amounts = weighed.data();
      }
      for (std::size_t i = 0; i < count; ++i) {
        const double amount = amounts ? amounts[i] : 1.0;
        times += amount;
        if (common) all += amount * common->data()[some[i]];
      }
      add_pairs(some, amounts, count, starts.data(), classes.data(), extra.data(), c, sums.data());
      for (std::size_t i = 0; strict && i < count; ++i)
        for (auto at = starts.data()[some[i]]; at < starts.data()[some[i] + 1]; ++at) ++hits[(std::size_t)classes.data()[at]];
    };
    numbers.read(first[row], [&](const int32_t* some, std::size_t count) LIKELY_LAMBDA {
      if (by_text)
        bag.add(some, count);
      else
        add(some, nullptr, count);
    });
    if (idf)
      bag.empty_whole(add);
    else if (by_text)
      bag.empty(add);
    double* to = out.data() + row * c;
    if (prior && tokens == 0) continue;
    if (idf) {
      const double share = 1 / std::sqrt(squares);
      for (std::size_t k = 0; k < c; ++k)
        to[k] += constant.data()[k] + share * (prior->data()[k] + sums[k] + times * each.data()[k] + all);
      continue;
    }
    for (std::size_t k = 0; k < c; ++k) {
      to[k] += constant.data()[k] + (prior ? prior->data()[k] / times : 0.0);
      if (tokens == 0) continue;
      to[k] += strict && hits[k] < tokens ? -INFINITY : sums[k] + times * each.data()[k] + all;
    }
  }
}

inline void define_text_scores(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  const auto or_none = [](const char* name) { return nb::arg(name).noconvert().none(); };
  m.def("score_texts", &score_texts, nb::arg("texts"), nb::arg("start"), nb::arg("end"), nb::arg("reading"),
        nb::arg("stop").none(), nb::arg("known").none(), as_is("starts"), as_is("classes"), as_is("extra"),
        as_is("constant"), as_is("each"), or_none("common"), or_none("prior"), or_none("idf"), nb::arg("strict"),
        as_is("out"));
}

} // namespace likely
