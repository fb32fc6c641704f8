// Bytes in a charset by its name to UTF-8. Most mail is ASCII, UTF-8 or Windows-1252, which are read here; of all others
// Python knows what they are.
#pragma once

#include <functional>
#include <optional>
#include <tuple>

#include "scan.hpp"

namespace likely::mail {

// Reads bytes in a charset, "" for none; nothing if it is as good as none. It may tell a problem.
using OtherCharsets = std::function<std::optional<std::string>(Bytes, Bytes, Problems&)>;

// The characters of 128 to 159; 0 for none.
inline constexpr uint16_t kWindows[] = {
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178};

// What is no character becomes U+FFFD; and whether there was any.
inline std::pair<std::string, bool> windows_1252(Bytes in) {
  std::pair<std::string, bool> made;
  auto& [out, damaged] = made;
  out.reserve(in.size() + in.size() / 8);
  for (std::size_t at = 0; at < in.size(); ++at) {
    const std::size_t length = ascii_length(in.substr(at));
    out.append(in, at, length);
    if ((at += length) == in.size()) break;
    const auto byte = (uint8_t)in[at];
    const uint32_t code = byte < 0xA0 ? kWindows[byte - 0x80] : byte;
    char one[4];
    out.append(one, (std::size_t)(put_utf8(code ? code : 0xFFFD, one) - one));
    damaged |= !code;
  }
  return made;
}

class Charsets {
 public:
  explicit Charsets(OtherCharsets others) : others_(std::move(others)) {}

  // Bytes that are UTF-8 already are given back as they lie, all others in `room`.
  Bytes decoded(Bytes in, Bytes charset, Problems& problems, std::string& room) const {
    const bool unnamed = charset.empty() || charset == "us-ascii";
    const bool western = charset == "iso-8859-1" || charset == "windows-1252"; // senders name the one and use the other
    if ((unnamed || western || charset == "utf-8") && is_ascii(in)) return in;
    if (western) {
      bool damaged;
      std::tie(room, damaged) = windows_1252(in);
      if (damaged) problems.add("text holds bytes that are not valid " + std::string(charset));
      return room;
    }
    if (charset == "utf-8" && utf8_end(in) == in.size()) return in;
    if (!unnamed)
      if (auto text = others_(in, charset, problems)) return room = *std::move(text);
    if (const std::size_t end = utf8_end(in); end != kNowhere) return in.substr(0, end);
    if (unnamed) problems.add("text is neither ASCII nor UTF-8, and no charset is named: read as Windows-1252");
    return room = windows_1252(in).first;
  }

 private:
  OtherCharsets others_;
};

} // namespace likely::mail
