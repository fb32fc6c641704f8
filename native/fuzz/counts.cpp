// Rows, tallies, their sums and scores of any texts are those that plain counting gives; what does not fit is refused.
#include "../odds_left_out.hpp"
#include "../text_scores.hpp"
#include "counting.hpp"

using namespace likely;

static void check_rows(const Corpus& corpus, const ReadingNumbers& reading, const Plain& plainly, const Words* stop,
                       const Words* known, const std::vector<Row>& expected) {
  const auto found = rows_of_texts(corpus, 0, corpus.size(), reading, stop, known);
  const Words& words = std::get<0>(found);
  const auto starts = values(std::get<1>(found));
  const auto numbers = values(std::get<2>(found));
  const auto counts = values(std::get<3>(found));
  expect(starts.size() == expected.size() + 1 && starts.front() == 0 && numbers.size() == counts.size(), "rows fit");
  Numbered all;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    Row row;
    for (auto at = (std::size_t)starts[i]; at < (std::size_t)starts[i + 1]; ++at)
      row.emplace_back(plainly.named((std::size_t)numbers[at], words), counts[at]);
    expect(row == expected[i], "a row is counted");
    for (const auto& [token, count] : row) all.add(token);
  }
  const bool grown = !plainly.how.hashing && !known;
  expect(grown ? plain::same(words, all) : words.size() == 0, "words are kept as they come");
}

static void check_scores(FuzzedDataProvider& in, const Corpus& corpus, const ReadingNumbers& reading,
                         const Plain& plainly, const Words* stop, const Words* known, const Tally& tally, std::size_t c,
                         const std::vector<std::optional<std::string>>& texts) {
  const auto numbers = [&](std::size_t n) {
    std::vector<double> some(n);
    for (auto& number : some) number = in.ConsumeIntegralInRange(-9, 9);
    return some;
  };
  const bool shared = in.ConsumeBool(), strict = in.ConsumeBool(), with_prior = in.ConsumeBool();
  const auto constant = numbers(c), each = numbers(c), prior = numbers(c);
  const auto extra = numbers(tally.classes.size()), common = numbers(tally.size());
  const Words& words = known ? *known : tally.words;
  const auto scores = [&](const std::vector<int64_t>& starts, const std::vector<int32_t>& classes) {
    const auto flat = plain::output(std::vector<double>(texts.size() * c, 1.0));
    std::optional<Vector<double>> of_tokens, of_classes;
    if (shared) of_tokens = array(common);
    if (with_prior) of_classes = array(prior);
    score_texts(corpus, 0, corpus.size(), reading, stop, plainly.how.hashing ? nullptr : &words, array(starts),
                array(classes), array(extra), array(constant), array(each), of_tokens, of_classes, std::nullopt, strict,
                Output<double>(flat.data(), {texts.size(), c}, nb::none()));
    return values(flat);
  };
  Numbered named;
  for (std::size_t i = 0; i < tally.size(); ++i) named.add(plainly.named(i, words));
  const Plain scored{plainly.how, plainly.stop, &named};
  const auto found = scores(tally.starts, tally.classes);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Row row = scored.row(texts[i]);
    double times = 0;
    for (const auto& [token, count] : row) times += count;
    for (std::size_t k = 0; k < c; ++k) {
      double expected = 1.0;
      if (texts[i] && !(with_prior && row.empty())) expected += constant[k] + (with_prior ? prior[k] / times : 0.0);
      for (const auto& [token, count] : row) {
        const auto t = (std::size_t)named.find(token);
        double weight = each[k] + (shared ? common[t] : 0.0);
        bool seen = false;
        for (auto at = (std::size_t)tally.starts[t]; at < (std::size_t)tally.starts[t + 1]; ++at)
          if (tally.classes[at] == (int32_t)k) {
            weight += extra[at];
            seen = true;
          }
        expected += strict && !seen ? -INFINITY : count * weight;
      }
      const double score = found[i * c + k];
      expect(score == expected || std::fabs(score - expected) <= 1e-13 * (20 + 30 * times), "a score is a sum");
    }
  }

  auto starts = tally.starts;
  auto classes = tally.classes;
  if (in.ConsumeBool()) spoil(starts, in);
  if (in.ConsumeBool()) spoil(classes, in);
  const bool fits = in_order(starts, classes.size()) &&
                    std::all_of(classes.begin(), classes.end(), [&](int32_t k) { return 0 <= k && k < (int32_t)c; });
  expect(refused([&] { scores(starts, classes); }) != fits, "only a table that fits is taken");
}

// The odds of texts that were read before, by several pseudocounts at once, are those by each.
static void check_odds(const Corpus& corpus, ReadingNumbers reading, const Plain& plainly, const Words* stop,
                       const Words* words, const Tally& tally, std::size_t c, const std::vector<int32_t>& y,
                       const std::optional<Vector<double>>& weights, bool fixed) {
  const std::size_t n = corpus.size();
  const std::vector<double> pseudocounts{0.01, 1e-9, 3.0};
  const std::size_t a = pseudocounts.size();
  std::vector<int64_t> which(n);
  std::iota(which.rbegin(), which.rend(), 0);
  std::vector<int32_t> codes(y.rbegin(), y.rend());
  std::vector<double> times = values(*weights);
  std::reverse(times.begin(), times.end());
  const auto together = plain::output(std::vector<double>(n * a * c)), lengths = plain::output(std::vector<double>(n));
  ReadingNumbers whole = reading;
  std::get<7>(whole) = false;
  const auto rows = rows_of_texts(corpus, 0, n, whole, stop, words);
  odds_left_out<OddsLeftOut, bool>(array(values(std::get<1>(rows))), array(values(std::get<2>(rows))), array(values(std::get<3>(rows))),
                array(which), plainly.how.root, array(tally.starts), array(tally.classes), array(tally.totals),
                array(codes), array(times), array(pseudocounts), 1.0, fixed,
                OutputCube<double>(together.data(), {n, a, c}, nb::none()), lengths);
  for (std::size_t at = 0; at < a; ++at) {
    const auto alone = plain::output(std::vector<double>(n * c, 0.0)), lengths_alone = plain::output(std::vector<double>(n));
    score_texts_left_out(corpus, 0, n, reading, stop, words, array(tally.starts), array(tally.classes),
                         array(tally.totals), array(y), weights, {1.0, 1.0, pseudocounts[at]}, 1.0, fixed,
                         Output<double>(alone.data(), {n, c}, nb::none()), lengths_alone);
    for (std::size_t i = 0; i < n; ++i) {
      const double length = lengths_alone.data()[n - 1 - i];
      expect(std::fabs(lengths.data()[i] - length) <= 1e-12 * length, "a text that was read has its length");
      for (std::size_t k = 0; k < c; ++k)
        expect(std::fabs(together.data()[(i * a + at) * c + k] - alone.data()[(n - 1 - i) * c + k]) <= 1e-9 * (1 + length),
               "texts that were read have the same odds");
    }
  }
}

// The words of texts in their order, rows of these with pairs of neighbours, and tallies of the rows.
static void check_sequences(FuzzedDataProvider& in, const Corpus& corpus, ReadingNumbers reading, const Plain& plainly,
                            const Words* stop, std::size_t c, const std::vector<int32_t>& y,
                            const std::vector<double>& weight, const std::vector<std::optional<std::string>>& texts) {
  std::get<2>(reading) = false;
  std::get<3>(reading) = std::get<4>(reading) = 1;
  std::get<8>(reading) = 0;
  const std::size_t n = texts.size();
  const auto found = tokens_of_texts(corpus, 0, n, reading, stop);
  auto starts = values(std::get<1>(found));
  const auto ids = values(std::get<2>(found));
  Numbered named;
  const Plain words{reading_of(reading, nullptr), plainly.stop, nullptr};
  std::vector<std::vector<std::string>> tokens;
  for (const auto& text : texts) tokens.push_back(text ? tokens_of(*text, words.how, plainly.stop) : std::vector<std::string>());
  for (std::size_t i = 0; i < n; ++i) {
    expect(starts[i + 1] - starts[i] == std::ssize(tokens[i]), "a text has its words");
    for (std::size_t j = 0; j < tokens[i].size(); ++j)
      expect(named.add(tokens[i][j]) == ids[(std::size_t)starts[i] + j], "words come in their order");
  }
  expect(plain::same(std::get<0>(found), named), "words are kept as they come");
  const std::size_t size = named.words.size();
  for (const auto& text : tokens)
    for (std::size_t j = 0; j + 1 < text.size(); ++j) named.add(text[j] + " " + text[j + 1]);

  std::get<4>(reading) = 2;
  Plain pairs{reading_of(reading, nullptr), plainly.stop, nullptr}, of_whole = pairs;
  of_whole.how.root = false;
  const auto rows = rows_of_tokens(array(starts), array(ids), size, reading);
  const auto ends = values(std::get<1>(rows));
  const auto numbers = values(std::get<2>(rows));
  const auto counts = values(std::get<3>(rows));
  expect(std::get<0>(rows) == named.words.size() && ends.size() == n + 1, "pairs have numbers behind words");
  Totals expected;
  for (std::size_t i = 0; i < n; ++i) {
    std::map<std::string, double> row;
    for (auto at = (std::size_t)ends[i]; at < (std::size_t)ends[i + 1]; ++at)
      row.emplace(named.words[(std::size_t)numbers[at]], counts[at]);
    const Row plainly_row = of_whole.row(texts[i]);
    expect(row == std::map<std::string, double>(plainly_row.begin(), plainly_row.end()), "a row has words and pairs");
    for (const auto& [token, times] : pairs.row(texts[i]))
      if (weight[i] != 0) expected[{token, y[i]}] += weight[i] * times;
  }
  const auto [of_tokens, classes, totals] =
      tally_rows(array(ends), array(numbers), array(counts), named.words.size(), pairs.how.root,
                 array(std::vector<int32_t>(y.begin(), y.begin() + (std::ptrdiff_t)n)),
                 array(std::vector<double>(weight.begin(), weight.begin() + (std::ptrdiff_t)n)), c);
  pairs.known = &named;
  const Tally tally(TallySum{of_tokens, classes, totals, -1, -1}, Words());
  expect(near(tally.named(pairs), expected, expected), "rows are tallied");

  spoil(starts, in);
  const bool fits = in_order(starts, ids.size()) && starts.front() == 0;
  expect(refused([&] { rows_of_tokens(array(starts), array(ids), size, reading); }) != fits, "only rows that fit are taken");
}

// Each text scored by a tally of all others.
static void check_left_out(FuzzedDataProvider& in, const Corpus& corpus, const ReadingNumbers& reading,
                           const Plain& plainly, const Words* stop, const Words* known, const Tally& tally, std::size_t c,
                           const std::vector<int32_t>& y, const std::vector<double>& weight,
                           const std::vector<std::optional<std::string>>& texts) {
  const std::size_t n = texts.size();
  const Event event{in.PickValueInArray({0.0, 0.5, 1.0}), in.PickValueInArray({0.0, 1.0}), in.PickValueInArray({0.01, 1.0})};
  const bool fixed = plainly.how.hashing || known;
  const Words* words = plainly.how.hashing ? nullptr : known ? known : &tally.words;
  const EventNumbers numbers{event.own, event.others, event.pseudocount};
  const std::vector<int32_t> codes(y.begin(), y.begin() + (std::ptrdiff_t)n);
  const std::optional<Vector<double>> weights = array(std::vector<double>(weight.begin(), weight.begin() + (std::ptrdiff_t)n));
  const auto flat = plain::output(std::vector<double>(n * c, 0.0)), lengths = plain::output(std::vector<double>(n));
  score_texts_left_out(corpus, 0, n, reading, stop, words, array(tally.starts), array(tally.classes), array(tally.totals),
                       array(codes), weights, numbers, 1.0, fixed, Output<double>(flat.data(), {n, c}, nb::none()), lengths);
  check_odds(corpus, reading, plainly, stop, words, tally, c, codes, weights, fixed);

  Plain of_whole = plainly;
  of_whole.how.root = false;
  for (std::size_t i = 0; i < n; ++i) {
    Totals others;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i && weight[j] != 0)
        for (const auto& [token, times] : plainly.row(texts[j])) others[{token, codes[j]}] += weight[j] * times;
    std::map<std::string, double> of_tokens;
    std::vector<double> of_classes(c);
    for (const auto& [cell, total] : others) {
      of_tokens[cell.first] += total;
      of_classes[(std::size_t)cell.second] += total;
    }
    const double size = fixed ? (double)tally.size() : (double)of_tokens.size();
    double left = 0;
    const Row row = of_whole.row(texts[i]);
    for (const auto& [token, times] : row)
      if (fixed || of_tokens.contains(token)) left += times;
    const double share = left > 0 && plainly.how.root ? 1 / std::sqrt(left) : 1.0;
    expect(std::fabs(lengths.data()[i] - share * left) <= 1e-9 * (1 + left), "what is left of a text has its length");
    double all = 0;
    for (const double of_class : of_classes) all += of_class;
    for (std::size_t k = 0; k < c; ++k) {
      double expected = 0;
      for (const auto& [token, times] : row) {
        if (!fixed && !of_tokens.contains(token)) continue;
        const auto at = others.find({token, (int32_t)k});
        const double here = at == others.end() ? 0.0 : at->second, a = event.pseudocount;
        const double beside = (of_tokens.contains(token) ? of_tokens[token] : 0.0) - here;
        expected += share * times *
                    (event.own * std::log((here + a) / (of_classes[k] + a * size)) -
                     event.others * std::log((std::max(beside, 0.0) + a) / (all - of_classes[k] + a * size)));
      }
      expect(std::fabs(flat.data()[i * c + k] - expected) <= 1e-6 * (1 + left), "a text is left out");
    }
  }
}

static void check_sums(FuzzedDataProvider& in, const Plain& plainly, const Tally& one, const Tally& other,
                       const Totals& expected) {
  std::vector<int64_t> at(other.size());
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = (int64_t)i;
  std::size_t size = one.size();
  Words words;
  if (!plainly.how.hashing && !plainly.known) {
    const auto joint = joined(one.words, other.words);
    words = joint.first;
    at = values(joint.second);
    size = words.size();
  }
  const TallySum added = sum_of(one, other, at, size, 1.0);
  const Tally both(added, words);
  expect(near(both.named(plainly), expected, expected) && std::get<3>(added) == -1, "tallies add up");
  const TallySum back = sum_of(both, other, at, size, -1.0);
  expect(near(Tally(back, words).named(plainly), one.named(plainly), expected) && std::get<3>(back) == -1,
         "what was added is taken away");

  std::vector<int64_t> same(size);
  for (std::size_t i = 0; i < size; ++i) same[i] = (int64_t)i;
  const TallySum less = sum_of(one, both, same, size, -1.0);
  std::pair<int64_t, int64_t> first{-1, -1}; // word and class of the first that `other` has
  for (std::size_t i = 0; i < at.size(); ++i)
    if (other.starts[i] < other.starts[i + 1])
      if (first.first < 0 || at[i] < first.first) first = {at[i], other.classes[(std::size_t)other.starts[i]]};
  expect(std::get<0>(less).data()[size] == 0 && std::get<4>(less) == first.first && std::get<3>(less) == first.second,
         "the first that is short is named");

  Tally spoiled = other;
  if (in.ConsumeBool()) spoil(spoiled.starts, in);
  if (in.ConsumeBool()) spoil(at, in);
  bool fits = in_order(spoiled.starts, spoiled.classes.size()) && spoiled.starts.front() == 0;
  for (const int64_t to : at) fits = fits && 0 <= to && to < (int64_t)size;
  fits = fits && std::set<int64_t>(at.begin(), at.end()).size() == at.size();
  expect(refused([&] { sum_of(one, spoiled, at, size, 1.0); }) != fits, "only tallies that fit are added");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  FuzzedDataProvider in(data, size);
  bool is[6]; // lower, whole, characters; binary, sublinear, root
  for (bool& option : is) option = in.ConsumeBool();
  const auto shortest = in.ConsumeIntegralInRange<std::size_t>(1, 3);
  const auto longest = in.ConsumeIntegralInRange<std::size_t>(shortest, 4);
  const uint64_t hashing = in.ConsumeBool() ? in.ConsumeIntegralInRange<uint64_t>(0, 99) : 0;
  const ReadingNumbers reading{is[0], is[1], is[2], shortest, longest, is[3], is[4], is[5], hashing};
  const bool stops = in.ConsumeBool(), knows = in.ConsumeBool(), wide = in.ConsumeBool();
  const auto classes = in.ConsumeIntegralInRange<std::size_t>(1, 9);
  std::vector<int32_t> y(9);
  for (auto& code : y) code = in.ConsumeIntegralInRange<int32_t>(0, (int32_t)classes - 1);
  std::vector<double> weight(9, 1.0);
  const bool weighted = in.ConsumeBool();
  for (auto& w : weight)
    if (weighted) w = in.PickValueInArray({0.0, 0.5, 1.0, 3.0});
  FuzzedDataProvider choices(data, size); // of what follows, the same bytes once more: the texts keep most of them
  const std::string rest = in.ConsumeRemainingBytesAsString();
  const std::vector<uint8_t> bytes(rest.begin(), rest.end());
  std::vector<std::optional<std::string>> texts;
  const auto corpus = wide ? corpus_of<int64_t>(choices, bytes, texts) : corpus_of<int32_t>(choices, bytes, texts);
  if (!corpus) return 0;
  const std::size_t count = texts.size();
  expect(corpus->size() == count, "there are as many texts");

  // Every third word is stopped, and two tokens of three are known.
  Numbered stop({"nowhere"}), known({"nowhere"});
  Reading how = reading_of(reading, nullptr);
  std::size_t turn = 0;
  for (const auto& text : texts)
    if (stops && text)
      for (const auto& word : plain::words_of(plain::characters_of(*text), how.letters.lower, how.letters.whole, 1))
        if (turn++ % 3 == 0) stop.add(word);
  for (const auto& text : texts)
    if (knows && text)
      for (const auto& token : tokens_of(*text, how, stops ? &stop : nullptr))
        if (turn++ % 3) known.add(token);
  const Words stop_table = stop.table(), known_table = known.table();
  const Words *stopped = stops ? &stop_table : nullptr, *given = knows ? &known_table : nullptr;
  const Plain plainly{how, stops ? &stop : nullptr, knows ? &known : nullptr};

  std::vector<Row> rows;
  Totals totals;
  for (std::size_t i = 0; i < count; ++i) {
    rows.push_back(plainly.row(texts[i]));
    for (const auto& [token, times] : rows[i])
      if (weight[i] != 0) totals[{token, y[i]}] += weight[i] * times;
  }
  check_rows(*corpus, reading, plainly, stopped, given, rows);
  check_rows(python_corpus(texts), reading, plainly, stopped, given, rows);

  const auto tally_of = [&](std::size_t start, std::size_t end) {
    std::optional<Vector<double>> weights;
    if (weighted) weights = array(std::vector<double>(weight.begin() + start, weight.begin() + end));
    return Tally(tally_texts(*corpus, start, end, array(std::vector<int32_t>(y.begin() + start, y.begin() + end)),
                             weights, classes, reading, stopped, given));
  };
  const Tally tally = tally_of(0, count);
  expect(near(tally.named(plainly), totals, totals), "a tally is counted");
  const std::size_t cut = choices.ConsumeIntegralInRange<std::size_t>(0, count);
  check_sums(choices, plainly, tally_of(0, cut), tally_of(cut, count), totals);
  check_scores(choices, *corpus, reading, plainly, stopped, given, tally, classes, texts);
  check_left_out(choices, *corpus, reading, plainly, stopped, given, tally, classes, y, weight, texts);
  check_sequences(choices, *corpus, reading, plainly, stopped, classes, y, weight, texts);
  return 0;
}
