// Messages of any bytes are read within their limits, the same whatever was read before; and what they are made of, their
// transfer encodings, charsets and markup, as plain code reads them.
#include <fuzzer/FuzzedDataProvider.h>

#include <map>

#include "../mail/message.hpp"
#include "plain.hpp"

using namespace likely::mail;
using plain::expect;

// Six bits of each letter, in a row.
static std::string plain_base64(const std::string& letters) {
  std::vector<bool> bits;
  for (const char c : letters)
    for (int bit = 5; bit >= 0; --bit) bits.push_back(kBase64[(uint8_t)c] >> bit & 1);
  std::string made(bits.size() / 8, '\0');
  for (std::size_t i = 0; i < 8 * made.size(); ++i) made[i / 8] = (char)(made[i / 8] << 1 | bits[i]);
  return made;
}

static void check_base64(const std::string& in) {
  std::string letters, first;
  std::size_t pads = 0;
  bool ended = false;
  for (const char c : in) {
    const bool letter = kBase64[(uint8_t)c] < 64;
    if (letter) letters += c;
    if (ended) continue;
    if (letter) first += c;
    pads = letter ? 0 : pads + (c == '=' && first.size() % 4 >= 2);
    ended = first.size() % 4 >= 2 && first.size() % 4 + pads == 4;
  }
  Problems problems(9);
  const std::string found = base64(in, problems);
  expect(problems.told.empty() == (ended || first.size() % 4 == 0), "damage is told");
  if (letters.size() % 4 == 1) letters.pop_back();
  expect(found == plain_base64(problems.told.empty() ? first : letters), "base64 is read");
}

static void check_quoted_printable(const std::string& in) {
  std::string made;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::string two = in.substr(std::min(i + 1, in.size()), 2);
    const bool hex = two.size() == 2 && std::isxdigit((uint8_t)two[0]) && std::isxdigit((uint8_t)two[1]);
    if (in[i] != '=') {
      made += in[i];
    } else if (hex) {
      made += (char)std::stoi(two, nullptr, 16);
      i += 2;
    } else if (!two.empty() && (two[0] == '\n' || two[0] == '\r')) {
      while (i + 1 < in.size() && in[i + 1] != '\n') ++i;
      ++i;
    } else if (!two.empty()) {
      made += '=';
      i += two[0] == '=';
    }
  }
  expect(quoted_printable(in) == made, "quoted-printable is read");
}

static void check_names(const std::string& in) {
  static const auto names = [] {
    std::map<std::string, std::string> all;
    for (const Entity& entity : kEntities) all.emplace(entity.name, entity.text);
    return all;
  }();
  std::string made;
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::size_t longest = 0;
    for (std::size_t n = 1; in[i] == '&' && n <= 33 && i + n < in.size(); ++n)
      if (names.contains(in.substr(i + 1, n))) longest = n;
    if (longest)
      made += names.at(in.substr(i + 1, longest));
    else
      made += in[i];
    i += longest;
  }
  const bool numbers = in.find("&#") != std::string::npos; // which are read otherwise
  expect(numbers || unescaped(in) == made, "names of characters are read");
}

static void check_utf8(const std::string& in) {
  const std::size_t end = utf8_end(in);
  const auto whole = plain::characters_of(in);
  const bool valid = std::none_of(whole.begin(), whole.end(), [](uint32_t c) { return c >= 0xDC00 && c < 0xDD00; });
  expect(valid == (end == in.size()), "UTF-8 is told from other bytes");
  if (end == kNowhere || valid) return;
  expect(in.size() - end < 4, "of a character that is cut some bytes are there");
  expect(utf8_end(in.substr(0, end)) == end, "what comes before it is UTF-8");
}

static Reading reading_of(std::size_t most) {
  const std::vector<std::string> names{"subject", "from", "to", "list-id", "message-id", "x-mailer", "precedence", "newsgroups"};
  const How how[] = {How::words, How::people, How::addresses, How::list_id, How::hosts, How::name_words, How::first, How::groups};
  std::vector<std::pair<std::string, How>> fields;
  for (std::size_t i = 0; i < names.size(); ++i) fields.emplace_back(names[i] + ":", how[i]);
  const auto others = [](Bytes in, Bytes, Problems&) -> std::optional<std::string> {
    if (in.size() % 2) return std::nullopt;
    return std::string(in.size() / 2, 'x');
  };
  const auto limit = [&](std::size_t usual) { return std::min(usual, most); };
  return {{limit(4000), limit(1000), limit(8), limit(50), limit(2000), limit(1500), limit(5), limit(200), limit(100),
           limit(300), limit(10), 60, limit(20)},
          FieldNames(names),
          fields,
          Charsets(others),
          [](Bytes text) { return std::string(beginning(text, text.size() / 4)); }};
}

static void check_message(const std::vector<char>& bytes, const std::vector<char>& before, std::size_t most) {
  const Reading reading = reading_of(most);
  const plain::Exact<char> raw(bytes), other(before);
  Reader used(reading), fresh(reading);
  used.read({other.data, other.size});
  used.read({raw.data, raw.size});
  fresh.read({raw.data, raw.size});
  expect(used.text == fresh.text && used.marks.all() == fresh.marks.all() && used.subject == fresh.subject &&
             used.problems.told == fresh.problems.told,
         "nothing is left of the message before");
  const Limits& limits = reading.most;
  const auto marks = plain::characters_of(fresh.marks.all());
  expect(characters(fresh.text) <= limits.text_characters && fresh.problems.told.size() <= limits.problems, "limits hold");
  expect((std::size_t)std::count(marks.begin(), marks.end(), ' ') <= limits.marks, "there are not more marks");
  for (const Bytes text : {Bytes(fresh.text), Bytes(fresh.marks.all()), Bytes(fresh.subject), Bytes(fresh.date)})
    expect(utf8_end(text) == text.size(), "all text is UTF-8");
  for (const std::string& problem : fresh.problems.told)
    expect(problem.find("mistake") == std::string::npos, "there is no mistake");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const uint8_t options = data[--size];
  const std::string all(data, data + size);
  check_base64(all);
  check_quoted_printable(all);
  check_names(all);
  check_utf8(all);
  html_to_text(all);
  Problems problems(9);
  expect(uudecoded(all, problems).size() <= all.size(), "uuencoding does not grow");
  const std::size_t cut = size / 3;
  const std::vector<char> whole(all.begin(), all.end()), part(all.begin(), all.begin() + (std::ptrdiff_t)cut);
  check_message(whole, part, options & 1 ? 1'000'000 : options);
  return 0;
}
