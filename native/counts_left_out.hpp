// Log probabilities of each cell for the row's own class, as if the row had never been counted, from counts: of the cells
// of Categorical and Histogram, and of the sums of Bernoulli and Poisson.
#pragma once

#include "cells.hpp"
#include "scores.hpp"

namespace likely {

// Sums less what a row added to them; nothing where only rounding is left.
LIKELY_INLINE double without(double sum, double own) {
  const double left = sum - own;
  return left <= 1e-9 * std::fabs(own) ? 0 : left;
}

// log(above / below); -inf where nothing is above, also where nothing is below.
LIKELY_INLINE double log_share(double above, double below) { return std::log(above) - (below > 0 ? std::log(below) : 0); }

// out (rows x columns) from counts (classes x cells), what is imagined of each cell, and the log of its width. Codes are
// columns x rows. Rows that weigh one each have no more to tell than their class and cell: those logs are taken once.
inline void left_out_cells(const Codes& codes, const Vector<int32_t>& y, const Weights& w, const Vector<int64_t>& starts,
                           const Table<double>& counts, const Vector<double>& imagined, const Vector<double>& log_width,
                           Output<double> out) {
  const std::size_t d = codes.shape(0), n = codes.shape(1), c = counts.shape(0), cells = counts.shape(1);
  require(out.shape(0) == n && out.shape(1) == d, "the output does not fit");
  require(imagined.shape(0) == cells && log_width.shape(0) == cells, "one number per cell is needed");
  nb::gil_scoped_release release;
  const int32_t* cls = class_codes(y, n, c);
  const double* weight = row_weights(w, n);
  const std::vector<std::size_t> s = checked_starts(starts, d, cells);
  check_codes(codes, s);
  std::vector<double> seen(d * c), one;
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < c; ++k)
      for (std::size_t cell = s[j]; cell < s[j + 1]; ++cell)
        seen[j * c + k] += counts.data()[k * cells + cell] + imagined.data()[cell];
  const auto log_p = [&](std::size_t j, std::size_t cell, std::size_t k, double wi) {
    const double above = without(counts.data()[k * cells + cell], wi) + imagined.data()[cell];
    return log_share(above, seen[j * c + k] - wi) - log_width.data()[cell];
  };
  if (!weight) {
    one.resize((cells + d) * c); // by cell and class; one cell of zeros before each column's: the missing ones
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t cell = s[j]; cell < s[j + 1]; ++cell)
        for (std::size_t k = 0; k < c; ++k) one[(cell + j + 1) * c + k] = log_p(j, cell, k, 1.0);
  }
  for (std::size_t first = 0; first < n; first += 256) { // so many rows of out stay in the cache while columns go by
    const std::size_t last = std::min(n, first + 256);
    for (std::size_t j = 0; j < d; ++j) {
      const int32_t* code = codes.data() + j * n;
      double* to = out.data() + j;
      if (!weight) {
        const double* table = one.data() + (s[j] + j) * c;
        for (std::size_t i = first; i < last; ++i) to[i * d] = table[(std::size_t)(code[i] + 1) * c + (std::size_t)cls[i]];
      } else {
        for (std::size_t i = first; i < last; ++i)
          to[i * d] = code[i] < 0 ? 0 : log_p(j, s[j] + (std::size_t)code[i], (std::size_t)cls[i], weight[i]);
      }
    }
  }
}

// What both kernels below share: calls cell(x, total, seen, weight) for each cell that is there, with the sums of its
// class, and writes what it returns to out (rows x columns).
template <class OfCell>
int64_t left_out_of_totals(const Matrix& x, const Vector<int32_t>& y, const Weights& w, Cell kind,
                           const Table<double>& total, const Table<double>& seen, Output<double>& out, OfCell&& cell) {
  const std::size_t n = x.shape(0), d = x.shape(1), c = total.shape(0);
  for (auto* t : {&total, &seen}) require(t->shape(0) == c && t->shape(1) == d, "the sums do not fit");
  require(out.shape(0) == n && out.shape(1) == d, "the output does not fit");
  const int32_t* code = class_codes(y, n, c);
  const double* weight = row_weights(w, n);
  return for_each_block(x, kind, [&](const Block& b) {
    for (std::size_t i = 0; i < b.rows; ++i) {
      const std::size_t row = b.start + i, of_class = (std::size_t)code[row] * d;
      const double wi = weight ? weight[row] : 1.0;
      for (std::size_t j = 0; j < d; ++j) {
        const double v = b.row(i)[j];
        out.data()[row * d + j] = v == v ? cell(v, of_class + j, wi) : 0.0;
      }
    }
  });
}

// Of bits, with so many zeros and ones imagined.
inline int64_t left_out_bernoulli(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& total,
                                  const Table<double>& seen, double zeros, double ones, Output<double> out) {
  nb::gil_scoped_release release;
  const auto log_p = [&](double v, std::size_t at, double wi) {
    const double n1 = total.data()[at], n0 = seen.data()[at] - n1;
    const double one = without(n1, v == 1 ? wi : 0) + ones, all = one + without(n0, v == 0 ? wi : 0) + zeros;
    const double p = all > 0 ? one / all : 0.5;
    return v == 1 ? std::log(p) : std::log1p(-p);
  };
  if (w) return left_out_of_totals(x, y, w, Cell::binary, total, seen, out, log_p);
  const std::size_t size = total.shape(0) * total.shape(1);
  require(seen.shape(0) * seen.shape(1) == size, "the sums do not fit");
  std::vector<double> of_bit(2 * size);
  for (std::size_t at = 0; at < size; ++at)
    for (int bit = 0; bit < 2; ++bit) of_bit[2 * at + (std::size_t)bit] = log_p(bit, at, 1.0);
  return left_out_of_totals(x, y, w, Cell::binary, total, seen, out,
                            [&](double v, std::size_t at, double) { return of_bit[2 * at + (v == 1)]; });
}

// Of counts, with so many events imagined in so many rows.
inline int64_t left_out_poisson(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& total,
                                const Table<double>& seen, double events, double rows, Output<double> out) {
  nb::gil_scoped_release release;
  return left_out_of_totals(x, y, w, Cell::count, total, seen, out, [&](double v, std::size_t at, double wi) {
    const double above = without(total.data()[at], wi * v) + events, below = without(seen.data()[at], wi) + rows;
    const double rate = below > 0 ? above / below : 0;
    return (v == 0 ? 0 : v * std::log(rate)) - rate - log_factorial(v);
  });
}

} // namespace likely
