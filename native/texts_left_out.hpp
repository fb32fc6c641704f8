// Scores of texts as if each had never been counted.
#pragma once

#include "text.hpp"

namespace likely {

// How texts are scored: out (rows x classes) += as often as each known token counts,
// own * log((N_kw + a) / (N_k + a V)) - others * log((N_w - N_kw + a) / (N - N_k + a V)), of a class k and all others.
struct Event {
  double own, others, imagined;
};

// Sums less what a row added to them; nothing where only rounding is left.
LIKELY_INLINE double less(double sum, double own) {
  const double left = sum - own;
  return left <= 1e-9 * own ? 0.0 : left;
}
LIKELY_INLINE double log_or_zero(double x) { return x > 0 ? std::log(x) : 0.0; }

// Texts that were counted, with these classes and weights. Unless words are `fixed`, a token of which nothing is left is
// none of V any more, and one of which nothing or less than a `minimum` above 1 is left tells nothing. lengths[row]
// is how often all tokens count that are known. `starts`, `classes` and `totals` are as tally_texts gives them.
inline void score_texts_left_out(const Corpus& texts, std::size_t start, std::size_t end, const ReadingNumbers& reading,
                                 const Words* stop, const Words* known, const Vector<int64_t>& starts,
                                 const Vector<int32_t>& classes, const Vector<double>& totals, const Vector<int32_t>& y,
                                 const Weights& w, const std::tuple<double, double, double>& event, double minimum,
                                 bool fixed, Output<double> out, OutputVector<double> lengths) {
  const Reading how = reading_of(reading, stop);
  const Event of{std::get<0>(event), std::get<1>(event), std::get<2>(event)};
  const Text* first = texts.at(start, end);
  require(known || how.hashing, "words or buckets are needed");
  const std::size_t rows = end - start, c = out.shape(1), pairs = classes.shape(0);
  const std::size_t size = how.hashing ? how.hashing : known->size();
  require(out.shape(0) == rows && lengths.shape(0) == rows, "the output does not fit");
  require(starts.shape(0) == size + 1 && totals.shape(0) == pairs, "the table does not fit the words");
  nb::gil_scoped_release release;
  const int32_t* own_class = class_codes(y, rows, c);
  const double* weight = row_weights(w, rows);
  for (std::size_t i = 0; i < size; ++i)
    require(0 <= starts.data()[i] && starts.data()[i] <= starts.data()[i + 1], "the table is not in order");
  require(starts.data()[size] == (int64_t)pairs, "the table does not fit");
  std::vector<double> of_classes(c);
  for (std::size_t i = 0; i < pairs; ++i) {
    require((std::size_t)classes.data()[i] < c, "a class code is out of range");
    of_classes[(std::size_t)classes.data()[i]] += totals.data()[i];
  }
  const double all = std::accumulate(of_classes.begin(), of_classes.end(), 0.0), a = of.imagined;
  const double log_a = log_or_zero(a);

  Numbers numbers(how, known, nullptr);
  Bag bag(how);
  std::vector<double> sums(c), hits(c), bare(c); // bare: tokens of which the other classes have nothing
  for (std::size_t row = 0; row < rows; ++row) {
    lengths.data()[row] = 0;
    if (!first[row].data) continue;
    const auto k_own = (std::size_t)own_class[row];
    numbers.read(first[row], [&](const int32_t* some, std::size_t count) { bag.add(some, count); });
    bag.empty_whole([&](const int32_t* ids, double* counts, std::size_t count) {
      const double length = std::accumulate(counts, counts + count, 0.0);
      const double taken_share = (weight ? weight[row] : 1.0) * (how.root ? 1 / std::sqrt(length) : 1.0);
      std::fill(sums.begin(), sums.end(), 0.0);
      std::fill(hits.begin(), hits.end(), 0.0);
      std::fill(bare.begin(), bare.end(), 0.0);
      double left = 0, common = 0, tokens = 0, vanished = 0;
      for (std::size_t i = 0; i < count; ++i) {
        const auto from = (std::size_t)starts.data()[ids[i]], to = (std::size_t)starts.data()[ids[i] + 1];
        const double x = counts[i], taken = taken_share * x;
        double of_word = 0;
        for (std::size_t at = from; at < to; ++at) of_word += totals.data()[at];
        const double rest = less(of_word, taken);
        vanished += rest == 0 && !fixed;
        if (!fixed && (rest == 0 || (minimum > 1 && rest < minimum))) continue;
        left += x;
        ++tokens;
        const double log_rest = of.others != 0 ? log_or_zero(rest + a) : 0.0;
        if (of.others != 0 && rest + a == 0)
          for (double& of_class : bare) ++of_class;
        common += x * (of.own * log_a - of.others * log_rest);
        for (std::size_t at = from; at < to; ++at) {
          const auto k = (std::size_t)classes.data()[at];
          const double here = k == k_own ? less(totals.data()[at], taken) : totals.data()[at];
          const double beside = less(rest, here) + a;
          if (of.own == of.others && a > 0) { // one logarithm for two, which are most of the work
            sums[k] += x * of.own * std::log((here + a) * (rest + a) / (a * beside));
            continue;
          }
          if (of.own != 0) {
            sums[k] += x * of.own * (std::log(here + a) - log_a);
            hits[k] += here > 0;
          }
          if (of.others != 0) {
            sums[k] -= x * of.others * (log_or_zero(beside) - log_rest);
            bare[k] += beside == 0;
          }
        }
      }
      if (left == 0) return;
      const double share = how.root ? 1 / std::sqrt(left) : 1.0, room = a * ((double)size - vanished);
      const double gone = taken_share * length;
      lengths.data()[row] = share * left;
      for (std::size_t k = 0; k < c; ++k) {
        const double within = k == k_own ? less(of_classes[k], gone) : of_classes[k];
        const double outside = k == k_own ? all - of_classes[k] : less(all - of_classes[k], gone);
        const double each = of.others * log_or_zero(outside + room) - of.own * log_or_zero(within + room);
        const bool impossible = a == 0 && of.own != 0 && hits[k] < tokens;
        const double sum = impossible ? -INFINITY : bare[k] > 0 ? INFINITY : share * (sums[k] + common + left * each);
        out.data()[row * c + k] += sum;
      }
    });
  }
}

inline void define_texts_left_out(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("score_texts_left_out", &score_texts_left_out, nb::arg("texts"), nb::arg("start"), nb::arg("end"),
        nb::arg("reading"), nb::arg("stop").none(), nb::arg("known").none(), as_is("starts"), as_is("classes"),
        as_is("totals"), as_is("y"), nb::arg("weight").noconvert().none(), nb::arg("event"), nb::arg("minimum"),
        nb::arg("fixed"), as_is("out"), as_is("lengths"));
}

} // namespace likely
