// Looking for bytes in a stretch of them, and the problems met on the way: what all that reads mail shares.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "../words.hpp"

namespace likely::mail {

using Bytes = std::string_view;
constexpr std::size_t kNowhere = Bytes::npos;

inline std::size_t find(Bytes in, char byte, std::size_t from = 0) {
  if (from >= in.size()) return kNowhere;
  const void* at = std::memchr(in.data() + from, byte, in.size() - from);
  return at ? (std::size_t)(static_cast<const char*>(at) - in.data()) : kNowhere;
}

// By the first byte, which should be rare: memmem takes three times as long for a few bytes.
inline std::size_t find(Bytes in, Bytes what, std::size_t from = 0) {
  while ((from = find(in, what[0], from)) != kNowhere) {
    if (in.substr(from).starts_with(what)) return from;
    ++from;
  }
  return kNowhere;
}

inline Bytes cut(Bytes in, std::size_t from, std::size_t to) { return in.substr(from, to - from); }
inline char at_or_zero(Bytes in, std::size_t at) { return at < in.size() ? in[at] : '\0'; }

inline char low(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }
inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return low(c) >= 'a' && low(c) <= 'z'; }
inline bool is_ascii_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
inline int hex_of(char c) { return is_digit(c) ? c - '0' : low(c) >= 'a' && low(c) <= 'f' ? low(c) - 'a' + 10 : -1; }

// Whether `in` has `word`, which is in lower case, at this place in any case.
inline bool has(Bytes in, std::size_t at, Bytes word) {
  if (at > in.size() || in.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i)
    if (low(in[at + i]) != word[i]) return false;
  return true;
}

inline std::string lowered(Bytes ascii) {
  std::string made(ascii);
  for (char& c : made) c = low(c);
  return made;
}

// Some of all bytes.
class Some {
 public:
  constexpr Some(Bytes of) {
    for (const char c : of) in_[(uint8_t)c] = true;
  }
  constexpr bool operator()(char c) const { return in_[(uint8_t)c]; }

 private:
  bool in_[256] = {};
};
inline constexpr Some kBlank = Bytes(" \t\n\v\f\r"), kLineEnd = Bytes("\r\n");

inline Bytes stripped(Bytes in, const Some& of = kBlank) {
  std::size_t from = 0, to = in.size();
  while (from < to && of(in[from])) ++from;
  while (from < to && of(in[to - 1])) --to;
  return cut(in, from, to);
}

inline std::size_t after_line(Bytes in, std::size_t at) {
  const std::size_t line = find(in, '\n', at);
  return line == kNowhere ? in.size() : line + 1;
}

// Characters of UTF-8: where one that is of a kind starts, it ends at `next`.
inline Character character(Bytes in, std::size_t at) {
  return decode_utf8(reinterpret_cast<const uint8_t*>(in.data()), at, in.size());
}
inline std::size_t after_kind(Bytes in, std::size_t at, uint8_t kind) {
  while (at < in.size()) {
    const Character c = character(in, at);
    if (!(kind_of(c.code) & kind)) break;
    at = c.next;
  }
  return at;
}

inline bool starts_character(char c) { return ((uint8_t)c & 0xC0) != 0x80; }

inline std::size_t characters(Bytes utf8) {
  std::size_t count = 0;
  for (const char c : utf8) count += starts_character(c);
  return count;
}

// At most so many characters of a text.
inline Bytes beginning(Bytes utf8, std::size_t most) {
  if (utf8.size() <= most) return utf8;
  std::size_t count = 0;
  for (std::size_t i = 0; i < utf8.size(); ++i)
    if (starts_character(utf8[i]) && count++ == most) return utf8.substr(0, i);
  return utf8;
}

// How many bytes from here are ASCII.
inline std::size_t ascii_length(Bytes in) {
  std::size_t i = 0;
  for (uint64_t eight; i + 8 <= in.size(); i += 8) {
    std::memcpy(&eight, in.data() + i, 8);
    if (eight & 0x8080808080808080ull) break;
  }
  while (i < in.size() && (uint8_t)in[i] < 0x80) ++i;
  return i;
}
inline bool is_ascii(Bytes in) { return ascii_length(in) == in.size(); }

// The part of the bytes that is UTF-8: all, or all but a last character that was cut short; or nowhere.
inline std::size_t utf8_end(Bytes in) {
  for (std::size_t i = 0; (i += ascii_length(in.substr(i))) < in.size();) {
    const Character c = character(in, i);
    if (c.code == kNone) {
      // Filled up, it is a character: so it was one that was cut.
      char filled[4] = {'\x80', '\x80', '\x80', '\x80'};
      if (in.size() - i >= 4) return kNowhere;
      std::memcpy(filled, in.data() + i, in.size() - i);
      for (const char second : {'\x80', '\x90'}) {
        if (in.size() - i == 1) filled[1] = second == '\x80' && filled[0] == '\xE0' ? '\xA0' : second;
        const Character whole = character({filled, 4}, 0);
        if (whole.code != kNone && whole.next > in.size() - i) return i;
      }
      return kNowhere;
    }
    i = c.next;
  }
  return in.size();
}

// Where names in order start that have a first byte, by that byte: most of the way to one of them.
template <class Names, class NameOf>
constexpr auto first_bytes(const Names& names, NameOf name_of) {
  std::array<uint16_t, 257> at{};
  for (const auto& name : names) ++at[(uint8_t)name_of(name)[0] + 1u];
  for (std::size_t i = 0; i < 256; ++i) at[i + 1] = (uint16_t)(at[i + 1] + at[i]);
  return at;
}

// What could not be read, in sentences: each once and in order, and not more than some.
class Problems {
 public:
  explicit Problems(std::size_t most) : most_(most) {}

  void add(std::string sentence) {
    if (told.size() < most_ && std::find(told.begin(), told.end(), sentence) == told.end())
      told.push_back(std::move(sentence));
  }

  std::vector<std::string> told;

 private:
  std::size_t most_;
};

// 65536 as "65,536".
inline std::string grouped(std::size_t number) {
  std::string made = std::to_string(number);
  for (std::size_t at = made.size(); at > 3;) made.insert(at -= 3, ",");
  return made;
}

// A name given in a message, in quotes and fit to be printed.
inline std::string quoted(Bytes name) {
  std::string made = "'";
  for (const char c : name) made += c >= ' ' && c <= '~' ? c : '?';
  return made + "'";
}

} // namespace likely::mail
