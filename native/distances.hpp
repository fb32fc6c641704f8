// Squared Mahalanobis distances of rows from the mean of every class: |R (x - mean)|^2, R the inverse of the Cholesky
// factor of the covariance.
#pragma once

#include <optional>

#include "block.hpp"

namespace likely {

// Rows are worked on in strips of twelve, column by column: a strip is columns x 12, three vectors a column.
constexpr std::size_t kStrip = 12;

// Lower triangles in panels of four rows; of a panel, column by column, as far as the triangle reaches.
struct Panels {
  std::size_t columns, size;
  std::vector<double> data;

  Panels(const double* matrices, std::size_t count, std::size_t d) : columns(d), size(0) {
    for (std::size_t i = 0; i < d; i += 4) size += 4 * std::min(i + 4, d);
    data.assign(count * size, 0.0);
    double* to = data.data();
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t i = 0; i < d; i += 4)
        for (std::size_t j = 0; j < std::min(i + 4, d); ++j, to += 4)
          for (std::size_t a = 0; a < 4 && i + a < d; ++a)
            if (j <= i + a) to[a] = matrices[(k * d + i + a) * d + j];
  }
  const double* operator[](std::size_t k) const { return data.data() + k * size; }
};

// z = R t for one strip. Twelve sums and seven loads to twelve products.
LIKELY_CLONES inline void whiten(const double* __restrict panel, const double* __restrict t, std::size_t d,
                                 double* __restrict z) {
  for (std::size_t i = 0; i < d; i += 4) {
    Four sum[4][3] = {};
    const std::size_t reach = std::min(i + 4, d);
    for (std::size_t j = 0; j < reach; ++j, panel += 4) {
      const Four t0 = four(t + j * kStrip), t1 = four(t + j * kStrip + 4), t2 = four(t + j * kStrip + 8);
      for (int a = 0; a < 4; ++a) {
        sum[a][0] += panel[a] * t0;
        sum[a][1] += panel[a] * t1;
        sum[a][2] += panel[a] * t2;
      }
    }
    for (std::size_t a = 0; a < 4 && i + a < d; ++a)
      for (int b = 0; b < 3; ++b) put(z + (i + a) * kStrip + 4 * b, sum[a][b]);
  }
}

// t = x - m, a strip less one number a column.
LIKELY_CLONES inline void less(const double* __restrict x, const double* __restrict m, std::size_t d,
                               double* __restrict t) {
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t r = 0; r < kStrip; r += 4) put(t + j * kStrip + r, four(x + j * kStrip + r) - m[j]);
}

// The sum over the columns of (z - m)^2, for each row of the strip.
LIKELY_CLONES inline void squares(const double* __restrict z, const double* __restrict m, std::size_t d,
                                  double* __restrict sums) {
  Four sum[3] = {};
  for (std::size_t j = 0; j < d; ++j)
    for (int b = 0; b < 3; ++b) {
      const Four v = four(z + j * kStrip + 4 * b) - m[j];
      sum[b] += v * v;
    }
  for (int b = 0; b < 3; ++b) put(sums + 4 * b, sum[b]);
}

// The rows of a block as strips; the last is filled up with zeros, and so are rows with holes.
inline void into_strips(const Block& b, double* to) {
  for (std::size_t start = 0; start < b.rows; start += kStrip)
    for (std::size_t r = 0; r < kStrip; ++r) {
      const std::size_t i = start + r;
      const double* row = i < b.rows && !b.missing[i] ? b.row(i) : nullptr;
      for (std::size_t j = 0; j < b.columns; ++j) to[(start * b.columns) + j * kStrip + r] = row ? row[j] : 0.0;
    }
}

// out (rows x classes): the squared distances; `holes` marks the rows with missing cells, whose distances are left
// alone. One matrix may serve all classes. With `towards` (classes x classes x columns) also the products that leaving
// a row out takes: product[row, k] = R_k (x - mean_k) . towards[k, y of the row].
inline int64_t distances(const Matrix& x, const Table<double>& mean, const Cube<double>& whitening,
                         std::optional<Vector<int32_t>> y, std::optional<Cube<double>> towards, Output<double> out,
                         std::optional<Output<double>> product, OutputVector<uint8_t> holes) {
  const std::size_t rows = x.shape(0), d = x.shape(1), c = mean.shape(0), matrices = whitening.shape(0);
  require(mean.shape(1) == d && whitening.shape(1) == d && whitening.shape(2) == d, "the parameters do not fit");
  require(matrices == c || matrices == 1, "one matrix for each class, or one for all, is needed");
  require(out.shape(0) == rows && out.shape(1) == c && holes.shape(0) == rows, "the output does not fit");
  require(y.has_value() == towards.has_value() && y.has_value() == product.has_value(), "all three are needed, or none");
  if (towards) {
    require(towards->shape(0) == c && towards->shape(1) == c && towards->shape(2) == d, "the directions do not fit");
    require(product->shape(0) == rows && product->shape(1) == c, "the products do not fit");
  }
  nb::gil_scoped_release release;
  const int32_t* code = y ? class_codes(*y, rows, c) : nullptr;
  const Panels panels(whitening.data(), matrices, d);
  const std::size_t strips = 256 / kStrip + 1;
  std::vector<double> strip(strips * kStrip * d), t(kStrip * d), z(strips * kStrip * d), mine(kStrip * d), nothing(d);
  // One matrix: z is taken from the first class's mean, and the others lie so far from it. A class that lies beyond a
  // thousand deviations would lose digits so, and gets a z of its own.
  std::vector<double> centres(c * d);
  std::vector<unsigned char> apart(c, matrices == c);
  for (std::size_t k = 0; k < c && matrices == 1; ++k) {
    double length = 0;
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j <= i; ++j)
        centres[k * d + i] += whitening.data()[i * d + j] * (mean.data()[k * d + j] - mean.data()[j]);
      length += centres[k * d + i] * centres[k * d + i];
    }
    apart[k] = !(length <= 1e6);
  }
  return for_each_block(x, Cell::finite, [&](const Block& b) {
    into_strips(b, strip.data());
    std::copy_n(b.missing, b.rows, holes.data() + b.start);
    for (std::size_t k = 0; k < c; ++k)
      for (std::size_t start = 0; start < b.rows; start += kStrip) {
        double* here = k > 0 && apart[k] ? mine.data() : z.data() + start * d;
        if (k == 0 || apart[k]) {
          less(strip.data() + start * d, mean.data() + k * d, d, t.data());
          whiten(panels[matrices == 1 ? 0 : k], t.data(), d, here);
        }
        const double* centre = apart[k] ? nothing.data() : &centres[k * d];
        double sums[kStrip];
        squares(here, centre, d, sums);
        for (std::size_t r = 0; r < kStrip && start + r < b.rows; ++r) {
          const std::size_t row = b.start + start + r;
          if (b.missing[start + r]) continue;
          out.data()[row * c + k] = sums[r];
          if (!towards) continue;
          const double* direction = towards->data() + (k * c + (std::size_t)code[row]) * d;
          double sum = 0;
          for (std::size_t j = 0; j < d; ++j) sum += (here[j * kStrip + r] - centre[j]) * direction[j];
          product->data()[row * c + k] = sum;
        }
      }
  }, 8 * kStrip);
}

} // namespace likely
