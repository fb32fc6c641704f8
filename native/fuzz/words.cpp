// The words of any bytes, in every encoding that can hold them, are those of the plain reading.
#include "plain.hpp"

using namespace likely;
using plain::Characters;

struct Reader {
  Letters letters;
  std::size_t least;

  template <class Unit>
  void check(const std::vector<Unit>& units, Text::Encoding encoding, const Characters& characters) const {
    const plain::Exact<Unit> text(units);
    WordReader reader(letters, least);
    std::vector<std::pair<const char*, std::size_t>> found; // looked at when all are read, as they stay until then
    reader.read({text.data, text.size, encoding}, [&](const char* p, std::size_t n) { found.emplace_back(p, n); });
    const auto expected = plain::words_of(characters, letters.lower, letters.whole, least);
    plain::expect(found.size() == expected.size(), "there are as many words");
    for (std::size_t i = 0; i < found.size(); ++i) {
      // As vocabulary.hpp does: eight bytes behind a word may be read.
      const plain::Exact<char> behind({found[i].first + found[i].second, found[i].first + found[i].second + 8});
      plain::expect(std::string_view(found[i].first, found[i].second) == expected[i], "the words are the same");
    }
  }
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const uint8_t options = data[--size];
  const Reader words{{(options & 1) != 0, (options & 2) != 0}, options & 4 ? 1u : 2u};
  const std::vector<uint8_t> bytes(data, data + size);
  const Characters text = plain::characters_of({bytes.begin(), bytes.end()});
  const uint32_t widest = text.empty() ? 0 : *std::max_element(text.begin(), text.end());
  words.check(bytes, Text::utf8, text);
  words.check(text, Text::ucs4, text);
  if (widest <= 0xFFFF) words.check(std::vector<uint16_t>(text.begin(), text.end()), Text::ucs2, text);
  if (widest <= 0xFF) words.check(std::vector<uint8_t>(text.begin(), text.end()), Text::latin1, text);

  // The same bytes as units of the other encodings, whatever they say.
  words.check(bytes, Text::latin1, Characters(bytes.begin(), bytes.end()));
  std::vector<uint16_t> pairs(size / 2);
  if (!pairs.empty()) std::memcpy(pairs.data(), data, 2 * pairs.size());
  words.check(pairs, Text::ucs2, Characters(pairs.begin(), pairs.end()));
  Characters fours(size / 4);
  if (!fours.empty()) std::memcpy(fours.data(), data, 4 * fours.size());
  words.check(fours, Text::ucs4, fours);
  return 0;
}
