// A raw message (RFC 5322 and MIME) to text and marks, as far as it can be read and within bounds.
#pragma once

#include <memory>
#include <unordered_set>

#include "field.hpp"
#include "files.hpp"
#include "head.hpp"
#include "markup.hpp"
#include "marks.hpp"

namespace likely::mail {

// likely.mail.message says what each is, and why.
struct Limits {
  std::size_t raw_bytes, header_bytes, depth, parts, part_bytes, text_characters, links, marks, boundaries, field_bytes,
      field_marks, mark_characters, problems;
};

// What is read of mail and how: all that does not change from message to message.
struct Reading {
  Limits most;
  FieldNames names;
  std::vector<std::pair<std::string, How>> fields; // that make marks, in the order of their numbers
  Charsets charsets;
  std::function<std::string(Bytes)> without_leaks; // lines that would tell the label, taken out of a text
};

inline constexpr Some kAboutId = Bytes("<> "),
                      kDot = Bytes("."), kBetweenIds = Bytes(" \t\n\v\f\r\x1c\x1d\x1e\x1f");

// Reads one message after the other, in memory that it keeps.
class Reader {
 public:
  explicit Reader(const Reading& reading)
      : how_(reading), most_(reading.most), marks(most_.marks, most_.mark_characters), problems(most_.problems) {}

  void read(Bytes raw) {
    clear();
    try {
      read_all(raw);
    } catch (const std::exception& error) { // a mistake in here shall cost the rest of one message, not the run
      problems.add(std::string("reading stopped at a mistake in Likely: ") + error.what());
    }
    finish();
  }

 private:
  // A stretch of bytes that is a header and a body, and where it stands among the parts.
  struct Part {
    std::shared_ptr<const std::string> kept; // what the bytes lie in, if it was decoded
    Bytes bytes;
    std::size_t start, depth;
    bool in_digest; // its type, if it names none, is message/rfc822
    std::size_t group; // the number of the alternatives that it is one of; 0 for none
  };

  // A text of a part, between two places in `body_`.
  struct Piece {
    std::size_t group;
    bool is_html;
    std::size_t start, end, characters;
  };

  void clear() {
    for (std::string* field : {&text, &subject, &message_id, &date, &received, &body_}) field->clear();
    problems.told.clear();
    marks.clear();
    links_.clear();
    linked_.clear();
    pieces_.clear();
    stack_.clear();
    left_ = most_.text_characters;
    parts_ = boundaries_ = groups_ = embedded_ = 0;
  }

  void finish() {
    // Of alternatives the plain one, unless the HTML says twice as much: "your reader cannot show this message".
    std::vector<std::size_t> plain(groups_ + 1);
    for (const Piece& piece : pieces_)
      if (piece.group && !piece.is_html) plain[piece.group] += piece.characters;
    bool first = true;
    for (const Piece& piece : pieces_) {
      if (piece.is_html && 2 * plain[piece.group] >= piece.characters) continue;
      if (!first) text += '\n';
      first = false;
      text.append(body_, piece.start, piece.end - piece.start);
    }
    text.resize(beginning(text, most_.text_characters).size());
    for (const std::string& host : linked_) marks.add("link:", host);
  }

  void read_all(Bytes raw) {
    if (raw.size() > most_.raw_bytes) {
      problems.add("the message has " + grouped(raw.size()) + " bytes: read are the first " + grouped(most_.raw_bytes));
      raw = raw.substr(0, most_.raw_bytes);
    }
    if (raw.empty()) {
      problems.add("the message is empty");
      return;
    }
    std::shared_ptr<const std::string> kept;
    const Bytes head = raw.substr(0, most_.header_bytes);
    if (find(head, '\n') == kNowhere && find(head, '\r') != kNowhere) {
      if (raw.size() > most_.part_bytes)
        problems.add("lines end in CR alone: read are the first " + grouped(most_.part_bytes) + " bytes");
      std::string lines(raw.substr(0, most_.part_bytes));
      std::replace(lines.begin(), lines.end(), '\r', '\n');
      kept = std::make_shared<const std::string>(std::move(lines));
      raw = *kept;
    }
    stack_.push_back({kept, raw, before(raw.substr(0, most_.header_bytes)), 0, false, 0});
    while (!stack_.empty()) {
      const Part part = std::move(stack_.back());
      stack_.pop_back();
      if (parts_++ == most_.parts) {
        problems.add("the message has more than " + grouped(most_.parts) + " parts: the others are not read");
        break;
      }
      read_part(part);
    }
  }

  // Blank lines, and the line that an mbox puts before a message.
  static std::size_t before(Bytes in) {
    for (std::size_t at = 0;;) {
      const Bytes line = in.substr(at);
      const bool blank = line.starts_with("\n") || line.starts_with("\r\n");
      if (!blank && !line.starts_with("From ") && !line.starts_with(">From ")) return at;
      const std::size_t end = find(in, '\n', at);
      if (end == kNowhere) return at;
      at = end + 1;
    }
  }

  void read_part(const Part& part) {
    head_.read(part.bytes, part.start, most_.header_bytes, how_.names, problems);
    if (!part.depth && !head_.count) problems.add("the message has no header");
    std::string kind = part.in_digest ? "message/rfc822" : "text/plain", encoding, disposition, content_type, name;
    for (const Field& field : head_.fields) {
      if (field.number < how_.fields.size()) continue;
      switch ((Use)(field.number - how_.fields.size())) {
        case Use::content_type:
          if (Bytes found = type_name(stripped(field.value)); !found.empty()) {
            kind = lowered(found);
            content_type = collapsed(value_of(field), as_is_);
          }
          break;
        case Use::encoding: encoding = lowered(stripped(field.value).substr(0, 40)); break;
        case Use::disposition: disposition = collapsed(value_of(field), as_is_); break;
        default: break;
      }
    }
    if (!part.depth) read_top();
    marks.add("content-type:", kind);
    const std::size_t slash = kind.find('/');
    const Bytes main = Bytes(kind).substr(0, slash), sub = Bytes(kind).substr(slash + 1);

    if (main == "multipart") {
      read_multipart(part, content_type, sub);
      return;
    }
    if (kind == "message/rfc822" || kind == "message/global" || kind == "message/news") {
      read_embedded(part, encoding);
      return;
    }
    if (!disposition.empty() || find(content_type, "name") != kNowhere) {
      name = parameter(disposition, "filename", how_.charsets, problems);
      if (name.empty()) name = parameter(content_type, "name", how_.charsets, problems);
    }
    const bool attached = has(disposition, 0, "attachment");
    if ((main != "text" && main != "message") || attached || (!name.empty() && sub != "plain" && sub != "html"))
      add_attachment(name, sub);
    else if (left_)
      read_text(part, encoding, content_type, !head_.whole && sub == "plain" ? "rfc822-headers" : sub);
    else
      tell_long_text();
  }

  // The message's own header.
  void read_top() {
    Bytes references, reply;
    bool has_date = false, has_received = false;
    for (const Field& field : head_.fields) {
      if (field.number < how_.fields.size()) {
        const auto& [mark, how] = how_.fields[field.number];
        const std::string value = value_of(field);
        if (subject.empty() && mark == "subject:") subject = collapsed(value, as_is_);
        if (message_id.empty() && mark == "message-id:") message_id = stripped(collapsed(value, as_is_), kAboutId);
        add_marks(how, mark, collapsed(value, lower_), most_.field_marks, marks);
        continue;
      }
      switch ((Use)(field.number - how_.fields.size())) {
        case Use::date:
          if (!has_date) date = latin(field.value.substr(0, 300));
          has_date = true;
          break;
        case Use::received:
          if (!has_received) {
            const Bytes value = field.value.substr(0, 2000);
            received = latin(value.substr(value.rfind(';') + 1).substr(0, 300));
          }
          has_received = true;
          break;
        case Use::references: references = field.value; break;
        case Use::in_reply_to: reply = field.value; break;
        default: break;
      }
    }
    // One mark for all messages of a conversation: the id of its first, as far as this message knows it.
    bool found = false;
    for (const Bytes ids : {references.substr(0, most_.field_bytes), reply.substr(0, most_.field_bytes), Bytes(message_id)})
      each_piece(ids, kBetweenIds, [&](Bytes piece) {
        if (found || piece.find('@') == kNowhere || !is_ascii(piece)) return;
        marks.add("thread:", lowered(stripped(piece, kAboutId)));
        found = true;
      });
  }

  // The parts between a multipart's boundaries.
  void read_multipart(const Part& part, Bytes content_type, Bytes sub) {
    if (part.depth == most_.depth) {
      tell_depth();
      return;
    }
    const Bytes in = part.bytes;
    const std::size_t body = head_.body, group = sub == "alternative" ? ++groups_ : part.group;
    const std::string mark = parameter(content_type, "boundary", how_.charsets, problems), line = "\n--" + mark;
    const auto line_from = [&](std::size_t from) { // where a line starts that may be a boundary
      const std::size_t end = find(in, line, from);
      return end == kNowhere ? end : end + 1;
    };
    const std::size_t first_of_stack = stack_.size();
    const auto add = [&](std::size_t start, std::size_t end) {
      stack_.push_back({part.kept, in.substr(0, end), start, part.depth + 1, sub == "digest", group});
    };
    std::size_t at = kNowhere, start = kNowhere;
    if (!mark.empty()) at = in.substr(body).starts_with(Bytes(line).substr(1)) ? body : line_from(body);
    bool closed = false;
    while (at != kNowhere && !closed && stack_.size() - first_of_stack <= most_.parts - parts_) {
      if (++boundaries_ > most_.boundaries) {
        problems.add("the message has more than " + grouped(most_.boundaries) +
                     " lines like boundaries: the rest is not read");
        break;
      }
      const std::size_t after = at + line.size() - 1;
      closed = in.substr(after).starts_with("--");
      const char next = at_or_zero(in, after);
      // A boundary that is the start of another one ends here.
      if (closed || after == in.size() || next == '\r' || next == '\n' || next == ' ' || next == '\t') {
        if (start != kNowhere) add(start, std::max(start + 1, at) - 1);
        start = after_line(in, after);
      }
      at = line_from(after);
    }
    if (start == kNowhere) {
      problems.add("a multipart has no boundary: it is read as one text");
      read_text(part, "", "", "plain");
    } else if (!closed && at == kNowhere) {
      problems.add("the last part is not closed: the message may have been cut short");
      add(start, in.size());
    }
    std::reverse(stack_.begin() + (std::ptrdiff_t)first_of_stack, stack_.end());
  }

  // A message within the message.
  void read_embedded(const Part& part, Bytes encoding) {
    if (part.depth == most_.depth) {
      tell_depth();
      return;
    }
    Part inner{part.kept, part.bytes, head_.body, part.depth + 1, false, 0};
    if (encoding == "base64" || encoding == "quoted-printable") {
      inner.kept = std::make_shared<const std::string>(decoded(part, encoding));
      inner.bytes = *inner.kept;
      inner.start = 0;
      // Those that are read later are kept until then.
      if ((embedded_ += inner.bytes.size()) > 4 * most_.part_bytes) {
        problems.add("messages in the message have more than " + grouped(4 * most_.part_bytes) +
                     " bytes: the rest is not read");
        return;
      }
    }
    stack_.push_back(std::move(inner));
  }

  // The body of a part, where it lies or in `bytes_`.
  Bytes decoded(const Part& part, Bytes encoding) {
    // Base64 is a third longer than what it stands for, quoted-printable at most three times as long.
    const Bytes body = part.bytes.substr(head_.body);
    Bytes data = body.substr(0, 2 * most_.part_bytes);
    if (encoding == "quoted-printable") {
      data = bytes_ = quoted_printable(data);
    } else if (encoding == "base64") {
      data = bytes_ = base64(data, problems);
    } else if (encoding == "x-uuencode" || encoding == "uuencode" || encoding == "x-uue" || encoding == "uue") {
      data = bytes_ = uudecoded(data, problems);
    } else if (!encoding.empty() && encoding != "7bit" && encoding != "8bit" && encoding != "binary") {
      problems.add("transfer encoding " + quoted(encoding) + " is unknown: read as it stands");
    }
    if (body.size() > 2 * most_.part_bytes || data.size() > most_.part_bytes)
      problems.add("a part has more than " + grouped(most_.part_bytes) + " bytes: the rest of it is not read");
    return data.substr(0, most_.part_bytes);
  }

  void read_text(const Part& part, Bytes encoding, Bytes content_type, Bytes sub) {
    std::string charset;
    if (find(content_type, '=') != kNowhere) charset = charset_name(parameter(content_type, "charset", how_.charsets, problems));
    if (!charset.empty()) marks.add("charset:", charset);
    Bytes said = how_.charsets.decoded(decoded(part, encoding), charset, problems, decoded_);
    add_links(said);
    const bool html = sub == "html" || sub == "xhtml" || sub == "enriched" || sub == "richtext" || is_html(said);
    if (html) said = seen_ = html_to_text(said);
    if (find(said, "begin ") != kNowhere) said = seen_ = without_files(said, [&](Bytes name) { add_attachment(name, ""); });
    if (sub == "rfc822-headers" || sub == "delivery-status") said = seen_ = how_.without_leaks(said);
    std::size_t count = characters(said);
    if (count > left_) {
      tell_long_text();
      said = beginning(said, count = left_);
    }
    left_ -= count;
    pieces_.push_back({part.group, html, body_.size(), body_.size() + said.size(), count});
    body_ += said;
  }

  void add_links(Bytes in) {
    each_link(in, most_.links, [&](Bytes found) {
      std::string host = collapsed(stripped(found, kDot), lower_);
      host.resize(beginning(host, most_.mark_characters - 5).size());
      if (linked_.size() < most_.links && links_.insert(host).second) linked_.push_back(std::move(host));
    });
  }

  void add_attachment(Bytes name, Bytes sub) { add_file(collapsed(beginning(name, 200), lower_), sub, marks); }

  std::string value_of(const Field& field) {
    return decoded_value(field.value.substr(0, most_.field_bytes), how_.charsets, problems);
  }

  // Single spaces for all white space, and maybe lower case.
  static std::string collapsed(Bytes value, WordReader& words) {
    std::string made;
    words.read({value.data(), value.size(), Text::utf8}, [&](const char* word, std::size_t length) {
      if (!made.empty()) made += ' ';
      made.append(word, length);
    });
    return made;
  }

  // Bytes each as a character, in one line: what Python reads dates of.
  static std::string latin(Bytes in) {
    std::string made;
    for (const char c : stripped(in)) {
      char one[4];
      made.append(one, put_utf8(c == '\n' || c == '\r' || c == '\t' ? ' ' : (uint8_t)c, one));
    }
    return made;
  }

  void tell_long_text() {
    problems.add("the text has more than " + grouped(most_.text_characters) + " characters: the rest is not read");
  }
  void tell_depth() {
    problems.add("parts are nested more than " + std::to_string(most_.depth) + " deep: what is further in is not read");
  }

  const Reading& how_;
  const Limits& most_;
  WordReader as_is_{{false, true}, 1}, lower_{{true, true}, 1};
  Head head_;
  std::vector<Part> stack_;
  std::vector<Piece> pieces_;
  std::string body_, bytes_, decoded_, seen_;
  std::unordered_set<std::string> links_;
  std::vector<std::string> linked_;
  std::size_t left_ = 0, parts_ = 0, boundaries_ = 0, groups_ = 0, embedded_ = 0;

 public:
  // What is found of the message that was read last.
  std::string text, subject, message_id, date, received;
  Marks marks;
  Problems problems;
};

} // namespace likely::mail
