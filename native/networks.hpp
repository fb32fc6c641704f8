// Scores of Bayes networks whose columns all depend on the class. A factor is p(x_j | parents of j, class): a clique whose
// last column is j, with a table of log probabilities for each combination of slots. Here a column of v values has v + 2
// slots: 0 is a missing cell, 1 + code a value, and v + 1 a value not seen before, whose code is v.
#pragma once

#include "joint.hpp"

namespace likely {

// The factors of one network or, to be averaged, of several: network a has the factors up to last[a]. Tables have a row
// for each cell, whose numbers are a multiple of four.
struct Factors : Cliques {
  const Codes& codes;
  std::vector<std::size_t> last;
  const double* table;
  std::size_t width;

  Factors(const Codes& codes, const Vector<int64_t>& sizes, const Vector<int64_t>& members, const Vector<int64_t>& ends,
          const Vector<int64_t>& networks, const Table<double>& table, std::size_t classes)
      : Cliques(codes, sizes, members, ends, table.shape(0)), codes(codes),
        last(networks.data(), networks.data() + networks.shape(0)), table(table.data()), width(table.shape(1)) {
    require(width % 4 == 0 && classes <= width && width < classes + 4, "the table does not fit the classes");
    require(!last.empty() && std::is_sorted(last.begin(), last.end()) && last.back() == end.size(),
            "the networks do not fit the factors");
  }

  std::size_t column(std::size_t f) const { return member[end[f] - 1]; }
  std::size_t slot(std::size_t column, std::size_t row) const {
    return (std::size_t)(codes.data()[column * codes.shape(1) + row] + 1);
  }
  std::size_t cell(std::size_t f, std::size_t row) const {
    std::size_t at = 0;
    for (std::size_t m = first(f); m < end[f]; ++m) at = at * slots[member[m]] + slot(member[m], row);
    return start[f] + at;
  }

  // Where the cell of each of some rows begins in the table.
  LIKELY_INLINE void find(std::size_t f, std::size_t from, std::size_t rows, std::size_t* at) const {
    for (std::size_t i = 0; i < rows; ++i) at[i] = 0;
    for (std::size_t m = first(f); m < end[f]; ++m) {
      const int32_t* code = codes.data() + member[m] * codes.shape(1) + from;
      const std::size_t s = slots[member[m]];
      for (std::size_t i = 0; i < rows; ++i) at[i] = at[i] * s + (std::size_t)(code[i] + 1);
    }
    for (std::size_t i = 0; i < rows; ++i) at[i] = (start[f] + at[i]) * width;
  }
};

constexpr std::size_t kNetworkRows = 64; // whose scores stay in the first-level cache while the factors go by

// scores (rows x width) += times so much the table's entry of each row's cell, factor by factor. Of a row's own class it
// is what `own` (rows x all factors) has, where that is given.
LIKELY_CLONES inline void add_factors(const Factors& of, std::size_t first, std::size_t last, const double* times,
                                      std::size_t from, std::size_t rows, const int32_t* y, const double* own,
                                      double* scores) {
  std::size_t at[kNetworkRows];
  const std::size_t width = of.width, factors = of.end.size();
  for (std::size_t f = first; f < last; ++f) {
    const double t = times[of.column(f)];
    if (t == 0) continue;
    of.find(f, from, rows, at);
    for (std::size_t i = 0; i < rows; ++i) {
      double* s = scores + i * width;
      const double before = own ? s[y[from + i]] : 0;
      for (std::size_t k = 0; k < width; k += 4) put(s + k, four(s + k) + t * four(of.table + at[i] + k));
      if (own) s[y[from + i]] = before + t * own[(from + i) * factors + f];
    }
  }
}

// A network in which each column has one parent at most, beside the class. Missing cells are summed out exactly, from the
// leaves to the roots.
class Forest {
 public:
  explicit Forest(const Factors& of) : of(of), factor(of.slots.size(), SIZE_MAX), message(of.slots.size()) {
    std::vector<std::size_t> waiting;
    std::vector<std::vector<std::size_t>> children(factor.size());
    for (std::size_t f = 0; f < of.end.size(); ++f) {
      require(of.end[f] - of.first(f) <= 2 && factor[of.column(f)] == SIZE_MAX, "the network is no forest");
      factor[of.column(f)] = f;
      if (parent(f) == SIZE_MAX)
        waiting.push_back(f);
      else
        children[parent(f)].push_back(f);
    }
    while (!waiting.empty()) {
      order.push_back(waiting.back());
      waiting.pop_back();
      for (const std::size_t f : children[of.column(order.back())]) waiting.push_back(f);
    }
    require(order.size() == of.end.size(), "the network has a cycle");
    std::reverse(order.begin(), order.end());
    for (std::size_t f = 0; f < of.end.size(); ++f) {
      before.push_back(prefixes);
      prefixes += parent(f) == SIZE_MAX ? 1 : of.slots[parent(f)];
    }
  }

  std::size_t prefixes = 0; // slots of parents, of all factors

  // scores (width) += the log probability of the cells of a row that are there. For the row's own class, `own` has its
  // factors without the row: where the parent is missing that is the factor of no parent, to which each value of the
  // parent leaves the share `backoff` (prefixes x width).
  void add(std::size_t row, std::size_t classes, const double* times, int32_t y, const double* own, const double* backoff,
           double* scores) {
    for (auto& m : message) m.clear();
    for (const std::size_t f : order) {
      const std::size_t j = of.column(f), x = of.slot(j, row), up = parent(f), v = of.slots[j];
      if (x ? times[j] == 0 : message[j].empty()) continue;
      const std::size_t above = up == SIZE_MAX ? 0 : of.slot(up, row);
      if (up == SIZE_MAX || above) {
        for (std::size_t k = 0; k < classes; ++k)
          scores[k] += !x                        ? summed(f, above, v, k)
                       : own && (int32_t)k == y ? own[f]
                                                 : entry(f, above, x, k);
        continue;
      }
      auto& to = message[up];
      to.resize(of.slots[up] * classes, 0.0);
      for (std::size_t u = 1; u < of.slots[up]; ++u)
        for (std::size_t k = 0; k < classes; ++k) {
          double log_p = x ? entry(f, u, x, k) : summed(f, u, v, k);
          if (x && own && (int32_t)k == y) {
            const double share = backoff[(before[f] + u) * of.width + k];
            log_p = std::log(std::max(0.0, std::exp(log_p) - share * (std::exp(entry(f, 0, x, k)) - std::exp(own[f]))));
          }
          to[u * classes + k] += log_p;
        }
    }
  }

 private:
  std::size_t parent(std::size_t f) const { return of.end[f] - of.first(f) == 2 ? of.member[of.first(f)] : SIZE_MAX; }
  double entry(std::size_t f, std::size_t above, std::size_t x, std::size_t k) const {
    return of.table[(of.start[f] + above * of.slots[of.column(f)] + x) * of.width + k];
  }
  // The log of the sum over the values of a missing column of its probability and that of what depends on it.
  double summed(std::size_t f, std::size_t above, std::size_t v, std::size_t k) const {
    const auto& below = message[of.column(f)];
    const std::size_t classes = below.size() / v;
    double top = -INFINITY, sum = 0;
    for (std::size_t x = 1; x < v; ++x) top = std::max(top, entry(f, above, x, k) + below[x * classes + k]);
    if (top == -INFINITY) return top;
    for (std::size_t x = 1; x < v; ++x) sum += std::exp(entry(f, above, x, k) + below[x * classes + k] - top);
    return top + std::log(sum);
  }

  const Factors& of;
  std::vector<std::size_t> factor, order, before;
  std::vector<std::vector<double>> message; // to a missing column, of each of its values, from what depends on it
};

// out (rows x classes) += log p(x | class) of each row: of one network, or of the mean of several. The factor of column j
// counts times[j] so much. `exact`: the network is a forest, and what is missing is summed out; else a missing column adds
// nothing, and its slot says what those that depend on it have. Of several networks those are averaged whose first factor's
// column is there. `own` (rows x factors) are the factors of each row's own class y without the row; with `exact` it needs
// `backoff`.
inline void score_networks(const Codes& codes, const Vector<int64_t>& sizes, const Vector<int64_t>& members,
                           const Vector<int64_t>& ends, const Vector<int64_t>& networks, const Table<double>& table,
                           const Vector<double>& times, bool exact, const std::optional<Vector<int32_t>>& y,
                           const std::optional<Table<double>>& own, const std::optional<Table<double>>& backoff,
                           Output<double> out) {
  const std::size_t n = codes.shape(1), d = codes.shape(0), c = out.shape(1);
  require(out.shape(0) == n && times.shape(0) == d, "the scores do not fit");
  nb::gil_scoped_release release;
  const Factors of(codes, sizes, members, ends, networks, table, c);
  const std::size_t factors = of.end.size(), width = of.width, all = of.last.size();
  const int32_t* code = y ? class_codes(*y, n, c) : nullptr;
  const double* without = own ? own->data() : nullptr;
  require(!own || (code && own->shape(0) == n && own->shape(1) == factors), "the factors left out do not fit");
  std::optional<Forest> forest;
  if (exact) {
    require(all == 1, "what is missing is summed out of one network");
    forest.emplace(of);
    require(!own || (backoff && backoff->shape(0) == forest->prefixes && backoff->shape(1) == width),
            "the shares left to no parent do not fit");
  }
  for (std::size_t a = 0; a < all; ++a) require((a ? of.last[a - 1] : 0) < of.last[a], "a network has no factor");
  std::vector<double> scores(all * kNetworkRows * width);
  std::vector<unsigned char> hole(kNetworkRows);
  for (std::size_t from = 0; from < n; from += kNetworkRows) {
    const std::size_t rows = std::min(kNetworkRows, n - from);
    std::fill(scores.begin(), scores.end(), 0.0);
    for (std::size_t a = 0; a < all; ++a)
      add_factors(of, a ? of.last[a - 1] : 0, of.last[a], times.data(), from, rows, code, without,
                  scores.data() + a * kNetworkRows * width);
    if (all == 1) {
      if (forest) {
        std::fill(hole.begin(), hole.end(), 0);
        for (std::size_t j = 0; j < d; ++j)
          for (std::size_t i = 0; i < rows; ++i) hole[i] |= codes.data()[j * n + from + i] < 0;
        for (std::size_t i = 0; i < rows; ++i)
          if (hole[i]) {
            std::fill_n(scores.data() + i * width, width, 0.0);
            forest->add(from + i, c, times.data(), code ? code[from + i] : -1,
                        without ? without + (from + i) * factors : nullptr, backoff ? backoff->data() : nullptr,
                        scores.data() + i * width);
          }
      }
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < c; ++k) out.data()[(from + i) * c + k] += scores[i * width + k];
      continue;
    }
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < c; ++k) {
        const auto at = [&](std::size_t a) { return scores[(a * kNetworkRows + i) * width + k]; };
        const auto there = [&](std::size_t a) { return of.slot(of.column(a ? of.last[a - 1] : 0), from + i) != 0; };
        double top = -INFINITY, sum = 0, used = 0;
        for (std::size_t a = 0; a < all; ++a)
          if (there(a)) top = std::max(top, at(a)), ++used;
        if (used == 0) continue;
        for (std::size_t a = 0; a < all; ++a) // what is e^40 times less likely does not show
          if (there(a) && at(a) > top - 40) sum += std::exp(at(a) - top);
        out.data()[(from + i) * c + k] += top == -INFINITY ? top : top + std::log(sum / used);
      }
  }
}

// out (rows x factors) = the table's entry (cells x width) of each row's cell, for the row's class.
inline void look_up_factors(const Codes& codes, const Vector<int32_t>& y, const Vector<int64_t>& sizes,
                            const Vector<int64_t>& members, const Vector<int64_t>& ends, const Table<double>& table,
                            Output<double> out) {
  const std::size_t n = codes.shape(1), width = table.shape(1);
  require(out.shape(0) == n && out.shape(1) == ends.shape(0), "the output does not fit");
  nb::gil_scoped_release release;
  const Cliques of(codes, sizes, members, ends, table.shape(0));
  const int32_t* code = class_codes(y, n, width);
  std::size_t at[kNetworkRows];
  for (std::size_t from = 0; from < n; from += kNetworkRows) {
    const std::size_t rows = std::min(kNetworkRows, n - from);
    for (std::size_t f = 0; f < of.end.size(); ++f) {
      std::fill_n(at, rows, 0);
      for (std::size_t m = of.first(f); m < of.end[f]; ++m) {
        const int32_t* c = codes.data() + of.member[m] * n + from;
        for (std::size_t i = 0; i < rows; ++i) at[i] = at[i] * of.slots[of.member[m]] + (std::size_t)(c[i] + 1);
      }
      for (std::size_t i = 0; i < rows; ++i)
        out.data()[(from + i) * of.end.size() + f] = table.data()[(of.start[f] + at[i]) * width + (std::size_t)code[from + i]];
    }
  }
}

} // namespace likely
