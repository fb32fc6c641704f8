// From scores log p(x, y) to classes and probabilities. A row that is impossible under every class (all scores -inf)
// has the prior as its posterior.
#pragma once

#include "block.hpp"

namespace likely {

inline bool impossible(const double* s, std::size_t classes) {
  for (std::size_t k = 0; k < classes; ++k)
    if (s[k] > -INFINITY) return false;
  return true;
}

// The class with the highest score; the first of equals.
inline void best(const Table<double>& scores, const Vector<double>& prior, OutputVector<int64_t> codes) {
  const std::size_t n = scores.shape(0), c = scores.shape(1);
  require(c > 0 && prior.shape(0) == c && codes.shape(0) == n, "the scores do not fit");
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < n; ++i) {
    const double* s = scores.data() + i * c;
    if (impossible(s, c)) s = prior.data();
    codes.data()[i] = (int64_t)(std::max_element(s, s + c) - s);
  }
}

// Scores to log probabilities, or to probabilities, in place.
inline void normalise(Output<double> scores, const Vector<double>& prior, bool log) {
  const std::size_t n = scores.shape(0), c = scores.shape(1);
  require(c > 0 && prior.shape(0) == c, "the scores do not fit");
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < n; ++i) {
    double* s = scores.data() + i * c;
    if (impossible(s, c)) std::copy_n(prior.data(), c, s);
    double top = *std::max_element(s, s + c);
    if (top == INFINITY) { // certain, as a complement may be: all others are impossible
      for (std::size_t k = 0; k < c; ++k) s[k] = s[k] == top ? 0 : -INFINITY;
      top = 0;
    }
    double sum = 0;
    if (log) {
      for (std::size_t k = 0; k < c; ++k) sum += std::exp(s[k] - top);
      const double total = top + std::log(sum);
      for (std::size_t k = 0; k < c; ++k) s[k] -= total;
    } else {
      for (std::size_t k = 0; k < c; ++k) sum += s[k] = std::exp(s[k] - top);
      for (std::size_t k = 0; k < c; ++k) s[k] /= sum;
    }
  }
}

} // namespace likely
