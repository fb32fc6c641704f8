"""The base of all families that read texts as words."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from likely.data.sparse import Csr
from likely.data.table import Labels, Table
from likely.families import evidence
from likely.families.block import Block
from likely.families.cells import Array, Codes
from likely.families.effects import Effects
from likely.families.family import Domain, Family, Line, Observations, Parameter, Picture, Reads
from likely.families.word_scores import FewTexts, WordScores
from likely.priors import Dirichlet, Laplace, MaximumLikelihood, Prior
from likely.statistics import Frame, Statistics, Tallies, Vocabulary
from likely.text import Texts, Tokens

LISTED = 10
"""How many words `describe` lists."""

PIECE = 8 << 20
"""The estimate of `piece_bytes`: the words of a text are not known in advance, and adding two tallies costs as much as
reading some megabytes of text. The texts of `python -m bench --only texts` were learned in 943 ms with pieces of 8 MB,
in 606 ms with 16 MB and in 517 ms with 64 MB."""


@dataclass(frozen=True, repr=False)
class Words(Family):
    """The symbols in the formulas of the families of words: V words are known. A class has N tokens, N_w of them w, in
    n texts; n_w of these texts have w. All other classes together have N' tokens, N'_w of them w. Each word has a
    pseudo-count a. A word that was never seen adds nothing.

    `tokens` says how texts are read. `vocabulary` fixes the words that are counted.
    """

    reads: ClassVar[Reads] = "text"
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Tallies,)
    joint: ClassVar[bool] = True
    independent: ClassVar[bool] = False
    generative: ClassVar[bool] = False
    domain: ClassVar[Domain] = "text"
    picture: ClassVar[Picture] = "words"
    made_of: ClassVar[tuple[type, ...]] = (Tokens,)
    needs_prior: ClassVar[bool] = False
    """Whether it needs a prior, because a word that a class has always or never would make other texts impossible."""

    tokens: Tokens | None = Tokens()
    prior: Prior = Laplace()
    vocabulary: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.vocabulary, str):
            raise ValueError(f"vocabulary is a sequence of words, not {self.vocabulary!r}")
        if self.vocabulary is not None and not isinstance(self.vocabulary, tuple):
            object.__setattr__(self, "vocabulary", tuple(self.vocabulary))
        if self.vocabulary is not None and self.reading.hashing is not None:
            raise ValueError("a vocabulary is of words, and hashing keeps none: give one or the other")

    @classmethod
    def named_as(cls, family: Family) -> Self:
        """This family with the prior of `family`, which reads columns of counts and was named for a text."""
        for_text = cls(prior=family.prior)
        if family != type(family)(prior=family.prior):  # type: ignore[call-arg]
            raise ValueError(f"{family!r} has an option that families of texts do not have; use {for_text!r}")
        return for_text

    @property
    def reading(self) -> Tokens:
        """How texts are read."""
        return self.tokens or Tokens()

    @cached_property
    def fixed(self) -> Vocabulary | None:
        return None if self.vocabulary is None else Vocabulary.of(self.vocabulary)

    @property
    def pseudocount(self) -> float:
        """The pseudo-count of each token."""
        fit = isinstance(self.prior, (MaximumLikelihood, Laplace, Dirichlet))
        if not fit or np.ndim(getattr(self.prior, "alpha", 0)):
            raise TypeError(f"{self.prior!r} is no prior for the words of a text; MaximumLikelihood and Laplace are")
        count = float(self.prior.proportions(1)[0])
        if count == 0 and self.needs_prior:
            raise ValueError(
                "without a prior, a word that is in every text of a class, or in none, makes others impossible: give "
                f"{type(self).__name__} a Laplace"
            )
        return count

    def read(
        self, table: Table, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None = None
    ) -> tuple[Texts, None]:
        return table.texts(columns[0], rows), None

    def count(self, seen: Observations, frame: Frame) -> Tallies:
        return self.reading.tally_piece(seen.cells, seen.y, seen.classes, seen.weight, self.fixed)

    def check_counted(self, statistics: Statistics, frame: Frame, classes: int) -> None:
        if not isinstance(statistics, Tallies):
            raise ValueError(f"{type(self).__name__} does not count {type(statistics).__name__}")
        statistics.check(classes, self.reading.hashing or -1)
        _ = self.pseudocount  # raises if the prior does not serve

    def piece_bytes(self, classes: int, columns: int) -> int:
        return PIECE

    def estimate(self, block: Block) -> WordScores | FewTexts:
        _ = self.pseudocount  # raises if the prior does not serve
        few = FewTexts(block.statistics, self._scores)
        return few if self.scores_few else few.of_all

    scores_few: ClassVar[bool] = True
    """Whether the scores of a few words can be computed without those of all words."""

    def _scores(self, tallies: Tallies, size: int, totals: Array) -> WordScores:
        """Words counted less than `minimum` times are part of the totals, but have no score."""
        least = self.least(tallies)
        return self.word_scores(tallies.of_cells(tallies.of_words() >= least) if least else tallies, size, totals)

    @abstractmethod
    def word_scores(self, tallies: Tallies, size: int, totals: Array) -> WordScores:
        """The scores of the words of `tallies`. The vocabulary has `size` words; `totals` are all tokens of each
        class."""

    def least(self, tallies: Tallies) -> float:
        """The least count of a known token, with a margin for rounding; 0 if every token is known, as in a fixed
        vocabulary."""
        minimum = self.reading.minimum
        return 0.0 if tallies.fixed or minimum <= 1 else minimum * (1 - 1e-9)

    def score(self, parameters: WordScores | FewTexts, cells: Texts, out: Array) -> None:
        parameters.of_texts(self.reading, cells).add(self.reading, cells, out)

    def contributions(self, parameters: WordScores | FewTexts, cells: Texts) -> Array:
        out = np.zeros((len(cells), parameters.tallies.classes))
        self.score(parameters, cells, out)
        return out[:, :, None]

    def effects(self, parameters: WordScores | FewTexts, cells: Texts, frame: Frame, alone: bool = False) -> Effects:
        prefix = "" if alone else f"{frame.columns[0]}: "
        effects = parameters.of_texts(self.reading, cells).effects(self.reading, cells, prefix)
        return effects.some(np.flatnonzero(cells.there()[effects.rows]))

    def loo(self, block: Block, seen: Observations) -> Array:
        out = np.zeros((len(seen.y), block.statistics.classes))
        self.loo_scores(block, seen, out)
        return out[np.arange(len(seen.y)), seen.y][:, None]

    @abstractmethod
    def loo_scores(self, block: Block, seen: Observations, out: Array) -> None:
        """Leave-one-out scores. A word that no other text has is then unknown, and adds nothing."""

    def sample(self, parameters: WordScores | FewTexts, y: Codes, rng: "np.random.Generator") -> Any:
        raise TypeError("only a multinomial text of single words can be sampled; its order is no part of the model")

    def describe(self, parameters: WordScores | FewTexts, frame: Frame) -> Iterator[Parameter]:
        """The number of texts and tokens, then the words by which the classes differ most, weighted by how often they
        occur."""
        scores = parameters.of_all
        tallies = scores.tallies
        yield Parameter(0, "texts", tallies.texts[:, 0].astype(np.float64))
        yield Parameter(0, "tokens", tallies.of_classes())
        if tallies.words is None or not len(tallies.words):
            return
        for number in np.argsort(-tallies.differences(), kind="stable")[:LISTED].tolist():
            yield Parameter(0, f"weight of {tallies.words[number]!r}", scores.of(number))

    def parameter_count(self, block: Block) -> int:
        return int(block.statistics.classes * max(len(block.statistics.starts) - 2, 0))

    def linear(self, parameters: WordScores | FewTexts, frame: Frame) -> Line | None:
        scores = parameters.of_all
        return None if scores.prior is not None or scores.tallies.words is None else self.natural(scores, frame)

    def parameter_posterior(self, block: Block, column: int) -> Prior:
        raise TypeError(f"the shares of words have a posterior in TextMultinomial, not in {type(self).__name__}")

    def log_bayes_factor(self, block: Block) -> Array:
        return evidence.factor_of_words(block.statistics)

    def features(self, block: Block, cells: Texts) -> Csr:
        """The count of each known token, as `tokens` weights it: rows x words."""
        _, starts, numbers, times = self.reading.rows(cells, block.statistics.words)
        return Csr(starts, numbers, times, (len(cells), len(block.statistics.starts) - 1))

    def feature_count(self, block: Block) -> int:
        return len(block.statistics.starts) - 1

    def feature_names(self, block: Block) -> Sequence[tuple[int, int | str | None]]:
        words = block.statistics.words
        names = range(len(block.statistics.starts) - 1) if words is None else words
        return [(0, str(name)) for name in names]

    def discriminative(self) -> tuple[Family, ...]:
        """TfIdf of single tokens, and of n-grams if the family reads them."""
        from likely.families.tf_idf import TfIdf

        shortest, longest = self.reading.ngrams
        alone = self.reading.characters or self.vocabulary is not None
        runs = dict.fromkeys([(shortest, longest if alone else shortest), (shortest, longest)])
        tokens = replace(self.reading, binary=False, sublinear=True, root=False)
        return tuple(TfIdf(replace(tokens, ngrams=ngrams), vocabulary=self.vocabulary) for ngrams in runs)

    def natural(self, parameters: WordScores | FewTexts, frame: Frame) -> Line:
        """The scores without the class prior of `Text`, which is divided by the length of the text."""
        scores = parameters.of_all
        size, words = len(scores.tallies.starts) - 1, scores.tallies.words
        names = range(size) if words is None else words
        return Line(scores.dense, scores.constant, [(0, str(name)) for name in names])
