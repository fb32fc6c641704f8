// A table of words answers as std::unordered_map does, whatever the words are; and so do those made from it.
#include "interpreter.hpp"

using namespace likely;
using plain::expect, plain::Numbered, plain::Sought;

// Among them words that begin alike, that end with zeros, and that begin with the byte that marks a long one.
static std::string some_word(FuzzedDataProvider& in, const Numbered& known) {
  const auto from = known.words.empty()
                        ? std::string("ab")
                        : known.words[in.ConsumeIntegralInRange<std::size_t>(0, known.words.size() - 1)];
  const std::string fresh = in.ConsumeBytesAsString(in.ConsumeIntegralInRange<std::size_t>(0, 20));
  switch (in.ConsumeIntegralInRange(0, 5)) {
    case 0: return from;
    case 1: return from.substr(0, in.ConsumeIntegralInRange<std::size_t>(0, from.size()));
    case 2: return from + fresh;
    case 3: return from + std::string(in.ConsumeIntegralInRange<std::size_t>(0, 13), '\0');
    case 4: return "\xFF" + fresh;
    default: return fresh;
  }
}

static void check_words_of(std::vector<int64_t> ends, const std::vector<uint8_t>& bytes) {
  Numbered expected;
  bool fits = true;
  int64_t start = 0;
  for (std::size_t i = 0; i < ends.size() && fits; start = ends[i++]) {
    fits = start <= ends[i] && ends[i] <= std::ssize(bytes);
    fits = fits && expected.add({bytes.begin() + start, bytes.begin() + ends[i]}) == (int32_t)i;
  }
  Words found;
  expect(plain::refused([&] { found = words_of(plain::array(ends), plain::array(bytes)); }) != fits,
         "only words that fit are taken");
  expect(!fits || plain::same(found, expected), "words come back from their buffers");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  Words tables[2];
  Numbered models[2];
  while (in.remaining_bytes()) {
    const int which = in.ConsumeBool();
    Words& words = tables[which];
    Numbered& model = models[which];
    const std::string word = some_word(in, models[in.ConsumeBool()]);
    const Sought sought(word, in.ConsumeIntegral<char>());
    if (in.ConsumeIntegralInRange(0, 3)) expect(words.add(sought.key()) == model.add(word), "a word gets its number");
    expect(words.find(sought.key()) == model.find(word), "a word is found");
  }
  if (size % 64 == 0) // enough for a table to grow; seldom, as it takes ten times as long
    for (int i = 0; i < 700; ++i) {
      const std::string word = (i % 2 ? "w" : "a longer word ") + std::to_string(i);
      expect(tables[0].add(Sought(word).key()) == models[0].add(word), "many words get their numbers");
    }
  for (int which : {0, 1}) {
    expect(plain::same(tables[which], models[which]), "the words are kept in their order");
    for (const auto& word : models[which].words)
      for (int of : {0, 1}) expect(tables[of].find(Sought(word).key()) == models[of].find(word), "all words are found");
  }

  FuzzedDataProvider more(data, size);
  const auto joint = joined(tables[0], tables[1]);
  const Words& both = joint.first;
  const auto at = plain::values(joint.second);
  Numbered all = models[0];
  for (std::size_t i = 0; i < models[1].words.size(); ++i)
    expect(at[i] == all.add(models[1].words[i]), "joined words get their numbers");
  expect(at.size() == models[1].words.size() && plain::same(both, all), "words are joined");

  std::vector<int64_t> numbers(more.ConsumeIntegralInRange<std::size_t>(0, 40));
  for (auto& number : numbers)
    number = more.ConsumeIntegralInRange<int64_t>(0, std::max<int64_t>(std::ssize(all.words) - 1, 0));
  if (more.ConsumeBool() && !numbers.empty()) numbers.back() = more.ConsumeIntegral<int64_t>();
  Numbered picked;
  bool there = true;
  for (const int64_t number : numbers) {
    there = there && number >= 0 && number < std::ssize(all.words);
    if (there) picked.add(all.words[(std::size_t)number]);
  }
  Words some;
  expect(plain::refused([&] { some = chosen(both, plain::array(numbers)); }) != there,
         "only words that are there are chosen");
  expect(!there || plain::same(some, picked), "words are chosen in their order");

  const auto [ends_of, bytes_of] = buffers(both);
  auto ends = plain::values(ends_of);
  const auto bytes = plain::values(bytes_of);
  check_words_of(ends, bytes);
  if (!ends.empty())
    ends[more.ConsumeIntegralInRange<std::size_t>(0, ends.size() - 1)] =
        more.ConsumeBool() ? more.ConsumeIntegral<int64_t>()
                           : more.ConsumeIntegralInRange<int64_t>(0, std::ssize(bytes) + 1);
  check_words_of(ends, bytes);
  return 0;
}
