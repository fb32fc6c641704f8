// The header of a message or part: where its fields are, and where its body starts.
#pragma once

#include <span>

#include "../vocabulary.hpp"
#include "scan.hpp"

namespace likely::mail {

// Fields that are read for something else than marks.
enum class Use : uint8_t { date, received, references, in_reply_to, content_type, encoding, disposition };
inline constexpr Bytes kUses[] = {"date",         "received",           "references",
                                  "in-reply-to",  "content-type",       "content-transfer-encoding",
                                  "content-disposition"};

// Names of fields, in any case, to their numbers: first those that make marks, then those of `Use`.
class FieldNames {
 public:
  explicit FieldNames(std::span<const std::string> marked) {
    for (const std::string& name : marked) add(name);
    for (const Bytes name : kUses) add(name);
  }

  // -1 for a field that is not read, as most are: servers wrote them.
  int32_t find(Bytes name) const {
    char key[kLongest + 8] = {};
    if (name.size() > kLongest) return -1;
    for (std::size_t i = 0; i < name.size(); ++i) key[i] = low(name[i]);
    return names_.find({key, name.size()});
  }

 private:
  static constexpr std::size_t kLongest = 40;

  void add(Bytes name) {
    require(name.size() <= kLongest, "the name of a field is too long");
    char key[kLongest + 8] = {};
    std::copy(name.begin(), name.end(), key);
    names_.add({key, name.size()});
  }

  Words names_;
};

struct Field {
  std::size_t number;
  Bytes value; // as it is folded
};

// Fields that stand in the lines after one that is no field say that the header goes on there.
inline bool tells_of_header(Bytes line) {
  const auto named = [&](Bytes name) {
    return has(line, 0, name) && at_or_zero(line, std::min(line.find_first_not_of(" \t", name.size()), line.size())) == ':';
  };
  for (const Bytes name : {"received", "from", "to", "cc", "subject", "date", "message-id", "mime-version"})
    if (named(name)) return true;
  for (const Bytes start : {"content-", "x-"}) {
    if (!has(line, 0, start)) continue;
    std::size_t end = start.size();
    while (is_ascii_word(at_or_zero(line, end)) || at_or_zero(line, end) == '-') ++end;
    if (end > start.size() && named(lowered(line.substr(0, end)))) return true;
  }
  return false;
}

struct Head {
  std::vector<Field> fields; // those that are read
  std::size_t count = 0;     // of all
  std::size_t body = 0;
  bool whole = true; // a blank line or the end says where the body starts

  // Reads `in` from `start`, of which at most `limit` bytes are looked at.
  void read(Bytes in, std::size_t start, std::size_t limit, const FieldNames& names, Problems& problems) {
    fields.clear();
    count = 0;
    whole = true;
    const std::size_t stop = std::min(in.size(), start + limit);
    const Bytes seen = in.substr(0, stop);
    Field* open = nullptr; // the one that a folded line belongs to
    for (std::size_t at = start, next; at < stop; at = next) {
      next = after_line(seen, at);
      const Bytes line = cut(seen, at, next);
      if (line[0] == '\n' || line.starts_with("\r\n")) {
        body = next;
        return;
      }
      if (line[0] == ' ' || line[0] == '\t') {
        if (!stripped(line).empty()) {
          if (open) open->value = Bytes(open->value.data(), (std::size_t)(line.data() + line.size() - open->value.data()));
          continue;
        }
      } else if (const std::size_t colon = find(line, ':'); colon != kNowhere) {
        const Bytes name = stripped(line.substr(0, colon));
        if (std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < '\x7F'; }) && !name.empty()) {
          const int32_t number = names.find(name);
          ++count;
          open = nullptr;
          if (number >= 0) open = &fields.emplace_back(Field{(std::size_t)number, line.substr(colon + 1)});
          continue;
        }
      }
      if (next == stop && stop < in.size() && line.back() != '\n') break;
      if (!goes_on(seen, next)) {
        body = at;
        whole = false;
        return;
      }
      problems.add("a header has a line that is not a field: it is passed over");
      open = nullptr;
    }
    body = in.size();
    if (stop == in.size()) return;
    problems.add("a header has more than " + grouped(limit) + " bytes: the rest of it is not read");
    for (std::size_t line = stop ? stop - 1 : 0; (line = mail::find(in, '\n', line)) != kNowhere; ++line)
      if (at_or_zero(in, line + 1) == '\n' || in.substr(line + 1).starts_with("\r\n")) {
        body = after_line(in, line + 1);
        return;
      }
  }

 private:
  static bool goes_on(Bytes seen, std::size_t at) {
    for (int lines = 0; lines < 3 && at < seen.size(); ++lines, at = after_line(seen, at))
      if (tells_of_header(seen.substr(at, 200))) return true;
    return false;
  }
};

} // namespace likely::mail
