// Count, mean and sum of squared deviations of every column, by class, in one pass.
#pragma once

#include "block.hpp"

namespace likely {

struct ClassSums { // sums of x - shift and its square, per class and column
  std::size_t classes, columns;
  std::vector<double> shift, first, second, weight;
  std::vector<unsigned char> started;

  ClassSums(std::size_t c, std::size_t d)
      : classes(c), columns(d), shift(c * d), first(c * d), second(c * d), weight(c * d), started(c * d) {}
};

// The shift of a class and column is the first value met there. It is one of the values summed, so the sum of squares
// about it is at most n times the true one: cancellation costs at most a factor n in relative error (n rows a call),
// wherever the mean lies; with weights, the weight of all over that of the first.
inline void add_cells(ClassSums& s, const double* x, std::size_t offset, double w) {
  for (std::size_t j = 0; j < s.columns; ++j) {
    const std::size_t k = offset + j;
    if (x[j] != x[j] || w == 0) continue;
    if (!s.started[k]) {
      s.started[k] = 1;
      s.shift[k] = x[j];
    }
    const double t = x[j] - s.shift[k];
    s.weight[k] += w;
    s.first[k] += w * t;
    s.second[k] += w * t * t;
  }
}

LIKELY_CLONES inline void add_row(const double* __restrict x, const double* __restrict shift, double* __restrict first,
                                  double* __restrict second, double w, std::size_t columns) {
  for (std::size_t j = 0; j < columns; ++j) {
    const double t = x[j] - shift[j];
    first[j] += w * t;
    second[j] += w * t * t;
  }
}

inline int64_t moments(const Matrix& x, const Vector<int32_t>& y, const Weights& w, Output<double> n,
                       Output<double> mean, Output<double> m2) {
  const std::size_t rows = x.shape(0), d = x.shape(1), c = n.shape(0);
  for (auto* t : {&n, &mean, &m2}) require(t->shape(0) == c && t->shape(1) == d, "the sums do not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, rows, c);
  const double* weight = row_weights(w, rows);
  ClassSums s(c, d);
  std::vector<std::size_t> unstarted(c, d); // columns of a class with no value yet
  std::vector<double> whole(c);             // weight of the rows without missing cells
  const int64_t bad = for_each_block(x, Cell::finite, [&](const Block& b) {
    for (std::size_t i = 0; i < b.rows; ++i) {
      const std::size_t k = (std::size_t)code[b.start + i], offset = k * d;
      const double wi = weight ? weight[b.start + i] : 1.0;
      if (b.missing[i] || unstarted[k]) {
        add_cells(s, b.row(i), offset, wi);
        if (unstarted[k]) unstarted[k] = d - (std::size_t)std::count(&s.started[offset], &s.started[offset] + d, 1);
      } else {
        whole[k] += wi;
        add_row(b.row(i), &s.shift[offset], &s.first[offset], &s.second[offset], wi, d);
      }
    }
  });
  for (std::size_t k = 0; k < c * d; ++k) {
    const double total = s.weight[k] + whole[k / d];
    n.data()[k] = total;
    if (total <= 0) continue;
    mean.data()[k] = s.shift[k] + s.first[k] / total;
    m2.data()[k] = std::max(0.0, s.second[k] - s.first[k] * s.first[k] / total);
  }
  return bad;
}

} // namespace likely
