// The sum and the difference of two tallies.
#pragma once

#include <nanobind/stl/tuple.h>

#include "vocabulary.hpp"

namespace likely {

// The totals of two tallies as one, those of the second times `sign`. at[word of the second] is its number among `size`
// words, which are those of the first, and more. Pairs with nothing left, but for rounding, are left out. The
// first pair whose total would fall below 0 is returned, as class and word; -1 and -1 if there is none.
using TallySum = std::tuple<Made<int64_t>, Made<int32_t>, Made<double>, int64_t, int64_t>;

inline TallySum add_tallies(const Vector<int64_t>& starts, const Vector<int32_t>& classes, const Vector<double>& totals,
                            const Vector<int64_t>& other_starts, const Vector<int32_t>& other_classes,
                            const Vector<double>& other_totals, const Vector<int64_t>& at, std::size_t size,
                            double sign) {
  // What subtracting one from the other may leave by rounding. Whole numbers are exact; sums of weights are not.
  const auto lost = [](double before, double less) {
    constexpr double exact = 9007199254740992.0;
    const bool whole = before < exact && less < exact && before == std::floor(before) && less == std::floor(less);
    return whole ? 0.0 : 1e-9 * std::max(before, less);
  };
  static constexpr double nothing = 0.0;
  const auto fits = [](const Vector<int64_t>& s, const Vector<int32_t>& k, const Vector<double>& t) {
    require(s.shape(0) > 0 && s.data()[0] == 0 && k.shape(0) == t.shape(0), "a tally does not fit");
    for (std::size_t i = 0; i + 1 < s.shape(0); ++i) require(s.data()[i] <= s.data()[i + 1], "a tally is not in order");
    require(s.data()[s.shape(0) - 1] == (int64_t)k.shape(0), "a tally does not fit");
    for (std::size_t i = 0; i < k.shape(0); ++i) require((uint32_t)k.data()[i] < 0x7FFFFFFF, "there are too many classes");
  };
  Large<int64_t> sums{0};
  Large<int32_t> of;
  Large<double> amounts;
  int64_t short_class = -1, short_word = -1;
  {
    nb::gil_scoped_release release;
    fits(starts, classes, totals);
    fits(other_starts, other_classes, other_totals);
    require(starts.shape(0) - 1 <= size && at.shape(0) == other_starts.shape(0) - 1, "the words do not fit");
    Large<int64_t> second(size, -1);
    for (std::size_t i = 0; i < at.shape(0); ++i) {
      require((uint64_t)at.data()[i] < size && second[(std::size_t)at.data()[i]] < 0, "the words do not fit");
      second[(std::size_t)at.data()[i]] = (int64_t)i;
    }
    sums.reserve(size + 1);
    of.resize(classes.shape(0) + other_classes.shape(0) + 1); // the place behind the last is written before it is kept
    amounts.resize(of.size());
    std::size_t kept = 0;
    const auto second_of = [&](std::size_t word) { return word < size ? second[word] : (int64_t)-1; };
    for (std::size_t word = 0; word < size; ++word) {
      // The words of the second come in another order: what will be read of them is fetched ahead.
      if (const int64_t next = second_of(word + 16); next >= 0) __builtin_prefetch(other_starts.data() + next);
      if (const int64_t next = second_of(word + 8); next >= 0) {
        __builtin_prefetch(other_classes.data() + other_starts.data()[next]);
        __builtin_prefetch(other_totals.data() + other_starts.data()[next]);
        __builtin_prefetch(other_totals.data() + other_starts.data()[next + 1]);
      }
      int64_t a = 0, a_end = 0, b = 0, b_end = 0;
      if (word + 1 < starts.shape(0)) a = starts.data()[word], a_end = starts.data()[word + 1];
      if (second[word] >= 0) b = other_starts.data()[second[word]], b_end = other_starts.data()[second[word] + 1];
      // Which of the two comes next cannot be foreseen: there is no branch on it.
      constexpr int32_t none = 0x7FFFFFFF;
      int32_t mine = a < a_end ? classes.data()[a] : none, theirs = b < b_end ? other_classes.data()[b] : none;
      while (mine != none || theirs != none) {
        const int32_t k = std::min(mine, theirs);
        const bool from_mine = mine == k, from_theirs = theirs == k;
        const double before = *(from_mine ? totals.data() + a : &nothing);
        const double more = *(from_theirs ? other_totals.data() + b : &nothing) * sign;
        a += from_mine;
        b += from_theirs;
        mine = a < a_end ? classes.data()[a] : none;
        theirs = b < b_end ? other_classes.data()[b] : none;
        const double sum = before + more, rounding = more < 0 ? lost(before, -more) : 0.0;
        of[kept] = k;
        amounts[kept] = sum;
        kept += sum > rounding;
        if (sum < -rounding && short_word < 0) {
          short_class = k;
          short_word = (int64_t)word;
        }
      }
      sums.push_back((int64_t)kept);
    }
    of.resize(kept);
    amounts.resize(kept);
  }
  return {made(std::move(sums)), made(std::move(of)), made(std::move(amounts)), short_class, short_word};
}

inline void define_tally_sum(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  m.def("add_tallies", &add_tallies, as_is("starts"), as_is("classes"), as_is("totals"), as_is("other_starts"),
        as_is("other_classes"), as_is("other_totals"), as_is("at"), nb::arg("size"), nb::arg("sign"));
}

} // namespace likely
