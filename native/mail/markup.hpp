// HTML to text: what a reader sees, and the words that stand for pictures. Once from left to right, whatever the tags.
//
// A parser that builds the tree of elements is not as safe: selectolax 1.0 took 0.23 s for 10,000 nested <div> (50 KB) and
// more than 100 s for 200,000 of them (1 MB), which is one message.
#pragma once

#include "html_tables.hpp"
#include "scan.hpp"

namespace likely::mail {

// Elements that part words; all others, known or not, are within a line. In order.
inline constexpr Bytes kBreaks[] = {
    "address", "area", "article", "aside", "blockquote", "body", "br", "button", "caption", "center", "dd", "div", "dl",
    "dt", "embed", "fieldset", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head",
    "header", "hr", "html", "iframe", "img", "input", "label", "legend", "li", "main", "map", "marquee", "nav", "noframes",
    "object", "ol", "option", "p", "pre", "section", "select", "table", "tbody", "td", "textarea", "th", "thead", "title",
    "tr", "ul"};
static_assert(std::is_sorted(std::begin(kBreaks), std::end(kBreaks)));
inline constexpr auto kBreaksAt = first_bytes(kBreaks, [](Bytes name) { return name; });
inline constexpr auto kEntitiesAt = first_bytes(kEntities, [](const Entity& entity) { return entity.name; });

// By its name in lower case.
inline bool breaks(Bytes name) {
  if (name.empty()) return false;
  const auto* first = kBreaks + kBreaksAt[(uint8_t)name[0]];
  const auto* last = kBreaks + kBreaksAt[(uint8_t)name[0] + 1u];
  return std::find(first, last, name) != last;
}

// Elements that no reader sees, with all that is in them.
inline constexpr Bytes kHidden[] = {"noscript", "script", "style", "xml"};

// Where a name ends: bytes beyond ASCII are taken for letters.
inline bool in_name(char c) { return is_ascii_word(c) || (uint8_t)c >= 0x80; }
inline bool in_tag_name(char c) { return in_name(c) || c == ':' || c == '-'; }

inline std::size_t tag_end(Bytes in, std::size_t at) {
  while (at < in.size() && in[at] != '<' && in[at] != '>') ++at;
  return at;
}

// Where what is hidden ends that starts with this "<"; 0 if nothing is.
inline std::size_t hidden_end(Bytes in, std::size_t at) {
  if (in.substr(at).starts_with("<!--")) {
    const std::size_t end = find(in, "-->", at + 4);
    return end == kNowhere ? in.size() : end + 3;
  }
  for (const Bytes name : kHidden) {
    if (!has(in, at + 1, name) || in_name(at_or_zero(in, at + 1 + name.size()))) continue;
    while ((at = find(in, "</", at + 1)) != kNowhere)
      if (has(in, at + 2, name) && !in_name(at_or_zero(in, at + 2 + name.size()))) {
        const std::size_t end = tag_end(in, at + 1);
        return end + (at_or_zero(in, end) == '>');
      }
    return in.size();
  }
  return 0;
}

// The words that stand for a picture, by its tag.
inline Bytes alternative(Bytes tag) {
  for (std::size_t at = 0; at + 3 < tag.size(); ++at) {
    if (!has(tag, at, "alt") || (at && in_name(tag[at - 1]))) continue;
    std::size_t value = at + 3;
    const auto skip = [&] {
      while (is_space(at_or_zero(tag, value))) ++value;
    };
    skip();
    if (at_or_zero(tag, value) == '=') {
      ++value;
      skip();
      const char quote = at_or_zero(tag, value);
      if (quote == '"' || quote == '\'') return cut(tag, value + 1, std::min(tag.find_first_of("\"'", value + 1), tag.size()));
    }
    at = value - 1;
  }
  return {};
}

// Adds what a tag leaves in the text, nothing or a line end; and where the tag ends, or 0 if there is none.
inline std::size_t add_tag(Bytes in, std::size_t at, std::string& out) {
  const char first = at_or_zero(in, at + 1);
  if (!is_letter(first) && first != '/' && first != '!' && first != '?') return 0;
  std::size_t end = at + 2;
  while (in_tag_name(at_or_zero(in, end))) ++end;
  const std::size_t start = at + 1 + (first == '/');
  char name[12];
  const std::size_t length = end - start;
  const bool known = length <= std::size(name);
  for (std::size_t i = 0; known && i < length; ++i) name[i] = low(in[start + i]);
  const std::size_t close = tag_end(in, end);
  if (known && breaks({name, length})) {
    out += '\n';
    const Bytes words = first != '/' && Bytes(name, length) == "img" ? alternative(cut(in, end, close)) : Bytes();
    if (!words.empty()) out.append(words) += '\n';
  }
  return close + (at_or_zero(in, close) == '>');
}

inline std::string without_tags(Bytes in) {
  std::string out;
  out.reserve(in.size());
  for (std::size_t at = 0; at < in.size();) {
    const std::size_t tag = std::min(find(in, '<', at), in.size());
    out.append(in, at, tag - at);
    if (tag == in.size()) break;
    at = hidden_end(in, tag);
    if (!at) at = add_tag(in, tag, out);
    if (!at) {
      out += '<';
      at = tag + 1;
    }
  }
  return out;
}

// Of "#64;", "#x40" and the like: the character, and how much of the text it is; 0 if it is none.
inline std::size_t add_number(Bytes in, std::string& out) {
  const bool hex = low(at_or_zero(in, 1)) == 'x';
  std::size_t at = 1 + hex;
  uint32_t code = 0;
  for (;; ++at) {
    const int digit = hex_of(at_or_zero(in, at));
    if (digit < 0 || (!hex && digit > 9)) break;
    code = std::min<uint32_t>(code * (hex ? 16 : 10) + (uint32_t)digit, 0x110000);
  }
  if (at == 1u + hex) return 0;
  if (code < std::size(kNumbers)) {
    out += kNumbers[code];
  } else if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) {
    out += "\xEF\xBF\xBD";
  } else if ((code & 0xFFFE) != 0xFFFE && !(code >= 0xFDD0 && code <= 0xFDEF)) { // those are no characters
    char made[4];
    out.append(made, put_utf8(code, made));
  }
  return at + (at_or_zero(in, at) == ';');
}

// Of "amp;", "ampere" and the like: the character that the longest name stands for that is the beginning of it.
inline std::size_t add_named(Bytes in, std::string& out) {
  std::size_t length = 0;
  while (length < 32 && length < in.size() && Bytes("\t\n\f <&#;").find(in[length]) == kNowhere) ++length;
  length += length && at_or_zero(in, length) == ';';
  const auto first = (std::size_t)(uint8_t)at_or_zero(in, 0);
  const Entity *start = kEntities + kEntitiesAt[first], *end = kEntities + kEntitiesAt[first + 1];
  for (; start < end && length > 1; --length) {
    const Bytes name = in.substr(0, length);
    const auto found =
        std::lower_bound(start, end, name, [](const Entity& entity, Bytes sought) { return entity.name < sought; });
    if (found == end || found->name != name) continue;
    out += found->text;
    return length;
  }
  return 0;
}

// As Python's html.unescape, but that a number of any length is one.
inline std::string unescaped(Bytes in) {
  std::string out;
  out.reserve(in.size());
  for (std::size_t at = 0; at < in.size();) {
    const std::size_t sign = std::min(find(in, '&', at), in.size());
    out.append(in, at, sign - at);
    if (sign == in.size()) break;
    const Bytes rest = in.substr(sign + 1);
    const std::size_t read = at_or_zero(rest, 0) == '#' ? add_number(rest, out) : add_named(rest, out);
    if (!read) out += '&';
    at = sign + 1 + read;
  }
  return out;
}

inline std::string html_to_text(Bytes in) {
  std::string text = without_tags(in);
  return find(text, '&') == kNowhere ? text : unescaped(text);
}

// Whether a text that is called plain is HTML all the same.
inline bool is_html(Bytes in) {
  std::size_t at = after_kind(in, 0, kSpace);
  if (in.substr(at).starts_with("<!--")) {
    const std::size_t end = find(in.substr(0, at + 4 + 4 * 1000), "-->", at + 4);
    if (end == kNowhere) return false;
    at = after_kind(in, end + 3, kSpace);
  }
  if (at_or_zero(in, at) != '<') return false;
  if (has(in, ++at, "!doctype") && is_space(at_or_zero(in, at + 8))) {
    at = after_kind(in, at + 8, kSpace);
    return has(in, at, "html") && !in_name(at_or_zero(in, at + 4));
  }
  for (const Bytes name : {"html", "head", "body", "table", "center"})
    if (has(in, at, name) && !in_name(at_or_zero(in, at + name.size()))) return true;
  return false;
}

} // namespace likely::mail
