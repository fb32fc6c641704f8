// The words of a header's fields, each marked with its field, as "from:example.org".
#pragma once

#include "scan.hpp"

namespace likely::mail {

// How a field is read; likely.mail.header says which and why.
enum class How : uint8_t { words, name_words, first, addresses, people, hosts, list_id, groups };
inline constexpr Bytes kHows[] = {"words", "name words", "first", "addresses", "people", "hosts", "list id", "groups"};

// Marked words with spaces between, not more than some.
class Marks {
 public:
  Marks(std::size_t most, std::size_t most_characters) : most_(most), most_characters_(most_characters) {}

  // The mark and the word together have at most so many characters.
  void add(Bytes mark, Bytes word) {
    if (count_ == most_) return;
    if (count_++) all_ += ' ';
    all_ += mark;
    all_ += beginning(word, most_characters_ - mark.size());
  }
  void clear() {
    all_.clear();
    count_ = 0;
  }
  const std::string& all() const { return all_; }

 private:
  std::size_t most_, most_characters_, count_ = 0;
  std::string all_;
};

// Runs of two or more letters, digits and underscores.
template <class Use>
void each_word(Bytes in, Use&& use) {
  for (std::size_t at = 0; at < in.size();) {
    const Character first = character(in, at);
    const std::size_t end = kind_of(first.code) & kWord ? after_kind(in, first.next, kWord) : first.next;
    if (end > first.next) use(cut(in, at, end));
    at = end;
  }
}

template <class Use>
void each_piece(Bytes in, const Some& between, Use&& use) {
  for (std::size_t at = 0, start; at < in.size();) {
    while (at < in.size() && between(in[at])) ++at;
    for (start = at; at < in.size() && !between(in[at]);) ++at;
    if (at > start) use(cut(in, start, at));
  }
}
inline constexpr Some kBetweenAddresses = Bytes(" <>,;:\"'()[]"), kBetweenGroups = Bytes(" ,"), kAfterWord = Bytes(";,");

// The name of a host that starts here: words and hyphens, with dots between.
inline Bytes host_at(Bytes in, std::size_t start) {
  const auto label_end = [&](std::size_t at) {
    for (;;) {
      const std::size_t after = after_kind(in, at, kWord);
      if (at_or_zero(in, after) != '-') return after;
      at = after + 1;
    }
  };
  std::size_t end = label_end(start), dots = 0;
  if (end == start) return {};
  while (at_or_zero(in, end) == '.') {
    const std::size_t next = label_end(end + 1);
    if (next == end + 1) break;
    end = next;
    ++dots;
  }
  return dots ? cut(in, start, end) : Bytes();
}

// Calls use(host) for each link in a text, of at most so many.
template <class Use>
void each_link(Bytes in, std::size_t most, Use&& use) {
  for (std::size_t at = 0; most && (at = find(in, "://", at)) != kNowhere; --most) {
    std::size_t end = at += 3;
    for (std::size_t characters = 0; characters < 253 && end < in.size(); ++characters) {
      const Character c = character(in, end);
      if (!(kind_of(c.code) & kWord) && in[end] != '.' && in[end] != '-') break;
      end = c.next;
    }
    if (end > at) use(cut(in, at, end));
    at = end;
  }
}

// Adds the marks of a value, which is in lower case, without white space but single spaces.
inline void add_marks(How how, Bytes mark, Bytes value, std::size_t most, Marks& marks) {
  const auto add = [&](Bytes word) {
    if (most && most--) marks.add(mark, word);
  };
  // Where the words of names stand that are told after all addresses.
  std::vector<Bytes> words;
  switch (how) {
    case How::words: each_word(value, add); break;
    case How::name_words: { // of a program's name, not of its version
      most = std::min<std::size_t>(most, 8);
      each_word(value, [&](Bytes word) {
        while (!word.empty() && is_digit(word[0])) word.remove_prefix(1);
        if (word.size() > 1) add(word);
      });
      break;
    }
    case How::first: {
      const Bytes word = value.substr(0, value.find(' '));
      if (!word.empty()) add(stripped(word, kAfterWord));
      break;
    }
    case How::addresses:
    case How::people:
      each_piece(value, kBetweenAddresses, [&](Bytes piece) {
        const std::size_t sign = piece.rfind('@');
        if (sign == kNowhere) {
          if (how == How::people) each_word(piece, [&](Bytes word) { words.push_back(word); });
        } else if (sign && sign + 1 < piece.size()) {
          add(piece);
          add(piece.substr(sign + 1));
        }
      });
      for (const Bytes word : words) add(word);
      break;
    case How::hosts: { // of each address or link
      std::size_t start = 0, read = 0;
      for (std::size_t at = 0; at <= value.size() && read < 4; ++at) {
        if (at == value.size() || value[at] == ',') {
          const Bytes host = host_at(value.substr(0, at), start);
          if (!host.empty()) add(host);
          start = at + 1;
          ++read;
        } else if (value[at] == '@') {
          start = at + 1;
        } else if (value[at] == '/' && at_or_zero(value, at + 1) == '/') {
          start = ++at + 1;
        }
      }
      break;
    }
    case How::list_id: {
      const std::size_t open = value.rfind('<');
      const Bytes inside = cut(value, open + 1, std::min(find(value, '>', open + 1), value.size()));
      std::string name(stripped(open == kNowhere ? value : inside));
      std::replace(name.begin(), name.end(), ' ', '_');
      add(name);
      break;
    }
    case How::groups: each_piece(value, kBetweenGroups, add); break;
  }
}

} // namespace likely::mail
