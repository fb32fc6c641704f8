// Logistic regression from naive Bayes on, a step for each text in the order in which they came.
#pragma once

#include "token_rows.hpp"

namespace likely {

// scores[row] gets what weights add to it, sum of x_w weights[w, 0]; and then, if the rate is above 0 and the row's own class
// has a score, weights go a step down the slope of its loss, by AdaGrad: slope = x_w (p_k - [k is its own]) of each weight, p
// being the softmax of the scores; weights[w, 1, k] += slope^2, weights[w, 0, k] -= rate slope / sqrt(1 + weights[w, 1, k]).
// Classes of minus infinity are not known and stay so. Where p_k is right to `least`, there is no step.
inline void step_texts(const Vector<int64_t>& starts, const Vector<int32_t>& tokens, const Vector<double>& times,
                       const Vector<int32_t>& y, double rate, double least, OutputCube<float> weights,
                       Output<double> scores) {
  const std::size_t rows = scores.shape(0), c = scores.shape(1), size = weights.shape(0), cells = tokens.shape(0);
  require(starts.shape(0) == rows + 1 && times.shape(0) == cells && weights.shape(1) == 2 && weights.shape(2) == c,
          "the rows do not fit");
  nb::gil_scoped_release release;
  const int32_t* own_class = class_codes(y, rows, c);
  check_rows(starts, tokens, size);

  struct Slope {
    std::size_t k;
    double of;
  };
  std::vector<double> p(c);
  std::vector<Slope> slopes;
  float* const all = weights.data();
  for (std::size_t row = 0; row < rows; ++row) {
    const auto from = (std::size_t)starts.data()[row], to = (std::size_t)starts.data()[row + 1];
    const auto own = (std::size_t)own_class[row];
    double* const score = scores.data() + row * c;
    for (std::size_t i = from; i < to; ++i) {
      const double x = times.data()[i];
      const float* const of = all + (std::size_t)tokens.data()[i] * 2 * c;
      for (std::size_t k = 0; k < c; ++k) score[k] += x * of[k];
    }
    if (!(rate > 0) || score[own] == -INFINITY) continue;
    const double most = *std::max_element(score, score + c);
    double sum = 0;
    for (std::size_t k = 0; k < c; ++k) sum += p[k] = std::exp(score[k] - most);
    slopes.clear();
    for (std::size_t k = 0; k < c; ++k)
      if (const double of = p[k] / sum - (k == own); std::fabs(of) > least) slopes.push_back({k, of});
    for (std::size_t i = from; i < to; ++i) {
      float* const of = all + (std::size_t)tokens.data()[i] * 2 * c;
      for (const Slope& slope : slopes) {
        const double own_slope = times.data()[i] * slope.of;
        const float squares = of[c + slope.k] += (float)(own_slope * own_slope);
        of[slope.k] -= (float)(rate * own_slope / std::sqrt(1.0 + squares));
      }
    }
  }
}

inline void define_texts_stepped(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("step_texts", &step_texts, as_is("starts"), as_is("tokens"), as_is("times"), as_is("y"), nb::arg("rate"),
        nb::arg("least"), as_is("weights"), as_is("scores"));
}

} // namespace likely
