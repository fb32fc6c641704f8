// Gaussian scores of each row as if it had never been counted, where the covariance is shrunk towards its diagonal:
// leaving a row out then changes a matrix in full, and it is factored anew for each row.
#pragma once

#include "block.hpp"

namespace likely {

// Four rows at once, each lane a matrix M of its own: the lower triangle row by row, and below it vectors t, each of
// which becomes z with |z|^2 = t' M^-1 t.
struct FourMatrices {
  std::size_t columns, vectors;
  std::vector<double> data;

  FourMatrices(std::size_t d, std::size_t v) : columns(d), vectors(v), data((d * (d + 1) / 2 + d * v) * 4) {}
  double* row(std::size_t i) { return data.data() + i * (i + 1) / 2 * 4; }
  double* vector(std::size_t k) { return row(columns) + k * columns * 4; }
};

// Factors in place; the log determinant, the squared lengths of all z and the least ratio of a pivot to its diagonal.
LIKELY_CLONES inline void factor(FourMatrices& m, double* logs, double* lengths, double* least) {
  const std::size_t d = m.columns;
  Four sum_logs{}, smallest = Four{} + 1.0;
  for (std::size_t at = 0; at < d + m.vectors; ++at) {
    const std::size_t i = std::min(at, d);
    double* mine = at < d ? m.row(at) : m.vector(at - d);
    std::size_t j = 0;
    for (; j + 4 <= i; j += 4) { // four columns at once: each vector of this row that is loaded serves four times
      const double* r[4] = {m.row(j), m.row(j + 1), m.row(j + 2), m.row(j + 3)};
      Four s[4];
      for (int a = 0; a < 4; ++a) s[a] = four(mine + 4 * (j + a));
      for (std::size_t k = 0; k < j; ++k) {
        const Four v = four(mine + 4 * k);
        for (int a = 0; a < 4; ++a) s[a] -= v * four(r[a] + 4 * k);
      }
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < a; ++b) s[a] -= s[b] * four(r[a] + 4 * (j + b));
        s[a] *= four(r[a] + 4 * (j + a)); // the diagonal holds what is multiplied by
        put(mine + 4 * (j + a), s[a]);
      }
    }
    for (; j < i; ++j) {
      const double* other = m.row(j);
      Four s = four(mine + 4 * j);
      for (std::size_t k = 0; k < j; ++k) s -= four(mine + 4 * k) * four(other + 4 * k);
      put(mine + 4 * j, s * four(other + 4 * j));
    }
    Four squares{};
    for (std::size_t k = 0; k < i; ++k) {
      const Four v = four(mine + 4 * k);
      squares += v * v;
    }
    if (at >= d) {
      put(lengths + 4 * (at - d), squares);
      continue;
    }
    const Four diagonal = four(mine + 4 * i);
    Four inverse;
    for (int lane = 0; lane < 4; ++lane) {
      const double pivot = diagonal[lane] - squares[lane], ratio = pivot / diagonal[lane];
      if (!(ratio >= smallest[lane])) smallest[lane] = ratio == ratio ? ratio : -1;
      sum_logs[lane] += std::log(pivot);
      inverse[lane] = 1 / std::sqrt(pivot);
    }
    put(mine + 4 * i, inverse);
  }
  put(logs, sum_logs);
  put(least, smallest);
}

// out (rows x classes) += the scores; with `own` only that of the row's own class. Class k is estimated by squares[k]
// over rows[k]; a row of weight w takes f w n / (n - w) dd' from them, d the way to it from the mean of its class, and
// f w rows, f = 1 for its own class and `tied` for the others. All but the diagonal is multiplied by `kept`. Rows that
// can't be done so are marked in `rest`, and left alone: with missing cells, the last of their class, or nearly all of
// a column's spread.
inline int64_t left_out_factored(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Vector<double>& n,
                                 const Table<double>& mean, const Cube<double>& squares, const Vector<double>& rows,
                                 double tied, double kept, bool own, Output<double> out, OutputVector<uint8_t> rest) {
  const std::size_t count = x.shape(0), d = x.shape(1), c = n.shape(0);
  require(mean.shape(0) == c && mean.shape(1) == d && rows.shape(0) == c, "the means do not fit");
  require(squares.shape(0) == c && squares.shape(1) == d && squares.shape(2) == d, "the squares do not fit");
  require(out.shape(0) == count && out.shape(1) == c && rest.shape(0) == count, "the output does not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, count, c);
  const double* weight = row_weights(w, count);
  // Where all classes are estimated by the same, one matrix serves all of them.
  const bool one = tied == 1 && !own;
  FourMatrices m(d, one ? c : 1);
  std::vector<double> away(4 * d), scores(4 * c), lengths(4 * m.vectors);
  return for_each_block(x, Cell::finite, [&](const Block& b) {
    for (std::size_t start = 0; start < b.rows; start += 4) {
      const std::size_t lanes = std::min<std::size_t>(4, b.rows - start);
      const double* row[4];
      std::size_t of[4];
      double gone[4], weighs[4], times[4];
      bool good[4] = {};
      for (std::size_t l = 0; l < 4; ++l) {
        const std::size_t i = start + std::min(l, lanes - 1);
        of[l] = (std::size_t)code[b.start + i];
        row[l] = b.row(i);
        weighs[l] = weight ? weight[b.start + i] : 1.0;
        const double left = n.data()[of[l]] - weighs[l];
        good[l] = !b.missing[i] && left > 1e-9 * weighs[l];
        times[l] = good[l] ? n.data()[of[l]] / left : 1.0;
        gone[l] = good[l] ? weighs[l] * times[l] : 0.0;
        for (std::size_t j = 0; j < d; ++j) away[4 * j + l] = good[l] ? row[l][j] - mean.data()[of[l] * d + j] : 0.0;
      }
      for (std::size_t k = 0; k < (own || one ? 1 : c); ++k) {
        Four takes;
        double divides[4];
        const double* from[4];
        for (std::size_t l = 0; l < 4; ++l) {
          const std::size_t at = own ? of[l] : k;
          const double f = at == of[l] ? 1.0 : tied;
          from[l] = squares.data() + at * d * d;
          takes[l] = f * gone[l];
          divides[l] = rows.data()[at] - f * weighs[l];
          for (std::size_t v = 0; v < m.vectors; ++v) {
            const std::size_t to = at + v;
            for (std::size_t j = 0; j < d; ++j)
              m.vector(v)[4 * j + l] = to == of[l] ? away[4 * j + l] * times[l]
                                       : good[l]   ? row[l][j] - mean.data()[to * d + j]
                                                   : 0.0;
          }
        }
        bool spread[4] = {true, true, true, true};
        for (std::size_t i = 0; i < d; ++i) {
          double* to = m.row(i);
          const Four taken = takes * four(&away[4 * i]);
          for (std::size_t j = 0; j <= i; ++j) {
            const std::size_t at = i * d + j;
            const Four before = {from[0][at], from[1][at], from[2][at], from[3][at]};
            const Four after = before - taken * four(&away[4 * j]);
            put(to + 4 * j, j < i ? after * kept : after);
            for (std::size_t l = 0; i == j && l < 4; ++l) spread[l] = spread[l] && after[l] > 1e-6 * before[l];
          }
        }
        double logs[4], least[4];
        factor(m, logs, lengths.data(), least);
        for (std::size_t l = 0; l < 4; ++l) {
          const std::size_t at = own ? of[l] : k;
          good[l] = good[l] && spread[l] && divides[l] > 0 && least[l] > 1e-8;
          const double peak = (double)d * std::log(2 * M_PI / divides[l]) + logs[l];
          for (std::size_t v = 0; v < m.vectors; ++v)
            scores[l * c + at + v] = -0.5 * (peak + lengths[4 * v + l] * divides[l]);
        }
      }
      for (std::size_t l = 0; l < lanes; ++l) {
        const std::size_t at = b.start + start + l;
        rest.data()[at] = !good[l];
        for (std::size_t k = 0; good[l] && k < c; ++k)
          if (!own || k == of[l]) out.data()[at * c + k] += scores[l * c + k];
      }
    }
  });
}

} // namespace likely
