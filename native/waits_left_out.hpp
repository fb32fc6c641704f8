// Scores of waiting times, which are exponential, as if their row had never been counted.
#pragma once

#include "counts_left_out.hpp"
#include "exponential.hpp"
#include "left_out.hpp"

namespace likely {

// The scores of a cell for every class: it changes the own class's rate and, through the prior, those of the others: the
// prior's pseudo-rows have the column's mean, or a total of their own.
class WaitCells {
 public:
  WaitCells(const Matrix& x, const Table<double>& total, const Table<double>& seen, double rows, double waited)
      : classes(total.shape(0)), width((classes + 3) / 4 * 4), rows(rows), waited(waited), columns(total.shape(1)),
        sum(columns.size() * width), number(sum) {
    require(x.shape(1) == columns.size() && seen.shape(0) == classes && seen.shape(1) == columns.size(), "the sums do not fit");
    for (std::size_t j = 0; j < columns.size(); ++j)
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t at = k * columns.size() + j;
        sum[j * width + k] = k < classes ? total.data()[at] : 1.0;
        number[j * width + k] = k < classes ? seen.data()[at] : 1.0;
        columns[j].total += k < classes ? total.data()[at] : 0.0;
        columns[j].seen += k < classes ? seen.data()[at] : 0.0;
      }
  }

  // What the prior adds to the sums of a column without a value.
  LIKELY_INLINE double more(std::size_t j, double x, double w) const {
    if (waited == waited) return waited;
    const double total = without(columns[j].total, w * x), seen = without(columns[j].seen, w);
    return rows * (total > 0 && seen > 0 ? total / seen : 1.0);
  }

  LIKELY_INLINE double own_score(std::size_t j, std::size_t k, double x, double w, double more) const {
    return score(without(sum[j * width + k], w * x) + more, without(number[j * width + k], w), x);
  }

  // Writes `width` scores; those beyond the classes mean nothing.
  LIKELY_INLINE void scores(std::size_t j, std::size_t own_class, double x, double w, double* to) const {
    const double added = more(j, x, w);
    for (std::size_t k = 0, at = j * width; k < width; k += 4, at += 4)
      if (added > 1e-140 && rows > 0) {
        const Four rate = (four(&number[at]) + rows) / (four(&sum[at]) + added);
        put(to + k, log4(rate) - rate * x);
      } else {
        for (std::size_t l = 0; l < 4; ++l) to[k + l] = score(sum[at + l] + added, number[at + l], x);
      }
    to[own_class] = own_score(j, own_class, x, w, added);
  }

  const std::size_t classes, width;

 private:
  struct OfColumn {
    double total = 0, seen = 0;
  };

  double score(double total, double seen, double x) const {
    const double n = seen + rows;
    const double rate = total > 0 ? n / std::max(total, n * 1e-150) : seen == 0 ? 1.0 : NAN;
    return std::log(rate) - rate * x;
  }

  const double rows, waited;
  std::vector<OfColumn> columns;
  std::vector<double> sum, number;
};

LIKELY_CLONES inline void add_wait_cells(const Block& b, const WaitCells& cells, const int32_t* code, const double* weight,
                                         const double* times, double* out) {
  add_left_out(b, cells, code, weight, times, out);
}

// out (rows x columns): the log density of each cell for the row's own class; missing cells are left as they are.
inline int64_t left_out_exponential(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& total,
                                    const Table<double>& seen, double rows, double waited, Output<double> out) {
  const std::size_t n = x.shape(0), d = x.shape(1);
  require(out.shape(0) == n && out.shape(1) == d, "the output does not fit");
  nb::gil_scoped_release release;
  const WaitCells cells(x, total, seen, rows, waited);
  const int32_t* code = class_codes(y, n, cells.classes);
  const double* weight = row_weights(w, n);
  return for_each_block(x, Cell::non_negative, [&](const Block& b) {
    for (std::size_t i = 0; i < b.rows; ++i)
      for (std::size_t j = 0; j < d; ++j) {
        const std::size_t row = b.start + i;
        const double v = b.row(i)[j], wi = weight ? weight[row] : 1.0;
        if (v == v) out.data()[row * d + j] = cells.own_score(j, (std::size_t)code[row], v, wi, cells.more(j, v, wi));
      }
  });
}

// out (rows x classes) += the scores of each row; those of column j `times` so much.
inline int64_t score_left_out_exponential(const Matrix& x, const Vector<int32_t>& y, const Weights& w,
                                          const Table<double>& total, const Table<double>& seen, double rows, double waited,
                                          const Weights& times, Output<double> out) {
  require(out.shape(0) == x.shape(0) && out.shape(1) == total.shape(0), "the output does not fit");
  require(!times || times->shape(0) == x.shape(1), "one number per column is needed");
  nb::gil_scoped_release release;
  const WaitCells cells(x, total, seen, rows, waited);
  const int32_t* code = class_codes(y, x.shape(0), cells.classes);
  const double* weight = row_weights(w, x.shape(0));
  return for_each_block(x, Cell::non_negative, [&](const Block& b) {
    add_wait_cells(b, cells, code, weight, times ? times->data() : nullptr, out.data());
  });
}

// out (rows x classes x columns): the log density of each cell for every class; missing cells are left as they are.
inline int64_t left_out_exponential_cells(const Matrix& x, const Vector<int32_t>& y, const Weights& w,
                                          const Table<double>& total, const Table<double>& seen, double rows, double waited,
                                          OutputCube<double> out) {
  const std::size_t n = x.shape(0);
  require(out.shape(0) == n && out.shape(1) == total.shape(0) && out.shape(2) == x.shape(1), "the output does not fit");
  nb::gil_scoped_release release;
  const WaitCells cells(x, total, seen, rows, waited);
  const int32_t* code = class_codes(y, n, cells.classes);
  const double* weight = row_weights(w, n);
  return for_each_block(x, Cell::non_negative, [&](const Block& b) { put_left_out(b, cells, code, weight, out.data()); });
}

} // namespace likely
