// Log odds of texts as if each had never been counted, words weighed by how rare they are.
#pragma once

#include "odds_left_out.hpp"
#include "rarity.hpp"

namespace likely {

// Of a text of which each token counts x_w times, z_w = x_w rarity(w) by the other texts, of each class k and count
// imagined: out = sum of z_w (log((N_kw + a) / (N_k + a V)) - log((N_w - N_kw + a) / (N - N_k + a V))) / sqrt(sum of z_w^2).
class RareOddsLeftOut {
 public:
  RareOddsLeftOut(const Counted& counted, double texts, const Vector<double>& imagined)
      : counted_(counted), texts_(texts), imagined_(imagined.shape(0)), sums_(counted.of_classes.size() * kImagined) {
    require(1 <= imagined_ && imagined_ <= kImagined, "one to four imagined counts are needed");
    for (std::size_t i = 0; i < kImagined; ++i) {
      a_[i] = imagined.data()[std::min(i, imagined_ - 1)];
      require(1e-100 <= a_[i] && a_[i] <= 1e100, "an imagined count is from 1e-100 to 1e100");
    }
    require(counted.all <= 1e100, "the counts are too large");
  }

  // Gives the root of the sum of squares, 0 where no token tells; `out` is counts imagined x classes.
  double score(const int32_t* ids, const double* counts, std::size_t count, std::size_t k_own, double weight, double* out) {
    const std::size_t c = counted_.of_classes.size();
    const double length = std::accumulate(counts, counts + count, 0.0), share = weight / std::sqrt(length);
    const double texts = less(texts_, weight), gone = share * length, all = less(counted_.all, gone);
    const Four a = four(a_);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    Four common = Four{};
    double left = 0, squares = 0, vanished = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 16 < count) counted_.fetch(ids[i + 16]);
      if (i + 8 < count) counted_.fetch_classes(ids[i + 8]);
      const double taken = share * counts[i];
      const auto [rest, tells] = counted_.left(ids[i], taken, vanished);
      if (!tells) continue;
      const double z = counts[i] * rarity(rest, all, texts);
      left += z;
      squares += z * z;
      common += z * log4((rest + a) / a);
      for (auto at = counted_.starts[ids[i]], end = counted_.starts[ids[i] + 1]; at < end; ++at) {
        const auto k = (std::size_t)counted_.classes[at];
        const double here = k == k_own ? less(counted_.totals[at], taken) : counted_.totals[at];
        double* const sum = sums_.data() + k * kImagined;
        put(sum, four(sum) + z * (log4((here + a) / a) + log4((rest + a) / (less(rest, here) + a))));
      }
    }
    if (left == 0) return 0;
    const Four room = a * (counted_.known - vanished);
    const double norm = std::sqrt(squares);
    for (std::size_t k = 0; k < c; ++k) {
      const auto [within, outside] = counted_.of_class(k, k_own, gone);
      const Four each = log4(outside + room) - log4(within + room);
      double found[kImagined];
      put(found, (four(sums_.data() + k * kImagined) - common + left * each) / norm);
      for (std::size_t i = 0; i < imagined_; ++i) out[i * c + k] = found[i];
    }
    return norm;
  }

 private:
  const Counted& counted_;
  double texts_;
  std::size_t imagined_;
  double a_[kImagined];
  std::vector<double> sums_; // classes x kImagined
};

// The rows in `which` of texts that were counted and read before in their whole length, as rows_of_tokens gives them; each
// counts in `totals` as the root of its length, and `texts` is how many there are in all.
inline void rare_odds_left_out(const Vector<int64_t>& rows, const Vector<int32_t>& ids, const Vector<double>& counts,
                               const Vector<int64_t>& which, double texts, const Vector<int64_t>& starts,
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
  RareOddsLeftOut others(counted, texts, imagined);
  for (std::size_t i = 0; i < n; ++i) {
    const int64_t* row = rows.data() + which.data()[i];
    const auto from = (std::size_t)row[0], to = (std::size_t)row[1];
    double* scores = out.data() + i * a * c;
    std::fill_n(scores, a * c, 0.0);
    lengths.data()[i] = others.score(ids.data() + from, counts.data() + from, to - from, (std::size_t)own_class[i],
                                     weight ? weight[i] : 1.0, scores);
  }
}

inline void define_rare_odds_left_out(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("rare_odds_left_out", &rare_odds_left_out, as_is("rows"), as_is("ids"), as_is("counts"), as_is("which"),
        nb::arg("texts"), as_is("starts"), as_is("classes"), as_is("totals"), as_is("y"),
        nb::arg("weight").noconvert().none(), as_is("imagined"), nb::arg("minimum"), nb::arg("fixed"), as_is("out"),
        as_is("lengths"));
}

} // namespace likely
