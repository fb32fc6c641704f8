// Products of columns, of rows that are mostly zeros: indicators of categories, or of the bins of numbers.
#pragma once

#include "block.hpp"

namespace likely {

// The cells of a few rows that are not zero.
struct Nonzeros {
  std::vector<std::size_t> start;
  std::vector<uint32_t> column;
  std::vector<double> value;

  // Reads rows of `width` cells. Says whether they are few: a product of two of them takes as long as some ten of whole
  // vectors, and their number falls with the square of the share that is not zero.
  bool few(const double* rows, std::size_t number, std::size_t width) {
    const std::size_t most = number * width / 4;
    start.assign(1, 0);
    column.clear();
    value.clear();
    for (std::size_t r = 0; r < number && column.size() <= most; ++r) {
      for (std::size_t j = 0; j < width; ++j)
        if (rows[r * width + j] != 0) column.push_back((uint32_t)j), value.push_back(rows[r * width + j]);
      start.push_back(column.size());
    }
    return column.size() <= most;
  }

  // The lower triangle of  rows^T diag(scale) rows  is added to sums, of `width` columns.
  void add_products(const double* scale, std::size_t width, double* sums) const {
    for (std::size_t r = 0; r + 1 < start.size(); ++r)
      for (std::size_t a = start[r]; a < start[r + 1]; ++a) {
        double* to = sums + column[a] * width;
        const double left = scale[r] * value[a];
        for (std::size_t b = start[r]; b <= a; ++b) to[column[b]] += left * value[b];
      }
  }
};

} // namespace likely
