// Rows of a table, in blocks that fit the first-level cache, as doubles.
//
// Every dense kernel is a loop over such blocks. The element type is dealt with once, here: an array of doubles
// whose rows are contiguous is read in place, anything else (float32, integers, bool, strided) is converted a block
// at a time. So the loops themselves are written once, for double, and compiled for each instruction set.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "portable.hpp"

namespace nb = nanobind;

namespace likely {

LIKELY_INLINE Four four(const double* p) {
  Four v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
LIKELY_INLINE void put(double* p, Four v) { std::memcpy(p, &v, sizeof v); }

using Matrix = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
template <class T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Table = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Output = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Cube = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutputCube = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <class T>
using OutputVector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline void require(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument(what);
}

// Calls f with a null pointer of the array's element type.
template <class Array, class F>
auto dispatch(const Array& array, F&& f) {
  const nb::dlpack::dtype t = array.dtype();
  if (t == nb::dtype<double>()) return f((const double*)nullptr);
  if (t == nb::dtype<float>()) return f((const float*)nullptr);
  if (t == nb::dtype<int64_t>()) return f((const int64_t*)nullptr);
  if (t == nb::dtype<int32_t>()) return f((const int32_t*)nullptr);
  if (t == nb::dtype<int16_t>()) return f((const int16_t*)nullptr);
  if (t == nb::dtype<int8_t>()) return f((const int8_t*)nullptr);
  if (t == nb::dtype<uint64_t>()) return f((const uint64_t*)nullptr);
  if (t == nb::dtype<uint32_t>()) return f((const uint32_t*)nullptr);
  if (t == nb::dtype<uint16_t>()) return f((const uint16_t*)nullptr);
  if (t == nb::dtype<uint8_t>()) return f((const uint8_t*)nullptr);
  if (t == nb::dtype<bool>()) return f((const bool*)nullptr);
  throw std::invalid_argument("an array of floats, integers or bools is needed");
}

// Beyond this the square of a number is no longer finite.
constexpr double kLargest = 1e150;

// What a cell must be; NaN is a missing cell and always allowed.
enum class Cell : int { finite = 0, non_negative = 1, count = 2, binary = 3 };

struct Block {
  const double* data;    // first row
  std::ptrdiff_t stride; // from one row to the next
  std::size_t start, rows, columns;
  const unsigned char* missing; // per row: has it a missing cell?
  const double* row(std::size_t i) const { return data + (std::ptrdiff_t)i * stride; }
};

template <Cell kind>
LIKELY_INLINE bool allowed(double x) {
  if constexpr (kind == Cell::finite) return std::fabs(x) <= kLargest;
  if constexpr (kind == Cell::non_negative) return (x >= 0) & (x <= kLargest);
  if constexpr (kind == Cell::count) return (x >= 0) & (x <= 9007199254740992.0) && x == (double)(int64_t)x;
  if constexpr (kind == Cell::binary) return (x == 0) | (x == 1);
}

template <Cell kind>
LIKELY_INLINE bool check_rows(const Block& b, unsigned char* missing) {
  int64_t any_bad = 0;
  for (std::size_t i = 0; i < b.rows; ++i) {
    const double* __restrict x = b.row(i);
    int64_t holes = 0, bad = 0;
    for (std::size_t j = 0; j < b.columns; ++j) {
      const int64_t hole = x[j] != x[j];
      holes |= hole;
      bad |= !hole & !allowed<kind>(x[j]);
    }
    missing[i] = holes != 0;
    any_bad |= bad;
  }
  return any_bad == 0;
}

// Whether every cell is there and finite. Most blocks are so, and it is a fifth of the work of marking their rows.
LIKELY_INLINE bool whole(const Block& b) {
  FourInts good = FourInts{} - 1;
  bool rest = true;
  const std::size_t even = b.columns / 4 * 4;
  for (std::size_t i = 0; i < b.rows; ++i) {
    const double* x = b.row(i);
    for (std::size_t j = 0; j < even; j += 4) good &= (four(x + j) <= kLargest) & (four(x + j) >= -kLargest);
    for (std::size_t j = even; j < b.columns; ++j) rest &= std::fabs(x[j]) <= kLargest;
  }
  return rest && (good[0] & good[1] & good[2] & good[3]);
}

// Marks the rows with missing cells; false if a cell is not allowed.
LIKELY_CLONES inline bool check(const Block& b, Cell kind, unsigned char* missing) {
  switch (kind) {
    case Cell::finite:
      if (!whole(b)) return check_rows<Cell::finite>(b, missing);
      std::fill_n(missing, b.rows, 0);
      return true;
    case Cell::non_negative: return check_rows<Cell::non_negative>(b, missing);
    case Cell::count: return check_rows<Cell::count>(b, missing);
    default: return check_rows<Cell::binary>(b, missing);
  }
}

inline int64_t first_bad(const Block& b, Cell kind) {
  for (std::size_t i = 0; i < b.rows; ++i)
    for (std::size_t j = 0; j < b.columns; ++j) {
      const double x = b.row(i)[j];
      const bool ok = x != x || (kind == Cell::finite         ? allowed<Cell::finite>(x)
                                 : kind == Cell::non_negative ? allowed<Cell::non_negative>(x)
                                 : kind == Cell::count        ? allowed<Cell::count>(x)
                                                              : allowed<Cell::binary>(x));
      if (!ok) return (int64_t)((b.start + i) * b.columns + j);
    }
  return -1;
}

template <class T>
int64_t each_block(const T* data, std::size_t rows, std::size_t columns, std::ptrdiff_t row_stride,
                   std::ptrdiff_t column_stride, Cell kind, std::size_t least, auto&& work) {
  if (columns == 0) return -1;
  // 2,048 doubles are 16 KB: half of a first-level cache, the other half is for the sums.
  const std::size_t step = std::clamp<std::size_t>(2048 / columns, least, 256);
  std::vector<unsigned char> missing(step);
  const bool in_place = std::is_same_v<T, double> && column_stride == 1;
  std::vector<double> buffer(in_place ? 0 : step * columns);
  for (std::size_t start = 0; start < rows; start += step) {
    Block b{nullptr, (std::ptrdiff_t)columns, start, std::min(step, rows - start), columns, missing.data()};
    const T* from = data + (std::ptrdiff_t)start * row_stride;
    if (in_place) {
      b.data = reinterpret_cast<const double*>(from);
      b.stride = row_stride;
    } else {
      for (std::size_t i = 0; i < b.rows; ++i) {
        const T* row = from + (std::ptrdiff_t)i * row_stride;
        double* to = buffer.data() + i * columns;
        if (column_stride == 1)
          for (std::size_t j = 0; j < columns; ++j) to[j] = (double)row[j];
        else
          for (std::size_t j = 0; j < columns; ++j) to[j] = (double)row[(std::ptrdiff_t)j * column_stride];
      }
      b.data = buffer.data();
    }
    if (!check(b, kind, missing.data())) return first_bad(b, kind);
    work(b);
  }
  return -1;
}

// Calls work(block) for all rows of x. Returns -1, or the position (row * columns + column) of the first cell that
// is not of the kind, having stopped before its block. A kernel that uses each row many times may ask for blocks of at
// least so many rows, up to 256.
template <class Work>
int64_t for_each_block(const Matrix& x, Cell kind, Work&& work, std::size_t least = 1) {
  return dispatch(x, [&](auto* element) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(element)>>;
    const T* data = static_cast<const T*>(x.data());
    const std::size_t rows = x.shape(0), columns = x.shape(1);
    const std::ptrdiff_t row_stride = x.stride(0), column_stride = x.stride(1);
    return each_block(data, rows, columns, row_stride, column_stride, kind, least, work);
  });
}

// Class codes, one per row; checked once, so that the loops need not.
inline const int32_t* class_codes(const Vector<int32_t>& y, std::size_t rows, std::size_t classes) {
  require(y.shape(0) == rows, "one class code per row is needed");
  for (std::size_t i = 0; i < rows; ++i)
    require((std::size_t)y.data()[i] < classes, "a class code is out of range");
  return y.data();
}

// An optional vector of weights, one per row; null when every row counts once.
using Weights = std::optional<Vector<double>>;

inline const double* row_weights(const Weights& w, std::size_t rows) {
  if (!w) return nullptr;
  require(w->shape(0) == rows, "one weight per row is needed");
  return w->data();
}

// Class-wise tables with the classes padded to a multiple of four, so that loops over classes have a fixed width.
struct Padded {
  std::size_t width;
  std::vector<double> data;
  const double* operator[](std::size_t row) const { return data.data() + row * width; }
  double* operator[](std::size_t row) { return data.data() + row * width; }
};

inline Padded transposed(const double* classes_by_columns, std::size_t c, std::size_t d) {
  Padded p{(c + 3) / 4 * 4, {}};
  p.data.assign(p.width * std::max<std::size_t>(d, 1), 0.0);
  for (std::size_t k = 0; k < c; ++k)
    for (std::size_t j = 0; j < d; ++j) p[j][k] = classes_by_columns[k * d + j];
  return p;
}

inline Padded transposed(const Table<double>& classes_by_columns) {
  return transposed(classes_by_columns.data(), classes_by_columns.shape(0), classes_by_columns.shape(1));
}

} // namespace likely
