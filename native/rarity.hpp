// How much a word counts by how few texts have it.
#pragma once

#include <algorithm>
#include <cmath>

namespace likely {

// 1 + log((1 + n) / (1 + n_w)) of n texts, of which n_w have the word. Where a text of m tokens counts as the root of m,
// n_w is worked out of what is counted: of_word * all / texts, which is exact for texts of one length that have it once.
inline double rarity(double of_word, double all, double texts) {
  return texts > 0 ? 1 + std::log((1 + texts) / (1 + std::min(texts, of_word * all / texts))) : 1;
}

} // namespace likely
