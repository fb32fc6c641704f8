// Products of a sparse (CSR) matrix and of its transpose with a table of a column per class, and what lies between them:
// the curvature of the loss of each row. The steps of logistic regression on sparse rows are made of these. And quadratic
// forms of its rows, for the leverage of each.
#pragma once

#include "logistic.hpp"
#include "sparse.hpp"

namespace likely {

// Columns to come are known, so they are fetched ahead: a table of a million columns is not in the second-level cache.
constexpr int64_t kAhead = 24;
constexpr std::size_t kNear = 1 << 19;  // bytes of a table that is in it

// F vectors, or numbers, V of the table for every value. Sums of few would wait for themselves: they are made of two.
template <class V, int F, bool squared, bool ahead, class I>
LIKELY_INLINE void gather(const I* p, const I* column, const double* v, std::size_t n, const double* table,
                          std::size_t width, double* out) {
  constexpr int W = sizeof(V) / sizeof(double), line = 8 / W, sums = F <= 4 ? 2 : 1;
  const int64_t last = p[n];
  for (std::size_t i = 0; i < n; ++i) {
    V sum[sums][F] = {};
    const auto add = [&](int64_t k, int at) LIKELY_LAMBDA {
      if constexpr (ahead) {
        const double* next = table + (std::size_t)column[std::min(k + kAhead, last - 1)] * width;
        for (int f = 0; f < F; f += line) __builtin_prefetch(next + W * f);
      }
      const double x = squared ? v[k] * v[k] : v[k];
      const double* t = table + (std::size_t)column[k] * width;
      for (int f = 0; f < F; ++f) {
        V y;
        std::memcpy(&y, t + W * f, sizeof y);
        sum[at][f] += x * y;
      }
    };
    int64_t k = p[i];
    for (; k + sums <= p[i + 1]; k += sums)
      for (int at = 0; at < sums; ++at) add(k + at, at);
    for (; k < p[i + 1]; ++k) add(k, 0);
    for (int f = 0; f < F; ++f) {
      const V total = sums == 1 ? sum[0][f] : sum[0][f] + sum[sums - 1][f];
      std::memcpy(out + i * width + W * f, &total, sizeof total);
    }
  }
}

template <bool squared, bool ahead, class I>
LIKELY_INLINE void gather_rows(const I* p, const I* column, const double* v, std::size_t n, const double* table,
                               std::size_t width, double* out) {
  if (width == 1) return gather<double, 1, squared, ahead>(p, column, v, n, table, width, out);
  std::size_t k = 0;
  for (; k + 28 < width; k += 20) gather<Four, 5, squared, ahead>(p, column, v, n, table + k, width, out + k);
  switch ((width - k) / 4) {  // all at once: the values are read anew each time
    case 1: return gather<Four, 1, squared, ahead>(p, column, v, n, table + k, width, out + k);
    case 2: return gather<Four, 2, squared, ahead>(p, column, v, n, table + k, width, out + k);
    case 3: return gather<Four, 3, squared, ahead>(p, column, v, n, table + k, width, out + k);
    case 4: return gather<Four, 4, squared, ahead>(p, column, v, n, table + k, width, out + k);
    case 5: return gather<Four, 5, squared, ahead>(p, column, v, n, table + k, width, out + k);
    case 6: return gather<Four, 6, squared, ahead>(p, column, v, n, table + k, width, out + k);
    default: return gather<Four, 7, squared, ahead>(p, column, v, n, table + k, width, out + k);
  }
}

template <class I>
LIKELY_INLINE void gather_all(const I* p, const I* column, const double* v, std::size_t n, const double* table,
                              std::size_t width, bool squared, bool ahead, double* out) {
  if (squared) return gather_rows<true, true>(p, column, v, n, table, width, out);
  ahead ? gather_rows<false, true>(p, column, v, n, table, width, out)
        : gather_rows<false, false>(p, column, v, n, table, width, out);
}

LIKELY_CLONES inline void gather_block(const int32_t* p, const int32_t* column, const double* v, std::size_t n,
                                       const double* table, std::size_t width, bool squared, bool ahead, double* out) {
  gather_all(p, column, v, n, table, width, squared, ahead, out);
}
LIKELY_CLONES inline void gather_block(const int64_t* p, const int64_t* column, const double* v, std::size_t n,
                                       const double* table, std::size_t width, bool squared, bool ahead, double* out) {
  gather_all(p, column, v, n, table, width, squared, ahead, out);
}

template <bool squared, class I>
LIKELY_INLINE void scatter_rows(const I* p, const I* column, const double* v, std::size_t n, const double* u,
                                std::size_t width, double* out) {
  const int64_t last = p[n];
  for (std::size_t i = 0; i < n; ++i)
    for (int64_t k = p[i]; k < p[i + 1]; ++k) {
      __builtin_prefetch(out + (std::size_t)column[std::min(k + kAhead, last - 1)] * width, 1);
      const double x = squared ? v[k] * v[k] : v[k];
      double* to = out + (std::size_t)column[k] * width;
      if (width == 1)
        *to += x * u[i];
      else
        for (std::size_t f = 0; f < width; f += 4) put(to + f, four(to + f) + x * four(u + i * width + f));
    }
}

LIKELY_CLONES inline void scatter_block(const int32_t* p, const int32_t* column, const double* v, std::size_t n,
                                        const double* u, std::size_t width, bool squared, double* out) {
  squared ? scatter_rows<true>(p, column, v, n, u, width, out) : scatter_rows<false>(p, column, v, n, u, width, out);
}
LIKELY_CLONES inline void scatter_block(const int64_t* p, const int64_t* column, const double* v, std::size_t n,
                                        const double* u, std::size_t width, bool squared, double* out) {
  squared ? scatter_rows<true>(p, column, v, n, u, width, out) : scatter_rows<false>(p, column, v, n, u, width, out);
}

// Calls work(first row, rows) for rows whose columns have been checked and are still in the cache.
template <class I>
void each_checked(const Vector<I>& indptr, const Vector<I>& indices, std::size_t values, std::size_t rows,
                  std::size_t columns, auto&& work) {
  const I* p = indptr.data();
  require(indptr.shape(0) == rows + 1 && p[0] >= 0 && std::is_sorted(p, p + rows + 1) &&
              (std::size_t)p[rows] <= indices.shape(0) && indices.shape(0) == values,
          "the sparse matrix is not well formed");
  for (std::size_t start = 0; start < rows;) {
    std::size_t end = start + 1;
    while (end < rows && p[end + 1] - p[start] <= 2048 && end - start < 1024) ++end;
    I low = 0, high = -1;
    for (I k = p[start]; k < p[end]; ++k) low = std::min(low, indices.data()[k]), high = std::max(high, indices.data()[k]);
    require(low >= 0 && (int64_t)high < (int64_t)columns, "a column index of the sparse matrix is out of range");
    work(start, end - start);
    start = end;
  }
}

// A table has one column, or a multiple of four, so that its rows are whole vectors.
inline void require_width(std::size_t width) { require(width == 1 || (width > 0 && width % 4 == 0), "the table does not fit"); }

// out = matrix (or its squares) times table. With the matrix in CSC order this is the product with its transpose.
template <class I>
void csr_product(const Vector<I>& indptr, const Vector<I>& indices, const Vector<double>& values,
                 const Table<double>& table, bool squared, Output<double> out) {
  const std::size_t n = out.shape(0), width = out.shape(1);
  require_width(width);
  require(table.shape(1) == width, "the table does not fit");
  const bool ahead = table.shape(0) * width * sizeof(double) > kNear;
  nb::gil_scoped_release release;
  each_checked(indptr, indices, values.shape(0), n, table.shape(0), [&](std::size_t start, std::size_t rows) {
    gather_block(indptr.data() + start, indices.data(), values.data(), rows, table.data(), width, squared, ahead,
                 out.data() + start * width);
  });
}

// out += the transpose of the matrix (or of its squares) times table.
template <class I>
void csr_transposed_product(const Vector<I>& indptr, const Vector<I>& indices, const Vector<double>& values,
                            const Table<double>& table, bool squared, Output<double> out) {
  const std::size_t n = table.shape(0), width = table.shape(1);
  require_width(width);
  require(out.shape(1) == width, "the table does not fit");
  nb::gil_scoped_release release;
  each_checked(indptr, indices, values.shape(0), n, out.shape(0), [&](std::size_t start, std::size_t rows) {
    scatter_block(indptr.data() + start, indices.data(), values.data(), rows, table.data() + start * width, width,
                  squared, out.data());
  });
}

// out = (x, 1)^T table (x, 1) of each row x of the matrix; the table has a row and a column more than that has columns.
template <class I>
void csr_forms(const Vector<I>& indptr, const Vector<I>& indices, const Vector<double>& values,
               const Table<double>& table, OutputVector<double> out) {
  const std::size_t n = out.shape(0), size = table.shape(0);
  require(size > 0 && table.shape(1) == size, "the table does not fit");
  nb::gil_scoped_release release;
  const double *t = table.data(), *ones = t + (size - 1) * size, *v = values.data();
  const I *p = indptr.data(), *column = indices.data();
  each_checked(indptr, indices, values.shape(0), n, size - 1, [&](std::size_t start, std::size_t rows) {
    for (std::size_t i = start; i < start + rows; ++i) {
      double sum = ones[size - 1];
      for (I a = p[i]; a < p[i + 1]; ++a) {
        const double* row = t + (std::size_t)column[a] * size;
        double along = row[size - 1] + ones[column[a]];
        for (I b = p[i]; b < p[i + 1]; ++b) along += v[b] * row[column[b]];
        sum += v[a] * along;
      }
      out.data()[i] = sum;
    }
  });
}

// One class against another: the curvature is w p (1 - p), and a residual is -w (1 - p) or w p.
LIKELY_INLINE void curve_binary(const double* u, const double* weight, const double* v, std::size_t n, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const double w = weight ? weight[i] : 1.0, size = std::fabs(u[i]);
    out[i] = w > 0 ? size * (1 - size / w) * v[i] : 0.0;
  }
}

// Taken less the value of the own class, so that nothing is lost where its probability is next to 1.
LIKELY_INLINE void curve_softmax(const double* u, const int32_t* y, const double* weight, const double* v, std::size_t n,
                                 std::size_t classes, std::size_t width, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    const double *ui = u + i * width, *vi = v + i * width;
    double* to = out + i * width;
    const double w = weight ? weight[i] : 1.0, own = vi[y[i]], share = w > 0 ? 1 / w : 0.0;
    double mean = 0; // at the own class v - own is zero
    for (std::size_t k = 0; k < classes; ++k) mean += ui[k] * (vi[k] - own);
    mean *= share;
    for (std::size_t k = 0; k < classes; ++k) to[k] = ui[k] * ((vi[k] - own) - mean);
    to[y[i]] = -(w + ui[y[i]]) * mean;
    for (std::size_t k = classes; k < width; ++k) to[k] = 0;
  }
}

LIKELY_CLONES inline void curve(const double* u, const int32_t* y, const double* weight, const double* v, std::size_t n,
                                std::size_t classes, std::size_t width, double* out) {
  classes == 1 ? curve_binary(u, weight, v, n, out) : curve_softmax(u, y, weight, v, n, classes, width, out);
}

// out = the curvature of the loss of each row, from its residuals, times `scores`: how residuals change with scores.
inline void logistic_curvature(const Table<double>& residuals, const Vector<int32_t>& y, const Weights& weight,
                               std::size_t classes, const Table<double>& scores, Output<double> out) {
  const std::size_t n = residuals.shape(0), width = residuals.shape(1);
  require(classes > 0 && (classes == 1 ? width == 1 : classes <= width), "the residuals do not fit");
  require(scores.shape(0) == n && scores.shape(1) == width, "the scores do not fit");
  require(out.shape(0) == n && out.shape(1) == width, "the output does not fit");
  nb::gil_scoped_release release;
  const int32_t* code = class_codes(y, n, classes_of(classes));
  curve(residuals.data(), code, row_weights(weight, n), scores.data(), n, classes, width, out.data());
}

} // namespace likely
