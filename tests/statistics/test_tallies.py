"""Tallies of words: the laws of statistics, but for the order of words, which nothing is said about."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from likely.statistics import NeverLearned, Tallies, Vocabulary
from likely.statistics.labels import Placement
from likely.text import Tokens

CLASSES = 3
KINDS = {
    "words": Tokens(),
    "pairs": Tokens(ngrams=(1, 2)),
    "once a text": Tokens(binary=True),
    "buckets": Tokens(hashing=7),
}
every_kind = pytest.mark.parametrize("tokens", KINDS.values(), ids=KINDS)
# A text, its class, and its weight, all of them exact in binary.
rows = st.lists(
    st.tuples(
        st.none() | st.lists(st.sampled_from(["ab", "cd", "ef", "gh", "x" * 20]), max_size=6).map(" ".join),
        st.integers(0, CLASSES - 1),
        st.sampled_from([0.0, 0.25, 1.0, 2.0]),
    ),
    max_size=8,
)


def count(tokens, rows, weighted=True):
    texts = [text for text, _, _ in rows]
    weight = np.array([w for *_, w in rows], np.float64) if weighted else None
    return tokens.tally(texts, np.array([k for _, k, _ in rows], np.int32), CLASSES, weight)


def cells(tallies):
    """What is counted, by names: the totals of words and classes, and the texts."""
    named = range(len(tallies.starts) - 1) if tallies.words is None else tallies.words
    pairs = [(word, at) for word, (a, b) in zip(named, pairwise(tallies.starts), strict=True) for at in range(a, b)]
    found = {(word, int(tallies.at[at])): float(tallies.totals[at]) for word, at in pairs}
    assert len(found) == len(pairs) == len(tallies.at) == len(tallies.totals)
    return found, tallies.texts.tolist()


def copies(tallies):
    arrays = (tallies.starts, tallies.at, tallies.totals, tallies.texts)
    return [*(array.copy() for array in arrays), None if tallies.words is None else list(tallies.words)]


def assert_as_before(tallies, before):
    for after, then in zip(copies(tallies), before, strict=True):
        np.testing.assert_array_equal(after, then)


@every_kind
@given(some=rows)
def test_nothing_is_neutral(tokens, some):
    """To the bit, words in their order too."""
    all_rows, nothing = count(tokens, some), count(tokens, [])
    for result in (all_rows + nothing, nothing + all_rows, all_rows - nothing):
        assert_as_before(result, copies(all_rows))


@every_kind
@given(one=rows, other=rows)
def test_addition_commutes(tokens, one, other):
    a, b = count(tokens, one), count(tokens, other)
    assert cells(a + b) == cells(b + a)


@every_kind
@given(one=rows, other=rows, third=rows)
def test_addition_associates(tokens, one, other, third):
    """Here even the words keep their order: that in which they came."""
    a, b, c = (count(tokens, some) for some in (one, other, third))
    assert_as_before((a + b) + c, copies(a + (b + c)))


@every_kind
@given(some=rows, data=st.data())
def test_pieces_in_any_order_are_all_rows_at_once(tokens, some, data):
    shuffled = data.draw(st.permutations(some))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(some)), max_size=4)))
    total = count(tokens, [])
    for a, b in pairwise([0, *cuts, len(some)]):
        total = total + count(tokens, shuffled[a:b])
    assert cells(total) == cells(count(tokens, some))


@every_kind
@given(one=rows, other=rows)
def test_what_is_added_can_be_subtracted(tokens, one, other):
    a, b = count(tokens, one), count(tokens, other)
    assert_as_before((a + b) - b, copies(a))
    assert cells((b + a) - b) == cells(a)


@every_kind
@given(some=rows, data=st.data())
def test_rows_forgotten_one_by_one_leave_nothing(tokens, some, data):
    rest = count(tokens, some)
    for row in data.draw(st.permutations(some)):
        rest = rest - count(tokens, [row])
    assert cells(rest) == cells(count(tokens, []))
    assert rest.words is None or len(rest.words) == 0


@pytest.mark.parametrize("size", [1e3, 1e9, 2e9, 2.0**52])
def test_whole_numbers_are_exact_however_large(size):
    one, many = (
        Tallies(Vocabulary.of(["ab"]), np.array([0, 1]), np.zeros(1, np.int32), np.array([n]), np.ones((1, 1)))
        for n in (1.0, size)
    )
    assert cells((many + one) - many)[0] == {("ab", 0): 1.0}
    with pytest.raises(NeverLearned):
        many - (many + one)


@given(some=rows)
def test_weights_that_are_not_exact_can_be_forgotten_too(some):
    y, texts = np.array([k for _, k, _ in some], np.int32), [text for text, _, _ in some]
    weight = np.random.default_rng(len(some)).random(len(some))
    rest = Tokens().tally(texts, y, CLASSES, weight)
    for at in range(len(some)):
        rest = rest - Tokens().tally(texts[at : at + 1], y[at : at + 1], CLASSES, weight[at : at + 1])
    assert cells(rest)[0] == {}
    np.testing.assert_allclose(rest.texts, 0, atol=1e-12)


@every_kind
@given(one=rows, other=rows, factor=st.sampled_from([0.25, 1.0, 3.0]))
def test_scaling_distributes(tokens, one, other, factor):
    a, b = count(tokens, one), count(tokens, other)
    assert_as_before((a + b) * factor, copies(a * factor + b * factor))


@every_kind
@given(some=rows)
def test_scaling_is_weighing(tokens, some):
    assert cells(count(tokens, some) * 2) == cells(count(tokens, [(text, k, 2 * w) for text, k, w in some]))
    assert cells(count(tokens, some, weighted=False) * 2) == cells(count(tokens, some + some, weighted=False))


@every_kind
@given(some=rows)
def test_weight_nought_is_no_row(tokens, some):
    assert_as_before(count(tokens, some), copies(count(tokens, [row for row in some if row[2]])))


@every_kind
@given(some=rows)
def test_a_text_that_is_missing_is_not_counted(tokens, some):
    assert_as_before(count(tokens, some), copies(count(tokens, [row for row in some if row[0] is not None])))


@every_kind
@given(known=rows, text=st.sampled_from(["", "ab", "never ab", "never ever"]), k=st.integers(0, CLASSES - 1))
def test_forgetting_more_than_was_learned_raises_and_changes_nothing(tokens, known, text, k):
    known, more = count(tokens, known), count(tokens, [(text, k, 1.0)])
    forgotten = known + more
    before = copies(known), copies(forgotten)
    with pytest.raises(NeverLearned) as caught:
        known - forgotten
    assert caught.value.of_class == k
    assert_as_before(known, before[0])
    assert_as_before(forgotten, before[1])


@given(known=rows, k=st.integers(0, CLASSES - 1))
def test_words_never_learned_of_as_many_texts(known, k):
    """There are texts enough in the class, but not with this word."""
    known = count(Tokens(), known)
    assume(known.texts[k] >= 1)
    with pytest.raises(NeverLearned) as caught:
        known - count(Tokens(), [("never", k, 1.0)])
    assert caught.value.of_class == k


def test_who_was_never_learned_is_named():
    known = count(Tokens(), [("ab cd", 0, 1.0), ("cd", 1, 1.0), ("ef", 2, 1.0)])
    with pytest.raises(NeverLearned, match="never learned: class 1 would be left with less than nothing"):
        known - count(Tokens(), [("ab", 1, 1.0)])
    with pytest.raises(NeverLearned, match="never learned: class 2 would be left with less than nothing"):
        known - count(Tokens(), [("cd ef", 2, 1.0)])


@given(one=rows, other=rows)
def test_operands_stay_as_they_were(one, other):
    a, b = count(Tokens(), one), count(Tokens(), other)
    before = copies(a), copies(b)
    a + b, (a + b) - b, a * 0.5, a.placed(Placement(5, np.arange(3)), None), a.of_cells(np.zeros(len(a.words), np.bool))
    assert_as_before(a, before[0])
    assert_as_before(b, before[1])


@every_kind
@given(some=rows, at=st.permutations(range(6)).map(lambda order: sorted(order[:CLASSES])))
def test_placed_among_more_classes(tokens, some, at):
    small = count(tokens, some)
    placed = small.placed(Placement(6, np.array(at)), None)
    moved, _ = cells(placed)
    assert moved == {(word, at[k]): total for (word, k), total in cells(small)[0].items()}
    assert placed.classes == 6
    assert [placed.texts[k].tolist() for k in at] == small.texts.tolist()
    assert placed.texts.sum() == small.texts.sum()
    y = np.array(at, np.int32)[[k for _, k, _ in some]] if some else np.zeros(0, np.int32)
    weight = np.array([w for *_, w in some], np.float64)
    assert cells(placed) == cells(tokens.tally([text for text, _, _ in some], y, 6, weight))


def test_placed_nowhere_else_is_the_same():
    some = count(Tokens(), [("ab", 0, 1.0)])
    assert some.placed(None, None) is some


@given(some=rows, data=st.data())
def test_some_of_the_words(some, data):
    whole = count(Tokens(), some)
    size = len(whole.words)
    kept = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)), np.bool)
    words = [word for word, there in zip(whole.words, kept, strict=True) if there]
    part = whole.of_cells(kept)
    assert list(part.words) == words
    assert cells(part)[0] == {(word, k): total for (word, k), total in cells(whole)[0].items() if word in words}
    assert part.texts.tolist() == whole.texts.tolist()
    assert cells(part + whole.of_cells(~kept))[0] == cells(whole)[0]


def test_buckets_cannot_be_chosen():
    some = count(KINDS["buckets"], [("ab cd", 0, 1.0)])
    assert some.of_cells(np.zeros(7, np.bool)) is some


@every_kind
@given(some=rows)
def test_totals_of_words_and_of_classes(tokens, some):
    tallies = count(tokens, some)
    found, _ = cells(tallies)
    named = range(7) if tallies.words is None else tallies.words
    of_words = [sum(total for (word, _), total in found.items() if word == this) for this in named]
    of_classes = [sum(total for (_, k), total in found.items() if k == this) for this in range(CLASSES)]
    assert tallies.of_words().tolist() == of_words
    assert tallies.of_classes().tolist() == of_classes
    assert (tallies.of_words().dtype, tallies.of_classes().dtype) == (np.float64, np.float64)


def test_present_is_the_number_of_texts():
    some = count(Tokens(), [("ab", 0, 1.0), ("", 0, 1.0), (None, 0, 1.0), ("ab", 2, 0.25)])
    assert some.present is some.texts
    assert some.texts.tolist() == [[2], [0], [0.25]]
    assert some.classes == CLASSES


def test_words_of_one_vocabulary_keep_their_numbers():
    known = Vocabulary.of(["cd", "ab"])
    one, other = (Tokens().tally([text], np.zeros(1, np.int32), 1, None, known) for text in ("ab ab xx", "cd"))
    assert one.words is known
    assert (one + other).words is known
    assert cells(one + other)[0] == {("cd", 0): 1, ("ab", 0): 2}


def test_words_that_were_given_stay_though_nothing_is_left():
    known = Vocabulary.of(["cd", "ab"])
    some = Tokens().tally(["ab"], np.zeros(1, np.int32), 1, None, known)
    nothing = some - some
    assert cells(nothing) == ({}, [[0]])
    assert nothing.words == (some + nothing).words == (nothing + some).words == (some * 2).words == known
    assert (some - nothing).words == (nothing - nothing).words == known


def test_numbers_of_buckets_that_differ_do_not_add():
    four, two = (Tokens(hashing=n).tally(["ab cd"], np.zeros(1, np.int32), 1) for n in (4, 2))
    for a, b in ((four, two), (two, four)):
        with pytest.raises(ValueError, match=r"^tallies of words and of buckets, .* do not add$"):
            a + b


def test_words_and_buckets_do_not_add():
    words, buckets = (count(tokens, [("ab", 0, 1.0)]) for tokens in (Tokens(), Tokens(hashing=1)))
    for a, b in ((words, buckets), (buckets, words)):
        with pytest.raises((ValueError, TypeError)):
            a + b


@given(rows, st.lists(st.sampled_from(["gh", "ab", "zz", "x" * 20]), unique=True))
def test_the_totals_of_some_words_by_their_numbers(rows, asked):
    tallies = count(Tokens(), rows)
    words = Vocabulary.of(asked)
    some = tallies.of_numbers(words, tallies.words.numbers(words))
    whole = cells(tallies)
    known = [word for word in asked if word in tallies.words]
    assert list(some.words) == known
    assert cells(some) == cells(tallies.of_cells(np.array([word in known for word in tallies.words], bool)))
    assert cells(tallies) == whole


@every_kind
def test_the_tallies_of_some_classes_are_those_of_their_texts(tokens):
    from likely.text import Texts

    texts, y = ["ab cd", "cd ef", "gh", "ab ab"], np.array([0, 1, 2, 1], np.int32)
    part = tokens.tally(Texts.of(texts), y, 3, None, None).of_some_classes(slice(1, 3))
    of_texts = tokens.tally(Texts.of(texts[1:]), y[1:] - 1, 2, None, None)
    assert part.texts.tolist() == of_texts.texts.tolist()
    np.testing.assert_allclose(part.of_classes(), of_texts.of_classes())
    if part.words is not None:
        mine, theirs = (dict(zip(t.words, t.of_words().tolist(), strict=True)) for t in (part, of_texts))
        assert mine == theirs
