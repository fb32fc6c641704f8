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

// Columns counted in cells: counts (classes x cells), the pseudocount of each cell, and the log of its width. Rows that
// weigh one each have no more to tell than their class and cell: those logs are taken once.
class CellsLeftOut {
 public:
  CellsLeftOut(const Codes& codes, const Vector<int32_t>& y, const Weights& w, const Vector<int64_t>& starts,
               const Table<double>& counts, const Vector<double>& pseudocounts, const Vector<double>& log_width)
      : codes(codes), rows(codes.shape(1)), classes(counts.shape(0)), cells(counts.shape(1)), counts(counts.data()),
        pseudocounts(pseudocounts.data()), log_width(log_width.data()) {
    const std::size_t d = codes.shape(0);
    require(pseudocounts.shape(0) == cells && log_width.shape(0) == cells, "one number per cell is needed");
    code = class_codes(y, rows, classes);
    weight = row_weights(w, rows);
    start = checked_starts(starts, d, cells);
    check_codes(codes, start);
    seen.resize(d * classes);
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t k = 0; k < classes; ++k)
        for (std::size_t cell = start[j]; cell < start[j + 1]; ++cell)
          seen[j * classes + k] += counts.data()[k * cells + cell] + pseudocounts.data()[cell];
    if (weight) return;
    one.resize((cells + d) * classes); // by cell and class; one cell of zeros before each column's: the missing ones
    for (std::size_t j = 0; j < d; ++j)
      for (std::size_t cell = start[j]; cell < start[j + 1]; ++cell)
        for (std::size_t k = 0; k < classes; ++k) one[(cell + j + 1) * classes + k] = log_p(j, cell, k, 1.0);
  }

  // Calls use(row, log p) for the rows from first to last, of column j.
  template <class Use>
  LIKELY_INLINE void each(std::size_t j, std::size_t first, std::size_t last, Use&& use) const {
    const int32_t* of = codes.data() + j * rows;
    const double* table = one.data() + (start[j] + j) * classes;
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t k = (std::size_t)code[i];
      if (!weight)
        use(i, table[(std::size_t)(of[i] + 1) * classes + k]);
      else
        use(i, of[i] < 0 ? 0.0 : log_p(j, start[j] + (std::size_t)of[i], k, weight[i]));
    }
  }

  const Codes& codes;
  const std::size_t rows, classes, cells;
  const int32_t* code;
  std::vector<std::size_t> start;

 private:
  double log_p(std::size_t j, std::size_t cell, std::size_t k, double w) const {
    const double above = without(counts[k * cells + cell], w) + pseudocounts[cell];
    return log_share(above, seen[j * classes + k] - w) - log_width[cell];
  }

  const double *counts, *pseudocounts, *log_width, *weight;
  std::vector<double> seen, one;
};

constexpr std::size_t kRows = 256; // that stay in the cache while columns go by

// out (rows x columns). Codes are columns x rows.
inline void left_out_cells(const Codes& codes, const Vector<int32_t>& y, const Weights& w, const Vector<int64_t>& starts,
                           const Table<double>& counts, const Vector<double>& pseudocounts, const Vector<double>& log_width,
                           Output<double> out) {
  const std::size_t d = codes.shape(0), n = codes.shape(1);
  require(out.shape(0) == n && out.shape(1) == d, "the output does not fit");
  nb::gil_scoped_release release;
  const CellsLeftOut cells(codes, y, w, starts, counts, pseudocounts, log_width);
  for (std::size_t first = 0; first < n; first += kRows)
    for (std::size_t j = 0; j < d; ++j)
      cells.each(j, first, std::min(n, first + kRows), [&](std::size_t i, double v) { out.data()[i * d + j] = v; });
}

// out (rows x classes) += the scores of each row: for its own class those left out, `times` so much for each column; for
// the others the table's entries (classes x cells).
inline void score_left_out_cells(const Codes& codes, const Vector<int32_t>& y, const Weights& w, const Vector<int64_t>& starts,
                                 const Table<double>& counts, const Vector<double>& pseudocounts,
                                 const Vector<double>& log_width, const Weights& times, const Table<double>& table,
                                 Output<double> out) {
  const std::size_t d = codes.shape(0), n = codes.shape(1), c = counts.shape(0);
  require(out.shape(0) == n && out.shape(1) == c, "the output does not fit");
  require(table.shape(0) == c && table.shape(1) == counts.shape(1), "the table does not fit the counts");
  require(!times || times->shape(0) == d, "one number per column is needed");
  nb::gil_scoped_release release;
  const CellsLeftOut cells(codes, y, w, starts, counts, pseudocounts, log_width);
  std::vector<double> own(n);
  for (std::size_t i = 0; i < n; ++i) own[i] = out.data()[i * c + (std::size_t)cells.code[i]];
  for (std::size_t first = 0; first < n; first += kRows)
    for (std::size_t j = 0; j < d; ++j)
      if (const double t = times ? times->data()[j] : 1.0; t != 0)
        cells.each(j, first, std::min(n, first + kRows), [&](std::size_t i, double v) { own[i] += t * v; });
  add_cells(codes, cells.start, table, out);
  for (std::size_t i = 0; i < n; ++i) out.data()[i * c + (std::size_t)cells.code[i]] = own[i];
}

// out (rows x classes): sets the score of each row's own class to what it was and the sum of its logs (rows x columns),
// `times` so much for each column.
inline void put_own_scores(const Table<double>& logs, const Weights& times, const Vector<int32_t>& y,
                           const Vector<double>& before, Output<double> out) {
  const std::size_t n = logs.shape(0), d = logs.shape(1), c = out.shape(1);
  require(out.shape(0) == n && before.shape(0) == n, "the output does not fit");
  require(!times || times->shape(0) == d, "one number per column is needed");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, n, c);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = logs.data() + i * d;
    double sum = before.data()[i];
    for (std::size_t j = 0; j < d; ++j)
      if (!times)
        sum += row[j];
      else if (times->data()[j] != 0)
        sum += times->data()[j] * row[j];
    out.data()[i * c + (std::size_t)code[i]] = sum;
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

// Of bits, with pseudocounts of zeros and ones.
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

// Of counts, with pseudocounts of events and of the rows they are in.
inline int64_t left_out_poisson(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& total,
                                const Table<double>& seen, double events, double rows, Output<double> out) {
  nb::gil_scoped_release release;
  const auto log_p = [&](double v, std::size_t at, double wi) {
    const double above = without(total.data()[at], wi * v) + events, below = without(seen.data()[at], wi) + rows;
    const double rate = below > 0 ? above / below : 0;
    return (v == 0 ? 0 : v * std::log(rate)) - rate - log_factorial(v);
  };
  if (w) return left_out_of_totals(x, y, w, Cell::count, total, seen, out, log_p);
  // Rows that weigh one and have one small count have one logarithm, which is taken when it is first asked for.
  constexpr std::size_t kSmall = 32;
  std::vector<double> known(total.shape(0) * total.shape(1) * kSmall, NAN);
  return left_out_of_totals(x, y, w, Cell::count, total, seen, out, [&](double v, std::size_t at, double wi) {
    if (v >= kSmall) return log_p(v, at, wi);
    double& here = known[at * kSmall + (std::size_t)v];
    if (here != here) here = log_p(v, at, wi);
    return here;
  });
}

} // namespace likely
