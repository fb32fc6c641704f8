"""Texts, scored by the likelihood ratio of their words: each class against all others together."""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from likely.data.sample import Sample
from likely.data.sparse import Csr
from likely.data.table import Kind, Table
from likely.engines import threads
from likely.families.block import Block
from likely.families.cells import Array, without
from likely.families.family import Observations
from likely.families.text_complement import against_others
from likely.families.text_tuning import COUNTS, UNTUNED, TextTuning, idf_of, scaled
from likely.families.word_loo import odds_loo, rare_odds_loo, words_loo
from likely.families.word_scores import WordScores
from likely.families.words import Words
from likely.optimize.grid import downhill
from likely.priors import Auto, Prior
from likely.statistics import Frame, Statistics, Tallies
from likely.text import Bags, Sequences, Texts, Tokens

SIDE_BY_SIDE, AT_ONCE = 4, 1 << 20
"""The most pseudo-counts tried at once, and the most scores (texts x classes) held at once, unless one pseudo-count has
more."""

MOST = 1e100
"""The model is not tuned if counts are above this, where sums lose the smaller ones."""

TUNING_ROWS = 1000
"""Texts to tune by, leave-one-out. The standard error of their mean log loss is then about 0.015."""

PAIRS_BYTES = 4 << 20
"""Bytes of texts by which to choose whether to count pairs of neighbouring words: counting pairs takes about five times
as long as counting words."""

ENOUGH, WORTH = 100, 0.99
"""Texts needed to choose whether rare words count more; and a choice is taken if its log loss is below this share of
the present one."""

LEAST_WORDS = 4
"""A column of strings is read as text if they have this many words on average, and most of them are different."""


@dataclass(frozen=True, repr=False)
class Text(Words):
    """The log odds of a class against all others together, for a text of m tokens that has the word w x_w times:

        s / sqrt(m) (log(n / n') + sum of x_w (log((N_w + a) / (N + a V)) - log((N'_w + a) / (N' + a V))))

    n texts of the class have N tokens, N_w of them w; n', N' and N'_w are those of all other classes, and V is the
    number of words. The scale s is chosen by leave-one-out log loss, and so is `a` unless you specify a prior;
    probabilities are then calibrated. A text adds this to the class prior, minus the log share of the class. It is a
    score, not a likelihood.

    Where rare words are more informative, as with many classes, the vector x is weighted by tf-idf: x_w becomes
    x_w (1 + log((1 + n) / (1 + n_w))), if n_w of all n texts have w, and sqrt(m) becomes the length of this vector.
    n_w is derived from the counts (`idf_of`), so that models with tf-idf can learn, forget and merge. With 100 texts or
    more the leave-one-out log loss decides whether to use it, if texts count as the root of their length, which is the
    default.

    By default `tokens` are Tokens(sublinear=True, root=True), with pairs of neighbouring words if the model finds
    that they are more informative. If a row has several texts, `of` is their number. See `Words`.

    Parameters
    ----------
    tokens : Tokens, optional
        How texts are read as words.
    prior : Prior, optional
        A pseudo-count for each word.
    vocabulary : tuple of str, optional
        The words that are counted; all words by default.
    of : int, default 1
        The number of texts in each row; this is one of them.
    tuned_to : TextTuning, optional
        The scale and pseudo-count that were chosen. Models set it.

    See Also
    --------
    TextMultinomial : a likelihood, as in the textbook.
    TextBernoulli : which words there are, not how often.
    TextComplement : scores by all other classes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.families import Text
    >>> nb = NaiveBayes(Text()).fit(["cheap pills", "lunch at noon"], ["spam", "ham"])
    >>> nb.predict(["pills", "noon"]).tolist()
    ['spam', 'ham']
    """

    auto: ClassVar[tuple[Kind, ...]] = ("text", "category")
    needs_prior: ClassVar[bool] = True
    made_of: ClassVar[tuple[type, ...]] = (Tokens, TextTuning)

    tokens: Tokens | None = None
    prior: Prior | None = None  # type: ignore[assignment]
    of: int = 1
    tuned_to: TextTuning = field(default=UNTUNED, compare=False)

    @classmethod
    def smoothed_by(cls, prior: Prior | None) -> "Text":
        """None and "auto" leave the pseudo-count open, to be chosen by leave-one-out."""
        return cls() if prior is None or isinstance(prior, Auto) else cls(prior=prior)

    def suits(self, table: Table, columns: "list[int]") -> NDArray[np.bool]:  # type: ignore[override]
        """Texts; and columns of strings that are long, and mostly different."""
        return np.array([table.kinds[j] == "text" or _reads_as_text(table, j) for j in columns])

    @property
    def reading(self) -> Tokens:
        return self.tokens or Tokens(sublinear=True, root=True)

    @property
    def pseudocount(self) -> float:
        return self.tuned_to.pseudocount if self.prior is None else super().pseudocount

    def check_counted(self, statistics: Statistics, frame: Frame, classes: int) -> None:
        super().check_counted(statistics, frame, classes)
        if not (0 < self.pseudocount <= MOST and 0 <= self.tuned_to.scale <= 1e6 and self.of > 0):
            raise ValueError("the scale of words and their pseudo-count are above 0")
        if self.tuned_to.idf and not self.reading.root:
            raise ValueError("idf is of texts that count as the root of their length")

    def settled(self, sample: Sample, column: int, alike: int) -> "Text":
        """With the tokens that are most informative: words, or pairs of neighbours too."""
        return replace(self._read_by(sample, column), of=alike)

    def _read_by(self, sample: Sample, column: int) -> "Text":
        if self.tokens is not None:
            return self
        if self.vocabulary is not None:  # which has pairs, or none
            ngrams = 1, 1 + any(" " in word for word in self.vocabulary)
            return replace(self, tokens=replace(self.reading, ngrams=ngrams))
        if len(sample) < TUNING_ROWS:  # too few to decide, and models of parts must have the same tokens to merge
            return replace(self, tokens=self.reading)
        sampled = sample.every(1 + int(sample.table.texts(column, slice(None)).sizes().sum() // PAIRS_BYTES))
        texts = sampled.table.texts(column, slice(None))
        judged = np.arange(0, len(sampled), -(-len(sampled) // TUNING_ROWS))
        seen = Observations(texts, sampled.y, len(sampled.classes), sampled.weight)
        of_judged = Observations(
            None, sampled.y[judged], len(sampled.classes), None if sampled.weight is None else sampled.weight[judged]
        )
        sequences = Sequences.of(texts, self.reading)

        def count(reader: Text) -> tuple[Tallies, Bags]:
            bags = sequences.bags(reader.reading)
            return bags.tally(reader.reading, seen.y, seen.classes, seen.weight), bags

        readers = [replace(self, tokens=replace(self.reading, ngrams=ngrams)) for ngrams in ((1, 1), (1, 2))]
        (words, words_loss), (pairs, pairs_loss) = (
            reader.tuned_by(tallies, bags, judged, of_judged)
            for reader, (tallies, bags) in zip(readers, threads.stream(count, readers), strict=True)
        )
        return pairs if pairs_loss < WORTH * words_loss else words  # pairs must be worth their memory and time

    def word_scores(self, tallies: Tallies, size: int, totals: Array) -> WordScores:
        a, scale = self.pseudocount, self.tuned_to.scale
        each, common, extra = against_others(tallies, size, totals, a)
        own = totals + a * size
        each += np.log(a) - np.log(own, out=np.zeros(len(own)), where=own > 0)
        extra += np.log1p(tallies.totals / a)
        prior, share = _shares(tallies.texts[:, 0])
        idf = self._idf(tallies, totals) if self.tuned_to.idf else None
        return WordScores(
            tallies, -share / self.of, scale * each, scale * common, scale * extra, scale * prior, idf=idf
        )

    def _idf(self, tallies: Tallies, totals: Array) -> Array:
        return idf_of(tallies.of_words(), float(totals.sum()), float(tallies.texts.sum()))

    def features(self, block: Block, cells: Texts) -> Csr:
        """How often each known token counts; with idf, as the vector of length 1 that is scored."""
        if not self.tuned_to.idf:
            return super().features(block, cells)
        tallies = block.statistics
        _, starts, numbers, times = replace(self.reading, root=False).rows(cells, tallies.words)
        z = times * self._idf(tallies, tallies.of_classes())[numbers]
        row = np.repeat(np.arange(len(cells)), np.diff(starts))
        z /= np.sqrt(np.bincount(row, z**2, len(cells)))[row]
        return Csr(starts, numbers, z, (len(cells), len(tallies.starts) - 1))

    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        tallies, least = block.statistics, self.least(block.statistics)
        odds = np.zeros((len(seen.y), tallies.classes))
        if self.tuned_to.idf:
            bags, rows = Bags.of(seen.cells, self.reading, tallies.words), np.arange(len(seen.y))
            each, lengths = rare_odds_loo(tallies, least, np.array([self.pseudocount]), bags, rows, seen)
            odds += each[:, 0]
        else:
            lengths = words_loo(tallies, self.reading, least, (1.0, 1.0, self.pseudocount), seen, odds)
        prior, share = _loo_shares(tallies, seen.y, np.where(seen.cells.there(), seen.weights, 0.0))
        known = lengths > 0
        odds[known] += prior[known] / lengths[known, None]
        out[known] += self.tuned_to.scale * odds[known] - share[known] / self.of

    def tuning_rows(self, frame: Frame) -> int:
        return TUNING_ROWS

    def tuned(self, block: Block, seen: Observations) -> "Text":
        bags = Bags.of(seen.cells, self.reading, block.statistics.words)
        rare = self.reading.root and len(seen.y) >= ENOUGH
        return self.tuned_by(block.statistics, bags, np.arange(len(seen.y)), seen, rare)[0]

    def tuned_by(
        self, tallies: Tallies, bags: Bags, rows: NDArray[np.int64], seen: Observations, rare: bool = False
    ) -> tuple["Text", float]:
        """This family tuned to the least leave-one-out log loss, and that loss. `rows` are positions in `bags`, which
        were counted. The default pseudo-count has a prior that weighs as much as one text. If `rare`, also decides
        whether rare words count more.
        """
        again = tallies.texts[seen.y, 0] > seen.weights * (1 + 1e-9)  # without the only text of a class, it is unknown
        if not again.any() or tallies.classes < 2 or tallies.totals.sum() > MOST:
            return self, 0.0
        rows, seen = rows[again], Observations(None, seen.y[again], seen.classes, seen.weights[again])
        prior, _ = _loo_shares(tallies, seen.y, seen.weights)
        counts = COUNTS if self.prior is None else (self.pseudocount,)
        at_once = min(SIDE_BY_SIDE, max(1, AT_ONCE // prior.size))

        @cache
        def odds_from(first: int, idf: bool) -> Array:
            tried, least = np.clip(counts[first : first + at_once], 1 / MOST, MOST), self.least(tallies)
            odds, lengths = (
                rare_odds_loo(tallies, least, tried, bags, rows, seen)
                if idf
                else odds_loo(tallies, self.reading.root, least, tried, bags, rows, seen)
            )
            known = lengths > 0
            odds[known] += (prior[known] / lengths[known, None])[:, None, :]
            return odds

        @cache
        def loss_of(count: float, idf: bool) -> tuple[float, TextTuning]:
            first, at = divmod(counts.index(count), at_once)
            scale, loss = scaled(odds_from(first * at_once, idf)[:, at], seen.y, seen.weights / seen.weights.sum())
            return loss + 0.5 * np.log(count / UNTUNED.pseudocount) ** 2 / len(rows), TextTuning(count, scale, idf)

        def tuned(start: float, idf: bool = False) -> tuple[float, TextTuning]:
            best = start if len(counts) == 1 else downhill(lambda count: loss_of(count, idf)[0], COUNTS, start)
            return loss_of(best, idf)

        loss, tuning = tuned(self.tuned_to.pseudocount if self.prior is None else counts[0])
        if rare and tallies.totals.sum() <= MOST * tuning.pseudocount:
            other, with_idf = tuned(tuning.pseudocount, idf=True)
            if other < WORTH * loss:
                loss, tuning = other, with_idf
        return replace(self, tuned_to=tuning), loss


def _shares(texts: Array, of_all: Array | None = None) -> tuple[Array, Array]:
    """The log odds of each class, and its log share of all texts, with half a text added to each."""
    total = texts.sum() if of_all is None else of_all
    own, others = np.log(texts + 0.5), np.log(np.maximum(total - texts, 0.0) + 0.5)
    return own - others, own - np.log(total + 0.5 * texts.shape[-1])


def _loo_shares(tallies: Tallies, y: NDArray[np.int32], w: Array) -> tuple[Array, Array]:
    """`_shares` leave-one-out: for each text, from all other texts."""
    texts, own = np.tile(tallies.texts[:, 0].astype(np.float64), (len(y), 1)), (np.arange(len(y)), y)
    texts[own] = without(texts[own], w)
    return _shares(texts, texts.sum(axis=1, keepdims=True))


def _reads_as_text(table: Table, column: int) -> bool:
    """Whether a column of strings is text: long strings, most of them different."""
    codes, (labels,) = table.categories([column], slice(None), None)
    there = int((codes >= 0).sum())
    if 2 * len(labels) <= there or labels.dtype.kind != "O":
        return False
    *_, times = Tokens().rows(table.texts(column, slice(None)), None)
    return bool(times.sum() >= LEAST_WORDS * there)
