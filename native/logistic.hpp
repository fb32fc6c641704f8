// Logistic regression: one pass over rows gives the loss and its gradient, and, where asked, products of columns.
//
// A row has scores z = weights x + bias (+ offset), one per class, and the loss  weight (log sum exp z - z of its class).
// Of two classes only the second has weights, and the score of the first is zero.
#pragma once

#include <optional>
#include <tuple>

#include "exponential.hpp"
#include "nonzeros.hpp"
#include "scatter.hpp"

namespace likely {

using Offsets = std::optional<Table<double>>;
using Shift = std::optional<Vector<double>>;

// The loss of one class against another from scores z, which are replaced by the residuals, weight (p - y).
LIKELY_INLINE double binary_rows(double* z, const int32_t* y, const double* weight, std::size_t n) {
  Four sum = {};
  for (std::size_t i = 0; i < n; i += 4) {
    const std::size_t m = std::min<std::size_t>(4, n - i);
    Four s = {}, own = {}, w = {};
    for (std::size_t a = 0; a < m; ++a) s[a] = z[i + a], own[a] = y[i + a], w[a] = weight ? weight[i + a] : 1.0;
    const Four e = exp4(s < 0.0 ? s : -s), rest = 1.0 / (1.0 + e);
    // log(1 + exp(-z)) for the second class, log(1 + exp(z)) for the first
    const Four against = own > 0.5 ? -s : s;
    sum += w * (log1p4(e) + (against > 0.0 ? against : Four{}));
    const Four p = s < 0.0 ? e * rest : rest;
    const Four other = s < 0.0 ? rest : e * rest; // 1 - p, without what subtracting would lose
    const Four u = w * (own > 0.5 ? -other : p);
    for (std::size_t a = 0; a < m; ++a) z[i + a] = u[a];
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The same for `classes` scores in rows of `width`; those beyond the classes are set to zero. No number is written before
// the vector that it is in is read: that would wait for the write.
LIKELY_INLINE double softmax_rows(double* z, const int32_t* y, const double* weight, std::size_t n, std::size_t classes,
                                  std::size_t width) {
  const FourInts first = {0, 1, 2, 3};
  const int64_t end = (int64_t)classes;
  Four sum = {}, beside = {}, weights = {}; // of up to four rows: what their probabilities but the highest add up to
  for (std::size_t i = 0; i < n; ++i) {
    double* s = z + i * width;
    const std::size_t own = (std::size_t)y[i];
    const double w = weight ? weight[i] : 1.0, mine = s[own];
    Four tops = Four{} - INFINITY, total = {};
    for (std::size_t k = 0; k < width; k += 4) {
      const Four v = first + (int64_t)k < end ? four(s + k) : Four{} - INFINITY;
      tops = v > tops ? v : tops;
    }
    const double top = std::max(std::max(tops[0], tops[1]), std::max(tops[2], tops[3]));
    std::size_t highest = 0;
    while (highest + 1 < classes && s[highest] < top) ++highest;
    for (std::size_t k = 0; k < width; k += 4) {
      const FourInts at = first + (int64_t)k;
      // That of the highest is 1, and what is beside it may be too little to be added to 1.
      const Four e = (at < end) & (at != (int64_t)highest) ? exp4(four(s + k) - top) : Four{};
      put(s + k, e);
      total += e;
    }
    const double others = (total[0] + total[1]) + (total[2] + total[3]), scale = w / (1 + others);
    beside[i % 4] = others;
    weights[i % 4] = w;
    sum[0] += w * (top - mine);
    if (i % 4 == 3 || i + 1 == n) {
      sum += weights * log1p4_any(beside);
      beside = weights = Four{};
    }
    // The residual of the own class is -(the sum of the others), which for a row that fits is too little beside 1.
    const double rest = own == highest ? others : others - s[own] + 1;
    for (std::size_t k = 0; k < width; k += 4) put(s + k, four(s + k) * scale);
    s[highest] = scale;
    s[own] = -rest * scale;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

LIKELY_CLONES inline double residuals(double* z, const int32_t* y, const double* weight, std::size_t n,
                                      std::size_t classes, std::size_t width) {
  return classes == 1 ? binary_rows(z, y, weight, n) : softmax_rows(z, y, weight, n, classes, width);
}

// to[a, 4 b ..] += the sum over r of left[a, r] * right[r, 4 b ..]: A rows by F vectors, held in registers.
template <int A, int F>
LIKELY_INLINE void tile(const double* left, std::ptrdiff_t step_a, std::ptrdiff_t step_r, const double* right,
                        std::size_t width, std::size_t count, double* to, std::size_t step_to) {
  Four sum[A][F] = {};
  for (std::size_t r = 0; r < count; ++r) {
    const double* from = left + (std::ptrdiff_t)r * step_r;
    for (int b = 0; b < F; ++b) {
      const Four v = four(right + r * width + 4 * b);
      for (int a = 0; a < A; ++a) sum[a][b] += from[a * step_a] * v;
    }
  }
  for (int a = 0; a < A; ++a)
    for (int b = 0; b < F; ++b) {
      double* at = to + (std::size_t)a * step_to + 4 * b;
      put(at, four(at) + sum[a][b]);
    }
}

template <int F>
LIKELY_INLINE void tiles(const double* left, std::ptrdiff_t step_a, std::ptrdiff_t step_r, const double* right,
                         std::size_t width, std::size_t rows, std::size_t count, double* to) {
  std::size_t a = 0;
  for (; a + 4 <= rows; a += 4)
    tile<4, F>(left + (std::ptrdiff_t)a * step_a, step_a, step_r, right, width, count, to + a * width, width);
  for (; a < rows; ++a)
    tile<1, F>(left + (std::ptrdiff_t)a * step_a, step_a, step_r, right, width, count, to + a * width, width);
}

// to (rows x width) += left (rows x count) right (count x width); width is a multiple of four.
LIKELY_CLONES inline void add_product(const double* left, std::ptrdiff_t step_a, std::ptrdiff_t step_r,
                                      const double* right, std::size_t width, std::size_t rows, std::size_t count,
                                      double* to) {
  std::size_t k = 0;
  for (; k + 12 <= width; k += 12) tiles<3>(left, step_a, step_r, right + k, width, rows, count, to + k);
  if (width - k == 8) tiles<2>(left, step_a, step_r, right + k, width, rows, count, to + k);
  if (width - k == 4) tiles<1>(left, step_a, step_r, right + k, width, rows, count, to + k);
}

// z[i] += row i . w, four rows at a time.
LIKELY_CLONES inline void add_dots(const Block& b, const double* __restrict w, double* __restrict z) {
  const std::size_t d = b.columns, even = d / 4 * 4;
  for (std::size_t i = 0; i < b.rows; i += 4) {
    const std::size_t m = std::min<std::size_t>(4, b.rows - i);
    const double* x[4];
    for (std::size_t a = 0; a < 4; ++a) x[a] = b.row(i + std::min(a, m - 1));
    Four sum[4] = {};
    for (std::size_t j = 0; j < even; j += 4)
      for (int a = 0; a < 4; ++a) sum[a] += four(x[a] + j) * four(w + j);
    for (std::size_t a = 0; a < m; ++a) {
      double rest = (sum[a][0] + sum[a][1]) + (sum[a][2] + sum[a][3]);
      for (std::size_t j = even; j < d; ++j) rest += x[a][j] * w[j];
      z[i + a] += rest;
    }
  }
}

// g += the sum over the rows of u[i] * row i, four rows at a time.
LIKELY_CLONES inline void add_rows(const Block& b, const double* __restrict u, double* __restrict g) {
  const std::size_t d = b.columns, even = d / 4 * 4;
  std::size_t i = 0;
  for (; i + 4 <= b.rows; i += 4) {
    const double *x0 = b.row(i), *x1 = b.row(i + 1), *x2 = b.row(i + 2), *x3 = b.row(i + 3);
    for (std::size_t j = 0; j < even; j += 4)
      put(g + j, four(g + j) + ((u[i] * four(x0 + j) + u[i + 1] * four(x1 + j)) +
                                (u[i + 2] * four(x2 + j) + u[i + 3] * four(x3 + j))));
    for (std::size_t j = even; j < d; ++j)
      g[j] += (u[i] * x0[j] + u[i + 1] * x1[j]) + (u[i + 2] * x2[j] + u[i + 3] * x3[j]);
  }
  for (; i < b.rows; ++i)
    for (std::size_t j = 0; j < d; ++j) g[j] += u[i] * b.row(i)[j];
}

// sums += the rows of a table, whose width is one or a multiple of four.
LIKELY_CLONES inline void add_up(const double* __restrict table, std::size_t rows, std::size_t width,
                                 double* __restrict sums) {
  if (width == 1)
    for (std::size_t i = 0; i < rows; ++i) *sums += table[i];
  else
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < width; k += 4) put(sums + k, four(sums + k) + four(table + i * width + k));
}

// The block less the shift, in `to`; or the block itself.
inline Block shifted(const Block& b, const double* shift, std::vector<double>& to) {
  if (!shift) return b;
  to.resize(b.rows * b.columns);
  for (std::size_t i = 0; i < b.rows; ++i) {
    const double* x = b.row(i);
    double* t = &to[i * b.columns];
    for (std::size_t j = 0; j < b.columns; ++j) t[j] = x[j] - shift[j];
  }
  Block s = b;
  s.data = to.data();
  s.stride = (std::ptrdiff_t)b.columns;
  return s;
}

// Classes as the rows of weights say: one row is two classes.
inline std::size_t classes_of(std::size_t rows_of_weights) { return rows_of_weights == 1 ? 2 : rows_of_weights; }

// Adds the gradient of the loss to `gradient` (as `weights`: columns x classes, or x 1 of two) and `slope` (of the bias),
// and returns the loss. Columns are taken less `shift`. With it goes -1, or the place of the first cell that is not finite,
// or of the first row that has a missing cell, as row * columns.
inline std::tuple<int64_t, double> logistic_pass(const Matrix& x, const Shift& shift, const Vector<int32_t>& y, const Weights& weight,
                             const Offsets& offset, const Table<double>& weights, const Vector<double>& bias,
                             Output<double> gradient, OutputVector<double> slope) {
  const std::size_t n = x.shape(0), d = x.shape(1), c = bias.shape(0), width = c == 1 ? 1 : (c + 3) / 4 * 4;
  require(c > 0 && weights.shape(0) == d && weights.shape(1) == c, "the weights do not fit");
  require(gradient.shape(0) == d && gradient.shape(1) == c && slope.shape(0) == c, "the gradient does not fit");
  require(!shift || shift->shape(0) == d, "the shift does not fit");
  require(!offset || (offset->shape(0) == n && offset->shape(1) == c), "the offsets do not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, n, classes_of(c));
  const double* w = row_weights(weight, n);
  std::vector<double> table(d * width), g(d * width), sums(width), biases(width), scores, moved;
  for (std::size_t j = 0; j < d; ++j) std::copy_n(weights.data() + j * c, c, &table[j * width]);
  std::copy_n(bias.data(), c, biases.data());
  double sum = 0;
  int64_t hole = -1;
  const auto work = [&](const Block& block) {
    for (std::size_t i = 0; i < block.rows && hole < 0; ++i)
      if (block.missing[i]) hole = (int64_t)((block.start + i) * d);
    if (hole >= 0) return;
    const Block b = shifted(block, shift ? shift->data() : nullptr, moved);
    scores.resize(b.rows * width);
    for (std::size_t i = 0; i < b.rows; ++i) std::copy_n(biases.data(), width, &scores[i * width]);
    for (std::size_t i = 0; offset && i < b.rows; ++i)
      for (std::size_t k = 0; k < c; ++k) scores[i * width + k] += offset->data()[(b.start + i) * c + k];
    if (c == 1)
      add_dots(b, table.data(), scores.data());
    else
      add_product(b.data, b.stride, 1, table.data(), width, b.rows, d, scores.data());
    sum += residuals(scores.data(), code + b.start, w ? w + b.start : nullptr, b.rows, c, width);
    if (c == 1)
      add_rows(b, scores.data(), g.data());
    else
      add_product(b.data, 1, b.stride, scores.data(), width, d, b.rows, g.data());
    add_up(scores.data(), b.rows, width, sums.data());
  };
  const int64_t bad = d ? for_each_block(x, Cell::finite, work, 64) : -1;
  if (!d) { // a bias alone
    std::vector<double> nothing(1);
    for (std::size_t start = 0; start < n; start += 256) {
      const std::vector<unsigned char> none(256);
      work(Block{nothing.data(), 0, start, std::min<std::size_t>(256, n - start), 0, none.data()});
    }
  }
  for (std::size_t k = 0; k < c; ++k) {
    slope.data()[k] += sums[k];
    for (std::size_t j = 0; j < d; ++j) gradient.data()[j * c + k] += g[j * width + k];
  }
  return {bad >= 0 ? bad : hole, sum};
}

// out = (x - shift) times table, which has one column or a multiple of four. A missing cell gives NaN.
inline int64_t dense_product(const Matrix& x, const Shift& shift, const Table<double>& table, Output<double> out) {
  const std::size_t n = x.shape(0), d = x.shape(1), width = table.shape(1);
  require(width == 1 || (width > 0 && width % 4 == 0), "the table does not fit");
  require(table.shape(0) == d && (!shift || shift->shape(0) == d), "the table does not fit");
  require(out.shape(0) == n && out.shape(1) == width, "the output does not fit");
  nb::gil_scoped_release release;
  std::fill_n(out.data(), n * width, 0.0);
  std::vector<double> moved;
  return for_each_block(x, Cell::finite, [&](const Block& block) {
    const Block b = shifted(block, shift ? shift->data() : nullptr, moved);
    double* to = out.data() + b.start * width;
    if (width == 1)
      add_dots(b, table.data(), to);
    else
      add_product(b.data, b.stride, 1, table.data(), width, b.rows, d, to);
  }, 64);
}

// The rows of a block with a 1 after each, in rows of `width`.
inline void with_ones(const Block& b, std::size_t width, std::vector<double>& to) {
  to.assign(b.rows * width, 0.0);
  for (std::size_t i = 0; i < b.rows; ++i) {
    std::copy_n(b.row(i), b.columns, &to[i * width]);
    to[i * width + b.columns] = 1;
  }
}

// out (columns + 1 squared) += the sum over the rows of weight (x - shift, 1) (x - shift, 1)^T; weights are 0 or more.
inline int64_t weighted_products(const Matrix& x, const Shift& shift, const Vector<double>& weight, Output<double> out) {
  const std::size_t n = x.shape(0), d = x.shape(1), size = d + 1, width = (size + 3) / 4 * 4;
  require(!shift || shift->shape(0) == d, "the shift does not fit");
  require(weight.shape(0) == n, "one weight per row is needed");
  require(out.shape(0) == size && out.shape(1) == size, "the products do not fit");
  nb::gil_scoped_release release;
  std::vector<double> rows, sums(width * width), moved;
  Nonzeros nonzeros;
  const int64_t bad = for_each_block(x, Cell::finite, [&](const Block& block) {
    const Block b = shifted(block, shift ? shift->data() : nullptr, moved);
    with_ones(b, width, rows);
    if (nonzeros.few(rows.data(), b.rows, width))
      return nonzeros.add_products(weight.data() + b.start, width, sums.data());
    for (std::size_t i = 0; i < b.rows; ++i) {
      const double root = std::sqrt(weight.data()[b.start + i]);
      for (std::size_t j = 0; j < size; ++j) rows[i * width + j] *= root;
    }
    add_products(rows.data(), b.rows, width, sums.data());
  }, 64);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      out.data()[i * size + j] += sums[i * width + j];
      if (i != j) out.data()[j * size + i] += sums[i * width + j];
    }
  return bad;
}

// sums[i .. i+4, j .. j+4W) += the products of those columns of two tables, over the rows.
template <int W>
LIKELY_INLINE void add_pair_tile(const double* __restrict left, const double* __restrict right, std::size_t rows,
                                 std::size_t width, std::size_t i, std::size_t j, double* __restrict sums) {
  Four sum[4][W] = {};
  for (std::size_t r = 0; r < rows; ++r)
    for (int b = 0; b < W; ++b) {
      const Four v = four(right + r * width + j + 4 * b);
      for (int a = 0; a < 4; ++a) sum[a][b] += left[r * width + i + a] * v;
    }
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < W; ++b) {
      double* to = sums + (i + a) * width + j + 4 * b;
      put(to, four(to) + sum[a][b]);
    }
}

// The lower triangle of right^T diag(scale) right, in the tiles of scatter.hpp; `left` is for the rows scaled.
LIKELY_CLONES inline void add_scaled_products(const double* __restrict right, const double* __restrict scale,
                                              std::size_t rows, std::size_t width, double* __restrict left,
                                              double* __restrict sums) {
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t j = 0; j < width; j += 4) put(left + r * width + j, scale[r] * four(right + r * width + j));
  for (std::size_t i = 0; i < width; i += 4) {
    std::size_t j = 0;
    for (; j + 12 <= i + 4; j += 12) add_pair_tile<3>(left, right, rows, width, i, j, sums);
    if (i + 4 - j == 8)
      add_pair_tile<2>(left, right, rows, width, i, j, sums);
    else if (i + 4 - j == 4)
      add_pair_tile<1>(left, right, rows, width, i, j, sums);
  }
}

// Of the curvature of softmax the blocks from `first` on: those of classes (1, 0), (2, 0), (2, 1), (3, 0) ..., each the sum
// over the rows of  -weight p_k p_l (x - shift, 1) (x - shift, 1)^T. Every block is symmetric by itself, which halves the
// work; and as the blocks of a class add up to zero, that of a class with itself need not be worked out.
inline int64_t softmax_products(const Matrix& x, const Shift& shift, const Table<double>& residuals,
                                const Vector<int32_t>& y, const Weights& weight, std::size_t classes, std::size_t first,
                                OutputCube<double> out) {
  const std::size_t n = x.shape(0), d = x.shape(1), size = d + 1, width = (size + 3) / 4 * 4, blocks = out.shape(0);
  require(!shift || shift->shape(0) == d, "the shift does not fit");
  require(residuals.shape(0) == n && classes <= residuals.shape(1), "the residuals do not fit");
  require(out.shape(1) == size && out.shape(2) == size, "the products do not fit");
  const std::size_t pairs = classes ? classes * (classes - 1) / 2 : 0;
  require(first <= pairs && blocks <= pairs - first, "there are not so many blocks");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, n, classes);
  const double* w = row_weights(weight, n);
  std::vector<double> right, left, scale, share, moved, sums(blocks * width * width);
  Nonzeros nonzeros;
  const int64_t bad = for_each_block(x, Cell::finite, [&](const Block& block) {
    const Block b = shifted(block, shift ? shift->data() : nullptr, moved);
    with_ones(b, width, right);
    const bool few = nonzeros.few(right.data(), b.rows, width);
    left.resize(b.rows * width);
    scale.resize(b.rows);
    share.assign(b.rows * classes, 0.0);
    for (std::size_t i = 0; i < b.rows; ++i) {
      const double wi = w ? w[b.start + i] : 1.0;
      for (std::size_t k = 0; k < classes && wi > 0; ++k)
        share[i * classes + k] = residuals.data()[(b.start + i) * residuals.shape(1) + k] / wi;
      if (wi > 0) share[i * classes + (std::size_t)code[b.start + i]] += 1;
    }
    std::size_t at = 0;
    for (std::size_t k = 0; k < classes; ++k)
      for (std::size_t l = 0; l < k; ++l, ++at) {
        if (at < first || at >= first + blocks) continue;
        for (std::size_t i = 0; i < b.rows; ++i) {
          const double *p = &share[i * classes], wi = w ? w[b.start + i] : 1.0;
          scale[i] = -wi * p[k] * p[l];
        }
        double* to = &sums[(at - first) * width * width];
        if (few)
          nonzeros.add_products(scale.data(), width, to);
        else
          add_scaled_products(right.data(), scale.data(), b.rows, width, left.data(), to);
      }
  }, 64);
  for (std::size_t a = 0; a < blocks; ++a)
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        out.data()[(a * size + i) * size + j] = out.data()[(a * size + j) * size + i] = sums[(a * width + i) * width + j];
  return bad;
}

// Scores (rows x classes, rows padded with anything) become residuals weight (p - y). Returns the loss.
inline double logistic_residuals(Output<double> scores, const Vector<int32_t>& y, const Weights& weight,
                                 std::size_t classes) {
  const std::size_t n = scores.shape(0), width = scores.shape(1);
  require(classes > 0 && (classes == 1 ? width == 1 : width % 4 == 0 && classes <= width), "the scores do not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, n, classes_of(classes));
  return residuals(scores.data(), code, row_weights(weight, n), n, classes, width);
}

} // namespace likely
