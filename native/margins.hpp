// A linear classifier of largest margin: one class against all others, by coordinate descent on the dual (Hsieh et al.,
// "A dual coordinate descent method for large-scale linear SVM", ICML 2008).
#pragma once

#include <cfloat>
#include <utility>

#include "sparse.hpp"

namespace likely {

// The same numbers on every machine: an order of rows must not depend on its library.
struct Shuffler {
  uint64_t state;
  std::size_t below(std::size_t n) {
    state ^= state >> 12, state ^= state << 25, state ^= state >> 27;
    return (std::size_t)((state * 2685821657736338717ULL >> 33) % n);
  }
};

// Rows that are read for one class after the other.
template <class I, class V>
struct MarginRows {
  const I *p, *column;
  const V* v;
  std::vector<double> curvature;
  std::vector<std::size_t> there;

  LIKELY_INLINE double product(std::size_t i, const double* w) const {
    double sum = 0;
    for (I k = p[i]; k < p[i + 1]; ++k) sum += w[column[k]] * v[k];
    return sum;
  }
  LIKELY_INLINE void add(std::size_t i, double times, double* w) const {
    for (I k = p[i]; k < p[i + 1]; ++k) w[column[k]] += times * v[k];
  }
};

// One class; see fit_margins.
template <class I, class V>
int64_t fit_margin(const MarginRows<I, V>& rows, const int32_t* y, int32_t positive, const double* cost, double tol,
                   int64_t most, double* a, double* w, double* bias) {
  std::vector<std::size_t> order = rows.there;
  for (const std::size_t i : order)
    if (a[i] != 0) {
      const double times = y[i] == positive ? a[i] : -a[i];
      rows.add(i, times, w), *bias += times;
    }
  Shuffler random{88172645463325252ULL};
  // Rows beyond the margin, farther than any gradient of the last pass, are passed over until all others are done.
  double highest = DBL_MAX;
  std::size_t active = order.size();
  for (int64_t pass = 1; pass <= most; ++pass) {
    double low = 0, high = 0;
    for (std::size_t s = 0; s < active; ++s) std::swap(order[s], order[s + random.below(active - s)]);
    for (std::size_t s = 0; s < active; ++s) {
      const std::size_t i = order[s];
      const double sign = y[i] == positive ? 1.0 : -1.0, before = a[i];
      const double gradient = sign * (*bias + rows.product(i, w)) - 1 + 0.5 * before / cost[i];
      if (before == 0 && gradient > 0) {
        if (gradient > highest) std::swap(order[s--], order[--active]);
        continue;
      }
      low = std::min(low, gradient), high = std::max(high, gradient);
      a[i] = std::max(before - gradient / rows.curvature[i], 0.0);
      const double times = sign * (a[i] - before);
      if (times != 0) rows.add(i, times, w), *bias += times;
    }
    if (high - low > tol) {
      highest = high > 0 ? high : DBL_MAX;
    } else if (active == order.size()) {
      return pass;
    } else {
      active = order.size(), highest = DBL_MAX;
    }
  }
  return -1;
}

// Minimises 1/2 |w|^2 + sum_i cost_i max(0, 1 - s_i (w . x_i))^2 for each row of `weights` and the class that it is of,
// `first` and those after it: s_i = 1 where y_i is that class and else -1. x_i has a last column of ones, so that w ends
// with a bias. Starts from `dual`, classes x rows, and leaves there and in `weights` what it found; rows without a cost
// have no part. A class ends when no gradient of the dual is farther than `tol` from what it is at the optimum, or after
// `most` passes. `passes` are those of each class, -1 if the last was not enough.
template <class I, class V>
void fit_margins(const Vector<I>& indptr, const Vector<I>& indices, const Vector<V>& values, const Vector<int32_t>& y,
                 int32_t first, const Vector<double>& cost, double tol, int64_t most, Output<double> dual,
                 Output<double> weights, OutputVector<int64_t> passes) {
  const std::size_t n = y.shape(0), size = weights.shape(1), classes = weights.shape(0);
  require(size > 0 && cost.shape(0) == n && dual.shape(1) == n, "the rows do not fit");
  require(dual.shape(0) == classes && passes.shape(0) == classes, "the classes do not fit");
  nb::gil_scoped_release release;
  check_csr(indptr, indices, values.shape(0), n, size - 1);
  MarginRows<I, V> rows{indptr.data(), indices.data(), values.data(), std::vector<double>(n), {}};
  for (std::size_t i = 0; i < n; ++i) {
    if (cost.data()[i] > 0) {
      rows.there.push_back(i);
      rows.curvature[i] = 1 + 0.5 / cost.data()[i];
      for (I k = rows.p[i]; k < rows.p[i + 1]; ++k) rows.curvature[i] += (double)rows.v[k] * rows.v[k];
    } else {
      for (std::size_t k = 0; k < classes; ++k) dual.data()[k * n + i] = 0;
    }
  }
  for (std::size_t k = 0; k < classes; ++k) {
    double* w = weights.data() + k * size;
    std::fill(w, w + size, 0.0);
    passes.data()[k] = fit_margin(rows, y.data(), first + (int32_t)k, cost.data(), tol, most, dual.data() + k * n, w,
                                  w + size - 1);
  }
}

} // namespace likely
