// Log odds of texts as if each had never been counted, words weighed by how rare they are.
#pragma once

#include "odds_left_out.hpp"
#include "rarity.hpp"

namespace likely {

// A token that tells: how much it counts, what is taken of it, how much of it is left in all, and its number.
struct RareTold {
  double z, taken, rest;
  int32_t id;
};

// The sums over tokens of z log((N_kw + a) / (N_w - N_kw + a)), of each class k that has the token: classes x kImagined. A
// class that has not has what is in `common`, with its sign turned.
LIKELY_CLONES inline void add_rare_odds(const RareTold* told, std::size_t count, const Counted& counted, std::size_t k_own,
                                        const double* imagined, double* sums, double* common) {
  const Four a = four(imagined);
  Four common_sum = Four{};
  const int64_t* starts = counted.starts;
  const int32_t* classes = counted.classes;
  const double* totals = counted.totals;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [z, taken, rest, id] = told[i];
    const Four more = (rest + a) / a;
    common_sum += z * log4(more);
    for (auto at = starts[id], end = starts[id + 1]; at < end; ++at) {
      const auto k = (std::size_t)classes[at];
      const double here = k == k_own ? less(totals[at], taken) : totals[at];
      double* const sum = sums + k * kImagined;
      put(sum, four(sum) + z * log4(more * ((here + a) / (less(rest, here) + a))));
    }
  }
  put(common, common_sum);
}

// Each class's part of all that is counted, and what the sums of tokens come to.
LIKELY_CLONES inline void put_rare_odds(const Counted& counted, std::size_t k_own, double gone, double known, double left,
                                        double norm, const double* imagined, std::size_t some, const double* sums,
                                        const double* common, double* out) {
  const std::size_t c = counted.of_classes.size();
  const Four room = four(imagined) * known;
  for (std::size_t k = 0; k < c; ++k) {
    const auto [within, outside] = counted.of_class(k, k_own, gone);
    const Four each = log4(outside + room) - log4(within + room);
    double found[kImagined];
    put(found, (four(sums + k * kImagined) - four(common) + left * each) / norm);
    for (std::size_t i = 0; i < some; ++i) out[i * c + k] = found[i];
  }
}

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
      require(counted.all <= 1e140 * a_[i], "the counts are too large"); // so the product of two ratios is a number
    }
  }

  // Gives the root of the sum of squares, 0 where no token tells; `out` is counts imagined x classes.
  double score(const int32_t* ids, const double* counts, std::size_t count, std::size_t k_own, double weight, double* out) {
    const double length = std::accumulate(counts, counts + count, 0.0), share = weight / std::sqrt(length);
    const double texts = less(texts_, weight), gone = share * length, all = less(counted_.all, gone);
    double left = 0, squares = 0, vanished = 0, common[kImagined];
    told_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 16 < count) counted_.fetch(ids[i + 16]);
      const double taken = share * counts[i];
      const auto [rest, tells] = counted_.left(ids[i], taken, vanished);
      if (!tells) continue;
      counted_.fetch_classes(ids[i]);
      const double z = counts[i] * rarity(rest, all, texts);
      left += z;
      squares += z * z;
      told_.push_back({z, taken, rest, ids[i]});
    }
    if (left == 0) return 0;
    const double norm = std::sqrt(squares);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    add_rare_odds(told_.data(), told_.size(), counted_, k_own, a_, sums_.data(), common);
    put_rare_odds(counted_, k_own, gone, counted_.known - vanished, left, norm, a_, imagined_, sums_.data(), common, out);
    return norm;
  }

 private:
  const Counted& counted_;
  double texts_;
  std::size_t imagined_;
  double a_[kImagined];
  std::vector<double> sums_; // classes x kImagined
  std::vector<RareTold> told_;
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
