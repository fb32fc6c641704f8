// The sum and the number of the values of every column, by class: what Bernoulli, Poisson and multinomial count.
#pragma once

#include "block.hpp"

namespace likely {

LIKELY_CLONES inline void add_scaled(const double* __restrict x, double* __restrict total, double w, std::size_t columns) {
  for (std::size_t j = 0; j < columns; ++j) total[j] += w * x[j];
}

inline int64_t totals(const Matrix& x, const Vector<int32_t>& y, const Weights& w, int kind, Output<double> total,
                      Output<double> seen) {
  const std::size_t rows = x.shape(0), d = x.shape(1), c = total.shape(0);
  for (auto* t : {&total, &seen}) require(t->shape(0) == c && t->shape(1) == d, "the sums do not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, rows, c);
  const double* weight = row_weights(w, rows);
  std::vector<double> whole(c);
  const int64_t bad = for_each_block(x, (Cell)kind, [&](const Block& b) {
    for (std::size_t i = 0; i < b.rows; ++i) {
      const std::size_t k = (std::size_t)code[b.start + i];
      const double wi = weight ? weight[b.start + i] : 1.0;
      const double* row = b.row(i);
      double* sum = total.data() + k * d;
      if (!b.missing[i]) {
        whole[k] += wi;
        add_scaled(row, sum, wi, d);
        continue;
      }
      for (std::size_t j = 0; j < d; ++j)
        if (row[j] == row[j]) {
          sum[j] += wi * row[j];
          seen.data()[k * d + j] += wi;
        }
    }
  });
  for (std::size_t k = 0; k < c * d; ++k) seen.data()[k] += whole[k / d];
  return bad;
}

} // namespace likely
