// Scores of all classes for dense rows: Gaussian, and those linear in the value (Bernoulli, Poisson, multinomial).
#pragma once

#include "block.hpp"

namespace likely {

// Whole rows, two at a time so that every parameter loaded serves twice. The scores of F times four classes are held in
// registers; more classes than that are done in turn. `term` adds one column's terms to four classes of both rows.
template <int F, class Row, class Term>
LIKELY_INLINE void score_rows(std::size_t rows, std::size_t columns, const Row& row, std::size_t width, std::size_t from,
                              double* scores, const Term& term) {
  for (std::size_t i = 0; i < rows; i += 2) {
    const std::size_t next = i + 1 < rows ? i + 1 : i;
    const double* x0 = row(i);
    const double* x1 = row(next);
    Four s0[F] = {}, s1[F] = {};
    for (std::size_t j = 0; j < columns; ++j)
      for (int f = 0; f < F; ++f) term(x0[j], x1[j], j * width + from + 4 * f, s0[f], s1[f]);
    for (int f = 0; f < F; ++f) {
      put(scores + i * width + from + 4 * f, s0[f]);
      put(scores + next * width + from + 4 * f, s1[f]);
    }
  }
}

template <class Row, class Term>
LIKELY_INLINE void score_some(std::size_t rows, std::size_t columns, const Row& row, std::size_t width, double* scores,
                              const Term& term) {
  std::size_t from = 0;
  for (; from + 12 <= width; from += 12) score_rows<3>(rows, columns, row, width, from, scores, term);
  if (from + 8 <= width) {
    score_rows<2>(rows, columns, row, width, from, scores, term);
    from += 8;
  }
  if (from + 4 <= width) score_rows<1>(rows, columns, row, width, from, scores, term);
}

template <class Term>
LIKELY_INLINE void score_block(const Block& b, std::size_t width, double* scores, const Term& term) {
  score_some(b.rows, b.columns, [&b](std::size_t i) LIKELY_LAMBDA { return b.row(i); }, width, scores, term);
}

struct GaussianTerm {
  const double *mean, *rate;
  LIKELY_INLINE void operator()(double x0, double x1, std::size_t at, Four& s0, Four& s1) const {
    const Four centre = four(mean + at), scale = four(rate + at);
    const Four t0 = (x0 - centre) * scale, t1 = (x1 - centre) * scale;
    s0 -= t0 * t0;
    s1 -= t1 * t1;
  }
};

LIKELY_CLONES inline void gaussian_block(const Block& b, const Padded& mean, const Padded& rate, double* scores) {
  score_block(b, mean.width, scores, GaussianTerm{mean[0], rate[0]});
}

LIKELY_CLONES inline void gaussian_rows(const double* const* rows, std::size_t n, std::size_t columns, const Padded& mean,
                                        const Padded& rate, double* scores) {
  const auto row = [rows](std::size_t i) LIKELY_LAMBDA { return rows[i]; };
  score_some(n, columns, row, mean.width, scores, GaussianTerm{mean[0], rate[0]});
}

LIKELY_CLONES inline void linear_block(const Block& b, const Padded& slope, double* scores) {
  const double* a = slope[0];
  score_block(b, slope.width, scores, [a](double x0, double x1, std::size_t at, Four& s0, Four& s1) LIKELY_LAMBDA {
    const Four weight = four(a + at);
    s0 += x0 * weight;
    s1 += x1 * weight;
  });
}

// out += score + constant + shift for the whole rows of a block: a constant for each class, a shift for each row. Marks
// the others in `rest`: those with missing cells, and those where an infinite parameter met a zero and made a NaN.
LIKELY_CLONES inline void add_whole_rows(const Block& b, const double* scores, std::size_t width, const double* constant,
                                         const double* shift, std::size_t c, double* out, unsigned char* rest) {
  for (std::size_t i = 0; i < b.rows; ++i) {
    const double* __restrict s = scores + i * width;
    double* __restrict to = out + (b.start + i) * c;
    int64_t undefined = b.missing[i];
    for (std::size_t k = 0; k < c; ++k) {
      const double sum = s[k] + constant[k];
      undefined |= sum != sum;
    }
    rest[i] = undefined != 0;
    if (undefined) continue;
    for (std::size_t k = 0; k < c; ++k) to[k] += s[k] + constant[k] + shift[i];
  }
}

// Adds scores to out: `fast` gives those of a block's whole rows, less the constant, and each row's shift; `cell(j, x, to)`
// adds one cell's contribution to every class, and does the rest.
template <class Fast, class Slow>
int64_t score_blocks(const Matrix& x, Cell kind, std::size_t width, const std::vector<double>& constant,
                     Output<double>& out, Fast&& fast, Slow&& cell) {
  const std::size_t c = out.shape(1), d = x.shape(1);
  require(out.shape(0) == x.shape(0), "one row of scores per row is needed");
  std::vector<double> scores(256 * width);
  double shift[256] = {};
  unsigned char rest[256];
  return for_each_block(x, kind, [&](const Block& b) {
    fast(b, scores.data(), shift);
    add_whole_rows(b, scores.data(), width, constant.data(), shift, c, out.data(), rest);
    for (std::size_t i = 0; i < b.rows; ++i)
      for (std::size_t j = 0; rest[i] && j < d; ++j)
        if (const double v = b.row(i)[j]; v == v) cell(j, v, out.data() + (b.start + i) * c);
  });
}

inline std::vector<double> row_sums(const Table<double>& classes_by_columns) {
  const std::size_t c = classes_by_columns.shape(0), d = classes_by_columns.shape(1);
  std::vector<double> sums(c);
  for (std::size_t k = 0; k < c; ++k)
    for (std::size_t j = 0; j < d; ++j) sums[k] += classes_by_columns.data()[k * d + j];
  return sums;
}

// out += sum over cells of constant - ((x - mean) * rate)^2
inline int64_t score_gaussian(const Matrix& x, const Table<double>& mean, const Table<double>& rate,
                              const Table<double>& constant, Output<double> out) {
  const std::size_t d = x.shape(1), c = out.shape(1);
  for (auto* t : {&mean, &rate, &constant}) require(t->shape(0) == c && t->shape(1) == d, "parameters do not fit");
  nb::gil_scoped_release release;
  const Padded m = transposed(mean), r = transposed(rate);
  return score_blocks(
      x, Cell::finite, m.width, row_sums(constant), out,
      [&](const Block& b, double* scores, double*) { gaussian_block(b, m, r, scores); },
      [&](std::size_t j, double v, double* to) {
        for (std::size_t k = 0; k < c; ++k) {
          const double t = (v - m[j][k]) * r[j][k];
          to[k] += constant.data()[k * d + j] - t * t;
        }
      });
}

// The same with parameters for each row of which[row] among several. The rows of a block that have the same are scored
// together, where they lie.
inline int64_t score_gaussian_by(const Matrix& x, const Vector<int32_t>& which, const Cube<double>& mean,
                                 const Cube<double>& rate, const Cube<double>& constant, Output<double> out) {
  const std::size_t d = x.shape(1), c = out.shape(1), sets = mean.shape(0);
  require(out.shape(0) == x.shape(0), "one row of scores per row is needed");
  for (auto* t : {&mean, &rate, &constant})
    require(t->shape(0) == sets && t->shape(1) == c && t->shape(2) == d, "parameters do not fit");
  nb::gil_scoped_release release;
  const int32_t* set = class_codes(which, x.shape(0), sets);
  std::vector<Padded> m, r;
  std::vector<double> sums(sets * c);
  for (std::size_t g = 0; g < sets; ++g) {
    m.push_back(transposed(mean.data() + g * c * d, c, d));
    r.push_back(transposed(rate.data() + g * c * d, c, d));
    for (std::size_t k = 0; k < c * d; ++k) sums[g * c + k / d] += constant.data()[g * c * d + k];
  }
  std::vector<double> scores(256 * (sets ? m[0].width : 0));
  std::vector<std::size_t> first(sets + 1);
  std::size_t order[256];
  const double* rows[256];
  return for_each_block(
      x, Cell::finite,
      [&](const Block& b) {
        std::fill(first.begin(), first.end(), 0);
        for (std::size_t i = 0; i < b.rows; ++i) ++first[(std::size_t)set[b.start + i] + 1];
        for (std::size_t g = 0; g < sets; ++g) first[g + 1] += first[g];
        for (std::size_t i = 0; i < b.rows; ++i) order[first[(std::size_t)set[b.start + i]]++] = i;
        for (std::size_t g = 0, from = 0; g < sets; from = first[g++]) { // first[g] is now where the next begins
          const std::size_t n = first[g] - from;
          for (std::size_t i = 0; i < n; ++i) rows[i] = b.row(order[from + i]);
          if (n) gaussian_rows(rows, n, d, m[g], r[g], scores.data());
          for (std::size_t i = 0; i < n; ++i) {
            double* to = out.data() + (b.start + order[from + i]) * c;
            const double* s = scores.data() + i * m[g].width;
            if (!b.missing[order[from + i]]) {
              for (std::size_t k = 0; k < c; ++k) to[k] += s[k] + sums[g * c + k];
              continue;
            }
            for (std::size_t j = 0; j < d; ++j) {
              const double v = rows[i][j];
              for (std::size_t k = 0; v == v && k < c; ++k) {
                const double t = (v - m[g][j][k]) * r[g][j][k];
                to[k] += constant.data()[(g * c + k) * d + j] - t * t;
              }
            }
          }
        }
      },
      256);
}

// log x! for whole x of 0 or more.
inline double log_factorial(double x) {
  static const std::vector<double> table = [] {
    std::vector<double> t(256);
    for (std::size_t i = 2; i < t.size(); ++i) t[i] = t[i - 1] + std::log((double)i);
    return t;
  }();
  // Not std::lgamma, which writes to a global sign; its series is exact to the last digits this far out.
  if (x < 256) return table[(std::size_t)x];
  const double r = 1 / (x * x);
  return (x + 0.5) * std::log(x) - x + 0.91893853320467274178 + (1 / 12.0 - r * (1 / 360.0 - r / 1260)) / x;
}

// out += sum over cells of: zero where x = 0, otherwise one + slope * x; less `factorial` times log x!, a number for each
// column, if there are any. Where slope is not 0, one must equal zero (Poisson, multinomial); where it is 0, x must be 0
// or 1 (Bernoulli): either way a line.
inline int64_t score_linear(const Matrix& x, int kind, const Table<double>& zero, const Table<double>& one,
                            const Table<double>& slope, const Weights& factorial, Output<double> out) {
  const std::size_t d = x.shape(1), c = out.shape(1);
  for (auto* t : {&zero, &one, &slope}) require(t->shape(0) == c && t->shape(1) == d, "parameters do not fit");
  nb::gil_scoped_release release;
  Padded rise = transposed(slope);
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t k = 0; k < c; ++k)
      if (one.data()[k * d + j] != zero.data()[k * d + j]) rise[j][k] += one.data()[k * d + j] - zero.data()[k * d + j];
  require(!factorial || (Cell)kind == Cell::count, "only counts have factorials");
  require(!factorial || factorial->shape(0) == d, "one number per column is needed");
  const double* times = factorial ? factorial->data() : nullptr;
  return score_blocks(
      x, (Cell)kind, rise.width, row_sums(zero), out,
      [&](const Block& b, double* scores, double* shift) {
        linear_block(b, rise, scores);
        for (std::size_t i = 0; times && i < b.rows; ++i) {
          shift[i] = 0;
          for (std::size_t j = 0; !b.missing[i] && j < d; ++j) shift[i] -= times[j] * log_factorial(b.row(i)[j]);
        }
      },
      [&](std::size_t j, double v, double* to) {
        const double less = times ? times[j] * log_factorial(v) : 0;
        for (std::size_t k = 0, at = j; k < c; ++k, at += d) {
          if (v == 0)
            to[k] += zero.data()[at];
          else
            to[k] += one.data()[at] + (slope.data()[at] == 0 ? 0 : slope.data()[at] * v) - less;
        }
      });
}

} // namespace likely
