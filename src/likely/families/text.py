"""A text: the words that it is made of."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from likely import _native
from likely.families.family import Array, Codes, Family, Line, Parameter, log_share, without
from likely.priors import Dirichlet, Laplace, MaximumLikelihood, Prior
from likely.statistics import Frame, Tallies, Vocabulary
from likely.text import Texts, Tokens

Event = Literal["multinomial", "bernoulli", "complement"]

TOLD = 10
"""Words that `describe` lists: all of them would be many."""


@dataclass(frozen=True, eq=False)
class WordScores:
    """What a text adds to the score of each class: `constant`, and for each token `each` of the class, `common` of the
    token, and `extra` of the two together, which is kept only where the token has been seen in the class.
    """

    tallies: Tallies
    constant: Array
    each: Array
    common: Array | None
    extra: Array
    strict: bool
    """A token that was never seen in a class is impossible there: what `extra` adds to is minus infinity."""

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
        none = np.empty((len(self.each), 0))
        return np.column_stack([none, *(self.of(number) for number in range(len(self.tallies.starts) - 1))])


@dataclass(frozen=True, repr=False)
class Text(Family):
    """Three ways in which a class can make a text, of N_w tokens w and N in all, n_w of n texts that have w:

    - "multinomial": each token is drawn by itself, log p = sum of x_w log((N_w + a) / (N + a V));
    - "bernoulli": each word of the V known is in the text or not, log p = sum of log q_w or log(1 - q_w) with
      q_w = (n_w + a) / (n + 2 a);
    - "complement": by how badly it fits all other classes together, -sum of x_w log((N'_w + a) / (N' + a V)), N' being
      what is outside the class. A score, not a likelihood.

    `tokens` says how texts are read. A word that was never seen tells nothing. `vocabulary` fixes the words counted.
    """

    reads: ClassVar[Literal["numbers", "categories", "text"]] = "text"
    joint: ClassVar[bool] = True

    event: Event = "multinomial"
    tokens: Tokens = Tokens()
    prior: Prior = Laplace()
    vocabulary: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.event not in ("multinomial", "bernoulli", "complement"):
            raise ValueError(f"the event is 'multinomial', 'bernoulli' or 'complement', not {self.event!r}")
        if isinstance(self.vocabulary, str):
            raise ValueError(f"vocabulary is a sequence of words, not {self.vocabulary!r}")
        if self.vocabulary is not None and not isinstance(self.vocabulary, tuple):
            object.__setattr__(self, "vocabulary", tuple(self.vocabulary))

    @cached_property
    def how(self) -> Tokens:
        """How texts are read: for Bernoulli a word is there or not."""
        return replace(self.tokens, binary=True) if self.event == "bernoulli" else self.tokens

    @cached_property
    def fixed(self) -> Vocabulary | None:
        return None if self.vocabulary is None else Vocabulary.of(self.vocabulary)

    @property
    def imagined(self) -> float:
        """The count that is added to each of a token's."""
        fit = isinstance(self.prior, (MaximumLikelihood, Laplace, Dirichlet))
        if not fit or np.ndim(getattr(self.prior, "alpha", 0)):
            raise TypeError(f"{self.prior!r} is no prior for the words of a text; MaximumLikelihood and Laplace are")
        count = float(self.prior.proportions(1)[0])
        if count == 0 and self.event == "bernoulli":
            raise ValueError(
                "without a prior, a word that is in every text of a class makes all others impossible: give "
                "event='bernoulli' a Laplace"
            )
        return count

    def count(self, block: Texts, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Tallies:
        return self.how.tally_piece(block, y, classes, weight, self.fixed)

    def estimate(self, statistics: Tallies, frame: Frame) -> WordScores:
        a, size = self.imagined, len(statistics.starts) - 1
        totals, at = statistics.totals, statistics.at
        if self.event == "bernoulli":
            texts = statistics.texts[:, 0]
            absent = log_share(texts + a, texts + 2 * a)
            each = np.log(a) - np.log(texts + a)
            missing = np.log(np.maximum(texts[at] - totals, 0.0) + a)
            constant = size * absent + np.bincount(at, missing - np.log(texts[at] + a), len(texts))
            return WordScores(statistics, constant, each, None, np.log(totals + a) - missing - each[at], False)
        nothing, sums = np.zeros(statistics.classes), statistics.of_classes()
        if self.event == "complement":
            of_words = statistics.of_words()
            others = np.repeat(of_words, np.diff(statistics.starts)) - totals
            outside = sums.sum() - sums + a * size
            each = np.log(outside, out=nothing.copy(), where=outside > 0)
            with np.errstate(divide="ignore"):
                common = -np.log(of_words + a)
                extra = -np.log(np.maximum(others, 0) + a) - np.repeat(common, np.diff(statistics.starts))
            return WordScores(statistics, nothing, each, common, extra, False)
        each = -np.log(sums + a * size, out=nothing.copy(), where=sums + a * size > 0)
        if a == 0:
            return WordScores(statistics, nothing, each, None, np.log(totals), True)
        return WordScores(statistics, nothing, each + np.log(a), None, np.log1p(totals / a), False)

    def score(self, parameters: WordScores, block: Texts, out: Array) -> None:
        tallies = parameters.tallies
        known = None if tallies.words is None else tallies.words.table
        _native.score_texts(
            *block.span,
            self.how.reading,
            self.how.stopped,
            known,
            tallies.starts,
            tallies.at,
            parameters.extra,
            parameters.constant,
            parameters.each,
            parameters.common,
            parameters.strict,
            out,
        )

    def contributions(self, parameters: WordScores, block: Texts) -> Array:
        out = np.zeros((len(block), len(parameters.each)))
        self.score(parameters, block, out)
        return out[:, :, None]

    def reasons(self, parameters: WordScores, block: Texts) -> Iterator[tuple[str, float, Array]]:
        """Of one text: each known token, how often it counts, and what it adds to each class; then what is the same for
        every text."""
        words = parameters.tallies.words
        if not block.there().all():
            return
        _, _, numbers, times = self.how.rows(block, words if words is not None else Vocabulary.of(()))
        for number, count in zip(numbers.tolist(), times.tolist(), strict=True):
            yield (f"#{number}" if words is None else words[number]), count, count * parameters.of(number)
        if parameters.constant.any():
            yield "all that is absent", 0.0, parameters.constant

    def unseen(self, parameters: WordScores, block: Texts) -> list[str]:
        """The tokens of one text that are not known."""
        words = parameters.tallies.words
        found, *_ = self.how.rows(block, None)
        return [] if words is None else [word for word in found if word not in words]

    def left_out(self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None, frame: Frame) -> Array:
        out = np.zeros((len(block), statistics.classes))
        self.score_left_out(statistics, block, y, weight, frame, out)
        return out[np.arange(len(y)), y][:, None]

    def score_left_out(
        self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        """A word that is in no other text is then not known, and tells nothing."""
        a, size, classes = self.imagined, len(statistics.starts) - 1, statistics.classes
        known = statistics.words if statistics.words is not None else Vocabulary.of(())
        _, starts, tokens, x = self.how.rows(block, known)
        row = np.repeat(np.arange(len(y)), np.diff(starts))
        w = np.ones(len(y)) if weight is None else weight
        taken, of_words = w[row] * x, statistics.of_words()
        gone = (of_words[tokens] - taken <= 1e-9 * taken) & (not statistics.fixed)
        sizes = size - np.bincount(row[gone], minlength=len(y))
        lengths = np.bincount(row, taken, len(y))
        keys = np.repeat(np.arange(size), np.diff(statistics.starts)) * classes + statistics.at
        sums, there = statistics.of_classes(), block.there()
        for k in range(classes):
            own = y == k
            at = np.searchsorted(keys, tokens.astype(np.int64) * classes + k)
            at = np.minimum(at, max(len(keys) - 1, 0))
            hit = keys[at] == tokens.astype(np.int64) * classes + k if len(keys) else np.zeros(len(tokens), np.bool)
            counts = np.where(hit, statistics.totals[at] if len(keys) else 0.0, 0.0)
            if self.event == "bernoulli":
                logs, constant = self._left_out_bits(statistics, k, own, w, row, counts, gone, sizes)
            else:
                constant = np.zeros(len(y))
                if self.event == "multinomial":
                    counts = np.where(own[row], without(counts, taken), counts)
                    below = without(np.full(len(y), sums[k]), np.where(own, lengths, 0.0)) + a * sizes
                    logs = log_share(counts + a, below[row])
                else:
                    others = without(of_words[tokens] - counts, np.where(own[row], 0.0, taken))
                    below = without(np.full(len(y), sums.sum() - sums[k]), np.where(own, 0.0, lengths)) + a * sizes
                    logs = -log_share(others + a, below[row])
            out[:, k] += np.where(there, constant + np.bincount(row[~gone], (x * logs)[~gone], len(y)), 0.0)

    def _left_out_bits(
        self,
        statistics: Tallies,
        k: int,
        own: NDArray[np.bool],
        w: Array,
        row: NDArray[np.int64],
        counts: Array,
        gone: NDArray[np.bool],
        sizes: NDArray[np.int64],
    ) -> tuple[Array, Array]:
        """Of class k, the log odds of the words of each row, and the log probability that no word is there."""
        a = self.imagined
        texts = without(np.full(len(own), float(statistics.texts[k, 0])), np.where(own, w, 0.0))
        totals = statistics.totals[statistics.at == k]
        left = np.where(own[row], without(counts, w[row]), counts)
        constant = np.empty(len(own))
        for n in np.unique(texts):
            same = texts == n
            less = np.log(np.maximum(n - totals, 0.0) + a)
            # A row left out takes its own words from the totals; what is gone is in no total any more.
            mine = same[row] & own[row] & (counts > 0)
            change = np.where(gone, 0.0, np.log(np.maximum(n - left, 0.0) + a))
            change -= np.log(np.maximum(n - counts, 0.0) + a)
            seen = len(totals) - np.bincount(row[mine & gone], minlength=len(own))
            sums = less.sum() + np.bincount(row[mine], change[mine], len(own)) + (sizes - seen) * np.log(n + a)
            constant[same] = (sums - sizes * np.log(n + 2 * a))[same]
        return log_share(left + a, texts[row] - left + a), constant

    def sample(self, parameters: WordScores, y: Codes, rng: np.random.Generator) -> Any:
        words = parameters.tallies.words
        if self.event != "multinomial" or words is None or self.tokens.characters or self.tokens.ngrams != (1, 1):
            raise TypeError("only a multinomial text of single words can be drawn; its order is no part of the model")
        share = np.exp(parameters.dense)
        share[~share.any(axis=1)] = 1.0  # nothing is known: all alike
        share /= share.sum(axis=1, keepdims=True)
        length = parameters.tallies.of_classes() / np.maximum(parameters.tallies.texts[:, 0], 1e-300)
        drawn = np.empty((len(y), 1), object)
        for i, k in enumerate(y):
            count = rng.poisson(length[k])
            numbers = rng.choice(len(words), count, p=share[k]).tolist() if count else []
            drawn[i, 0] = " ".join(words[number] for number in numbers)
        return drawn

    def describe(self, parameters: WordScores, frame: Frame) -> Iterator[Parameter]:
        """The words by which the classes differ most, each as often as it comes."""
        tallies = parameters.tallies
        yield Parameter(0, "texts", tallies.texts[:, 0].astype(np.float64))
        yield Parameter(0, "tokens", tallies.of_classes())
        if tallies.words is None or not len(tallies.words):
            return
        of_words = tallies.of_words()
        rates = tallies.of_classes() / max(tallies.totals.sum(), 1e-300)
        apart = np.abs(tallies.totals - np.repeat(of_words, np.diff(tallies.starts)) * rates[tallies.at])
        apart = np.bincount(np.repeat(np.arange(len(of_words)), np.diff(tallies.starts)), apart, len(of_words))
        for number in np.argsort(-apart, kind="stable")[:TOLD].tolist():
            yield Parameter(0, f"weight of {tallies.words[number]!r}", parameters.of(number))

    def free(self, statistics: Any, frame: Frame) -> int:
        size = len(statistics.starts) - 1
        return int(statistics.classes * (size if self.event == "bernoulli" else max(size - 1, 0)))

    def posterior(self, statistics: Tallies, frame: Frame, column: int) -> Dirichlet:
        """Of the shares of all tokens, in the order of their numbers."""
        if self.event != "multinomial":
            raise TypeError(
                f"the shares of words have a posterior where the event is 'multinomial', not {self.event!r}"
            )
        counts = np.zeros((statistics.classes, len(statistics.starts) - 1))
        counts[statistics.at, np.repeat(np.arange(counts.shape[1]), np.diff(statistics.starts))] = statistics.totals
        return Dirichlet(np.full(counts.shape[1], self.imagined)).posterior(counts)

    def linear(self, parameters: WordScores, frame: Frame) -> Line | None:
        words = parameters.tallies.words
        if words is None:
            return None
        return Line(parameters.dense, parameters.constant, [(0, word) for word in words])
