// Scores of texts as if each had never been counted.
#pragma once

#include "text.hpp"

namespace likely {

// How texts are scored: out (rows x classes) += as often as each known token counts,
// own * log((N_kw + a) / (N_k + a V)) - others * log((N_w - N_kw + a) / (N - N_k + a V)), of a class k and all others.
struct Event {
  double own, others, pseudocount;
};

// Sums less what a row added to them; nothing where only rounding is left.
LIKELY_INLINE double less(double sum, double own) {
  const double left = sum - own;
  return left <= 1e-9 * own ? 0.0 : left;
}
LIKELY_INLINE double log_or_zero(double x) { return x > 0 ? std::log(x) : 0.0; }

// What was counted of texts, as tally_texts gives it, from which one text at a time is left out. Unless words are `fixed`,
// a token with nothing left is not counted in V; it adds nothing to a score, nor does one with less left than a `minimum`
// above 1.
struct Counted {
  const int64_t* starts;
  const int32_t* classes;
  const double* totals;
  double minimum;
  bool fixed;
  std::vector<double> of_classes;
  Large<double> of_tokens;
  double all = 0, known = 0; // known: V

  Counted(const Vector<int64_t>& starts_of, const Vector<int32_t>& classes_of, const Vector<double>& totals_of,
          std::size_t size, std::size_t c, double least, bool is_fixed)
      : starts(starts_of.data()), classes(classes_of.data()), totals(totals_of.data()), minimum(least), fixed(is_fixed),
        of_classes(c), of_tokens(size) {
    const std::size_t pairs = classes_of.shape(0);
    require(starts_of.shape(0) == size + 1 && totals_of.shape(0) == pairs, "the table does not fit the words");
    require(starts[0] == 0 && starts[size] == (int64_t)pairs, "the table does not fit");
    for (std::size_t i = 0; i < size; ++i) require(starts[i] <= starts[i + 1], "the table is not in order");
    for (std::size_t i = 0; i < size; ++i) {
      for (auto at = (std::size_t)starts[i]; at < (std::size_t)starts[i + 1]; ++at) {
        require((std::size_t)classes[at] < c, "a class code is out of range");
        of_classes[(std::size_t)classes[at]] += totals[at];
        of_tokens[i] += totals[at];
      }
      known += fixed || of_tokens[i] > 0;
    }
    all = std::accumulate(of_classes.begin(), of_classes.end(), 0.0);
  }

  // Tokens lie far apart in memory: what will be read of one is fetched ahead, and of one that remains, once that is known.
  LIKELY_INLINE void fetch(int32_t id) const {
    __builtin_prefetch(&of_tokens[(std::size_t)id]);
    __builtin_prefetch(starts + id);
  }
  LIKELY_INLINE void fetch_classes(int32_t id) const {
    __builtin_prefetch(totals + starts[id]);
    __builtin_prefetch(classes + starts[id]);
  }

  // What is left of a token when so much of it is taken, and whether it remains in the score; counts it if it has vanished.
  LIKELY_INLINE std::pair<double, bool> left(int32_t id, double taken, double& vanished) const {
    const double before = of_tokens[(std::size_t)id], rest = less(before, taken);
    vanished += rest == 0 && before > 0 && !fixed;
    return {rest, fixed || (rest > 0 && (minimum <= 1 || rest >= minimum))};
  }

  // What is left of a class, and of all others, when so much is taken of a text's own.
  LIKELY_INLINE std::pair<double, double> of_class(std::size_t k, std::size_t k_own, double gone) const {
    const double beside = all - of_classes[k];
    return k == k_own ? std::pair(less(of_classes[k], gone), beside) : std::pair(of_classes[k], less(beside, gone));
  }
};

// Any event, a text at a time.
class LeftOut {
 public:
  LeftOut(const Counted& counted, const Event& event, bool root)
      : counted_(counted), c_(counted.of_classes.size()), of_(event), root_(root), log_a_(log_or_zero(event.pseudocount)),
        sums_(c_), hits_(c_), bare_(c_) {}

  // Of one text, its tokens and how often each counts, in its whole length: adds its scores to `out`, a number for each
  // class, and gives how often all tokens count that are known.
  double score(const int32_t* ids, const double* counts, std::size_t count, std::size_t k_own, double weight, double* out) {
    const double a = of_.pseudocount, length = std::accumulate(counts, counts + count, 0.0);
    const double taken_share = weight * (root_ ? 1 / std::sqrt(length) : 1.0);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    std::fill(hits_.begin(), hits_.end(), 0.0);
    std::fill(bare_.begin(), bare_.end(), 0.0);
    double left = 0, common = 0, tokens = 0, vanished = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 16 < count) counted_.fetch(ids[i + 16]);
      if (i + 8 < count) counted_.fetch_classes(ids[i + 8]);
      const double x = counts[i], taken = taken_share * x;
      const auto [rest, remains] = counted_.left(ids[i], taken, vanished);
      if (!remains) continue;
      left += x;
      ++tokens;
      const double log_rest = of_.others != 0 ? log_or_zero(rest + a) : 0.0;
      if (of_.others != 0 && rest + a == 0)
        for (double& of_class : bare_) ++of_class;
      common += x * (of_.own * log_a_ - of_.others * log_rest);
      for (auto at = counted_.starts[ids[i]]; at < counted_.starts[ids[i] + 1]; ++at) {
        const auto k = (std::size_t)counted_.classes[at];
        const double here = k == k_own ? less(counted_.totals[at], taken) : counted_.totals[at];
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
    const double share = root_ ? 1 / std::sqrt(left) : 1.0, room = a * (counted_.known - vanished);
    const double gone = taken_share * length;
    for (std::size_t k = 0; k < c_; ++k) {
      const auto [within, outside] = counted_.of_class(k, k_own, gone);
      const double each = of_.others * log_or_zero(outside + room) - of_.own * log_or_zero(within + room);
      const bool impossible = a == 0 && of_.own != 0 && hits_[k] < tokens;
      out[k] += impossible ? -INFINITY : bare_[k] > 0 ? INFINITY : share * (sums_[k] + common + left * each);
    }
    return share * left;
  }

 private:
  const Counted& counted_;
  std::size_t c_;
  Event of_;
  bool root_;
  double log_a_;
  std::vector<double> sums_, hits_, bare_; // bare: tokens that the other classes do not have
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
  const std::size_t size = how.hashing ? how.hashing : known->size();
  const Counted counted(starts, classes, totals, size, c, minimum, fixed);
  LeftOut others(counted, event_of(event), how.root);
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

inline void define_texts_left_out(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("score_texts_left_out", &score_texts_left_out, nb::arg("texts"), nb::arg("start"), nb::arg("end"),
        nb::arg("reading"), nb::arg("stop").none(), nb::arg("known").none(), as_is("starts"), as_is("classes"),
        as_is("totals"), as_is("y"), nb::arg("weight").noconvert().none(), nb::arg("event"), nb::arg("minimum"),
        nb::arg("fixed"), as_is("out"), as_is("lengths"));
}

} // namespace likely
