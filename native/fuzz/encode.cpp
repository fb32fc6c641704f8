// The codes of any texts are their positions among the distinct ones, or among labels; what does not fit is refused.
#include "../encode.hpp"

#include "interpreter.hpp"

using namespace likely;
using plain::array, plain::expect, plain::Numbered;

template <class Offset>
static void check(FuzzedDataProvider& in) {
  std::vector<Offset> offsets(in.ConsumeIntegralInRange<std::size_t>(1, 40));
  for (auto& offset : offsets) offset = in.ConsumeIntegralInRange<Offset>(0, 255);
  const bool spoil = in.ConsumeIntegralInRange(0, 3) == 0;
  const auto at = in.ConsumeIntegralInRange<std::size_t>(0, offsets.size() - 1);
  const auto wrong_offset = in.ConsumeIntegral<Offset>();
  const std::size_t count = offsets.size() - 1, bit = in.ConsumeIntegralInRange<std::size_t>(0, 17);
  std::optional<std::vector<uint8_t>> valid;
  if (in.ConsumeBool()) valid.emplace(in.ConsumeIntegralInRange<std::size_t>(0, 9), in.ConsumeIntegral<uint8_t>());
  std::vector<std::size_t> picked(in.ConsumeIntegralInRange<std::size_t>(0, 6));
  for (auto& number : picked) number = in.ConsumeIntegralInRange<std::size_t>(0, 40);
  const auto bytes = in.ConsumeRemainingBytes<uint8_t>();
  for (auto& offset : offsets) offset = std::min(offset, (Offset)bytes.size());
  std::sort(offsets.begin(), offsets.end());
  if (spoil) offsets[at] = wrong_offset;

  bool fits =
      0 <= offsets[0] && (int64_t)offsets[count] <= std::ssize(bytes) && std::is_sorted(offsets.begin(), offsets.end());
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count && fits; ++i)
    texts.emplace_back(bytes.begin() + offsets[i], bytes.begin() + offsets[i + 1]);
  if (fits) {
    TextIndex index;
    Numbered distinct;
    const plain::Exact<char> exact({bytes.begin(), bytes.end()});
    const Texts<Offset> all{offsets.data(), exact.data, exact.data + exact.size};
    for (std::size_t i = 0; i < count; ++i)
      expect(all.code(i, index, true) == distinct.add(texts[i]), "a text has its code");
    expect(index.offsets.size() == distinct.words.size() + 1, "distinct texts are kept");
    for (std::size_t k = 0; k < distinct.words.size(); ++k)
      expect(std::string(index.bytes.data() + index.offsets[k], index.bytes.data() + index.offsets[k + 1]) ==
                 distinct.words[k],
             "they are kept as they are");
  }

  Numbered labels;
  std::vector<int64_t> ends{0};
  std::vector<uint8_t> label_bytes;
  bool different = true;
  for (const std::size_t number : picked) {
    const std::string label = number < texts.size() ? texts[number] : std::to_string(number);
    different = labels.add(label) == std::ssize(ends) - 1 && different;
    label_bytes.insert(label_bytes.end(), label.begin(), label.end());
    ends.push_back(std::ssize(label_bytes));
  }
  fits = fits && different && (!valid || bit + count <= 8 * valid->size());
  const auto codes = plain::output(std::vector<int32_t>(count));
  const bool wrong = plain::refused([&] {
    std::optional<Vector<uint8_t>> bits;
    if (valid) bits = array(*valid);
    encode_text<Offset>(array(offsets), array(bytes), bits, bit, std::pair(array(ends), array(label_bytes)), codes);
  });
  expect(wrong != fits, "only texts that fit are encoded");
  for (std::size_t i = 0; i < count && fits; ++i) {
    const bool there = !valid || (*valid)[(bit + i) / 8] & 1 << (bit + i) % 8;
    const int32_t known = labels.find(texts[i]), other = (int32_t)labels.words.size();
    expect(codes.data()[i] == (!there ? -1 : known < 0 ? other : known), "a text has the code of its label");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  if (in.ConsumeBool())
    check<int32_t>(in);
  else
    check<int64_t>(in);
  return 0;
}
