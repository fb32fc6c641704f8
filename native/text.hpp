// From texts to counts of words, to rows of a sparse matrix, and to scores: each in one pass.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <numeric>

#include "vocabulary.hpp"

namespace likely {

// How texts are read; likely.text.Tokens says it for people. `hashing` is a number of buckets, 0 for none.
struct Reading {
  Letters letters;
  bool characters;
  std::size_t shortest, longest; // of n-grams
  bool binary, sublinear, root;
  uint64_t hashing;
  const Words* stop;

  // Whether the tokens of a text must be known before one can be counted.
  bool by_text() const { return binary || sublinear || root; }
};
using ReadingNumbers = std::tuple<bool, bool, bool, std::size_t, std::size_t, bool, bool, bool, uint64_t>;

inline Reading reading_of(const ReadingNumbers& n, const Words* stop) {
  const auto& [lower, whole, characters, shortest, longest, binary, sublinear, root, hashing] = n;
  const Reading r{{lower, whole}, characters, shortest, longest, binary, sublinear, root, hashing, stop};
  require(1 <= r.shortest && r.shortest <= r.longest && r.longest <= 100, "n-grams are of 1 to 100 words");
  require(r.hashing <= 0x7FFFFFFF, "there are too many buckets");
  return r;
}

// The tokens of a text: its words, or n-grams of them, or n-grams of their characters.
class Tokens {
 public:
  explicit Tokens(const Reading& reading)
      : how_(reading), words_(reading.letters, reading.characters || reading.letters.whole ? 1 : 2) {}

  // Calls token(bytes, length) for each. Eight bytes behind it may be read.
  template <class Use>
  void read(const Text& text, Use&& token) {
    if (how_.longest == 1 && !how_.characters && !how_.stop) {
      words_.read(text, token);
      return;
    }
    kept_.assign(how_.characters, ' '); // the words that are not stopped, side by side
    starts_.clear();
    words_.read(text, [&](const char* word, std::size_t length) {
      if (how_.stop && how_.stop->find({word, length}) >= 0) return;
      starts_.push_back(kept_.size());
      kept_.insert(kept_.end(), word, word + length);
      kept_.push_back(' ');
    });
    if (how_.characters) {
      of_characters(token);
      return;
    }
    const std::size_t count = starts_.size();
    starts_.push_back(kept_.size());
    kept_.resize(kept_.size() + 8);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t n = how_.shortest; n <= how_.longest && i + n <= count; ++n)
        token(kept_.data() + starts_[i], starts_[i + n] - 1 - starts_[i]);
  }

 private:
  template <class Use>
  void of_characters(Use&& token) {
    if (starts_.empty()) return;
    starts_.clear();
    for (std::size_t i = 0; i < kept_.size(); ++i)
      if (((uint8_t)kept_[i] & 0xC0) != 0x80) starts_.push_back(i);
    const std::size_t count = starts_.size();
    starts_.push_back(kept_.size());
    kept_.resize(kept_.size() + 8);
    for (std::size_t n = how_.shortest; n <= how_.longest; ++n)
      for (std::size_t i = 0; i + n <= count; ++i) token(kept_.data() + starts_[i], starts_[i + n] - starts_[i]);
  }

  Reading how_;
  WordReader words_;
  std::vector<char> kept_;
  std::vector<std::size_t> starts_;
};

// The numbers of tokens: buckets, or those of known words, or of words that are added as they come.
class Numbers {
 public:
  Numbers(const Reading& how, const Words* known, Words* grown)
      : tokens_(how), buckets_(how.hashing), known_(known ? known : grown), grown_(known ? nullptr : grown) {}

  std::size_t size() const { return buckets_ ? buckets_ : known_->size(); }

  // Calls use(numbers, count) for the tokens of the text that have one, many at a time: words and what is known of them
  // lie far apart in memory, and most of the time would be spent waiting for one after the other. So the slots of all are
  // fetched before the first is looked at, and the user can do alike with what it knows of them.
  template <class Use>
  void read(const Text& text, Use&& use) {
    std::size_t waiting = 0;
    const auto finish = [&]() LIKELY_LAMBDA {
      std::size_t found = 0;
      for (std::size_t i = 0; i < waiting; ++i) {
        const int32_t number = grown_ ? grown_->add(keys_[i]) : known_->find(keys_[i]);
        numbers_[found] = number;
        found += number >= 0;
      }
      waiting = 0;
      if (found) use(static_cast<const int32_t*>(numbers_), found);
    };
    if (buckets_) {
      tokens_.read(text, [&](const char* p, std::size_t length) LIKELY_LAMBDA {
        numbers_[waiting++] = (int32_t)(hashed(p, length) % buckets_);
        if (waiting < kMany) return;
        use(static_cast<const int32_t*>(numbers_), waiting);
        waiting = 0;
      });
      if (waiting) use(static_cast<const int32_t*>(numbers_), waiting);
      return;
    }
    tokens_.read(text, [&](const char* p, std::size_t length) LIKELY_LAMBDA {
      keys_[waiting] = {p, length};
      known_->fetch(keys_[waiting]);
      if (++waiting == kMany) finish();
    });
    finish();
  }

 private:
  static constexpr std::size_t kMany = 64;

  Tokens tokens_;
  uint64_t buckets_;
  const Words* known_;
  Words* grown_;
  Key keys_[kMany];
  int32_t numbers_[kMany];
};

// The tokens of one text, each with how often it is there.
class Bag {
 public:
  explicit Bag(const Reading& reading) : how_(reading) {}

  void add(const int32_t* numbers, std::size_t count) {
    const auto most = (std::size_t)*std::max_element(numbers, numbers + count);
    if (most >= place_.size()) place_.resize(std::max(most + 1, 2 * place_.size()), 0);
    for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(&place_[(std::size_t)numbers[i]]);
    for (std::size_t i = 0; i < count; ++i) {
      int32_t& place = place_[(std::size_t)numbers[i]];
      if (place == 0) {
        ids_.push_back(numbers[i]);
        counts_.push_back(0);
        place = (int32_t)ids_.size();
      }
      counts_[(std::size_t)place - 1] += 1;
    }
  }

  // Calls use(numbers, how often each counts, count). A text of n tokens may count as the root of n, each alike.
  template <class Use>
  void empty(Use&& use) {
    empty_whole([&](const int32_t* ids, double* counts, std::size_t count) {
      if (how_.root) {
        const double share = 1 / std::sqrt(std::accumulate(counts, counts + count, 0.0));
        for (std::size_t i = 0; i < count; ++i) counts[i] *= share;
      }
      use(ids, static_cast<const double*>(counts), count);
    });
  }

  // The same, each text in its whole length.
  template <class Use>
  void empty_whole(Use&& use) {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      place_[(std::size_t)ids_[i]] = 0;
      counts_[i] = how_.binary ? 1.0 : how_.sublinear ? 1 + std::log(counts_[i]) : counts_[i];
    }
    use(static_cast<const int32_t*>(ids_.data()), counts_.data(), ids_.size());
    ids_.clear();
    counts_.clear();
  }

 private:
  Reading how_;
  Large<int32_t> place_;
  std::vector<int32_t> ids_;
  std::vector<double> counts_;
};

// Texts where they lie: those of a tuple of Python's, or of Arrow's buffers. What they lie in is kept with them.
class Corpus {
 public:
  explicit Corpus(const nb::tuple& texts) : kept_(texts) {
    texts_.reserve(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) texts_.push_back(text_of(texts[i].ptr()));
  }

  template <class Offset>
  Corpus(const Vector<Offset>& offsets, const Vector<uint8_t>& bytes, const std::optional<Vector<uint8_t>>& valid,
        std::size_t bit)
      : kept_(nb::make_tuple(offsets, bytes)) {
    const std::size_t count = offsets.shape(0) ? offsets.shape(0) - 1 : 0;
    const std::size_t bits = valid ? 8 * valid->shape(0) : 0;
    require(!valid || (bit <= bits && count <= bits - bit), "the validity bits do not fit");
    texts_.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Offset a = offsets.data()[i], b = offsets.data()[i + 1];
      require(0 <= a && a <= b && (std::size_t)b <= bytes.shape(0), "the offsets do not fit the bytes");
      const bool there = !valid || (valid->data()[(bit + i) / 8] >> ((bit + i) % 8) & 1);
      texts_.push_back(there ? Text{bytes.data() + a, (std::size_t)(b - a), Text::utf8} : Text{nullptr, 0, Text::utf8});
    }
  }

  std::size_t size() const { return texts_.size(); }
  const Text* at(std::size_t start, std::size_t end) const {
    require(start <= end && end <= texts_.size(), "there are not as many texts");
    return texts_.data() + start;
  }
  Made<int64_t> sizes() const {
    std::vector<int64_t> found(texts_.size());
    std::transform(texts_.begin(), texts_.end(), found.begin(), [](const Text& t) { return (int64_t)t.length; });
    return made(std::move(found));
  }
  Made<uint8_t> there() const {
    std::vector<uint8_t> found(texts_.size());
    std::transform(texts_.begin(), texts_.end(), found.begin(), [](const Text& t) { return t.data != nullptr; });
    return made(std::move(found));
  }

 private:
  nb::object kept_;
  std::vector<Text> texts_;
};

// How often each token is in the texts of each class: for every token the classes in which it is, and the totals.
struct Tallied {
  Words words;
  Large<int64_t> starts;
  Large<int32_t> classes;
  Large<double> totals;
};

inline Tallied tally(const Text* texts, std::size_t count_of, const int32_t* y, const double* weight, std::size_t classes,
                     const Reading& how, const Words* known) {
  Tallied found;
  Numbers numbers(how, known, &found.words);
  Bag bag(how);
  const bool by_text = how.by_text();
  // Class by class, so that one row of counts is enough, and only what is there is kept.
  std::vector<std::size_t> first(classes + 1), order(count_of);
  for (std::size_t i = 0; i < count_of; ++i) ++first[(std::size_t)y[i] + 1];
  for (std::size_t k = 0; k < classes; ++k) first[k + 1] += first[k];
  std::vector<std::size_t> next(first.begin(), first.end());
  for (std::size_t i = 0; i < count_of; ++i) order[next[(std::size_t)y[i]]++] = i;

  Large<double> count;
  Large<int32_t> ids, seen;
  Large<double> totals;
  std::vector<std::size_t> ends(classes);
  const auto add = [&](int32_t id, double amount) LIKELY_LAMBDA {
    double& here = count[(std::size_t)id];
    if (here == 0) seen.push_back(id);
    here += amount;
  };
  for (std::size_t k = 0; k < classes; ++k) {
    for (std::size_t at = first[k]; at < first[k + 1]; ++at) {
      const Text& text = texts[order[at]];
      const double w = weight ? weight[order[at]] : 1.0;
      if (!text.data || w == 0) continue;
      numbers.read(text, [&](const int32_t* some, std::size_t of_them) LIKELY_LAMBDA {
        if (count.size() < numbers.size()) count.resize(std::max(numbers.size(), 2 * count.size()));
        if (by_text) {
          bag.add(some, of_them);
          return;
        }
        for (std::size_t i = 0; i < of_them; ++i) __builtin_prefetch(&count[(std::size_t)some[i]]);
        for (std::size_t i = 0; i < of_them; ++i) add(some[i], w);
      });
      if (!by_text) continue;
      bag.empty([&](const int32_t* some, const double* times, std::size_t of_them) {
        for (std::size_t i = 0; i < of_them; ++i) add(some[i], w * times[i]);
      });
    }
    if (8 * seen.size() > count.size()) { // most are there: in their order, memory is read as it lies
      seen.clear();
      for (std::size_t id = 0; id < count.size(); ++id)
        if (count[id] != 0) seen.push_back((int32_t)id);
    }
    for (const int32_t id : seen) {
      ids.push_back(id);
      totals.push_back(count[(std::size_t)id]);
      count[(std::size_t)id] = 0;
    }
    seen.clear();
    ends[k] = ids.size();
  }
  // Turned over: by token, and within it by class.
  found.starts.assign(numbers.size() + 1, 0);
  for (const int32_t id : ids) ++found.starts[(std::size_t)id + 1];
  for (std::size_t i = 0; i < numbers.size(); ++i) found.starts[i + 1] += found.starts[i];
  Large<int64_t> to(found.starts.begin(), found.starts.end() - 1);
  found.classes.resize(ids.size());
  found.totals.resize(ids.size());
  for (std::size_t k = 0, i = 0; k < classes; ++k)
    for (; i < ends[k]; ++i) {
      const auto place = (std::size_t)to[(std::size_t)ids[i]]++;
      found.classes[place] = (int32_t)k;
      found.totals[place] = totals[i];
    }
  return found;
}

using TallyArrays = std::tuple<Words, Made<int64_t>, Made<int32_t>, Made<double>>;

inline TallyArrays tally_texts(const Corpus& texts, std::size_t start, std::size_t end, const Vector<int32_t>& y,
                               const Weights& w, std::size_t classes, const ReadingNumbers& reading, const Words* stop,
                               const Words* known) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  require(classes <= 0x7FFFFFFF, "there are too many classes");
  Tallied found;
  {
    nb::gil_scoped_release release;
    const int32_t* code = class_codes(y, end - start, classes);
    found = tally(first, end - start, code, row_weights(w, end - start), classes, how, known);
  }
  return {std::move(found.words), made(std::move(found.starts)), made(std::move(found.classes)),
          made(std::move(found.totals))};
}

// The texts as rows of a sparse matrix.
using CsrArrays = std::tuple<Words, Made<int64_t>, Made<int32_t>, Made<double>>;

inline CsrArrays rows_of_texts(const Corpus& texts, std::size_t start, std::size_t end, const ReadingNumbers& reading,
                               const Words* stop, const Words* known) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  Words words;
  Large<int64_t> starts{0};
  Large<int32_t> ids;
  Large<double> counts;
  {
    nb::gil_scoped_release release;
    Numbers numbers(how, known, &words);
    Bag bag(how);
    for (std::size_t i = 0; i < end - start; ++i) {
      if (first[i].data) {
        numbers.read(first[i], [&](const int32_t* some, std::size_t count) { bag.add(some, count); });
        bag.empty([&](const int32_t* some, const double* times, std::size_t count) {
          ids.insert(ids.end(), some, some + count);
          counts.insert(counts.end(), times, times + count);
        });
      }
      starts.push_back((int64_t)ids.size());
    }
  }
  return {std::move(words), made(std::move(starts)), made(std::move(ids)), made(std::move(counts))};
}

// sums[class] += as often as each token counts, the extra of the classes in which it was seen.
LIKELY_CLONES inline void add_pairs(const int32_t* tokens, const double* amounts, std::size_t count, const int64_t* starts,
                                    const int32_t* classes, const double* extra, std::size_t c, double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = (std::size_t)starts[tokens[i]], to = (std::size_t)starts[tokens[i] + 1];
    for (std::size_t at = from; at < to + 7; at += 8) __builtin_prefetch(extra + at);
    for (std::size_t at = from; to - from < c && at < to + 15; at += 16) __builtin_prefetch(classes + at);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto from = (std::size_t)starts[tokens[i]], to = (std::size_t)starts[tokens[i] + 1];
    const double amount = amounts ? amounts[i] : 1.0;
    if (to - from < c) {
      for (std::size_t at = from; at < to; ++at) sums[classes[at]] += amount * extra[at];
      continue;
    }
    std::size_t k = 0; // in every class, in their order
    for (; k + 4 <= c; k += 4) put(sums + k, four(sums + k) + amount * four(extra + from + k));
    for (; k < c; ++k) sums[k] += amount * extra[from + k];
  }
}

// How a text is scored: out (rows x classes) += constant[class], and for each known token, as often as it counts,
// each[class] + common[token] + the extra of the classes in which it was seen. With `strict` a class in which a known
// token was never seen is impossible. With `prior`, prior[class] is added too, divided by how often all tokens count; and
// a text of which none is known adds nothing. `starts`, `classes` and `extra` are as tally_texts gives them.
inline void score_texts(const Corpus& texts, std::size_t start, std::size_t end, const ReadingNumbers& reading,
                        const Words* stop, const Words* known, const Vector<int64_t>& starts,
                        const Vector<int32_t>& classes, const Vector<double>& extra, const Vector<double>& constant,
                        const Vector<double>& each, const std::optional<Vector<double>>& common,
                        const std::optional<Vector<double>>& prior, bool strict, Output<double> out) {
  const Reading how = reading_of(reading, stop);
  const Text* first = texts.at(start, end);
  require(known || how.hashing, "words or buckets are needed");
  const std::size_t c = each.shape(0), size = how.hashing ? how.hashing : known->size(), pairs = classes.shape(0);
  require(out.shape(0) == end - start && out.shape(1) == c && constant.shape(0) == c, "the output does not fit");
  require(starts.shape(0) == size + 1 && extra.shape(0) == pairs, "the table does not fit the words");
  require(!common || common->shape(0) == size, "one number for each word is needed");
  require(!prior || prior->shape(0) == c, "one number for each class is needed");
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < size; ++i)
    require(0 <= starts.data()[i] && starts.data()[i] <= starts.data()[i + 1], "the table is not in order");
  require(starts.data()[size] == (int64_t)pairs, "the table does not fit");
  for (std::size_t i = 0; i < pairs; ++i) require((std::size_t)classes.data()[i] < c, "a class code is out of range");
  Numbers numbers(how, known, nullptr);
  Bag bag(how);
  const bool by_text = how.by_text();
  std::vector<double> sums(c), hits(c);
  for (std::size_t row = 0; row < end - start; ++row) {
    if (!first[row].data) continue;
    std::fill(sums.begin(), sums.end(), 0.0);
    std::fill(hits.begin(), hits.end(), 0.0);
    double times = 0, all = 0, tokens = 0;
    const auto add = [&](const int32_t* some, const double* amounts, std::size_t count) {
      for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(starts.data() + some[i]);
      tokens += (double)count;
      for (std::size_t i = 0; i < count; ++i) {
        const double amount = amounts ? amounts[i] : 1.0;
        times += amount;
        if (common) all += amount * common->data()[some[i]];
      }
      add_pairs(some, amounts, count, starts.data(), classes.data(), extra.data(), c, sums.data());
      for (std::size_t i = 0; strict && i < count; ++i)
        for (auto at = starts.data()[some[i]]; at < starts.data()[some[i] + 1]; ++at) ++hits[(std::size_t)classes.data()[at]];
    };
    numbers.read(first[row], [&](const int32_t* some, std::size_t count) LIKELY_LAMBDA {
      if (by_text)
        bag.add(some, count);
      else
        add(some, nullptr, count);
    });
    if (by_text) bag.empty(add);
    double* to = out.data() + row * c;
    if (prior && tokens == 0) continue;
    for (std::size_t k = 0; k < c; ++k) {
      to[k] += constant.data()[k] + (prior ? prior->data()[k] / times : 0.0);
      if (tokens == 0) continue;
      to[k] += strict && hits[k] < tokens ? -INFINITY : sums[k] + times * each.data()[k] + all;
    }
  }
}

// The totals of two tallies as one, those of the second times `sign`. at[word of the second] is its number among `size`
// words, which are those of the first, and more. Pairs of which nothing is left, but for rounding, are left out; the
// first of which less than nothing would be left is returned, as class and word, or -1 and -1.
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

inline void define_text(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  const auto or_none = [](const char* name) { return nb::arg(name).noconvert().none(); };
  const auto reading = nb::arg("reading");
  const auto stop = nb::arg("stop").none(), known = nb::arg("known").none();

  nb::class_<Words>(m, "Words")
      .def("__len__", &Words::size)
      .def("buffers", &buffers)
      .def("joined", &joined, nb::arg("other"))
      .def("chosen", &chosen, as_is("numbers"))
      .def("among", &numbers_among, as_is("ends"), as_is("bytes"))
      .def("find",
           [](const Words& words, nb::bytes word) {
             std::string padded(word.c_str(), word.size());
             const std::size_t length = padded.size();
             padded.resize(length + 8);
             return words.find({padded.data(), length});
           })
      .def("word", [](const Words& words, std::size_t at) {
        require(at < words.size(), "there is no such word");
        PyObject* decoded = PyUnicode_DecodeUTF8(words.word(at), (Py_ssize_t)words.length(at), "surrogatepass");
        if (!decoded) nb::raise_python_error();
        return nb::steal<nb::str>(decoded);
      });
  nb::class_<Corpus>(m, "Texts")
      .def(nb::init<const nb::tuple&>(), nb::arg("texts"))
      .def(nb::init<const Vector<int32_t>&, const Vector<uint8_t>&, const std::optional<Vector<uint8_t>>&, std::size_t>(),
           as_is("offsets"), as_is("bytes"), or_none("valid"), nb::arg("bit"))
      .def(nb::init<const Vector<int64_t>&, const Vector<uint8_t>&, const std::optional<Vector<uint8_t>>&, std::size_t>(),
           as_is("offsets"), as_is("bytes"), or_none("valid"), nb::arg("bit"))
      .def("__len__", &Corpus::size)
      .def("sizes", &Corpus::sizes)
      .def("there", &Corpus::there);
  m.def("words_of", &words_of, as_is("ends"), as_is("bytes"));
  m.def("tokenize", &tokenize, nb::arg("text"), nb::arg("lower"));
  const auto texts = nb::arg("texts"), start = nb::arg("start"), end = nb::arg("end");
  m.def("tally_texts", &tally_texts, texts, start, end, as_is("y"), or_none("weight"), nb::arg("classes"), reading, stop,
        known);
  m.def("rows_of_texts", &rows_of_texts, texts, start, end, reading, stop, known);
  m.def("score_texts", &score_texts, texts, start, end, reading, stop, known, as_is("starts"), as_is("classes"),
        as_is("extra"), as_is("constant"), as_is("each"), or_none("common"), or_none("prior"), nb::arg("strict"),
        as_is("out"));
  m.def("add_tallies", &add_tallies, as_is("starts"), as_is("classes"), as_is("totals"), as_is("other_starts"),
        as_is("other_classes"), as_is("other_totals"), as_is("at"), nb::arg("size"), nb::arg("sign"));
}

} // namespace likely
