// Columns counted together: how often each combination of the values of a set of columns, a clique, occurs in each class.
// Codes are as in cells.hpp, columns x rows. A column of v values has v + 1 slots: slot 0 takes the missing cells, slot
// 1 + code the others. The cells of a clique are the combinations of its columns' slots, the last column fastest.
#pragma once

#include "cells.hpp"

namespace likely {

// Sets of columns one after another: clique q has the columns member[end[q - 1]], ... member[end[q] - 1], and its cells
// begin at start[q]; start[cliques] is the number of cells in all.
struct Cliques {
  std::vector<std::size_t> slots, member, end, start;

  Cliques(const Codes& codes, const Vector<int64_t>& sizes, const Vector<int64_t>& members, const Vector<int64_t>& ends,
          std::size_t cells)
      : member(members.data(), members.data() + members.shape(0)), end(ends.data(), ends.data() + ends.shape(0)), start{0} {
    const std::size_t d = codes.shape(0);
    require(sizes.shape(0) == d, "one size per column is needed");
    std::vector<std::size_t> starts{0};
    for (std::size_t j = 0; j < d; ++j) {
      require(sizes.data()[j] >= 0 && sizes.data()[j] < INT32_MAX, "a size is out of range");
      slots.push_back((std::size_t)sizes.data()[j] + 1);
      starts.push_back(starts.back() + slots.back() - 1);
    }
    check_codes(codes, starts);
    for (const std::size_t j : member) require(j < d, "a clique has a column that is not there");
    require(std::is_sorted(end.begin(), end.end()) && (end.empty() ? 0 : end.back()) == member.size(),
            "the cliques do not end where they should");
    for (std::size_t q = 0; q < end.size(); ++q) {
      require(first(q) < end[q], "a clique has no column");
      std::size_t size = 1;
      for (std::size_t at = first(q); at < end[q]; ++at) {
        size *= slots[member[at]];
        require(size <= cells, "the cells do not fit the cliques"); // before the product can wrap
      }
      start.push_back(start.back() + size);
    }
    require(start.back() == cells, "the cells do not fit the cliques");
  }

  std::size_t first(std::size_t q) const { return q ? end[q - 1] : 0; }
  // Whether two cliques differ in their last column only.
  bool alike(std::size_t p, std::size_t q) const {
    return end[p] - first(p) == end[q] - first(q) &&
           std::equal(member.begin() + (std::ptrdiff_t)first(p), member.begin() + (std::ptrdiff_t)end[p] - 1,
                      member.begin() + (std::ptrdiff_t)first(q));
  }
};

// One pass over some rows for as many as four cliques that share all columns but the last: `base` is where each row's
// combination of those begins. Four sums that do not wait for each other hide the time that a sum takes to be stored
// before the next row may need it (`python -m bench --only joint_counts`).
template <int Q, class T>
LIKELY_INLINE void count_last(const uint32_t* base, const int32_t* const* code, const uint32_t* slots, T* const* to,
                              const double* weight, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i)
    for (int q = 0; q < Q; ++q) to[q][(std::size_t)base[i] * slots[q] + (std::size_t)(code[q][i] + 1)] += weight ? (T)weight[i] : (T)1;
}

template <class T>
void count_cliques(const Codes& codes, const int32_t* cls, const double* weight, const Cliques& of, std::size_t classes,
                   Output<double>& table) {
  // 4,096 rows of 50 columns are 800 KB, which stay in the second-level cache while all pairs go by; four tables of 10
  // classes and 10 values each are 20 KB and stay in the first while their rows do.
  constexpr std::size_t kTile = 4096;
  const std::size_t n = codes.shape(1), cells = table.shape(1);
  std::vector<T> sums(cells * classes);
  std::vector<uint32_t> base(kTile);
  for (std::size_t first = 0; first < n; first += kTile) {
    const std::size_t rows = std::min(kTile, n - first);
    const double* w = weight ? weight + first : nullptr;
    for (std::size_t q = 0; q < of.end.size();) {
      std::size_t group = 1;
      while (group < 4 && q + group < of.end.size() && of.alike(q, q + group)) ++group;
      if (q == 0 || !of.alike(q - 1, q)) {
        for (std::size_t i = 0; i < rows; ++i) base[i] = (uint32_t)cls[first + i];
        for (std::size_t at = of.first(q); at + 1 < of.end[q]; ++at) {
          const int32_t* code = codes.data() + of.member[at] * n + first;
          const uint32_t slots = (uint32_t)of.slots[of.member[at]];
          for (std::size_t i = 0; i < rows; ++i) base[i] = base[i] * slots + (uint32_t)(code[i] + 1);
        }
      }
      const int32_t* code[4];
      uint32_t slots[4];
      T* to[4];
      for (std::size_t g = 0; g < group; ++g) {
        const std::size_t last = of.member[of.end[q + g] - 1];
        code[g] = codes.data() + last * n + first;
        slots[g] = (uint32_t)of.slots[last];
        to[g] = sums.data() + of.start[q + g] * classes;
      }
      if (group == 4) count_last<4>(base.data(), code, slots, to, w, rows);
      if (group == 3) count_last<3>(base.data(), code, slots, to, w, rows);
      if (group == 2) count_last<2>(base.data(), code, slots, to, w, rows);
      if (group == 1) count_last<1>(base.data(), code, slots, to, w, rows);
      q += group;
    }
  }
  for (std::size_t q = 0; q < of.end.size(); ++q) {
    const std::size_t size = of.start[q + 1] - of.start[q];
    for (std::size_t k = 0; k < classes; ++k)
      for (std::size_t cell = 0; cell < size; ++cell)
        table.data()[k * cells + of.start[q] + cell] += (double)sums[of.start[q] * classes + k * size + cell];
  }
}

// table (classes x cells) += the weight of the rows of each class with each combination, clique by clique.
inline void count_joint(const Codes& codes, const Vector<int32_t>& y, const Weights& w, const Vector<int64_t>& sizes,
                        const Vector<int64_t>& members, const Vector<int64_t>& ends, Output<double> table) {
  const std::size_t n = codes.shape(1), c = table.shape(0), cells = table.shape(1);
  nb::gil_scoped_release release;
  const Cliques of(codes, sizes, members, ends, cells);
  require(cells == 0 || c <= UINT32_MAX / cells, "there are too many cells");
  require(n <= UINT32_MAX, "there are too many rows");
  const int32_t* cls = class_codes(y, n, c);
  if (const double* weight = row_weights(w, n))
    count_cliques<double>(codes, cls, weight, of, c, table);
  else
    count_cliques<uint32_t>(codes, cls, nullptr, of, c, table);
}

} // namespace likely
