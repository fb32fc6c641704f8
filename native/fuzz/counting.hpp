// Texts of any kind, and what plain counting makes of them.
#pragma once

#include <map>
#include <set>

#include "../tally.hpp"
#include "../tally_sum.hpp"
#include "interpreter.hpp"

namespace likely {

using plain::array, plain::expect, plain::Numbered, plain::refused, plain::values;

using Row = std::vector<std::pair<std::string, double>>;          // as they first come
using Totals = std::map<std::pair<std::string, int32_t>, double>; // of token and class

inline std::vector<std::string> tokens_of(const std::string& text, const Reading& how, const Numbered* stop) {
  const auto& [lower, whole] = how.letters;
  std::vector<std::string> units, found;
  for (const auto& word : plain::words_of(plain::characters_of(text), lower, whole, how.characters || whole ? 1 : 2))
    if (!stop || stop->find(word) < 0) units.push_back(word);
  if (how.characters && !units.empty()) {
    std::string line = " ";
    for (const auto& word : units) line += word + " ";
    units.clear();
    for (const uint32_t c : plain::characters_of(line)) units.push_back(plain::utf8_of(c));
  }
  const auto add = [&](std::size_t i, std::size_t n) {
    if (i + n > units.size()) return;
    std::string token = units[i];
    for (std::size_t k = 1; k < n; ++k) token += (how.characters ? "" : " ") + units[i + k];
    found.push_back(token);
  };
  if (how.characters)
    for (std::size_t n = how.shortest; n <= how.longest; ++n)
      for (std::size_t i = 0; i < units.size(); ++i) add(i, n);
  else
    for (std::size_t i = 0; i < units.size(); ++i)
      for (std::size_t n = how.shortest; n <= how.longest; ++n) add(i, n);
  return found;
}

struct Plain {
  Reading how;
  const Numbered *stop, *known;

  // What a token is counted as; nothing for one that is not known.
  std::optional<std::string> name(const std::string& token) const {
    if (how.hashing) return std::to_string(hashed(plain::Sought(token).data, token.size()) % how.hashing);
    if (known && known->find(token) < 0) return {};
    return token;
  }
  Row row(const std::optional<std::string>& text) const {
    Row found;
    std::unordered_map<std::string, std::size_t> at;
    for (const auto& token : text ? tokens_of(*text, how, stop) : std::vector<std::string>())
      if (const auto named = name(token)) {
        if (at.emplace(*named, found.size()).second) found.emplace_back(*named, 0.0);
        found[at[*named]].second += 1;
      }
    double all = 0;
    for (auto& [token, count] : found) all += count = how.binary ? 1 : how.sublinear ? 1 + std::log(count) : count;
    for (auto& [token, count] : found) count *= how.root ? 1 / std::sqrt(all) : 1;
    return found;
  }
  // What the number of a token stands for.
  std::string named(std::size_t number, const Words& words) const {
    if (how.hashing) return std::to_string(number);
    return known ? known->words[number] : plain::word(words, number);
  }
};

struct Tally {
  Words words;
  std::vector<int64_t> starts;
  std::vector<int32_t> classes;
  std::vector<double> totals;

  Tally(const TallyArrays& from)
      : words(std::get<0>(from)),
        starts(values(std::get<1>(from))),
        classes(values(std::get<2>(from))),
        totals(values(std::get<3>(from))) {}
  Tally(const TallySum& from, const Words& of)
      : words(of),
        starts(values(std::get<0>(from))),
        classes(values(std::get<1>(from))),
        totals(values(std::get<2>(from))) {}

  std::size_t size() const { return starts.size() - 1; }
  Totals named(const Plain& plainly) const {
    expect(starts.front() == 0 && starts.back() == std::ssize(classes) && classes.size() == totals.size(),
           "a tally fits");
    Totals found;
    for (std::size_t i = 0; i < size(); ++i)
      for (int64_t at = starts[i]; at < starts[i + 1]; ++at) {
        expect(at == starts[i] || classes[(std::size_t)at - 1] < classes[(std::size_t)at], "classes are in order");
        found[{plainly.named(i, words), classes[(std::size_t)at]}] = totals[(std::size_t)at];
      }
    expect(found.size() == totals.size(), "a token has one number");
    return found;
  }
};

// The same tokens and classes, with the same totals but for what rounding of `whole` loses.
inline bool near(const Totals& a, const Totals& b, const Totals& whole) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](const auto& x, const auto& y) {
           return x.first == y.first && std::fabs(x.second - y.second) <= 1e-13 * whole.at(x.first);
         });
}

inline TallySum sum_of(const Tally& a, const Tally& b, const std::vector<int64_t>& at, std::size_t size, double sign) {
  return add_tallies(array(a.starts), array(a.classes), array(a.totals), array(b.starts), array(b.classes),
                     array(b.totals), array(at), size, sign);
}

inline bool in_order(const std::vector<int64_t>& starts, std::size_t pairs) {
  return !starts.empty() && starts.front() >= 0 && std::is_sorted(starts.begin(), starts.end()) &&
         starts.back() == (int64_t)pairs;
}

// Puts a wrong number, or a right one, at some place.
template <class T>
inline void spoil(std::vector<T>& some, FuzzedDataProvider& in) {
  if (some.empty()) return;
  T& at = some[in.ConsumeIntegralInRange<std::size_t>(0, some.size() - 1)];
  at = in.ConsumeBool() ? in.ConsumeIntegral<T>() : in.ConsumeIntegralInRange<T>(-1, (T)some.size() + 1);
}

// Texts as Arrow has them, and what they are; nothing if they do not fit.
template <class Offset>
inline std::optional<Corpus> corpus_of(FuzzedDataProvider& in, const std::vector<uint8_t>& bytes,
                                       std::vector<std::optional<std::string>>& texts) {
  std::vector<Offset> offsets(in.ConsumeIntegralInRange<std::size_t>(0, 9));
  for (auto& offset : offsets) offset = in.ConsumeIntegralInRange<Offset>(0, (Offset)bytes.size());
  std::sort(offsets.begin(), offsets.end());
  if (in.ConsumeIntegralInRange(0, 15) == 0) spoil(offsets, in);
  const std::size_t count = offsets.empty() ? 0 : offsets.size() - 1;
  const std::size_t bit = in.ConsumeIntegralInRange<std::size_t>(0, 17);
  std::optional<std::vector<uint8_t>> valid;
  if (in.ConsumeBool()) valid = in.ConsumeBytes<uint8_t>(in.ConsumeIntegralInRange<std::size_t>(0, 4));
  if (valid && in.ConsumeIntegralInRange(0, 7)) valid->resize(4, 0x6D);
  bool fits = !valid || bit + count <= 8 * valid->size();
  for (std::size_t i = 0; i < count; ++i)
    fits = fits && 0 <= offsets[i] && offsets[i] <= offsets[i + 1] && offsets[i + 1] <= (int64_t)bytes.size();
  for (std::size_t i = 0; i < count && fits; ++i) {
    texts.emplace_back();
    if (!valid || (*valid)[(bit + i) / 8] & 1 << (bit + i) % 8)
      texts.back().emplace(bytes.begin() + offsets[i], bytes.begin() + offsets[i + 1]);
  }
  std::optional<Corpus> corpus;
  const bool wrong = refused([&] {
    std::optional<Vector<uint8_t>> bits;
    if (valid) bits = array(*valid);
    corpus.emplace(array(offsets), array(bytes), bits, bit);
  });
  expect(wrong != fits, "only texts that fit are taken");
  return corpus;
}

// The same as Python has them.
inline Corpus python_corpus(const std::vector<std::optional<std::string>>& texts) {
  nb::list all;
  for (const auto& text : texts)
    all.append(text ? nb::steal(PyUnicode_DecodeUTF8(text->data(), (Py_ssize_t)text->size(), "surrogateescape"))
                    : nb::none());
  return Corpus(nb::tuple(all));
}

} // namespace likely
