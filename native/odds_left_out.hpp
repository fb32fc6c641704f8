// Log odds of texts as if each had never been counted, for several counts imagined at once.
#pragma once

#include "exponential.hpp"
#include "texts_left_out.hpp"
#include "token_rows.hpp"

namespace likely {

constexpr std::size_t kImagined = 4; // counts, side by side

// A token that tells: how often it counts in the text, how much of it is left in all, and its number.
struct Told {
  double times, rest;
  int32_t id;
};

// The sums over tokens of times * log((N_kw + a) / (N_w - N_kw + a)), of each class k: those of tokens that count alike are
// the logarithm of one product, so there is one for dozens of tokens. A class that has not a token has a / (N_w + a), as
// all have in `common_sum`, but with its sign turned; what is above and below is of the classes that have it, beside that.
struct Products {
  std::vector<double> above, below, sums; // classes x kImagined
  std::vector<uint8_t> touched;           // classes with a product that is not in their sum yet
  double a[kImagined], common_sum[kImagined];

  explicit Products(std::size_t c) : above(c * kImagined), below(above.size()), sums(above.size()), touched(c) {}

  void clear() {
    std::fill(above.begin(), above.end(), 1.0);
    std::fill(below.begin(), below.end(), 1.0);
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(touched.begin(), touched.end(), 0);
    std::fill_n(common_sum, kImagined, 0.0);
  }
};

// Tokens in the order of how often they count; `together` is how many of them a product can hold. Of the text's own class
// `share` is taken for each time.
LIKELY_CLONES inline void add_odds(const Told* told, std::size_t count, std::size_t together, const Counted& counted,
                                   std::size_t k_own, double share, Products& of) {
  const std::size_t c = of.touched.size();
  const Four a = four(of.a), one = Four{} + 1.0;
  Four common = one, common_sum = four(of.common_sum);
  // By themselves, as a byte that is written could be a part of what they are in.
  const int64_t* starts = counted.starts;
  const int32_t* classes = counted.classes;
  const double* totals = counted.totals;
  double *aboves = of.above.data(), *belows = of.below.data(), *sums = of.sums.data();
  uint8_t* touched = of.touched.data();
  for (std::size_t i = 0, held = 0; i < count; ++i) {
    const auto [times, rest, id] = told[i];
    const Four more = (rest + a) / a;
    common = common * more;
    for (auto at = starts[id], end = starts[id + 1]; at < end; ++at) {
      const auto k = (std::size_t)classes[at];
      const double here = k == k_own ? less(totals[at], share * times) : totals[at];
      double *above = aboves + k * kImagined, *below = belows + k * kImagined;
      put(above, four(above) * (here + a) * more);
      put(below, four(below) * (less(rest, here) + a));
      touched[k] = 1;
    }
    if (++held < together && i + 1 < count && told[i + 1].times == times) continue;
    held = 0;
    common_sum += times * log4(common);
    common = one;
    for (std::size_t k = 0; k < c; ++k) {
      if (!touched[k]) continue;
      double *above = aboves + k * kImagined, *below = belows + k * kImagined, *sum = sums + k * kImagined;
      put(sum, four(sum) + times * (log4(four(above)) - log4(four(below))));
      put(above, one);
      put(below, one);
      touched[k] = 0;
    }
  }
  put(of.common_sum, common_sum);
}

// Each class's part of all that is counted, and what the sums of tokens come to.
LIKELY_CLONES inline void put_odds(const Counted& counted, std::size_t k_own, double gone, double known, double left,
                                   double share, const Products& of, std::size_t imagined, double* out) {
  const std::size_t c = of.touched.size();
  const Four room = four(of.a) * known;
  for (std::size_t k = 0; k < c; ++k) {
    const auto [within, outside] = counted.of_class(k, k_own, gone);
    const Four each = log4(outside + room) - log4(within + room);
    const Four sum = four(of.sums.data() + k * kImagined) - four(of.common_sum) + left * each;
    double found[kImagined];
    put(found, share * sum);
    for (std::size_t i = 0; i < imagined; ++i) out[i * c + k] = found[i];
  }
}

// The odds of LeftOut, of texts that were counted and read before, as rows_of_tokens gives them: of the rows in `which`,
// with these classes and weights; out is rows x counts imagined x classes, and zeros where no token tells.
class OddsLeftOut {
 public:
  OddsLeftOut(const Counted& counted, const Vector<double>& imagined, bool root)
      : counted_(counted), imagined_(imagined.shape(0)), root_(root), products_(counted.of_classes.size()) {
    require(1 <= imagined_ && imagined_ <= kImagined, "one to four imagined counts are needed");
    double most = 0, bits = 1;
    for (const double of_token : counted.of_tokens) most = std::max(most, of_token);
    for (std::size_t i = 0; i < kImagined; ++i) {
      const double a = products_.a[i] = imagined.data()[std::min(i, imagined_ - 1)];
      require(1e-100 <= a && a <= 1e100, "an imagined count is from 1e-100 to 1e100");
      bits = std::max({bits, -std::log2(a), std::log2(most + a) + std::log2(most / a + 1)});
    }
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
      const auto [rest, tells] = counted_.left(ids[i], taken_share * counts[i], vanished);
      if (!tells) continue;
      counted_.fetch_classes(ids[i]);
      left += counts[i];
      (counts[i] == 1 ? once_ : often_).push_back({counts[i], rest, ids[i]});
    }
    if (left == 0) return 0;
    std::sort(often_.begin(), often_.end(), [](const Told& one, const Told& other) { return one.times < other.times; });
    products_.clear();
    for (const auto* some : {&once_, &often_})
      add_odds(some->data(), some->size(), together_, counted_, k_own, taken_share, products_);
    const double share = root_ ? 1 / std::sqrt(left) : 1.0;
    put_odds(counted_, k_own, taken_share * length, counted_.known - vanished, left, share, products_, imagined_, out);
    return share * left;
  }

 private:
  const Counted& counted_;
  std::size_t imagined_, together_;
  bool root_;
  Products products_;
  std::vector<Told> once_, often_;
};

inline void odds_left_out(const Vector<int64_t>& rows, const Vector<int32_t>& ids, const Vector<double>& counts,
                          const Vector<int64_t>& which, bool root, const Vector<int64_t>& starts,
                          const Vector<int32_t>& classes, const Vector<double>& totals, const Vector<int32_t>& y,
                          const Weights& w, const Vector<double>& imagined, double minimum, bool fixed,
                          OutputCube<double> out, OutputVector<double> lengths) {
  const std::size_t n = which.shape(0), c = out.shape(2), a = imagined.shape(0);
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
  OddsLeftOut others(counted, imagined, root);
  for (std::size_t i = 0; i < n; ++i) {
    const int64_t* row = rows.data() + which.data()[i];
    const auto from = (std::size_t)row[0], to = (std::size_t)row[1];
    double* scores = out.data() + i * a * c;
    std::fill_n(scores, a * c, 0.0);
    lengths.data()[i] = others.score(ids.data() + from, counts.data() + from, to - from, (std::size_t)own_class[i],
                                     weight ? weight[i] : 1.0, scores);
  }
}

inline void define_odds_left_out(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("odds_left_out", &odds_left_out, as_is("rows"), as_is("ids"), as_is("counts"), as_is("which"), nb::arg("root"),
        as_is("starts"), as_is("classes"), as_is("totals"), as_is("y"), nb::arg("weight").noconvert().none(),
        as_is("imagined"), nb::arg("minimum"), nb::arg("fixed"), as_is("out"), as_is("lengths"));
}

} // namespace likely
