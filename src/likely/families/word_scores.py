"""What the words of a text add to the scores of the classes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from likely import _native
from likely.families.cells import Array
from likely.families.observations import Reason
from likely.statistics import Tallies, Vocabulary
from likely.text import Texts, Tokens

FEW_BYTES = 1 << 20
"""Of texts at a time, and for this many TIMES: beyond either, to work out the scores of all words takes less time."""
TIMES = 8


@dataclass(frozen=True, eq=False)
class WordScores:
    """What a text adds to the score of each class: `constant`, and for each token `each` of the class, `common` of the
    token, and `extra` of the two together, which is kept only where the token has been seen in the class.

    Where there is a `prior`, that is added too, divided by how often all tokens of the text count; and a text without a
    known token adds nothing.
    """

    tallies: Tallies
    constant: Array
    each: Array
    common: Array | None
    extra: Array
    prior: Array | None = None
    strict: bool = False
    """A token that was never seen in a class is impossible there: what `extra` adds to is minus infinity."""

    def add(self, reading: Tokens, texts: Texts, out: Array) -> None:
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
            self.strict,
            out,
        )

    @property
    def of_all(self) -> "WordScores":
        return self

    def of_texts(self, reading: Tokens, texts: Texts) -> "WordScores":
        return self

    def of(self, number: int) -> Array:
        """What one token adds to each class."""
        found = self.each + (0.0 if self.common is None else self.common[number])
        pairs = slice(*self.tallies.starts[number : number + 2])
        if self.strict:
            unseen = np.full(len(found), -np.inf)
            unseen[self.tallies.at[pairs]] = 0.0
            found = found + unseen
        found[self.tallies.at[pairs]] += self.extra[pairs]
        return np.asarray(found)

    def of_no_word(self, times: Array) -> Iterator[tuple[str, Array]]:
        """What a text adds whose tokens count this often, that none of them adds."""
        if self.prior is None and self.constant.any():
            yield "all that is absent", self.constant
        if self.prior is not None and len(times):
            yield "class prior, scaled", self.constant + self.prior / times.sum()

    def reasons(self, reading: Tokens, text: Texts, prefix: str) -> Iterator[Reason]:
        """Each known token of a text, how often it is there, and what it adds to each class; then what no token adds,
        and the tokens that are not known."""
        words = self.tallies.words
        known = words if words is not None else Vocabulary.of(())
        _, _, numbers, times = reading.rows(text, known)
        *_, counts = replace(reading, binary=False, sublinear=False, root=False).rows(text, known)
        for number, count, weight in zip(numbers.tolist(), counts.tolist(), times.tolist(), strict=True):
            word = f"#{number}" if words is None else words[number]
            yield Reason(f"{prefix}{word}", count, weight * self.of(number))
        yield from (Reason(f"{prefix}{name}", "", parts) for name, parts in self.of_no_word(times))
        found, *_ = reading.rows(text, None)
        unseen = [] if words is None else [word for word in found if word not in words]
        if unseen:
            yield Reason(f"{prefix}not known", ", ".join(unseen[:5]), np.zeros(self.tallies.classes))

    @cached_property
    def dense(self) -> Array:
        """What each token adds to each class: classes x tokens."""
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
    """The scores of all words, worked out when many texts come; until then those of the words that are asked for.

    Of a model of 1M words and 20 classes, the file is read and a text answered in 51 ms; with the scores of all words,
    in 401 (`python -m bench --only stored`).
    """

    def __init__(self, tallies: Tallies, scores: Callable[[Tallies, int, Array], WordScores]) -> None:
        self.tallies, self.scores = tallies, scores
        self.asked = 0

    @cached_property
    def of_all(self) -> WordScores:
        return self.scores(self.tallies, *self.whole)

    @cached_property
    def whole(self) -> tuple[int, Array]:
        """The number of all words, and how many tokens each class has in all."""
        return len(self.tallies.starts) - 1, self.tallies.of_classes()

    def of_texts(self, reading: Tokens, texts: Texts) -> WordScores:
        """Scores that are those of all words where these texts are read."""
        words = self.tallies.words
        self.asked += 1
        if words is None or words.tabled or self.asked > TIMES or texts.sizes().sum() > FEW_BYTES:
            return self.of_all
        found, *_ = reading.rows(texts, None)
        return self.scores(self.tallies.of_numbers(found, words.numbers(found)), *self.whole)
