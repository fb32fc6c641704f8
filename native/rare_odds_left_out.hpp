// Log odds of texts as if each had never been counted, words weighed by how rare they are.
#pragma once

#include "odds_left_out.hpp"
#include "rarity.hpp"

namespace likely {

// A token that remains without the text: how much it counts in the text, what the text takes of it, how much is left in
// all, and its number.
struct LeftRareToken {
  double z, taken, rest;
  int32_t id;
};

// The sums over tokens of z log((N_kw + a) / (N_w - N_kw + a)), of each class k that has the token: classes x kPseudocounts. A
// class that has not has what is in `common`, with its sign turned.
LIKELY_CLONES inline void add_rare_odds(const LeftRareToken* tokens, std::size_t count, const Counted& counted, std::size_t k_own,
                                        const Pseudocounts& pseudocounts, double* sums, double* common) {
  const Four a = four(pseudocounts.each);
  Four common_sum = Four{};
  const int64_t* starts = counted.starts;
  const int32_t* classes = counted.classes;
  const double* totals = counted.totals;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [z, taken, rest, id] = tokens[i];
    const Four more = (rest + a) / a;
    common_sum += z * log4(more);
    for (auto at = starts[id], end = starts[id + 1]; at < end; ++at) {
      const auto k = (std::size_t)classes[at];
      const double here = k == k_own ? less(totals[at], taken) : totals[at];
      double* const sum = sums + k * kPseudocounts;
      put(sum, four(sum) + z * log4(more * ((here + a) / (less(rest, here) + a))));
    }
  }
  put(common, common_sum);
}

// Of a text whose tokens count x_w times, with z_w = x_w rarity(w) by the other texts, for each class k and
// pseudocount a: out = sum of z_w (log((N_kw + a) / (N_k + a V)) - log((N_w - N_kw + a) / (N - N_k + a V))) / sqrt(sum of z_w^2).
class RareOddsLeftOut {
 public:
  // `texts` is how many were counted in all; each counts in the totals as the root of its length.
  RareOddsLeftOut(const Counted& counted, const Pseudocounts& pseudocounts, double texts)
      : counted_(counted), pseudocounts_(pseudocounts), texts_(texts), sums_(counted.of_classes.size() * kPseudocounts) {
    for (const double a : pseudocounts.each)
      require(counted.all <= 1e140 * a, "the counts are too large"); // so the product of two ratios is a number
  }

  // Gives the root of the sum of squares, 0 where no token is left; `out` is pseudocounts x classes.
  double score(const int32_t* ids, const double* counts, std::size_t count, std::size_t k_own, double weight, double* out) {
    const double length = std::accumulate(counts, counts + count, 0.0), share = weight / std::sqrt(length);
    const double texts = less(texts_, weight), gone = share * length, all = less(counted_.all, gone);
    double left = 0, squares = 0, vanished = 0, common[kPseudocounts];
    tokens_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 16 < count) counted_.fetch(ids[i + 16]);
      const double taken = share * counts[i];
      const auto [rest, remains] = counted_.left(ids[i], taken, vanished);
      if (!remains) continue;
      counted_.fetch_classes(ids[i]);
      const double z = counts[i] * rarity(rest, all, texts);
      left += z;
      squares += z * z;
      tokens_.push_back({z, taken, rest, ids[i]});
    }
    if (left == 0) return 0;
    const double norm = std::sqrt(squares);
    std::fill(sums_.begin(), sums_.end(), 0.0);
    add_rare_odds(tokens_.data(), tokens_.size(), counted_, k_own, pseudocounts_, sums_.data(), common);
    put_odds(counted_, k_own, gone, counted_.known - vanished, left, norm, pseudocounts_, sums_.data(), common, out);
    return norm;
  }

 private:
  const Counted& counted_;
  const Pseudocounts& pseudocounts_;
  double texts_;
  std::vector<double> sums_; // classes x kPseudocounts
  std::vector<LeftRareToken> tokens_;
};

inline void define_rare_odds_left_out(nb::module_& m) {
  define_odds<RareOddsLeftOut, double>(m, "rare_odds_left_out", "texts");
}

} // namespace likely
