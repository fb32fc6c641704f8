"""What the words of a text add to the scores of the classes."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likely import _native
from likely.families.family import Array
from likely.statistics import Tallies
from likely.text import Texts, Tokens


@dataclass(frozen=True, eq=False)
class WordScores:
    """What a text adds to the score of each class: `constant`, and for each token `each` of the class, `common` of the
    token, and `extra` of the two together, which is kept only where the token has been seen in the class.

    Where there is a `prior`, that is added too, divided by how often all tokens of the text count; and a text of which
    no token is known adds nothing.
    """

    tallies: Tallies
    constant: Array
    each: Array
    common: Array | None
    extra: Array
    prior: Array | None = None
    strict: bool = False
    """A token that was never seen in a class is impossible there: what `extra` adds to is minus infinity."""

    def add(self, how: Tokens, texts: Texts, out: Array) -> None:
        tallies = self.tallies
        _native.score_texts(
            *texts.span,
            how.reading,
            how.stopped,
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

    def of_texts(self, how: Tokens, texts: Texts) -> "WordScores":
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

    @cached_property
    def dense(self) -> Array:
        """The same of all tokens: classes x tokens."""
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
