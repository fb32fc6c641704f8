// Scores of texts in the order in which they came, each from those before it alone.
#pragma once

#include "rarity.hpp"
#include "token_rows.hpp"

namespace likely {

// What was counted of the rows so far.
struct PastTexts {
  explicit PastTexts(std::size_t classes) : of_classes(classes), texts(classes) {}

  // Of a word and a class, a list for each word. Most words have one class: a vector for each takes three times the memory.
  struct Pair {
    double total;
    int32_t k, next;
  };
  static constexpr int32_t kEnd = -1;
  std::vector<Pair> pairs;
  std::vector<int32_t> first; // of each word
  std::vector<double> of_words, of_classes, texts;
  double all = 0, all_texts = 0, known = 0;
};

// Of each row of a sparse matrix of tokens, the log odds of each class against all others, as Text with idf has them at
// scale 1 after all rows before it were counted, and before it is counted itself: with z_w = x_w rarity(w),
// out[row, k] = (log((n_k + g/2) / (n - n_k + g/2)) + sum of z_w (log((N_kw + a) / (N_k + a V)) -
//                log((N_w - N_kw + a) / (N - N_k + a V)))) / |z|, over the tokens known.
// It is minus infinity for classes that have no row yet, and 0 where no token is known; lengths[row] is |z|.
// A row weighs `growth`, and the pseudocount grows with it: all before the row then weighs less, as if it had faded.
// The rows before the first one are those that `past` has counted, and then it has counted these too.
inline void score_texts_replayed(const Vector<int64_t>& starts, const Vector<int32_t>& tokens, const Vector<double>& times,
                                 std::size_t size, const Vector<int32_t>& y, const Vector<double>& growth,
                                 double pseudocount, Output<double> out, OutputVector<double> lengths, PastTexts& past) {
  const std::size_t rows = out.shape(0), c = out.shape(1), cells = tokens.shape(0);
  require(starts.shape(0) == rows + 1 && lengths.shape(0) == rows, "the rows do not fit");
  require(times.shape(0) == cells && growth.shape(0) == rows, "the tokens do not fit");
  require(pseudocount > 0, "the pseudocount must be above 0");
  require(past.texts.size() == c && past.of_words.size() <= size, "what was counted does not fit");
  nb::gil_scoped_release release;
  const int32_t* own_class = class_codes(y, rows, c);
  check_rows(starts, tokens, size);

  auto& [pairs, first, of_words, of_classes, texts, all, all_texts, known] = past;
  first.resize(size, PastTexts::kEnd);
  of_words.resize(size);
  std::vector<double> sums(c);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto from = (std::size_t)starts.data()[row], to = (std::size_t)starts.data()[row + 1];
    const double g = growth.data()[row], a = pseudocount * g;
    std::fill(sums.begin(), sums.end(), 0.0);
    double length = 0, left = 0, squares = 0, common = 0;
    for (std::size_t i = from; i < to; ++i) {
      const auto w = (std::size_t)tokens.data()[i];
      const double x = times.data()[i], of_word = of_words[w];
      length += x;
      if (of_word == 0) continue;
      const double z = x * rarity(of_word / g, all / g, all_texts / g);
      left += z;
      squares += z * z;
      common -= z * std::log(of_word / a + 1);
      for (int32_t at = first[w]; at != PastTexts::kEnd; at = pairs[(std::size_t)at].next) {
        const auto& pair = pairs[(std::size_t)at];
        sums[(std::size_t)pair.k] += z * std::log((pair.total + a) * (of_word + a) / (a * (of_word - pair.total + a)));
      }
    }
    const double norm = lengths.data()[row] = std::sqrt(squares);
    for (std::size_t k = 0; k < c; ++k) {
      const double each = std::log((all - of_classes[k] + a * known) / (of_classes[k] + a * known));
      const double odds = std::log((texts[k] + g / 2) / (all_texts - texts[k] + g / 2));
      const double sum = left == 0 ? 0.0 : (odds + sums[k] + common + left * each) / norm;
      out.data()[row * c + k] = texts[k] == 0 ? -INFINITY : sum;
    }

    const auto own = (std::size_t)own_class[row];
    const double share = length > 0 ? g / std::sqrt(length) : 0.0;
    for (std::size_t i = from; i < to; ++i) {
      const auto w = (std::size_t)tokens.data()[i];
      const double x = share * times.data()[i];
      known += of_words[w] == 0;
      of_words[w] += x;
      int32_t at = first[w];
      while (at != PastTexts::kEnd && pairs[(std::size_t)at].k != own_class[row]) at = pairs[(std::size_t)at].next;
      if (at == PastTexts::kEnd) {
        require(pairs.size() < 0x7FFFFFFF, "there are too many words");
        at = (int32_t)pairs.size();
        pairs.push_back({0.0, own_class[row], first[w]});
        first[w] = at;
      }
      pairs[(std::size_t)at].total += x;
    }
    of_classes[own] += share * length;
    all += share * length;
    texts[own] += g;
    all_texts += g;
  }
}

inline void define_texts_replayed(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  nb::class_<PastTexts>(m, "PastTexts").def(nb::init<std::size_t>(), nb::arg("classes"));
  m.def("score_texts_replayed", &score_texts_replayed, as_is("starts"), as_is("tokens"), as_is("times"), nb::arg("size"),
        as_is("y"), as_is("growth"), nb::arg("pseudocount"), as_is("out"), as_is("lengths"), nb::arg("past"));
}

} // namespace likely
