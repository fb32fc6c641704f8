// The words of a text, as Python sees them: re.findall(r"\w\w+", text.lower()), for every character there is; or whole,
// text.lower().split().
#pragma once

#include <Python.h>

#include <bit>

#include "block.hpp"
#include "unicode_tables.hpp"

#ifdef LIKELY_SSE2
#include <emmintrin.h>
#endif

namespace likely {

constexpr uint8_t kWord = 1, kCased = 2, kIgnorable = 4, kLowers = 8, kSpace = 16;
constexpr uint32_t kSigma = 0x3A3, kFinalSigma = 0x3C2, kSmallSigma = 0x3C3;

inline uint8_t kind_of(uint32_t c) { return c <= 0x10FFFF ? kKinds[kKindPage[c >> 8] * 256 + (c & 255)] : kSpace; }

// One text where it lies: as Python or Arrow keep it. Missing texts have no data.
struct Text {
  const void* data;
  std::size_t length; // in units of its encoding
  enum Encoding : uint8_t { utf8, latin1, ucs2, ucs4 } encoding;
};

// The most bytes that one unit can give; unicode_tables.py makes sure of it.
constexpr std::size_t kRoom[] = {2, 2, 3, 4};

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

// What a word is made of: letters, digits and underscores, or all but white space.
struct Letters {
  bool lower, whole;

  bool in_word(uint32_t c) const { return whole ? !(kind_of(c) & kSpace) : kind_of(c) & kWord; }
};

constexpr std::size_t kStretch = 64;

// Sixty-four bytes in lower case, as far as they are ASCII; which are of words, and which are not ASCII, bit by bit.
struct Stretch {
  uint64_t words = 0, beyond = 0;

  LIKELY_INLINE Stretch(const uint8_t* from, const Letters& letters, char* to) {
#ifdef LIKELY_SSE2
    // Bytes are compared as signed numbers: those beyond ASCII are below all others, and not looked at.
    const auto between = [](__m128i c, char least, char most) LIKELY_LAMBDA {
      return _mm_and_si128(_mm_cmpgt_epi8(c, _mm_set1_epi8((char)(least - 1))),
                           _mm_cmplt_epi8(c, _mm_set1_epi8((char)(most + 1))));
    };
    const __m128i step = _mm_set1_epi8(letters.lower ? 32 : 0), space = _mm_set1_epi8(' ');
    for (std::size_t at = 0; at < kStretch; at += 16) {
      const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
      const __m128i low = _mm_add_epi8(c, _mm_and_si128(between(c, 'A', 'Z'), step));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + at), low);
      __m128i word;
      if (letters.whole) {
        const __m128i gap = _mm_or_si128(between(c, 9, 13), between(c, 28, 32));
        word = _mm_andnot_si128(gap, _mm_set1_epi8(-1));
      } else {
        word = _mm_or_si128(_mm_or_si128(between(_mm_or_si128(c, space), 'a', 'z'), between(c, '0', '9')),
                            _mm_cmpeq_epi8(c, _mm_set1_epi8('_')));
      }
      words |= (uint64_t)(uint32_t)_mm_movemask_epi8(word) << at;
      beyond |= (uint64_t)(uint32_t)_mm_movemask_epi8(c) << at;
    }
#else
    for (std::size_t at = 0; at < kStretch; ++at) {
      const uint8_t c = from[at];
      to[at] = (char)(letters.lower && c >= 'A' && c <= 'Z' ? c + 32 : c);
      words |= (uint64_t)letters.in_word(c) << at;
      beyond |= (uint64_t)(c >> 7) << at;
    }
#endif
  }
};

// Reads the words of texts, of `least` characters or more.
class WordReader {
 public:
  WordReader(const Letters& letters, std::size_t least) : letters_(letters), least_(least) {}

  // Calls word(bytes, length) for every word of the text in its order. The bytes stay until the next text is read, and
  // eight more may be read behind them.
  template <class Use>
  void read(const Text& text, Use&& word) {
    const std::size_t room = kRoom[text.encoding] * text.length + kStretch + 8;
    if (buffer_.size() < room) buffer_.resize(room);
    char *out = buffer_.data(), *start = nullptr; // of the word that is being read
    std::size_t trailing = 0;                     // of its bytes, those that begin no character
    const auto finish = [&](const char* end) LIKELY_LAMBDA {
      const auto length = (std::size_t)(end - start);
      if (length - trailing >= least_) word(start, length);
      start = nullptr;
    };
    const auto begin = [&](char* at) LIKELY_LAMBDA {
      start = at;
      trailing = 0;
    };
    const auto add = [&](uint32_t c) LIKELY_LAMBDA {
      if (letters_.in_word(c)) {
        if (!start) begin(out);
        char* const next = put_utf8(c, out);
        trailing += (std::size_t)(next - out - 1);
        out = next;
      } else if (start) {
        finish(out);
      }
    };
    const bool bytes = text.encoding == Text::utf8 || text.encoding == Text::latin1;
    const uint8_t* const p = static_cast<const uint8_t*>(text.data);
    uint8_t tail[kStretch];
    for (std::size_t i = 0; i < text.length;) {
      if (bytes) {
        const std::size_t left = text.length - i;
        if (left < kStretch) {
          std::memset(tail, 0, kStretch);
          std::memcpy(tail, p + i, left);
        }
        const Stretch found(left < kStretch ? tail : p + i, letters_, out);
        const std::size_t plain = std::min({left, kStretch, (std::size_t)std::countr_zero(found.beyond)});
        uint64_t turns = found.words ^ (found.words << 1 | (start != nullptr));
        if (plain < kStretch) turns &= (1ull << plain) - 1;
        for (; turns; turns &= turns - 1) {
          char* const at = out + std::countr_zero(turns);
          if (start)
            finish(at);
          else
            begin(at);
        }
        out += plain;
        i += plain;
        if (plain == kStretch) continue;
      }
      while (i < text.length && !(bytes && p[i] < 0x80)) {
        const Character c = character(text, i);
        if (!letters_.lower || !(kind_of(c.code) & kLowers)) {
          add(c.code);
        } else if (c.code == kSigma) {
          add(final_sigma(text, i, c.next) ? kFinalSigma : kSmallSigma);
        } else if (!expand(c.code, add)) {
          add(c.code + (uint32_t)kSteps[kStepPage[c.code >> 8] * 256 + (c.code & 255)]);
        }
        i = c.next;
      }
    }
    if (start) finish(out);
  }

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

  Letters letters_;
  std::size_t least_;
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

// The words of one text; a lone surrogate is in no word, so they always decode.
inline nb::list tokenize(nb::str text, bool lower) {
  WordReader reader({lower, false}, 2);
  nb::list found;
  reader.read(text_of(text.ptr()), [&](const char* p, std::size_t length) { found.append(nb::str(p, length)); });
  return found;
}

} // namespace likely
