// Log odds of texts as if each had never been counted, by several pseudocounts at once.
#pragma once

#include "exponential.hpp"
#include "texts_left_out.hpp"
#include "token_rows.hpp"

namespace likely {

constexpr std::size_t kPseudocounts = 4; // side by side

// One to four of them; the last fills the places of those that are not given.
struct Pseudocounts {
  std::size_t size;
  double each[kPseudocounts];

  explicit Pseudocounts(const Vector<double>& given) : size(given.shape(0)) {
    require(1 <= size && size <= kPseudocounts, "one to four pseudocounts are needed");
    for (std::size_t i = 0; i < kPseudocounts; ++i) {
      each[i] = given.data()[std::min(i, size - 1)];
      require(1e-100 <= each[i] && each[i] <= 1e100, "a pseudocount is from 1e-100 to 1e100");
    }
  }
};

// A token that remains without the text: how often it counts in the text, how much is left in all, and its number.
struct LeftToken {
  double times, rest;
  int32_t id;
};

// The sums over tokens of times * log((N_kw + a) / (N_w - N_kw + a)), of each class k: those of tokens that count alike are
// the logarithm of one product, so there is one for dozens of tokens. A class that has not a token has a / (N_w + a), as
// all have in `common_sum`, but with its sign turned; what is above and below is of the classes that have it, beside that.
struct Products {
  std::vector<double> above, below, sums; // classes x kPseudocounts
  std::vector<uint8_t> touched;           // classes with a product that is not in their sum yet
  double common_sum[kPseudocounts];

  explicit Products(std::size_t c) : above(c * kPseudocounts), below(above.size()), sums(above.size()), touched(c) {}

  void clear() {
    std::fill(above.begin(), above.end(), 1.0);
    std::fill(below.begin(), below.end(), 1.0);
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(touched.begin(), touched.end(), 0);
    std::fill_n(common_sum, kPseudocounts, 0.0);
  }
};

// Tokens in the order of how often they count; `together` is how many of them a product can hold. Of the text's own class
// `share` is taken for each time.
LIKELY_CLONES inline void add_odds(const LeftToken* tokens, std::size_t count, std::size_t together, const Counted& counted,
                                   std::size_t k_own, double share, const Pseudocounts& pseudocounts, Products& of) {
  const std::size_t c = of.touched.size();
  const Four a = four(pseudocounts.each), one = Four{} + 1.0;
  Four common = one, common_sum = four(of.common_sum);
  // By themselves, as a byte that is written could be a part of what they are in.
  const int64_t* starts = counted.starts;
  const int32_t* classes = counted.classes;
  const double* totals = counted.totals;
  double *aboves = of.above.data(), *belows = of.below.data(), *sums = of.sums.data();
  uint8_t* touched = of.touched.data();
  for (std::size_t i = 0, held = 0; i < count; ++i) {
    const auto [times, rest, id] = tokens[i];
    const Four more = (rest + a) / a;
    common = common * more;
    for (auto at = starts[id], end = starts[id + 1]; at < end; ++at) {
      const auto k = (std::size_t)classes[at];
      const double here = k == k_own ? less(totals[at], share * times) : totals[at];
      double *above = aboves + k * kPseudocounts, *below = belows + k * kPseudocounts;
      put(above, four(above) * (here + a) * more);
      put(below, four(below) * (less(rest, here) + a));
      touched[k] = 1;
    }
    if (++held < together && i + 1 < count && tokens[i + 1].times == times) continue;
    held = 0;
    common_sum += times * log4(common);
    common = one;
    for (std::size_t k = 0; k < c; ++k) {
      if (!touched[k]) continue;
      double *above = aboves + k * kPseudocounts, *below = belows + k * kPseudocounts, *sum = sums + k * kPseudocounts;
      put(sum, four(sum) + times * (log4(four(above)) - log4(four(below))));
      put(above, one);
      put(below, one);
      touched[k] = 0;
    }
  }
  put(of.common_sum, common_sum);
}

// Each class's part of all that is counted, and what the sums of tokens come to; all of it over `norm`.
LIKELY_CLONES inline void put_odds(const Counted& counted, std::size_t k_own, double gone, double known, double left,
                                   double norm, const Pseudocounts& pseudocounts, const double* sums,
                                   const double* common_sum, double* out) {
  const std::size_t c = counted.of_classes.size();
  const Four room = four(pseudocounts.each) * known;
  for (std::size_t k = 0; k < c; ++k) {
    const auto [within, outside] = counted.of_class(k, k_own, gone);
    const Four each = log4(outside + room) - log4(within + room);
    double odds[kPseudocounts];
    put(odds, (four(sums + k * kPseudocounts) - four(common_sum) + left * each) / norm);
    for (std::size_t i = 0; i < pseudocounts.size; ++i) out[i * c + k] = odds[i];
  }
}

// The odds of LeftOut: out is pseudocounts x classes. `score` gives how often all tokens count that are known.
class OddsLeftOut {
 public:
  OddsLeftOut(const Counted& counted, const Pseudocounts& pseudocounts, bool root)
      : counted_(counted), pseudocounts_(pseudocounts), root_(root), products_(counted.of_classes.size()) {
    double most = 0, bits = 1;
    for (const double of_token : counted.of_tokens) most = std::max(most, of_token);
    for (const double a : pseudocounts.each)
      bits = std::max({bits, -std::log2(a), std::log2(most + a) + std::log2(most / a + 1)});
    require(counted.all <= 1e100, "the counts are too large"); // so a product holds at least one token
    together_ = (std::size_t)(1000 / bits);
  }

  double score(const int32_t* ids, const double* counts, std::size_t count, std::size_t k_own, double weight, double* out) {
    const double length = std::accumulate(counts, counts + count, 0.0);
    const double taken_share = weight * (root_ ? 1 / std::sqrt(length) : 1.0);
    double left = 0, vanished = 0;
    once_.clear();
    often_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 16 < count) counted_.fetch(ids[i + 16]);
      const auto [rest, remains] = counted_.left(ids[i], taken_share * counts[i], vanished);
      if (!remains) continue;
      counted_.fetch_classes(ids[i]);
      left += counts[i];
      (counts[i] == 1 ? once_ : often_).push_back({counts[i], rest, ids[i]});
    }
    if (left == 0) return 0;
    std::sort(often_.begin(), often_.end(), [](const LeftToken& one, const LeftToken& other) { return one.times < other.times; });
    products_.clear();
    for (const auto* some : {&once_, &often_})
      add_odds(some->data(), some->size(), together_, counted_, k_own, taken_share, pseudocounts_, products_);
    const double norm = root_ ? std::sqrt(left) : 1.0;
    put_odds(counted_, k_own, taken_share * length, counted_.known - vanished, left, norm, pseudocounts_,
             products_.sums.data(), products_.common_sum, out);
    return left / norm;
  }

 private:
  const Counted& counted_;
  const Pseudocounts& pseudocounts_;
  bool root_;
  std::size_t together_;
  Products products_;
  std::vector<LeftToken> once_, often_;
};

// Of the rows in `which` of texts that were counted and read before in their whole length, as rows_of_tokens gives them,
// with these classes and weights: out is rows x pseudocounts x classes, and zeros where no token is left; lengths[row] is
// what Odds::score gives. `option` is what Odds takes beside the counts.
template <class Odds, class Option>
void odds_left_out(const Vector<int64_t>& rows, const Vector<int32_t>& ids, const Vector<double>& counts,
                   const Vector<int64_t>& which, Option option, const Vector<int64_t>& starts,
                   const Vector<int32_t>& classes, const Vector<double>& totals, const Vector<int32_t>& y, const Weights& w,
                   const Vector<double>& pseudocounts, double minimum, bool fixed, OutputCube<double> out,
                   OutputVector<double> lengths) {
  const std::size_t n = which.shape(0), c = out.shape(2), a = pseudocounts.shape(0);
  require(out.shape(0) == n && out.shape(1) == a && lengths.shape(0) == n, "the output does not fit");
  require(starts.shape(0) > 0, "the table does not fit the words");
  nb::gil_scoped_release release;
  const int32_t* own_class = class_codes(y, n, c);
  const double* weight = row_weights(w, n);
  const std::size_t size = starts.shape(0) - 1;
  check_rows(rows, ids, size);
  require(counts.shape(0) == ids.shape(0), "the rows do not fit");
  for (std::size_t i = 0; i < n; ++i) require((uint64_t)which.data()[i] < rows.shape(0) - 1, "there is no such row");
  const Counted counted(starts, classes, totals, size, c, minimum, fixed);
  const Pseudocounts some(pseudocounts);
  Odds others(counted, some, option);
  for (std::size_t i = 0; i < n; ++i) {
    const int64_t* row = rows.data() + which.data()[i];
    const auto from = (std::size_t)row[0], to = (std::size_t)row[1];
    double* scores = out.data() + i * a * c;
    std::fill_n(scores, a * c, 0.0);
    lengths.data()[i] = others.score(ids.data() + from, counts.data() + from, to - from, (std::size_t)own_class[i],
                                     weight ? weight[i] : 1.0, scores);
  }
}

template <class Odds, class Option>
void define_odds(nb::module_& m, const char* name, const char* option) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def(name, &odds_left_out<Odds, Option>, as_is("rows"), as_is("ids"), as_is("counts"), as_is("which"),
        nb::arg(option), as_is("starts"), as_is("classes"), as_is("totals"), as_is("y"),
        nb::arg("weight").noconvert().none(), as_is("pseudocounts"), nb::arg("minimum"), nb::arg("fixed"), as_is("out"),
        as_is("lengths"));
}

inline void define_odds_left_out(nb::module_& m) { define_odds<OddsLeftOut, bool>(m, "odds_left_out", "root"); }

} // namespace likely
