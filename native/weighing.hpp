// How much each column should count: the log loss of the classes as a function of one weight per column.
#pragma once

#include "block.hpp"

namespace likely {

// Vectors whose products with themselves are added to a curvature, some at a time, so that each of its cells is read and
// written once for four of them.
struct Outer {
  static constexpr std::size_t kMost = 32;
  std::size_t columns, held = 0;
  std::vector<double> vectors;
  explicit Outer(std::size_t columns) : columns(columns), vectors(kMost * columns) {}
};

// Adds to the upper half.
LIKELY_CLONES inline void add_products(Outer& outer, double* curvature) {
  const std::size_t d = outer.columns;
  std::fill(outer.vectors.begin() + (std::ptrdiff_t)(outer.held * d), outer.vectors.end(), 0.0);
  for (std::size_t first = 0; first < outer.held; first += 4) {
    const double *p = &outer.vectors[first * d], *q = p + d, *r = q + d, *s = r + d;
    for (std::size_t a = 0; a < d; ++a) {
      double* __restrict to = curvature + a * d;
      for (std::size_t b = a; b < d; ++b) to[b] += p[a] * p[b] + q[a] * q[b] + r[a] * r[b] + s[a] * s[b];
    }
  }
  outer.held = 0;
}

// One row: `evidence` (classes x columns) and `prior` are relative to the row's own class, which has 0 in both. Adds to
// the gradient and to the upper half of the curvature; returns the loss.
LIKELY_CLONES inline double weigh_row(const double* evidence, const double* prior, std::size_t classes, std::size_t columns,
                                      const double* weights, double times, double* p, double* mean, double* gradient,
                                      Outer& outer, double* curvature) {
  double top = -INFINITY, sum = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double* f = evidence + k * columns;
    double score = prior[k];
    for (std::size_t j = 0; j < columns; ++j) score += f[j] * weights[j];
    p[k] = score;
    top = std::max(top, score);
  }
  for (std::size_t k = 0; k < classes; ++k) sum += p[k] = std::exp(p[k] - top);
  std::fill_n(mean, columns, 0.0);
  for (std::size_t k = 0; k < classes; ++k) {
    p[k] /= sum;
    const double* f = evidence + k * columns;
    for (std::size_t j = 0; j < columns; ++j) mean[j] += p[k] * f[j];
  }
  for (std::size_t j = 0; j < columns; ++j) gradient[j] += times * mean[j];
  for (std::size_t k = 0; k < classes; ++k) {
    if (p[k] < 1e-6) continue; // steps are chosen by the loss: what is so improbable would only bend them a little
    const double *f = evidence + k * columns, root = std::sqrt(times * p[k]);
    double* to = &outer.vectors[outer.held * columns];
    for (std::size_t j = 0; j < columns; ++j) to[j] = root * (f[j] - mean[j]);
    if (++outer.held == Outer::kMost) add_products(outer, curvature);
  }
  return times * (top + std::log(sum));
}

// evidence is rows x classes x columns, prior rows x classes. Adds the sums over all rows to gradient and curvature
// (columns x columns) and returns that of the loss.
inline double weighing_pass(const Cube<double>& evidence, const Table<double>& prior, const Weights& w,
                            const Vector<double>& weights, OutputVector<double> gradient, Output<double> curvature) {
  const std::size_t n = evidence.shape(0), c = evidence.shape(1), d = evidence.shape(2);
  require(prior.shape(0) == n && prior.shape(1) == c, "the prior does not fit");
  require(weights.shape(0) == d && gradient.shape(0) == d, "one weight per column is needed");
  require(curvature.shape(0) == d && curvature.shape(1) == d, "the curvature does not fit");
  nb::gil_scoped_release release;
  const double* times = row_weights(w, n);
  std::vector<double> p(c), mean(d);
  Outer outer(d);
  double loss = 0;
  for (std::size_t i = 0; i < n; ++i)
    loss += weigh_row(evidence.data() + i * c * d, prior.data() + i * c, c, d, weights.data(), times ? times[i] : 1.0,
                      p.data(), mean.data(), gradient.data(), outer, curvature.data());
  add_products(outer, curvature.data());
  for (std::size_t a = 0; a < d; ++a)
    for (std::size_t b = 0; b < a; ++b) curvature.data()[a * d + b] = curvature.data()[b * d + a];
  return loss;
}

} // namespace likely
