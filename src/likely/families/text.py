"""A text: the words that it is made of."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from likely.families.bits_left_out import bits_left_out
from likely.families.dials import COUNTS, UNTUNED, Dials, downhill, scaled
from likely.families.family import Array, Codes, Family, Line, Parameter, Rows, log_share, without
from likely.families.few_texts import FewTexts
from likely.families.word_scores import WordScores
from likely.families.words_left_out import odds_left_out, words_left_out
from likely.priors import Dirichlet, Laplace, MaximumLikelihood, Prior, short
from likely.statistics import Frame, Tallies, Vocabulary
from likely.text import Bags, Texts, Tokens

Event = Literal["odds", "multinomial", "bernoulli", "complement"]

TOLD = 10
"""Words that `describe` lists: all of them would be many."""

SIDE_BY_SIDE, AT_ONCE = 4, 1 << 20
"""Counts imagined that are tried at once, the most; and scores of texts and classes, unless those of one are more."""

MOST = 1e100
"""Counts beyond it are not weighed against others."""

TUNING_ROWS = 1000
"""Texts that are left out to choose dials by. The standard error of their mean log loss is then some 0.015."""


@dataclass(frozen=True, repr=False)
class Text(Family):
    """Four ways to tell a class by a text. Of V words known, a class has N_w tokens w of N in all, and a of each is
    imagined; all other classes together have N'_w of N'; and n_w of its n texts have w.

    - "odds": by the log odds of the class against all others together, for a text of m tokens
      s / sqrt(m) (log(n / n') + sum of x_w (log((N_w + a) / (N + a V)) - log((N'_w + a) / (N' + a V)))).
      s, and `a` unless a prior is given, are chosen by left-out log loss, so that probabilities mean what they say.
      This less the log share of the class is what a text adds to the class prior. A score, not a likelihood;
    - "multinomial": each token is drawn by itself, log p = sum of x_w log((N_w + a) / (N + a V));
    - "bernoulli": each word of the V known is in the text or not, log p = sum of log q_w or log(1 - q_w) with
      q_w = (n_w + a) / (n + 2 a);
    - "complement": by how badly it fits all other classes together, -sum of x_w log((N'_w + a) / (N' + a V)). A score,
      not a likelihood.

    `tokens` says how texts are read; unless you say otherwise, "odds" has Tokens(sublinear=True, root=True), with pairs
    of neighbouring words if a model finds that they tell more. A word that was never seen tells nothing.
    `vocabulary` fixes the words counted. Where a row has several texts, each is one `of` so many.
    """

    reads: ClassVar[Literal["numbers", "categories", "text"]] = "text"
    joint: ClassVar[bool] = True

    event: Event = "odds"
    tokens: Tokens | None = None
    prior: Prior | None = None  # type: ignore[assignment]
    vocabulary: tuple[str, ...] | None = None
    of: int = 1
    tuned_to: Dials = field(default=UNTUNED, compare=False)

    def __post_init__(self) -> None:
        if self.event not in ("odds", "multinomial", "bernoulli", "complement"):
            raise ValueError(f"the event is 'odds', 'multinomial', 'bernoulli' or 'complement', not {self.event!r}")
        if self.event != "odds":  # what is left open for the odds alone
            object.__setattr__(self, "tokens", self.tokens or Tokens())
            object.__setattr__(self, "prior", self.prior or Laplace())
        if isinstance(self.vocabulary, str):
            raise ValueError(f"vocabulary is a sequence of words, not {self.vocabulary!r}")
        if self.vocabulary is not None and not isinstance(self.vocabulary, tuple):
            object.__setattr__(self, "vocabulary", tuple(self.vocabulary))
        if self.vocabulary is not None and self.how.hashing is not None:
            raise ValueError("a vocabulary is of words, and hashing keeps none: give one or the other")

    def __repr__(self) -> str:
        return short(self) if self.event == "odds" else short(self, tokens=Tokens(), prior=Laplace())

    @cached_property
    def how(self) -> Tokens:
        """How texts are read: for Bernoulli a word is there or not."""
        tokens = self.tokens or Tokens(sublinear=True, root=True)
        return replace(tokens, binary=True, root=False) if self.event == "bernoulli" else tokens

    @cached_property
    def fixed(self) -> Vocabulary | None:
        return None if self.vocabulary is None else Vocabulary.of(self.vocabulary)

    @property
    def imagined(self) -> float:
        """The count that is added to each of a token's."""
        if self.prior is None:
            return self.tuned_to.imagined
        fit = isinstance(self.prior, (MaximumLikelihood, Laplace, Dirichlet))
        if not fit or np.ndim(getattr(self.prior, "alpha", 0)):
            raise TypeError(f"{self.prior!r} is no prior for the words of a text; MaximumLikelihood and Laplace are")
        count = float(self.prior.proportions(1)[0])
        if count == 0 and self.event in ("odds", "bernoulli"):
            raise ValueError(
                "without a prior, a word that is in every text of a class, or in none, makes others impossible: give "
                f"event={self.event!r} a Laplace"
            )
        return count

    def count(self, block: Texts, y: Codes, classes: int, weight: Array | None, frame: Frame) -> Tallies:
        return self.how.tally_piece(block, y, classes, weight, self.fixed)

    def estimate(self, statistics: Tallies, frame: Frame) -> WordScores | FewTexts:
        a_few = statistics.words is not None and not statistics.words.tabled and self.event != "bernoulli"
        few = FewTexts(statistics, self._scores)
        return few if a_few else few.of_all

    def _scores(self, statistics: Tallies, size: int, sums: Array) -> WordScores:
        """Of so many words in all, with those sums by class. Words that were counted less than `minimum` times have
        their share of what is counted, but no score.
        """
        a = self.imagined
        told, least = statistics, self._least(statistics)
        if least:
            told = statistics.of_cells(statistics.of_words() >= least)
        totals, at, nothing = told.totals, told.at, np.zeros(told.classes)
        if self.event == "bernoulli":
            texts = told.texts[:, 0]
            each = np.log(a) - np.log(texts + a)
            missing = np.log(np.maximum(texts[at] - totals, 0.0) + a)
            constant = (len(told.starts) - 1) * log_share(texts + a, texts + 2 * a)
            constant += np.bincount(at, missing - np.log(texts[at] + a), len(texts))
            return WordScores(told, constant, each, None, np.log(totals + a) - missing - each[at])
        if self.event == "multinomial":
            each = -np.log(sums + a * size, out=nothing.copy(), where=sums + a * size > 0)
            if a == 0:
                return WordScores(told, nothing, each, None, np.log(totals), strict=True)
            return WordScores(told, nothing, each + np.log(a), None, np.log1p(totals / a))
        of_words, outside = told.of_words(), sums.sum() - sums + a * size
        others = np.repeat(of_words, np.diff(told.starts)) - totals
        each = np.log(outside, out=nothing.copy(), where=outside > 0)
        with np.errstate(divide="ignore"):
            common = -np.log(of_words + a)
            extra = -np.log(np.maximum(others, 0) + a) - np.repeat(common, np.diff(told.starts))
        if self.event == "complement":
            return WordScores(told, nothing, each, common, extra)
        each += np.log(a) - np.log(sums + a * size, out=nothing.copy(), where=sums + a * size > 0)
        extra += np.log1p(totals / a)
        prior, share = self._shares(told.texts[:, 0])
        scale = self.tuned_to.scale
        return WordScores(told, -share / self.of, scale * each, scale * common, scale * extra, scale * prior)

    def _least(self, statistics: Tallies) -> float:
        """What a token must count to be known, but for rounding; 0 for any, and for words that were given."""
        return 0.0 if statistics.fixed or self.how.minimum <= 1 else self.how.minimum * (1 - 1e-9)

    @staticmethod
    def _shares(texts: NDArray[Any], all_: Any = None) -> tuple[Array, Array]:
        """The log odds of each class, and its log share of all texts; with half a text more of each."""
        all_ = texts.sum() if all_ is None else all_
        more, less_ = np.log(texts + 0.5), np.log(np.maximum(all_ - texts, 0.0) + 0.5)
        return more - less_, more - np.log(all_ + 0.5 * texts.shape[-1])

    def score(self, parameters: WordScores | FewTexts, block: Texts, out: Array) -> None:
        parameters.of_texts(self.how, block).add(self.how, block, out)

    def contributions(self, parameters: WordScores | FewTexts, block: Texts) -> Array:
        out = np.zeros((len(block), parameters.tallies.classes))
        self.score(parameters, block, out)
        return out[:, :, None]

    def reasons(self, parameters: WordScores | FewTexts, block: Texts) -> Iterator[tuple[str, float, Array]]:
        """Of one text: each known token, how often it is there, and what it adds to each class; then what no token
        adds."""
        parameters = parameters.of_texts(self.how, block)
        words = parameters.tallies.words
        if not block.there().all():
            return
        known = words if words is not None else Vocabulary.of(())
        _, _, numbers, times = self.how.rows(block, known)
        *_, counts = replace(self.how, binary=False, sublinear=False, root=False).rows(block, known)
        for number, count, told in zip(numbers.tolist(), counts.tolist(), times.tolist(), strict=True):
            yield (f"#{number}" if words is None else words[number]), count, told * parameters.of(number)
        if parameters.prior is None and parameters.constant.any():
            yield "all that is absent", 0.0, parameters.constant
        if parameters.prior is not None and len(times):
            yield "class prior, scaled", 0.0, parameters.constant + parameters.prior / times.sum()

    def unseen(self, parameters: WordScores | FewTexts, block: Texts) -> list[str]:
        """The tokens of one text that are not known."""
        words = parameters.of_texts(self.how, block).tallies.words
        found, *_ = self.how.rows(block, None)
        return [] if words is None else [word for word in found if word not in words]

    # Left out

    def left_out(self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None, frame: Frame) -> Array:
        out = np.zeros((len(block), statistics.classes))
        self.score_left_out(statistics, block, y, weight, frame, out)
        return out[np.arange(len(y)), y][:, None]

    def score_left_out(
        self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None, frame: Frame, out: Array
    ) -> None:
        """A word that is in no other text is then not known, and tells nothing."""
        if self.event == "bernoulli":
            bits_left_out(statistics, self.how, self._least(statistics), self.imagined, block, y, weight, out)
        elif self.event == "odds":
            evidence, known, share = self._odds_left_out(statistics, block, y, weight)
            out[known] += self.tuned_to.scale * evidence[known] - share[known] / self.of
        else:
            self._words_left_out(statistics, block, y, weight, out)

    def _words_left_out(self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None, out: Array) -> Array:
        event = float(self.event != "complement"), float(self.event != "multinomial"), self.imagined
        return words_left_out(statistics, self.how, self._least(statistics), event, block, y, weight, out)

    def _odds_left_out(
        self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None
    ) -> tuple[Array, NDArray[np.bool], Array]:
        """The log odds at scale 1, in which texts a word is known, and the log share of each class."""
        evidence = np.zeros((len(y), statistics.classes))
        lengths = self._words_left_out(statistics, block, y, weight, evidence)
        w = np.where(block.there(), 1.0 if weight is None else weight, 0.0)
        prior, share = self._shares_left_out(statistics, y, w)
        known = lengths > 0
        evidence[known] += prior[known] / lengths[known, None]
        return evidence, known, share

    def _shares_left_out(self, statistics: Tallies, y: Codes, w: Array) -> tuple[Array, Array]:
        """As `_shares`, of each text's others."""
        texts, own = np.tile(statistics.texts[:, 0].astype(np.float64), (len(y), 1)), (np.arange(len(y)), y)
        texts[own] = without(texts[own], w)
        return self._shares(texts, texts.sum(axis=1, keepdims=True))

    def tuning_rows(self, frame: Frame) -> int:
        return TUNING_ROWS if self.event == "odds" else 0

    def tuned(self, statistics: Tallies, block: Texts, y: Codes, weight: Array | None, frame: Frame) -> "Text":
        read = Bags.of(block, self.how, statistics.words)
        return self.tuned_by(statistics, read, np.arange(len(y)), y, weight)[0]

    def tuned_by(
        self, statistics: Tallies, read: Bags, which: NDArray[np.int64], y: Codes, weight: Array | None
    ) -> tuple["Text", float]:
        """With the dials of the least left-out log loss of the classes, and that loss: of some of the rows read, all of
        which were counted. The count imagined stays where it was by the weight of one text."""
        w = np.ones(len(y)) if weight is None else weight
        again = statistics.texts[y, 0] > w * (1 + 1e-9)  # of the others no class is left that could be told
        if not again.any() or statistics.classes < 2 or statistics.totals.sum() > MOST:
            return self, 0.0
        which, y, w = which[again], y[again], w[again]
        prior, _ = self._shares_left_out(statistics, y, w)
        counts = COUNTS if self.prior is None else (self.imagined,)
        at_once = min(SIDE_BY_SIDE, max(1, AT_ONCE // prior.size))

        @cache
        def evidence_from(first: int) -> Array:
            some = np.clip(counts[first : first + at_once], 1 / MOST, MOST)
            given = statistics, self.how, self._least(statistics), some, read, which, y, w
            evidence, lengths = odds_left_out(*given)
            known = lengths > 0
            evidence[known] += (prior[known] / lengths[known, None])[:, None, :]
            return evidence

        @cache
        def loss_of(count: float) -> tuple[float, Dials]:
            first, at = divmod(counts.index(count), at_once)
            scale, loss = scaled(evidence_from(first * at_once)[:, at], y, w / w.sum())
            return loss + 0.5 * np.log(count / UNTUNED.imagined) ** 2 / len(y), Dials(count, scale)

        best = (
            self.imagined
            if self.prior is not None
            else downhill(lambda count: loss_of(count)[0], self.tuned_to.imagined)
        )
        loss, dials = loss_of(best)
        return replace(self, tuned_to=dials), loss

    def sample(self, parameters: WordScores | FewTexts, y: Codes, rng: "np.random.Generator") -> Any:
        parameters = parameters.of_all
        words = parameters.tallies.words
        if self.event != "multinomial" or words is None or self.how.characters or self.how.ngrams != (1, 1):
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

    def describe(self, parameters: WordScores | FewTexts, frame: Frame) -> Iterator[Parameter]:
        """The words by which the classes differ most, each as often as it comes."""
        parameters = parameters.of_all
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

    def features(self, statistics: Tallies, block: Texts, frame: Frame) -> Rows:
        """How often each known token counts."""
        _, starts, numbers, times = self.how.rows(block, statistics.words)
        return Rows(starts, numbers, times, (len(block), len(statistics.starts) - 1))

    def linear(self, parameters: WordScores | FewTexts, frame: Frame) -> Line | None:
        told = parameters.of_all.prior is None and parameters.of_all.tallies.words is not None
        return self.natural(parameters, frame) if told else None

    def natural(self, parameters: WordScores | FewTexts, frame: Frame) -> Line:
        """Of the odds, but for the class prior in them, which is divided by how often all tokens count."""
        parameters = parameters.of_all
        size, words = len(parameters.tallies.starts) - 1, parameters.tallies.words
        names = range(size) if words is None else words
        return Line(parameters.dense, parameters.constant, [(0, str(name)) for name in names])
