// Gaussian scores of each row as if it had never been counted.
#pragma once

#include <limits>

#include "block.hpp"

namespace likely {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Moment { // of one class and column, or of a column over all classes
  double n, mean, m2;

  // Without a value x of weight w: the merge formula of Chan, Golub and LeVeque turned round.
  Moment without(double x, double w) const {
    const double left = n - w;
    if (left <= 1e-9 * w) return {0, 0, 0};
    const double delta = mean - x, ratio = w / left, across = delta * delta * n * ratio;
    // What rounding leaves, of the sums and of the means, is nothing: as in likely.statistics.Moments.
    const double step = 4 * kEpsilon * (std::fabs(mean) + std::fabs(x));
    const double rounding = 1e-13 * (m2 + across) + n * ratio * step * (2 * std::fabs(delta) + step);
    const double rest = m2 - across, centre = mean + delta * ratio;
    return {left, std::fabs(centre) <= step * (1 + ratio) ? 0 : centre, rest <= rounding ? 0 : rest};
  }
};

// The normal-inverse-gamma prior of likely.priors; NaN for a mean or variance that is taken from all classes.
struct NormalPrior {
  double mean, mean_rows, variance, variance_rows;
  bool mode;

  NormalPrior drawn_from(const Moment& all, double within) const {
    NormalPrior p = *this;
    if (p.mean != p.mean) p.mean = all.mean;
    if (p.variance != p.variance) p.variance = (within > 0 ? within : all.m2) / std::max(all.n, 1e-300);
    return p;
  }

  // log density of x given a class's moments; 0 where there is no variance, as a constant column is not informative.
  double log_density(const Moment& of_class, double x) const {
    const double rows = mean_rows + of_class.n, share = rows > 0 ? of_class.n / rows : 0.0;
    const double delta = of_class.mean - mean;
    const double squares = variance_rows * variance + of_class.m2 + mean_rows * share * delta * delta;
    const double weight = variance_rows + of_class.n;
    const double spread = weight > 0 ? squares / (weight + (mode ? 5 : 0)) : mode ? 0 : variance;
    const double centre = mean + share * delta, least = 8 * kEpsilon * centre;
    if (spread <= least * least) return 0; // a spread below the rounding of the mean is none
    const double distance = x - centre;
    return -0.5 * std::log(2 * M_PI * spread) - distance * distance / (2 * spread);
  }
};

struct ClassMoments {
  const double *n, *mean, *m2;
  std::size_t classes, columns;
  std::vector<Moment> all;
  std::vector<double> within, others; // squared deviations from the own class's mean: of all classes, and of all others

  ClassMoments(const Table<double>& n_, const Table<double>& mean_, const Table<double>& m2_)
      : n(n_.data()), mean(mean_.data()), m2(m2_.data()), classes(n_.shape(0)), columns(n_.shape(1)), all(columns),
        within(columns), others(classes * columns) {
    for (auto* t : {&mean_, &m2_}) require(t->shape(0) == classes && t->shape(1) == columns, "the moments do not fit");
    for (std::size_t j = 0; j < columns; ++j) {
      double rows = 0, sum = 0, between = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        const Moment m = at(k, j);
        rows += m.n;
        sum += m.n * m.mean;
        within[j] += m.m2;
      }
      const double centre = rows > 0 ? sum / rows : 0;
      for (std::size_t k = 0; k < classes; ++k) between += at(k, j).n * (at(k, j).mean - centre) * (at(k, j).mean - centre);
      all[j] = {rows, centre, within[j] + between};
      // Added up from both ends: those of one class may be beyond all others, and a difference would lose these.
      double before = 0, after = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        others[k * columns + j] += before;
        others[(classes - 1 - k) * columns + j] += after;
        before += at(k, j).m2;
        after += at(classes - 1 - k, j).m2;
      }
    }
  }
  Moment at(std::size_t k, std::size_t j) const { return {n[k * columns + j], mean[k * columns + j], m2[k * columns + j]}; }
};

// The scores of a cell for every class, as if its row had never been counted: it changes the own class's moments, and
// through the prior drawn from all classes those of the others. Most rows change little: then the logarithm of a spread
// is that of before and a short series, what a row that weighs one divides by is known beforehand, and the other classes
// go by four at a time. A cell of 5 classes takes 20 ns so, and 110 in full.
class GaussianCells {
 public:
  GaussianCells(const ClassMoments& moments, const NormalPrior& prior)
      : m(moments), prior(prior), classes(m.classes), width((m.classes + 3) / 4 * 4), mean(m.columns * width), base(mean), half(mean),
        share(mean), columns(m.columns), own(m.columns * m.classes) {
    for (std::size_t j = 0; j < m.columns; ++j) {
      const NormalPrior drawn = prior.drawn_from(m.all[j], m.within[j]);
      bool regular = prior.mean_rows == 0;
      double largest = 0;
      for (std::size_t k = 0; regular && k < m.classes; ++k) {
        const Moment of_class = m.at(k, j);
        const double squares = prior.variance_rows * drawn.variance + of_class.m2;
        const double rows = prior.variance_rows + of_class.n + (prior.mode ? 5 : 0), spread = squares / rows;
        const double least = 8 * kEpsilon * of_class.mean, left = of_class.n - 1;
        regular = of_class.n > 0 && spread > 4 * least * least && std::isfinite(1 / squares);
        mean[j * width + k] = of_class.mean;
        base[j * width + k] = -0.5 * std::log(2 * M_PI * spread);
        half[j * width + k] = 1 / (2 * spread);
        share[j * width + k] = 1 / squares;
        largest = std::max(largest, 1 / squares);
        if (left > 0.5)
          own[j * m.classes + k] = {of_class.mean, of_class.m2, 1 / left, of_class.n / left, m.others[k * m.columns + j],
                                    squares, rows - 1, 0.5 * std::log((rows - 1) / rows)};
      }
      const bool drawn_within = prior.variance != prior.variance && m.within[j] > 0 && m.all[j].n > 1.5;
      columns[j] = {drawn.variance, regular ? largest : INFINITY, drawn_within ? 1 / (m.all[j].n - 1) : 0.0};
    }
  }

  // Writes `width` scores; those beyond the classes mean nothing.
  LIKELY_INLINE void scores(std::size_t j, std::size_t own_class, double x, double w, double* to) const {
    double more, score;
    if (little(j, own_class, x, w, more, score)) {
      others(j, x, more, to);
      to[own_class] = score;
      return;
    }
    const Moment after = m.at(own_class, j).without(x, w);
    const NormalPrior drawn = drawn_without(j, own_class, x, w, after);
    more = prior.variance_rows * (drawn.variance - columns[j].variance);
    if (std::fabs(more) * columns[j].largest <= 1e-3) // false if it is not a number
      others(j, x, more, to);
    else
      for (std::size_t k = 0; k < m.classes; ++k)
        if (k != own_class) to[k] = drawn.log_density(m.at(k, j), x);
    to[own_class] = drawn.log_density(after, x);
  }

  // That of the own class alone.
  LIKELY_INLINE double own_score(std::size_t j, std::size_t own_class, double x, double w) const {
    double more, score;
    if (little(j, own_class, x, w, more, score)) return score;
    const Moment after = m.at(own_class, j).without(x, w);
    return drawn_without(j, own_class, x, w, after).log_density(after, x);
  }

  const ClassMoments& m;
  const NormalPrior prior;
  const std::size_t classes, width;

 private:
  struct OfColumn {
    double variance; // of the prior, with all rows counted
    double largest;  // of 1 / squares
    double per_row;  // 1 / rows of all classes but one, where the prior's variance is that within the classes; or 0
  };
  struct OfClass { // of a row that weighs one: what leaving it out takes
    double mean = 0, m2 = 0, ratio = 0, across = 0, others = 0, squares = 0, rows = 0, log_rows = 0;
  };

  // Whether a row changes little; then by how much it changes the prior's squares, and the score of its own class.
  LIKELY_INLINE bool little(std::size_t j, std::size_t own_class, double x, double w, double& more, double& score) const {
    const OfColumn& column = columns[j];
    const OfClass& c = own[j * m.classes + own_class];
    const double delta = c.mean - x, across = delta * delta * c.across, rest = c.m2 - across;
    const double step = 4 * kEpsilon * (std::fabs(c.mean) + std::fabs(x));
    // With little left of the squares, or little more than rounding, each step is checked as in Moment.
    if (w != 1 || !(column.per_row > 0) || !(rest > 1e-3 * c.m2)) return false;
    if (!(rest > 1e6 * c.across * step * (2 * std::fabs(delta) + step))) return false;
    const double variance = (c.others + rest) * column.per_row, squares = prior.variance_rows * variance + rest;
    const double change = (squares - c.squares) / (squares + c.squares), s = change * change;
    more = prior.variance_rows * (variance - column.variance);
    const double distance = delta + delta * c.ratio;
    const double log = change * (1 + s * (1 / 3.0 + s * (1 / 5.0 + s * (1 / 7.0)))); // half of log(1 + growth)
    score = base[j * width + own_class] + c.log_rows - log - distance * distance * c.rows / (2 * squares);
    return std::fabs(more) * column.largest <= 1e-3 && std::fabs(change) <= 0.025;
  }

  LIKELY_INLINE NormalPrior drawn_without(std::size_t j, std::size_t own_class, double x, double w, const Moment& after) const {
    return prior.drawn_from(m.all[j].without(x, w), m.others[own_class * m.columns + j] + after.m2);
  }

  LIKELY_INLINE void others(std::size_t j, double x, double more, double* to) const {
    for (std::size_t k = 0; k < width; k += 4) {
      const std::size_t at = j * width + k;
      const Four distance = x - four(&mean[at]), change = more * four(&share[at]);
      const Four log = change * (1 - change * (0.5 - change * (1 / 3.0 - change * 0.25)));
      put(to + k, four(&base[at]) - 0.5 * log - distance * distance * four(&half[at]) / (1 + change));
    }
  }

  std::vector<double> mean, base, half, share;
  std::vector<OfColumn> columns;
  std::vector<OfClass> own;
};

// out (rows x classes) += the scores of the cells of each row; those of column j `times` so much.
template <class Cells>
LIKELY_INLINE void add_left_out(const Block& b, const Cells& cells, const int32_t* code, const double* weight,
                                const double* times, double* out) {
  std::vector<double> sum(cells.width), one(cells.width);
  for (std::size_t i = 0; i < b.rows; ++i) {
    const std::size_t row = b.start + i;
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t j = 0; j < b.columns; ++j) {
      const double v = b.row(i)[j], t = times ? times[j] : 1.0;
      if (v != v || t == 0) continue;
      cells.scores(j, (std::size_t)code[row], v, weight ? weight[row] : 1.0, one.data());
      for (std::size_t k = 0; k < cells.width; k += 4) put(&sum[k], four(&sum[k]) + t * four(&one[k]));
    }
    for (std::size_t k = 0; k < cells.classes; ++k) out[row * cells.classes + k] += sum[k];
  }
}

// out (rows x classes x columns): the score of each cell for every class; missing cells are left as they are.
template <class Cells>
void put_left_out(const Block& b, const Cells& cells, const int32_t* code, const double* weight, double* out) {
  std::vector<double> one(cells.width);
  for (std::size_t i = 0; i < b.rows; ++i)
    for (std::size_t j = 0; j < b.columns; ++j) {
      const double v = b.row(i)[j];
      if (v != v) continue;
      const std::size_t row = b.start + i;
      cells.scores(j, (std::size_t)code[row], v, weight ? weight[row] : 1.0, one.data());
      for (std::size_t k = 0; k < cells.classes; ++k) out[(row * cells.classes + k) * b.columns + j] = one[k];
    }
}

LIKELY_CLONES inline void add_gaussian_cells(const Block& b, const GaussianCells& cells, const int32_t* code,
                                             const double* weight, const double* times, double* out) {
  add_left_out(b, cells, code, weight, times, out);
}

LIKELY_CLONES inline void put_own_gaussian(const Block& b, const GaussianCells& cells, const int32_t* code,
                                           const double* weight, double* out) {
  for (std::size_t i = 0; i < b.rows; ++i)
    for (std::size_t j = 0; j < b.columns; ++j) {
      const std::size_t row = b.start + i;
      const double v = b.row(i)[j], wi = weight ? weight[row] : 1.0;
      if (v == v) out[row * b.columns + j] = cells.own_score(j, (std::size_t)code[row], v, wi);
    }
}

using PriorNumbers = std::tuple<double, double, double, double, bool>;

inline NormalPrior normal_prior(const PriorNumbers& p) {
  return {std::get<0>(p), std::get<1>(p), std::get<2>(p), std::get<3>(p), std::get<4>(p)};
}

// out (rows x columns): the log density of each cell for the row's own class; missing cells are left as they are.
inline int64_t left_out_gaussian(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& n,
                                 const Table<double>& mean, const Table<double>& m2, const PriorNumbers& prior,
                                 Output<double> out) {
  nb::gil_scoped_release release;
  const ClassMoments moments(n, mean, m2);
  require(x.shape(1) == moments.columns, "the moments do not fit the columns");
  require(out.shape(0) == x.shape(0) && out.shape(1) == x.shape(1), "the output does not fit");
  const int32_t* code = class_codes(y, x.shape(0), moments.classes);
  const double* weight = row_weights(w, x.shape(0));
  const GaussianCells cells(moments, normal_prior(prior));
  return for_each_block(x, Cell::finite, [&](const Block& b) { put_own_gaussian(b, cells, code, weight, out.data()); });
}

// out (rows x classes) += the scores of each row; those of column j `times` so much.
inline int64_t score_left_out_gaussian(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& n,
                                       const Table<double>& mean, const Table<double>& m2, const PriorNumbers& prior,
                                       const Weights& times, Output<double> out) {
  nb::gil_scoped_release release;
  const ClassMoments moments(n, mean, m2);
  require(x.shape(1) == moments.columns, "the moments do not fit the columns");
  require(out.shape(0) == x.shape(0) && out.shape(1) == moments.classes, "the output does not fit");
  require(!times || times->shape(0) == moments.columns, "one number per column is needed");
  const int32_t* code = class_codes(y, x.shape(0), moments.classes);
  const double* weight = row_weights(w, x.shape(0));
  const GaussianCells cells(moments, normal_prior(prior));
  return for_each_block(x, Cell::finite, [&](const Block& b) {
    add_gaussian_cells(b, cells, code, weight, times ? times->data() : nullptr, out.data());
  });
}

// out (rows x classes x columns): the log density of each cell for every class; missing cells are left as they are.
inline int64_t left_out_gaussian_cells(const Matrix& x, const Vector<int32_t>& y, const Weights& w, const Table<double>& n,
                                       const Table<double>& mean, const Table<double>& m2, const PriorNumbers& prior,
                                       OutputCube<double> out) {
  nb::gil_scoped_release release;
  const ClassMoments moments(n, mean, m2);
  const std::size_t c = moments.classes, d = moments.columns;
  require(x.shape(1) == d, "the moments do not fit the columns");
  require(out.shape(0) == x.shape(0) && out.shape(1) == c && out.shape(2) == d, "the output does not fit");
  const int32_t* code = class_codes(y, x.shape(0), c);
  const double* weight = row_weights(w, x.shape(0));
  const GaussianCells cells(moments, normal_prior(prior));
  return for_each_block(x, Cell::finite, [&](const Block& b) { put_left_out(b, cells, code, weight, out.data()); });
}

} // namespace likely
