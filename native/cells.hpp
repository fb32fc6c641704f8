// Columns that are counted in cells: the categories of a column, or the bins of a histogram. A cell's code is its
// position in its column; -1 is a missing cell. Codes come column by column: an array of columns x rows.
#pragma once

#include "block.hpp"

namespace likely {

using Codes = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// starts[j] is where the cells of column j begin in the table; starts[columns] is the number of cells in all.
inline std::vector<std::size_t> checked_starts(const Vector<int64_t>& starts, std::size_t columns, std::size_t cells) {
  require(starts.shape(0) == columns + 1, "one start per column and the end are needed");
  std::vector<std::size_t> s(starts.data(), starts.data() + columns + 1);
  require(s[0] == 0 && s[columns] == cells && std::is_sorted(s.begin(), s.end()), "the starts do not fit the table");
  return s;
}

inline void check_codes(const Codes& codes, const std::vector<std::size_t>& starts) {
  const std::size_t d = codes.shape(0), n = codes.shape(1);
  for (std::size_t j = 0; j < d; ++j) {
    const int32_t cells = (int32_t)(starts[j + 1] - starts[j]);
    int32_t low = 0, high = -1;
    const int32_t* code = codes.data() + j * n;
    for (std::size_t i = 0; i < n; ++i) low = std::min(low, code[i]), high = std::max(high, code[i]);
    require(low >= -1 && high < cells, "a code is out of range");
  }
}

// table (classes x cells) += weight of the rows of each class with each code.
inline void count_cells(const Codes& codes, const Vector<int32_t>& y, const Weights& w, const Vector<int64_t>& starts,
                        Output<double> table) {
  const std::size_t d = codes.shape(0), n = codes.shape(1), c = table.shape(0), cells = table.shape(1);
  nb::gil_scoped_release release;
  const int32_t* cls = class_codes(y, n, c);
  const double* weight = row_weights(w, n);
  const std::vector<std::size_t> s = checked_starts(starts, d, cells);
  check_codes(codes, s);
  std::vector<double> by_cell;
  for (std::size_t j = 0; j < d; ++j) {
    const std::size_t k = s[j + 1] - s[j];
    by_cell.assign((k + 1) * c, 0.0); // the first cell takes the missing ones, so that the loop has no branch
    const int32_t* code = codes.data() + j * n;
    if (weight)
      for (std::size_t i = 0; i < n; ++i) by_cell[(std::size_t)(code[i] + 1) * c + (std::size_t)cls[i]] += weight[i];
    else
      for (std::size_t i = 0; i < n; ++i) by_cell[(std::size_t)(code[i] + 1) * c + (std::size_t)cls[i]] += 1;
    for (std::size_t cell = 0; cell < k; ++cell)
      for (std::size_t a = 0; a < c; ++a) table.data()[a * cells + s[j] + cell] += by_cell[(cell + 1) * c + a];
  }
}

// Rows of F times four classes, 32 rows at a time: their scores stay in the first-level cache while the columns go by.
template <int F>
LIKELY_INLINE void score_cell_rows(const int32_t* codes, std::size_t d, std::size_t n, const std::size_t* starts,
                                   const double* table, std::size_t width, std::size_t from, std::size_t classes,
                                   double* out) {
  for (std::size_t first = 0; first < n; first += 32) {
    const std::size_t rows = std::min<std::size_t>(32, n - first);
    Four scores[32][F] = {};
    for (std::size_t j = 0; j < d; ++j) {
      const int32_t* code = codes + j * n + first;
      const double* column = table + (starts[j] + j) * width + from;
      for (std::size_t i = 0; i < rows; ++i)
        for (int f = 0; f < F; ++f) scores[i][f] += four(column + (std::size_t)(code[i] + 1) * width + 4 * f);
    }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < std::min<std::size_t>(4 * F, classes - from); ++k)
        out[(first + i) * classes + from + k] += scores[i][k / 4][k % 4];
  }
}

LIKELY_CLONES inline void score_all_cells(const int32_t* codes, std::size_t d, std::size_t n, const std::size_t* starts,
                                          const double* table, std::size_t width, std::size_t classes, double* out) {
  std::size_t from = 0;
  for (; from + 12 <= width; from += 12) score_cell_rows<3>(codes, d, n, starts, table, width, from, classes, out);
  if (from + 8 <= width) {
    score_cell_rows<2>(codes, d, n, starts, table, width, from, classes, out);
    from += 8;
  }
  if (from + 4 <= width) score_cell_rows<1>(codes, d, n, starts, table, width, from, classes, out);
}

// score_cells, below, with starts and codes that are known to fit.
inline void add_cells(const Codes& codes, const std::vector<std::size_t>& s, const Table<double>& table, Output<double>& out) {
  const std::size_t d = codes.shape(0), n = codes.shape(1), c = table.shape(0), cells = table.shape(1);
  const std::size_t width = (c + 3) / 4 * 4;
  std::vector<double> by_cell((cells + d) * width); // one cell of zeros before each column's: the missing ones
  for (std::size_t j = 0; j < d; ++j)
    for (std::size_t cell = s[j]; cell < s[j + 1]; ++cell)
      for (std::size_t k = 0; k < c; ++k) by_cell[(cell + j + 1) * width + k] = table.data()[k * cells + cell];
  score_all_cells(codes.data(), d, n, s.data(), by_cell.data(), width, c, out.data());
}

// out (rows x classes) += the table's entry (classes x cells) for each row's cell; missing cells add nothing.
inline void score_cells(const Codes& codes, const Vector<int64_t>& starts, const Table<double>& table, Output<double> out) {
  require(out.shape(0) == codes.shape(1) && out.shape(1) == table.shape(0), "the scores do not fit");
  nb::gil_scoped_release release;
  const std::vector<std::size_t> s = checked_starts(starts, codes.shape(0), table.shape(1));
  check_codes(codes, s);
  add_cells(codes, s, table, out);
}

// Finds the bin of a number among ascending edges. For each cell of an even grid over the edges
// it is known how many edges lie before it. The number is compared with those in its own cell: for every cell as many as
// the fullest has. The cell of a number never falls while the number rises, so rounding moves numbers and edges alike.
// With 63 edges that takes a third of the time of a binary search.
class BinGrid {
 public:
  // Empty where a grid would not pay: for few edges or numbers, or where too many edges share a cell.
  BinGrid(const double* edges, std::size_t m, std::size_t numbers) : lowest(m ? edges[0] : 0) {
    for (std::size_t cells = 4 * m; m >= 4 && cells <= 16 * m && 4 * cells <= numbers; cells *= 2) {
      last = (double)(cells - 1);
      scale = (double)cells / (edges[m - 1] - edges[0]);
      before.assign(cells + 1, 0);
      for (std::size_t e = 0; e < m; ++e) ++before[cell(edges[e]) + 1];
      within = (std::size_t)*std::max_element(before.begin(), before.end());
      if (within > kMost) continue;
      for (std::size_t c = 0; c < cells; ++c) before[c + 1] += before[c];
      padded.assign(edges, edges + m);
      padded.insert(padded.end(), kMost, INFINITY);
      return;
    }
    within = 0;
  }

  explicit operator bool() const { return within > 0; }

  LIKELY_INLINE int32_t operator()(double v) const {
    const int32_t first = before[cell(v)];
    const double* edge = padded.data() + first;
    int32_t found = first;
    for (std::size_t e = 0; e < within; ++e) found += edge[e] <= v;
    return found;
  }

 private:
  static constexpr std::size_t kMost = 4;

  LIKELY_INLINE std::size_t cell(double v) const {
    return (std::size_t)(int32_t)std::min(std::max(0.0, (v - lowest) * scale), last); // 0 for what is not a number
  }

  double lowest, scale = 0, last = 0;
  std::size_t within = 0;
  std::vector<int32_t> before;
  std::vector<double> padded;
};

// The bin of every cell of x: how many of its column's inner edges lie at or below it.
inline int64_t bin_cells(const Matrix& x, const Vector<double>& edges, const Vector<int64_t>& starts, Output<int32_t> codes) {
  const std::size_t n = x.shape(0), d = x.shape(1);
  require(codes.shape(0) == d && codes.shape(1) == n, "the codes do not fit");
  nb::gil_scoped_release release;
  const std::vector<std::size_t> s = checked_starts(starts, d, edges.shape(0));
  std::vector<BinGrid> grids;
  for (std::size_t j = 0; j < d; ++j) grids.emplace_back(edges.data() + s[j], s[j + 1] - s[j], n);
  return for_each_block(x, Cell::finite, [&](const Block& b) {
    for (std::size_t j = 0; j < d; ++j) {
      const double* first = edges.data() + s[j];
      const std::size_t m = s[j + 1] - s[j];
      int32_t* to = codes.data() + j * n + b.start;
      if (const BinGrid& grid = grids[j]) {
        for (std::size_t i = 0; i < b.rows; ++i) {
          const double v = b.row(i)[j];
          const int32_t bin = grid(v);
          to[i] = v == v ? bin : -1;
        }
        continue;
      }
      for (std::size_t i = 0; i < b.rows; ++i) {
        const double v = b.row(i)[j];
        const double* base = first; // binary search by arithmetic: half of its branches would be mispredicted
        for (std::size_t left = m; left > 0;) {
          const std::size_t half = (left + 1) / 2;
          base += half & -(std::size_t)(base[half - 1] <= v);
          left -= half;
        }
        to[i] = v == v ? (int32_t)(base - first) : -1;
      }
    }
  });
}

// For each column of a histogram, how many of its finest bins to join: 1, 2, 4, ... whichever gives the rows, each left
// out of its own count, the highest probability. counts is classes x (columns * bins), edges columns x (bins + 1), and
// pseudocounts[k] the prior's in each bin when 2^k are joined.
inline void join_bins(const Table<double>& counts, const Table<double>& edges, const Vector<double>& pseudocounts,
                      OutputVector<int64_t> steps) {
  const std::size_t c = counts.shape(0), d = edges.shape(0), bins = edges.shape(1) - 1;
  require(edges.shape(1) >= 2 && counts.shape(1) == d * bins && steps.shape(0) == d, "the bins do not fit the counts");
  nb::gil_scoped_release release;
  for (std::size_t j = 0; j < d; ++j) {
    const double* edge = edges.data() + j * (bins + 1);
    double best = -INFINITY;
    steps.data()[j] = 1;
    for (std::size_t k = 0; k < pseudocounts.shape(0) && bins % (1ull << k) == 0; ++k) {
      const std::size_t step = 1ull << k;
      double value = 0;
      for (std::size_t a = 0; a < c; ++a) {
        const double* n = counts.data() + (a * d + j) * bins;
        double rows = 0;
        for (std::size_t b = 0; b < bins; ++b) rows += n[b];
        const double below = std::max(rows - 1, 0.0) + pseudocounts.data()[k] * (double)(bins / step);
        for (std::size_t b = 0; b < bins; b += step) {
          double here = 0;
          for (std::size_t s = b; s < b + step; ++s) here += n[s];
          const double above = std::max(here - 1, 0.0) + pseudocounts.data()[k];
          if (here > 0) value += here * std::log(above / (below * (edge[b + step] - edge[b])));
        }
      }
      if (value > best) {
        best = value;
        steps.data()[j] = (int64_t)step;
      }
    }
  }
}

} // namespace likely
