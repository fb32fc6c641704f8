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

// What was counted of texts, as tally_texts gives it, of which one text at a time is left out. Unless words are `fixed`, a
// token of which nothing is left is none of V any more, and one of which nothing or less than a `minimum` above 1 is left
// tells nothing.
class LeftOut {
 public:
  LeftOut(const Vector<int64_t>& starts, const Vector<int32_t>& classes, const Vector<double>& totals, std::size_t size,
          std::size_t c, const Event& event, double minimum, bool fixed, bool root)
      : starts_(starts.data()), classes_(classes.data()), totals_(totals.data()), size_(size), c_(c), of_(event),
        minimum_(minimum), fixed_(fixed), root_(root), log_a_(log_or_zero(event.imagined)), of_classes_(c), sums_(c),
        hits_(c), bare_(c) {
    const std::size_t pairs = classes.shape(0);
    require(starts.shape(0) == size + 1 && totals.shape(0) == pairs, "the table does not fit the words");
    for (std::size_t i = 0; i < size; ++i)
      require(0 <= starts_[i] && starts_[i] <= starts_[i + 1], "the table is not in order");
    require(starts_[size] == (int64_t)pairs, "the table does not fit");
    for (std::size_t i = 0; i < pairs; ++i) {
      require((std::size_t)classes_[i] < c, "a class code is out of range");
      of_classes_[(std::size_t)classes_[i]] += totals_[i];
    }
    all_ = std::accumulate(of_classes_.begin(), of_classes_.end(), 0.0);
  }

  // Of one text, its tokens and how often each counts, in its whole length: adds its scores to `out`, a number for each
  // class, and gives how often all tokens count that are known.
  double score(const int32_t* ids, const double* counts, std::size_t count, std::size_t k_own, double weight, double* out) {
    const double a = of_.imagined, length = std::accumulate(counts, counts + count, 0.0);
    const double taken_share = weight * (root_ ? 1 / std::sqrt(length) : 1.0);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    std::fill(hits_.begin(), hits_.end(), 0.0);
    std::fill(bare_.begin(), bare_.end(), 0.0);
    double left = 0, common = 0, tokens = 0, vanished = 0;
    for (std::size_t i = 0; i < count; ++i) {
      // Tokens lie far apart in memory: what will be read of them is fetched ahead.
      if (i + 16 < count) __builtin_prefetch(starts_ + ids[i + 16]);
      if (i + 8 < count) {
        __builtin_prefetch(totals_ + starts_[ids[i + 8]]);
        __builtin_prefetch(classes_ + starts_[ids[i + 8]]);
      }
      const auto from = (std::size_t)starts_[ids[i]], to = (std::size_t)starts_[ids[i] + 1];
      const double x = counts[i], taken = taken_share * x;
      double of_word = 0;
      for (std::size_t at = from; at < to; ++at) of_word += totals_[at];
      const double rest = less(of_word, taken);
      vanished += rest == 0 && !fixed_;
      if (!fixed_ && (rest == 0 || (minimum_ > 1 && rest < minimum_))) continue;
      left += x;
      ++tokens;
      const double log_rest = of_.others != 0 ? log_or_zero(rest + a) : 0.0;
      if (of_.others != 0 && rest + a == 0)
        for (double& of_class : bare_) ++of_class;
      common += x * (of_.own * log_a_ - of_.others * log_rest);
      for (std::size_t at = from; at < to; ++at) {
        const auto k = (std::size_t)classes_[at];
        const double here = k == k_own ? less(totals_[at], taken) : totals_[at];
        const double beside = less(rest, here) + a;
        if (of_.own == of_.others && a > 0) { // one logarithm for two, which are most of the work
          sums_[k] += x * of_.own * std::log((here + a) * (rest + a) / (a * beside));
          continue;
        }
        if (of_.own != 0) {
          sums_[k] += x * of_.own * (std::log(here + a) - log_a_);
          hits_[k] += here > 0;
        }
        if (of_.others != 0) {
          sums_[k] -= x * of_.others * (log_or_zero(beside) - log_rest);
          bare_[k] += beside == 0;
        }
      }
    }
    if (left == 0) return 0;
    const double share = root_ ? 1 / std::sqrt(left) : 1.0, room = a * ((double)size_ - vanished);
    const double gone = taken_share * length;
    for (std::size_t k = 0; k < c_; ++k) {
      const double within = k == k_own ? less(of_classes_[k], gone) : of_classes_[k];
      const double outside = k == k_own ? all_ - of_classes_[k] : less(all_ - of_classes_[k], gone);
      const double each = of_.others * log_or_zero(outside + room) - of_.own * log_or_zero(within + room);
      const bool impossible = a == 0 && of_.own != 0 && hits_[k] < tokens;
      out[k] += impossible ? -INFINITY : bare_[k] > 0 ? INFINITY : share * (sums_[k] + common + left * each);
    }
    return share * left;
  }

 private:
  const int64_t* starts_;
  const int32_t* classes_;
  const double* totals_;
  std::size_t size_, c_;
  Event of_;
  double minimum_;
  bool fixed_, root_;
  double log_a_, all_ = 0;
  std::vector<double> of_classes_, sums_, hits_, bare_; // bare: tokens of which the other classes have nothing
};

using EventNumbers = std::tuple<double, double, double>;

inline Event event_of(const EventNumbers& n) { return {std::get<0>(n), std::get<1>(n), std::get<2>(n)}; }

// Texts that were counted, with these classes and weights; lengths[row] is what LeftOut::score gives.
inline void score_texts_left_out(const Corpus& texts, std::size_t start, std::size_t end, const ReadingNumbers& reading,
                                 const Words* stop, const Words* known, const Vector<int64_t>& starts,
                                 const Vector<int32_t>& classes, const Vector<double>& totals, const Vector<int32_t>& y,
                                 const Weights& w, const EventNumbers& event, double minimum, bool fixed,
                                 Output<double> out, OutputVector<double> lengths) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  require(known || how.hashing, "words or buckets are needed");
  const std::size_t rows = end - start, c = out.shape(1);
  require(out.shape(0) == rows && lengths.shape(0) == rows, "the output does not fit");
  nb::gil_scoped_release release;
  const int32_t* own_class = class_codes(y, rows, c);
  const double* weight = row_weights(w, rows);
  LeftOut others(starts, classes, totals, how.hashing ? how.hashing : known->size(), c, event_of(event), minimum, fixed,
                 how.root);
  Numbers numbers(how, known, nullptr);
  Bag bag(how);
  for (std::size_t row = 0; row < rows; ++row) {
    lengths.data()[row] = 0;
    if (!first[row].data) continue;
    numbers.read(first[row], [&](const int32_t* some, std::size_t count) { bag.add(some, count); });
    bag.empty_whole([&](const int32_t* ids, double* counts, std::size_t count) {
      lengths.data()[row] = others.score(ids, counts, count, (std::size_t)own_class[row], weight ? weight[row] : 1.0,
                                         out.data() + row * c);
    });
  }
}

// The same of texts that were read before, as rows_of_texts gives them in their whole length: to be scored many times.
inline void score_rows_left_out(const Vector<int64_t>& ends, const Vector<int32_t>& ids, const Vector<double>& counts,
                                bool root, const Vector<int64_t>& starts, const Vector<int32_t>& classes,
                                const Vector<double>& totals, const Vector<int32_t>& y, const Weights& w,
                                const EventNumbers& event, double minimum, bool fixed, Output<double> out,
                                OutputVector<double> lengths) {
  const std::size_t rows = out.shape(0), c = out.shape(1);
  require(lengths.shape(0) == rows && ends.shape(0) == rows + 1, "the output does not fit");
  require(starts.shape(0) > 0, "the table does not fit the words");
  nb::gil_scoped_release release;
  const int32_t* own_class = class_codes(y, rows, c);
  const double* weight = row_weights(w, rows);
  const std::size_t size = starts.shape(0) - 1;
  LeftOut others(starts, classes, totals, size, c, event_of(event), minimum, fixed, root);
  require(ends.data()[0] == 0 && ends.data()[rows] == (int64_t)ids.shape(0) && counts.shape(0) == ids.shape(0),
          "the rows do not fit");
  for (std::size_t row = 0; row < rows; ++row) require(ends.data()[row] <= ends.data()[row + 1], "the rows are not in order");
  for (std::size_t i = 0; i < ids.shape(0); ++i) require((std::size_t)ids.data()[i] < size, "there is no such word");
  for (std::size_t row = 0; row < rows; ++row) {
    const auto from = (std::size_t)ends.data()[row], to = (std::size_t)ends.data()[row + 1];
    lengths.data()[row] = others.score(ids.data() + from, counts.data() + from, to - from, (std::size_t)own_class[row],
                                       weight ? weight[row] : 1.0, out.data() + row * c);
  }
}

inline void define_texts_left_out(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("score_texts_left_out", &score_texts_left_out, nb::arg("texts"), nb::arg("start"), nb::arg("end"),
        nb::arg("reading"), nb::arg("stop").none(), nb::arg("known").none(), as_is("starts"), as_is("classes"),
        as_is("totals"), as_is("y"), nb::arg("weight").noconvert().none(), nb::arg("event"), nb::arg("minimum"),
        nb::arg("fixed"), as_is("out"), as_is("lengths"));
  m.def("score_rows_left_out", &score_rows_left_out, as_is("ends"), as_is("ids"), as_is("counts"), nb::arg("root"),
        as_is("starts"), as_is("classes"), as_is("totals"), as_is("y"), nb::arg("weight").noconvert().none(),
        nb::arg("event"), nb::arg("minimum"), nb::arg("fixed"), as_is("out"), as_is("lengths"));
}

} // namespace likely
