// Texts, where they lie, and their tokens: by their numbers, how often each is there, and as rows of a sparse matrix.
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
  explicit Bag(const Reading& reading) : how_(reading) {
    for (std::size_t n = 0; n < kFew; ++n) few_[n] = counted((double)n);
  }

  void add(const int32_t* numbers, std::size_t count) {
    const auto most = (std::size_t)*std::max_element(numbers, numbers + count);
    if (most >= place_.size()) place_.resize(std::max(most + 1, 2 * place_.size()), 0);
    std::size_t used = ids_.size();
    ids_.resize(used + count);
    counts_.resize(used + count);
    for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(&place_[(std::size_t)numbers[i]]);
    for (std::size_t i = 0; i < count; ++i) {
      int32_t& place = place_[(std::size_t)numbers[i]];
      if (place == 0) {
        ids_[used] = numbers[i];
        place = (int32_t)++used;
      }
      counts_[(std::size_t)place - 1] += 1;
    }
    ids_.resize(used);
    counts_.resize(used);
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
      counts_[i] = counts_[i] < kFew ? few_[(std::size_t)counts_[i]] : counted(counts_[i]);
    }
    use(static_cast<const int32_t*>(ids_.data()), counts_.data(), ids_.size());
    ids_.clear();
    counts_.clear();
  }

 private:
  static constexpr std::size_t kFew = 64;

  double counted(double n) const { return how_.binary ? 1.0 : how_.sublinear ? 1 + std::log(n) : n; }

  Reading how_;
  double few_[kFew]; // what a token counts that is there so often
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

inline void define_text(nb::module_& m) {
  const auto as_is = [](const char* name) { return nb::arg(name).noconvert(); };
  const auto or_none = [](const char* name) { return nb::arg(name).noconvert().none(); };

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
  m.def("rows_of_texts", &rows_of_texts, nb::arg("texts"), nb::arg("start"), nb::arg("end"), nb::arg("reading"),
        nb::arg("stop").none(), nb::arg("known").none());
}

} // namespace likely
