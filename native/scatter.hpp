// Number, mean and scatter matrix (sums of products of deviations) of whole rows, by class, in one pass.
#pragma once

#include "block.hpp"

namespace likely {

// Rows of one class wait here, centred, until there are enough of them: a sum of products over many rows at once holds
// its partial sums in registers, where row by row it would read and write the whole matrix for each.
struct Waiting {
  static constexpr std::size_t kRows = 64;
  std::size_t rows = 0;
  double weight = 0;
  std::vector<double> shift, first, centred, scatter; // padded to `width` columns, a multiple of four

  Waiting(std::size_t d, std::size_t width) : shift(d), first(d), centred(kRows * width), scatter(width * width) {}
};

// scatter[i .. i+4, j .. j+4W) += the products of those columns, over the rows that wait.
template <int W>
LIKELY_INLINE void add_tile(const double* __restrict t, std::size_t rows, std::size_t width, std::size_t i, std::size_t j,
                            double* __restrict scatter) {
  Four sum[4][W] = {};
  for (std::size_t r = 0; r < rows; ++r) {
    const double* row = t + r * width;
    for (int b = 0; b < W; ++b) {
      const Four v = four(row + j + 4 * b);
      for (int a = 0; a < 4; ++a) sum[a][b] += row[i + a] * v;
    }
  }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < W; ++b) {
      double* to = scatter + (i + a) * width + j + 4 * b;
      put(to, four(to) + sum[a][b]);
    }
}

// The lower triangle, in tiles of 4 x 12: twelve sums, and loads for 3 + 4 of the sixteen registers.
LIKELY_CLONES inline void add_products(const double* t, std::size_t rows, std::size_t width, double* scatter) {
  for (std::size_t i = 0; i < width; i += 4) {
    std::size_t j = 0;
    for (; j + 12 <= i + 4; j += 12) add_tile<3>(t, rows, width, i, j, scatter);
    if (i + 4 - j == 8)
      add_tile<2>(t, rows, width, i, j, scatter);
    else if (i + 4 - j == 4)
      add_tile<1>(t, rows, width, i, j, scatter);
  }
}

LIKELY_CLONES inline void add_centred(const double* __restrict x, const double* __restrict shift, double w, double root,
                                      std::size_t columns, double* __restrict first, double* __restrict centred) {
  for (std::size_t j = 0; j < columns; ++j) {
    const double t = x[j] - shift[j];
    first[j] += w * t;
    centred[j] = root * t;
  }
}

// As in moments.hpp the shift of a class is its first row, and with it what cancellation costs.
// Rows with a missing cell are passed over.
inline int64_t scatter(const Matrix& x, const Vector<int32_t>& y, const Weights& w, OutputVector<double> n,
                       Output<double> mean, OutputCube<double> out) {
  const std::size_t rows = x.shape(0), d = x.shape(1), c = n.shape(0);
  require(mean.shape(0) == c && mean.shape(1) == d, "the means do not fit");
  require(out.shape(0) == c && out.shape(1) == d && out.shape(2) == d, "the scatter does not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, rows, c);
  const double* weight = row_weights(w, rows);
  const std::size_t width = (d + 3) / 4 * 4;
  std::vector<Waiting> waiting;
  std::vector<std::size_t> of_class(c, c); // where a class waits; most of many classes may not come at all
  const int64_t bad = for_each_block(x, Cell::finite, [&](const Block& b) {
    for (std::size_t i = 0; i < b.rows; ++i) {
      const double wi = weight ? weight[b.start + i] : 1.0;
      if (b.missing[i] || wi == 0) continue;
      std::size_t& at = of_class[(std::size_t)code[b.start + i]];
      if (at == c) {
        at = waiting.size();
        waiting.emplace_back(d, width);
        std::copy_n(b.row(i), d, waiting.back().shift.begin());
      }
      Waiting& mine = waiting[at];
      mine.weight += wi;
      add_centred(b.row(i), mine.shift.data(), wi, wi == 1 ? 1 : std::sqrt(wi), d, mine.first.data(),
                  &mine.centred[mine.rows * width]);
      if (++mine.rows == Waiting::kRows) {
        add_products(mine.centred.data(), mine.rows, width, mine.scatter.data());
        mine.rows = 0;
      }
    }
  });
  for (std::size_t k = 0; k < c; ++k) {
    if (of_class[k] == c) continue;
    Waiting& mine = waiting[of_class[k]];
    add_products(mine.centred.data(), mine.rows, width, mine.scatter.data());
    n.data()[k] = mine.weight;
    for (std::size_t i = 0; i < d; ++i) {
      mean.data()[k * d + i] = mine.shift[i] + mine.first[i] / mine.weight;
      for (std::size_t j = 0; j <= i; ++j) {
        const double s = mine.scatter[i * width + j] - mine.first[i] * (mine.first[j] / mine.weight);
        out.data()[(k * d + i) * d + j] = out.data()[(k * d + j) * d + i] = i == j ? std::max(0.0, s) : s;
      }
    }
  }
  return bad;
}

} // namespace likely
