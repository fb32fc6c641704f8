// The words of a text, as Python sees them: re.findall(r"\w\w+", text.lower()), for every character there is.
#pragma once

#include <Python.h>

#include <bit>

#include "block.hpp"
#include "unicode_tables.hpp"

namespace likely {

constexpr uint8_t kWord = 1, kCased = 2, kIgnorable = 4, kLowers = 8;
constexpr uint32_t kSigma = 0x3A3, kFinalSigma = 0x3C2, kSmallSigma = 0x3C3;

inline uint8_t kind_of(uint32_t c) { return c <= 0x10FFFF ? kKinds[kKindPage[c >> 8] * 256 + (c & 255)] : (uint8_t)0; }

// One text where it lies: as Python or Arrow keep it. Missing texts have no data.
struct Text {
  const void* data;
  std::size_t length; // in units of its encoding
  enum Encoding : uint8_t { utf8, latin1, ucs2, ucs4 } encoding;
};

// The most bytes that one unit can give, with a space behind each word; unicode_tables.py makes sure of it.
constexpr std::size_t kRoom[] = {2, 3, 4, 5};

// A character of a text and where the next begins. Bytes that are no UTF-8 are characters that are in no word.
struct Character {
  uint32_t code;
  std::size_t next;
};

constexpr uint32_t kNone = 0xFFFFFFFF;

inline Character decode_utf8(const uint8_t* p, std::size_t i, std::size_t n) {
  const uint8_t lead = p[i];
  if (lead < 0x80) return {lead, i + 1};
  const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  if (lead < 0xC2 || lead > 0xF4 || i + more >= n) return {kNone, i + 1};
  uint32_t code = lead & (0x3Fu >> more);
  for (std::size_t k = 1; k <= more; ++k) {
    if ((p[i + k] & 0xC0) != 0x80) return {kNone, i + 1};
    code = code << 6 | (p[i + k] & 0x3F);
  }
  constexpr uint32_t least[] = {0, 0x80, 0x800, 0x10000}; // what fewer bytes could say is no character
  if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {kNone, i + 1};
  return {code, i + more + 1};
}

inline Character character(const Text& t, std::size_t i) {
  switch (t.encoding) {
    case Text::utf8: return decode_utf8(static_cast<const uint8_t*>(t.data), i, t.length);
    case Text::latin1: return {static_cast<const uint8_t*>(t.data)[i], i + 1};
    case Text::ucs2: return {static_cast<const uint16_t*>(t.data)[i], i + 1};
    default: return {static_cast<const uint32_t*>(t.data)[i], i + 1};
  }
}

inline std::size_t previous(const Text& t, std::size_t i) {
  if (t.encoding == Text::utf8)
    for (std::size_t back = 2; back <= std::min<std::size_t>(i, 4); ++back)
      if (character(t, i - back).next == i) return i - back;
  return i - 1;
}

// Whether a capital sigma is the last letter of its word: a cased letter comes before it, and none after, whatever
// ignorable characters lie between.
inline bool final_sigma(const Text& t, std::size_t at, std::size_t next) {
  bool cased = false;
  for (std::size_t i = at; i > 0;) {
    i = previous(t, i);
    const uint8_t kind = kind_of(character(t, i).code);
    if (kind & kIgnorable) continue;
    cased = (kind & kCased) != 0;
    break;
  }
  if (!cased) return false;
  while (next < t.length) {
    const Character c = character(t, next);
    const uint8_t kind = kind_of(c.code);
    if (!(kind & kIgnorable)) return !(kind & kCased);
    next = c.next;
  }
  return true;
}

inline char* put_utf8(uint32_t c, char* to) {
  if (c < 0x80) {
    *to++ = (char)c;
  } else if (c < 0x800) {
    *to++ = (char)(0xC0 | c >> 6);
    *to++ = (char)(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *to++ = (char)(0xE0 | c >> 12);
    *to++ = (char)(0x80 | (c >> 6 & 0x3F));
    *to++ = (char)(0x80 | (c & 0x3F));
  } else {
    *to++ = (char)(0xF0 | c >> 18);
    *to++ = (char)(0x80 | (c >> 12 & 0x3F));
    *to++ = (char)(0x80 | (c >> 6 & 0x3F));
    *to++ = (char)(0x80 | (c & 0x3F));
  }
  return to;
}

// Reads the words of texts into one buffer, with a space between: so a run of words is one stretch of it.
class WordReader {
 public:
  WordReader(bool lower, std::size_t least) : lower_(lower), least_(least) {
    for (unsigned c = 0; c < 128; ++c) {
      const bool word = kind_of(c) & kWord;
      plain_[c] = word ? (uint8_t)(lower && c >= 'A' && c <= 'Z' ? c + 32 : c) : (uint8_t)0;
    }
    std::fill(plain_ + 128, plain_ + 256, (uint8_t)255);
  }

  // Calls word(start, end), positions in buffer(), for every word of the text in its order.
  template <class Use>
  void read(const Text& text, Use&& word) {
    const std::size_t room = kRoom[text.encoding] * text.length + 16;
    if (buffer_.size() < room) buffer_.resize(room);
    char* const begin = buffer_.data();
    char *out = begin, *start = begin;
    std::size_t characters = 0;
    const auto finish = [&]() LIKELY_LAMBDA {
      if (characters >= least_) {
        word((std::size_t)(start - begin), (std::size_t)(out - begin));
        *out++ = ' ';
        start = out;
      } else {
        out = start;
      }
      characters = 0;
    };
    const auto add = [&](uint32_t c) LIKELY_LAMBDA {
      if (kind_of(c) & kWord) {
        out = put_utf8(c, out);
        ++characters;
      } else if (characters) {
        finish();
      }
    };
    const bool bytes = text.encoding == Text::utf8 || text.encoding == Text::latin1;
    const uint8_t* p = static_cast<const uint8_t*>(text.data);
    for (std::size_t i = 0; i < text.length;) {
      if (bytes) {
        uint8_t c = plain_[p[i]];
        while (c != 0 && c != 255) {
          *out++ = (char)c;
          ++characters;
          if (++i == text.length) break;
          c = plain_[p[i]];
        }
        if (i == text.length) break;
        if (c == 0) {
          if (characters) finish();
          ++i;
          continue;
        }
      }
      const Character c = character(text, i);
      if (!lower_ || !(kind_of(c.code) & kLowers)) {
        add(c.code);
      } else if (c.code == kSigma) {
        add(final_sigma(text, i, c.next) ? kFinalSigma : kSmallSigma);
      } else if (!expand(c.code, add)) {
        add(c.code + (uint32_t)kSteps[kStepPage[c.code >> 8] * 256 + (c.code & 255)]);
      }
      i = c.next;
    }
    if (characters) finish();
    end_ = (std::size_t)(out - begin);
  }

  const char* buffer() const { return buffer_.data(); }
  std::size_t end() const { return end_; }

 private:
  template <class Add>
  static bool expand(uint32_t code, const Add& add) {
    for (std::size_t k = 0; k < std::size(kExpansions); k += 5)
      if (kExpansions[k] == code) {
        for (std::size_t i = 0; i < kExpansions[k + 1]; ++i) add(kExpansions[k + 2 + i]);
        return true;
      }
    return false;
  }

  bool lower_;
  std::size_t least_, end_ = 0;
  uint8_t plain_[256];
  std::vector<char> buffer_;
};

// The text of a Python str, where it lies; null for None.
inline Text text_of(PyObject* object) {
  if (object == Py_None) return {nullptr, 0, Text::utf8};
  require(PyUnicode_Check(object), "a text is needed");
  const auto length = (std::size_t)PyUnicode_GET_LENGTH(object);
  const void* data = PyUnicode_DATA(object);
  if (PyUnicode_IS_ASCII(object)) return {data, length, Text::utf8};
  switch (PyUnicode_KIND(object)) {
    case PyUnicode_1BYTE_KIND: return {data, length, Text::latin1};
    case PyUnicode_2BYTE_KIND: return {data, length, Text::ucs2};
    default: return {data, length, Text::ucs4};
  }
}

// The words of one text, as UTF-8; a lone surrogate is no word character, so they always decode.
inline nb::list tokenize(nb::str text, bool lower) {
  WordReader reader(lower, 2);
  nb::list found;
  std::vector<std::pair<std::size_t, std::size_t>> places;
  reader.read(text_of(text.ptr()), [&](std::size_t start, std::size_t end) { places.emplace_back(start, end); });
  for (const auto& [start, end] : places) found.append(nb::str(reader.buffer() + start, end - start));
  return found;
}

} // namespace likely
