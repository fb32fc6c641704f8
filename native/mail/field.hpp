// The value of a header's field: its encoded words, its type, and its parameters.
#pragma once

#include "charset.hpp"
#include "transfer.hpp"

namespace likely::mail {

// Bytes written as "%C3" or "=C3", with this sign.
inline std::string unquoted(Bytes in, char sign) {
  std::string out;
  for (std::size_t at = 0; at < in.size(); ++at) {
    const int first = hex_of(at_or_zero(in, at + 1)), second = hex_of(at_or_zero(in, at + 2));
    if (in[at] == sign && first >= 0 && second >= 0) {
      out += (char)(first << 4 | second);
      at += 2;
    } else {
      out += in[at];
    }
  }
  return out;
}

// A word like "=?utf-8?q?caf=C3=A9?=".
struct EncodedWord {
  Bytes charset, text;
  bool base64;
  std::size_t end = 0; // 0 if there is none

  EncodedWord(Bytes in, std::size_t at) {
    std::size_t to = at + 2;
    while (to < in.size() && in[to] != '?' && !is_space(in[to])) ++to;
    charset = cut(in, at + 2, to);
    const char how = low(at_or_zero(in, to + 1));
    if (charset.empty() || charset.size() > 60 || at_or_zero(in, to) != '?' || (how != 'b' && how != 'q') ||
        at_or_zero(in, to + 2) != '?')
      return;
    const std::size_t close = find(in, '?', to + 3);
    if (close == kNowhere || at_or_zero(in, close + 1) != '=') return;
    text = cut(in, to + 3, close);
    base64 = how == 'b';
    end = close + 2;
  }

  std::string bytes(Problems& problems) const {
    if (base64) return mail::base64(text, problems);
    std::string spaced(text);
    std::replace(spaced.begin(), spaced.end(), '_', ' ');
    return unquoted(spaced, '=');
  }
};

// A value in UTF-8. Encoded words that follow each other are one text: senders cut within a character.
inline std::string decoded_value(Bytes value, const Charsets& charsets, Problems& problems) {
  std::string all, out, held, held_charset, room;
  value = charsets.decoded(value, "", problems, all);
  std::size_t at = 0, from = 0; // up to where it was read, and where to look on
  bool after_word = false;
  for (std::size_t start; (start = find(value, "=?", from)) != kNowhere;) {
    const EncodedWord word(value, start);
    if (!word.end) {
      from = start + 2;
      continue;
    }
    const Bytes between = cut(value, at, start);
    std::string charset = lowered(word.charset.substr(0, word.charset.find('*')));
    const bool goes_on = after_word && stripped(between).empty();
    if (!goes_on || charset != held_charset) {
      out += charsets.decoded(held, held_charset, problems, room);
      held.clear();
      if (!goes_on) out += between;
    }
    held += word.bytes(problems);
    held_charset = std::move(charset);
    after_word = true;
    at = from = word.end;
  }
  out += charsets.decoded(held, held_charset, problems, room);
  return out.append(value.substr(at));
}

// The beginning of a value that is like "text/plain"; nothing if there is none.
inline Bytes type_name(Bytes value) {
  const auto end_of = [&](std::size_t at) {
    const std::size_t most = at + 60;
    while (at < most && (is_ascii_word(at_or_zero(value, at)) || Bytes(".+-").find(at_or_zero(value, at)) != kNowhere)) ++at;
    return at;
  };
  const std::size_t slash = end_of(0);
  if (!slash || at_or_zero(value, slash) != '/') return {};
  const std::size_t end = end_of(slash + 1);
  return end == slash + 1 ? Bytes() : value.substr(0, end);
}

inline std::string charset_name(Bytes value) {
  std::size_t end = 0;
  while (end < 40 && (is_ascii_word(at_or_zero(value, end)) || Bytes(".:+-").find(at_or_zero(value, end)) != kNowhere)) ++end;
  return lowered(value.substr(0, end));
}

// A parameter by its name in lower case, as `boundary` in `multipart/mixed; boundary=x`; "" where it is missing. Values in
// several pieces and with a charset (RFC 2231) are put together.
inline std::string parameter(Bytes value, Bytes name, const Charsets& charsets, Problems& problems) {
  std::string made;
  const auto skip = [&](std::size_t at) {
    while (is_space(at_or_zero(value, at))) ++at;
    return at;
  };
  for (std::size_t sign = 0; (sign = find(value, ';', sign)) != kNowhere; ++sign) {
    std::size_t at = skip(sign + 1);
    if (!has(value, at, name)) continue;
    at += name.size();
    const bool marked = at_or_zero(value, at) == '*';
    bool encoded = false;
    if (marked) {
      const std::size_t first = ++at;
      while (at < first + 3 && is_digit(at_or_zero(value, at))) ++at;
      encoded = at == first || at_or_zero(value, at) == '*';
      at += at_or_zero(value, at) == '*';
    }
    at = skip(at);
    if (at_or_zero(value, at) != '=') continue;
    at = skip(at + 1);
    std::string piece;
    if (at_or_zero(value, at) == '"') {
      for (++at; at < value.size() && value[at] != '"'; ++at) {
        at += value[at] == '\\';
        if (at < value.size()) piece += value[at];
      }
    } else {
      for (; at < value.size() && value[at] != ';' && !is_space(value[at]); ++at) piece += value[at];
    }
    if (encoded) {
      const std::size_t first = piece.find('\''), second = first == kNowhere ? first : piece.find('\'', first + 1);
      const bool named = second != kNowhere && first;
      const std::string charset = named ? lowered(Bytes(piece).substr(0, first)) : "utf-8";
      const std::string bytes = unquoted(Bytes(piece).substr(second == kNowhere ? 0 : second + 1), '%');
      made += charsets.decoded(bytes, charset, problems, piece);
    } else {
      made += piece;
    }
    if (!marked) break;
    sign = std::max(sign, at) - 1;
  }
  return std::string(stripped(made));
}

} // namespace likely::mail
