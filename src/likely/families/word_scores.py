"""The scores of texts, as sums over their words."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from likely import _native
from likely.families.cells import Array
from likely.families.effects import Effects, first_seen, joined
from likely.statistics import Tallies, Vocabulary
from likely.text import Texts, Tokens

FEW_BYTES = 1 << 20
"""The most bytes of texts to score with only the scores of their own words. For more, computing the scores of all words
takes less time."""
TIMES = 8
"""The most calls to score like that; after them the scores of all words are computed."""


@dataclass(frozen=True, eq=False)
class WordScores:
    """A text adds `constant` to the score of each class. Each of its tokens adds `each` (by class), `common` (by token)
    and `extra` (by token and class, stored only for tokens seen in the class).

    A text also adds `prior`, if that is not None, divided by the sum of its token counts; then a text without a known
    token adds nothing. With an `idf` for each token, token w counts x_w idf_w / |x idf| times, where x_w is its count
    without `root`, and the prior is divided by |x idf|.
    """

    tallies: Tallies
    constant: Array
    each: Array
    common: Array | None
    extra: Array
    prior: Array | None = None
    strict: bool = False
    """Whether a token that was never seen in a class is impossible there: its score is minus infinity."""
    idf: Array | None = None

    def add(self, reading: Tokens, texts: Texts, out: Array) -> None:
        """Adds the scores of texts to `out`, rows x classes."""
        tallies = self.tallies
        _native.score_texts(
            *texts.span,
            reading.reading,
            reading.stopped,
            None if tallies.words is None else tallies.words.table,
            tallies.starts,
            tallies.at,
            self.extra,
            self.constant,
            self.each,
            self.common,
            self.prior,
            self.idf,
            self.strict,
            out,
        )

    @property
    def of_all(self) -> "WordScores":
        return self

    def of_texts(self, reading: Tokens, texts: Texts) -> "WordScores":
        return self

    def of(self, number: int) -> Array:
        """The score of one token in each class."""
        score = self.each + (0.0 if self.common is None else self.common[number])
        pairs = slice(*self.tallies.starts[number : number + 2])
        if self.strict:
            unseen = np.full(len(score), -np.inf)
            unseen[self.tallies.at[pairs]] = 0.0
            score = score + unseen
        score[self.tallies.at[pairs]] += self.extra[pairs]
        return np.asarray(score if self.idf is None else self.idf[number] * score)

    def effects(self, reading: Tokens, texts: Texts, prefix: str) -> Effects:
        """Each known token of each text, with its count and what it adds to each class; then what the text adds
        independently of its tokens; then the unknown tokens."""
        words = self.tallies.words
        known = words if words is not None else Vocabulary.of(())
        _, starts, numbers, times = replace(reading, root=reading.root and self.idf is None).rows(texts, known)
        *_, counts = replace(reading, binary=False, sublinear=False, root=False).rows(texts, known)
        rows = np.repeat(np.arange(len(texts)), np.diff(starts))
        lengths = np.bincount(rows, times, len(texts)).astype(np.float64)
        if self.idf is not None:  # `of` has it
            lengths = np.sqrt(np.bincount(rows, (times * self.idf[numbers]) ** 2, len(texts)))
            times = times / lengths[rows]
        used, title = first_seen(numbers)
        each = np.array([self.of(number) for number in used.tolist()]).reshape(len(used), self.tallies.classes)
        names = [f"{prefix}#{number}" if words is None else f"{prefix}{words[number]}" for number in used.tolist()]
        tokens = Effects(rows, names, title, times[:, None] * each[title], lambda at: counts[at].item())
        rest = self._of_no_token(lengths, prefix)
        return joined([tokens, *rest, *self._unknown(reading, texts, prefix)])

    def _of_no_token(self, lengths: Array, prefix: str) -> Iterator[Effects]:
        """What texts add independently of their tokens; the prior is divided by `lengths`."""
        every = np.arange(len(lengths))
        if self.prior is None and self.constant.any():
            parts = np.broadcast_to(self.constant[None, :, None], (len(lengths), len(self.constant), 1))
            yield Effects.of_cells(parts, [f"{prefix}all that is absent"], lambda row, at: "")
        if self.prior is not None:
            there = every[lengths > 0]
            parts = np.zeros((len(lengths), len(self.constant), 1))
            parts[there, :, 0] = self.constant + self.prior / lengths[there, None]
            yield Effects.of_cells(parts, [f"{prefix}class prior by text length"], lambda row, at: "").some(there)

    def _unknown(self, reading: Tokens, texts: Texts, prefix: str) -> Iterator[Effects]:
        """The unknown tokens of each text, which add nothing."""
        words = self.tallies.words
        if words is None:
            return
        tokens, starts, numbers, _ = reading.rows(texts, None)
        new = np.array([word not in words for word in tokens], np.bool)[numbers]
        rows = np.unique(np.repeat(np.arange(len(texts)), np.diff(starts))[new])

        def listed(row: int, at: int) -> str:
            own = slice(int(starts[row]), int(starts[row + 1]))
            return ", ".join(tokens[number] for number in numbers[own][new[own]][:5].tolist())

        nothing = np.zeros((len(texts), self.tallies.classes, 1))
        yield Effects.of_cells(nothing, [f"{prefix}not known"], listed).some(rows)

    @cached_property
    def dense(self) -> Array:
        """The score of each token in each class: classes x tokens."""
        size = len(self.tallies.starts) - 1
        out = np.repeat(self.each[:, None], size, axis=1)
        if self.common is not None:
            out += self.common
        pairs = self.tallies.at, np.repeat(np.arange(size), np.diff(self.tallies.starts))
        seen = out[pairs] + self.extra
        if self.strict:
            out[:] = -np.inf
        out[pairs] = seen
        return out


class FewTexts:
    """The scores of the words of a few texts, and those of all words once there are many texts.

    With a model of 1M words and 20 classes, reading the file and predicting one text takes 51 ms; with the scores of
    all words it takes 401 ms (`python -m bench --only stored`).
    """

    def __init__(self, tallies: Tallies, scores: Callable[[Tallies, int, Array], WordScores]) -> None:
        self.tallies, self.scores = tallies, scores
        self.asked = 0

    @cached_property
    def of_all(self) -> WordScores:
        """The scores of all words."""
        return self.scores(self.tallies, *self.whole)

    @cached_property
    def whole(self) -> tuple[int, Array]:
        """The number of all words, and of all tokens of each class."""
        return len(self.tallies.starts) - 1, self.tallies.of_classes()

    def of_texts(self, reading: Tokens, texts: Texts) -> WordScores:
        """Scores that hold at least for the words of these texts."""
        words = self.tallies.words
        self.asked += 1
        if words is None or words.tabled or self.asked > TIMES or texts.sizes().sum() > FEW_BYTES:
            return self.of_all
        tokens, *_ = reading.rows(texts, None)
        return self.scores(self.tallies.of_numbers(tokens, words.numbers(tokens)), *self.whole)
