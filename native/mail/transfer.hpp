// Content-Transfer-Encodings: bytes as letters, and back to bytes. None can fail, and what comes out is never longer.
#pragma once


#include "scan.hpp"

namespace likely::mail {

inline std::string quoted_printable(Bytes in) {
  std::string out;
  out.reserve(in.size());
  for (std::size_t at = 0; at < in.size();) {
    const std::size_t sign = std::min(find(in, '=', at), in.size());
    out.append(in, at, sign - at);
    if ((at = sign + 1) >= in.size()) break;
    const int first = hex_of(in[at]), second = hex_of(at_or_zero(in, at + 1));
    if (in[at] == '\n' || in[at] == '\r') {
      at = after_line(in, at);
    } else if (first >= 0 && second >= 0) {
      out += (char)(first << 4 | second);
      at += 2;
    } else {
      out += '=';
      at += in[at] == '=';
    }
  }
  return out;
}

constexpr auto kBase64 = [] {
  std::array<uint8_t, 256> of{};
  of.fill(64);
  constexpr Bytes letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < letters.size(); ++i) of[(uint8_t)letters[i]] = (uint8_t)i;
  return of;
}();

// Four letters are three bytes; at the end two are one byte, and three are two. Others are passed over. Unless it is read
// `through`, padding ends it. Whether the end was there: four letters, or fewer and their padding.
inline bool read_base64(Bytes in, bool through, std::string& out) {
  uint32_t held = 0;
  int letters = 0, pads = 0;
  for (const char c : in) {
    const uint8_t value = kBase64[(uint8_t)c];
    if (value < 64) {
      held = held << 6 | value;
      pads = 0;
      if (++letters == 4) {
        out += {(char)(held >> 16), (char)(held >> 8), (char)held};
        letters = 0;
      }
    } else if (c == '=' && !through && letters >= 2 && letters + ++pads == 4) {
      break;
    }
  }
  const bool whole = letters == 0 || (letters >= 2 && pads == 4 - letters);
  if (letters >= 2) out += (char)(held >> (6 * letters - 8));
  if (letters == 3) out += (char)(held >> 2);
  return whole;
}

inline std::string base64(Bytes in, Problems& problems) {
  std::string out;
  out.reserve(in.size() / 4 * 3 + 3);
  if (read_base64(in, false, out)) return out;
  problems.add("base64 is damaged: read as far as it could be");
  out.clear();
  read_base64(in, true, out);
  return out;
}

// The lines between `begin` and `end`. The first letter of a line is its length in bytes.
inline std::string uudecoded(Bytes in, Problems& problems) {
  std::string out;
  for (std::size_t at = 0, next; at < in.size(); at = next) {
    next = after_line(in, at);
    const Bytes line = stripped(cut(in, at, next), kLineEnd);
    if (line.starts_with("begin ")) {
      out.clear();
      continue;
    }
    if (stripped(line) == "end") break;
    if (line.empty()) continue;
    if (!std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c <= '`'; })) {
      problems.add("uuencoded lines are damaged: left out");
      continue;
    }
    const auto value = [&](std::size_t i) { return (line[i] - ' ') & 63; };
    const std::size_t length = std::min((std::size_t)value(0), (line.size() - 1) * 3 / 4);
    for (std::size_t i = 0; i < length; ++i) {
      const std::size_t from = 1 + i / 3 * 4 + i % 3;
      out += (char)(value(from) << (2 + 2 * (i % 3)) | value(from + 1) >> (4 - 2 * (i % 3)));
    }
  }
  return out;
}

} // namespace likely::mail
