// Files that come with a message: attached, or in the middle of its text as they were sent before there was MIME. They are
// not looked into.
#pragma once

#include "markup.hpp"
#include "marks.hpp"

namespace likely::mail {

inline bool is_extension(Bytes in) {
  if (in.empty() || characters(in) > 10) return false;
  for (std::size_t at = 0; at < in.size();) {
    const Character c = character(in, at);
    if (!(kind_of(c.code) & kWord) && in[at] != '-') return false;
    at = c.next;
  }
  return true;
}

// What kind of file it is, by its name, which is in lower case, or else by its type; and the words of its name.
inline void add_file(Bytes name, Bytes sub, Marks& marks) {
  Bytes stem = name, extension = sub;
  if (const std::size_t dot = stem.rfind('.'); dot != kNowhere && is_extension(stem.substr(dot + 1))) {
    extension = stem.substr(dot + 1);
    stem = stem.substr(0, dot);
  }
  if (!extension.empty()) marks.add("attachment:", extension);
  std::size_t words = 0;
  each_word(stem, [&](Bytes word) {
    if (words++ < 10) marks.add("filename:", word);
  });
}

// Where the name stands in a line like "begin 644 photo.jpg"; 0 if it is none.
inline std::size_t uuencoded_name(Bytes line) {
  if (!line.starts_with("begin ") || line.back() != '\n') return 0;
  const std::size_t end = std::min(line.find_first_not_of("01234567", 6), line.size());
  const std::size_t digits = end - 6, rest = line.size() - end;
  return (digits == 3 || digits == 4) && line[end] == ' ' && rest >= 3 && rest <= 202 ? end + 1 : 0;
}

inline bool is_uuencoded(Bytes line) {
  if (!line.ends_with('\n')) return false;
  line.remove_suffix(line.ends_with("\r\n") ? 2 : 1);
  const auto letter = [](char c) { return c >= ' ' && c <= '`'; };
  return !line.empty() && line.size() <= 62 && std::all_of(line.begin(), line.end(), letter);
}

// A text without the files in the middle of it; calls file(name) for each.
template <class Use>
std::string without_files(Bytes in, Use&& file) {
  std::string out;
  for (std::size_t at = 0; at < in.size();) {
    const std::size_t next = after_line(in, at), name = uuencoded_name(cut(in, at, next));
    std::size_t end = next;
    if (name)
      while (is_uuencoded(cut(in, end, after_line(in, end)))) end = after_line(in, end);
    if (end == next) {
      out.append(in, at, next - at);
    } else {
      file(stripped(cut(in, at + name, next), kLineEnd));
      if (in.substr(end).starts_with("end") && !in_name(at_or_zero(in, end + 3))) end += 3;
    }
    at = end;
  }
  return out;
}

} // namespace likely::mail
