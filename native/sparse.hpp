// Rows of a sparse (CSR) matrix: only the values that are there are read.
#pragma once

#include "block.hpp"

namespace likely {

// indptr may be a slice of a longer one: rows are where it says, counted from the start of indices.
template <class I>
void check_csr(const Vector<I>& indptr, const Vector<I>& indices, std::size_t values, std::size_t rows, std::size_t columns) {
  const I* p = indptr.data();
  require(indptr.shape(0) == rows + 1 && p[0] >= 0 && std::is_sorted(p, p + rows + 1) &&
              (std::size_t)p[rows] <= indices.shape(0) && indices.shape(0) == values,
          "the sparse matrix is not well formed");
  I low = 0, high = -1;
  for (I k = p[0]; k < p[rows]; ++k) low = std::min(low, indices.data()[k]), high = std::max(high, indices.data()[k]);
  require(low >= 0 && (int64_t)high < (int64_t)columns, "a column index of the sparse matrix is out of range");
}

// -1, or the position of the first value from `first` to `last` that is not of the kind. A missing value is none either:
// a sparse matrix leaves out zeros, not unknowns.
template <Cell kind, class T>
int64_t first_bad_value(const T* v, int64_t first, int64_t last) {
  int64_t bad = 0;
  for (int64_t k = first; k < last; ++k) bad |= !allowed<kind>((double)v[k]);
  for (int64_t k = first; bad && k < last; ++k)
    if (!allowed<kind>((double)v[k])) return k;
  return -1;
}

template <class T>
int64_t first_bad_value(const T* v, int64_t first, int64_t last, Cell kind) {
  switch (kind) {
    case Cell::binary: return first_bad_value<Cell::binary>(v, first, last);
    case Cell::count: return first_bad_value<Cell::count>(v, first, last);
    case Cell::non_negative: return first_bad_value<Cell::non_negative>(v, first, last);
    default: return first_bad_value<Cell::finite>(v, first, last);
  }
}

using Values = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// total (classes x columns) += weight * value. Returns -1 or the position in `values` of the first that is not of the
// kind, having added nothing.
template <class I>
int64_t csr_totals(const Vector<I>& indptr, const Vector<I>& indices, const Values& values, const Vector<int32_t>& y,
                   const Weights& w, int kind, Output<double> total) {
  const std::size_t n = y.shape(0), c = total.shape(0), d = total.shape(1);
  nb::gil_scoped_release release;
  check_csr(indptr, indices, values.shape(0), n, d);
  const int32_t* code = class_codes(y, n, c);
  const double* weight = row_weights(w, n);
  // Rows class by class, so that the sums being added to are one row of the table: 50,000 columns are 400 KB and stay
  // in the second-level cache, where the whole table of 20 classes would not.
  std::vector<std::size_t> place(c + 1), order(n);
  for (std::size_t i = 0; i < n; ++i) ++place[(std::size_t)code[i] + 1];
  for (std::size_t k = 0; k < c; ++k) place[k + 1] += place[k];
  for (std::size_t i = 0; i < n; ++i) order[place[(std::size_t)code[i]]++] = i;
  return dispatch(values, [&](auto* element) -> int64_t {
    const auto* v = static_cast<decltype(element)>(values.data());
    const I *p = indptr.data(), *column = indices.data();
    const int64_t bad = first_bad_value(v, p[0], p[n], (Cell)kind);
    for (const std::size_t i : order) {
      if (bad >= 0) break;
      double* sum = total.data() + (std::size_t)code[i] * d;
      const double wi = weight ? weight[i] : 1.0;
      for (I k = p[i]; k < p[i + 1]; ++k) sum[column[k]] += wi * (double)v[k];
    }
    return bad;
  });
}

// The scores of F times four classes are held in registers; `weights` and `out` begin at the first of them.
template <int F, class I, class T>
LIKELY_INLINE void csr_rows(const I* p, const I* column, const T* v, std::size_t n, const double* weights,
                            std::size_t classes, double* out) {
  for (std::size_t i = 0; i < n; ++i) {
    Four s[F] = {};
    for (I k = p[i]; k < p[i + 1]; ++k) {
      // The table is larger than the second-level cache, and the columns to come are known: fetch them ahead.
      if (k + 8 < p[i + 1])
        for (int f = 0; f < F; f += 2) __builtin_prefetch(weights + (std::size_t)column[k + 8] * classes + 4 * f);
      const double x = (double)v[k];
      if (x == 0) continue; // a zero that is stored adds nothing, even where the weight is -inf
      const double* t = weights + (std::size_t)column[k] * classes;
      for (int f = 0; f < F; ++f) s[f] += x * four(t + 4 * f);
    }
    for (int f = 0; f < F; ++f) put(out + i * classes + 4 * f, four(out + i * classes + 4 * f) + s[f]);
  }
}

template <class I, class T>
LIKELY_INLINE void csr_columns(const I* p, const I* column, const T* v, std::size_t n, const double* weights,
                               std::size_t classes, double* out) {
  std::size_t k = 0;
  for (; k + 20 <= classes; k += 20) csr_rows<5>(p, column, v, n, weights + k, classes, out + k);
  for (; k + 8 <= classes; k += 8) csr_rows<2>(p, column, v, n, weights + k, classes, out + k);
  for (; k + 4 <= classes; k += 4) csr_rows<1>(p, column, v, n, weights + k, classes, out + k);
  for (std::size_t i = 0; k < classes && i < n; ++i)
    for (I at = p[i]; at < p[i + 1]; ++at)
      for (std::size_t a = k; a < classes && v[at] != 0; ++a)
        out[i * classes + a] += (double)v[at] * weights[(std::size_t)column[at] * classes + a];
}

LIKELY_CLONES inline void csr_block(const int32_t* p, const int32_t* column, const double* v, std::size_t n,
                                    const double* weights, std::size_t classes, double* out) {
  csr_columns(p, column, v, n, weights, classes, out);
}
LIKELY_CLONES inline void csr_block(const int64_t* p, const int64_t* column, const double* v, std::size_t n,
                                    const double* weights, std::size_t classes, double* out) {
  csr_columns(p, column, v, n, weights, classes, out);
}

// out (rows x classes) += values * weights (columns x classes). Returns -1 or the position in `values` of the first that
// is not of the kind, having added nothing.
template <class I>
int64_t csr_scores(const Vector<I>& indptr, const Vector<I>& indices, const Values& values, int kind,
                   const Table<double>& weights, Output<double> out) {
  const std::size_t n = out.shape(0), c = out.shape(1);
  nb::gil_scoped_release release;
  require(weights.shape(1) == c, "the weights do not fit the scores");
  check_csr(indptr, indices, values.shape(0), n, weights.shape(0));
  return dispatch(values, [&](auto* element) -> int64_t {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(element)>>;
    const auto* v = static_cast<const T*>(values.data());
    const int64_t bad = first_bad_value(v, indptr.data()[0], indptr.data()[n], (Cell)kind);
    if (bad >= 0) return bad;
    if constexpr (std::is_same_v<T, double>) {
      csr_block(indptr.data(), indices.data(), v, n, weights.data(), c, out.data());
    } else {
      const std::vector<double> converted(v, v + values.shape(0));
      csr_block(indptr.data(), indices.data(), converted.data(), n, weights.data(), c, out.data());
    }
    return -1;
  });
}

} // namespace likely
