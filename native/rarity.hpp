// How much a word counts by how few texts have it.
#pragma once

#include <algorithm>
#include <cmath>

namespace likely {

// 1 + log((1 + n) / (1 + n_w)), where n_w of all n texts have the word. Where a text of m tokens counts as the root of m,
// n_w is derived from the counts: of_word * all / texts. It is exact if all texts have one length and the word at most once.
inline double rarity(double of_word, double all, double texts) {
  return texts > 0 ? 1 + std::log((1 + texts) / (1 + std::min(texts, of_word * all / texts))) : 1;
}

} // namespace likely
