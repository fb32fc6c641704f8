"""The model of an account: naive Bayes on the words and marks of its mail, its blend with logistic regression, and the
record of its guesses."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data import Sample, read
from likely.families import Plan, Text
from likely.families.text_tuning import TextTuning
from likely.mail.confidence import WINDOW, Confidence, Guesses, foretold
from likely.mail.folder_records import FolderRecords
from likely.mail.history import History
from likely.mail.online_blend import OnlineBlend
from likely.mail.promise import threshold
from likely.mail.reading import COLUMNS, tokens
from likely.mail.replay import DAY, PSEUDOCOUNT, SCALES, faded, worth_pairs
from likely.models.explain import Explanation, Reasons
from likely.models.learned import Learned, count
from likely.models.log_odds import log_odds, probability
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax.problem import Array
from likely.priors import Dirichlet
from likely.statistics import Frame, Labels


@dataclass(frozen=True)
class MailModel:
    """Immutable: methods that learn return a new model. A message that is `half_life` days old counts half; with None,
    all messages count fully."""

    learned: Learned | None = None
    scales: Array = field(default_factory=lambda: SCALES)
    guesses: Guesses = field(default_factory=Guesses.none)
    records: FolderRecords = field(default_factory=FolderRecords)
    """How guesses of each folder turned out, after these guesses."""
    half_life: float | None = None
    now: float = 0.0
    pairs: bool = False
    """Whether pairs of neighbouring words are counted too."""
    blend: OnlineBlend | None = None
    """Its blend with logistic regression; None for naive Bayes alone."""
    chosen_by: int = 0
    """How many messages had been learned when scales, pairs and blend were last chosen."""

    @classmethod
    def of(cls, history: History, half_life: float | str | None = None) -> Self:
        """Learns mail in order of date. The folder of each message is guessed before the message is learned. With
        "auto", replay chooses the half-life."""
        if not len(history):
            return cls(half_life=None if half_life is None or half_life == "auto" else float(half_life))
        folders, y = history.coded()
        pairs = worth_pairs(history.mail, y, len(folders))
        past, life = faded(history, y, len(folders), half_life, pairs)
        names = tuple(folders.tolist())
        blend = None if past.weights is None else OnlineBlend(names, past.weights, past.rate)
        now, records = float(history.dates.max()), past.records.renamed(names)
        empty = cls(None, past.scales, past.guesses, records, life, now, pairs, None, len(history))
        return replace(empty.with_learned(history), blend=blend)

    def with_learned(self, history: History) -> Self:
        if not len(history):
            return self
        later = self._at(float(history.dates.max()))
        counted = later._counted(history)
        if later.learned is None:
            return replace(later, learned=counted)
        learned = later.learned + counted
        return replace(later, learned=learned, blend=later._stepped(history, learned.classes))

    def _stepped(self, history: History, classes: Labels) -> OnlineBlend | None:
        """The blend after a step for each of these messages, which naive Bayes has not learned yet. It can't predict
        folders that it does not know: their scores are -inf."""
        if self.blend is None or self.learned is None:
            return self.blend
        names = classes.tolist()
        scores = np.full((len(history), len(names)), -np.inf)
        known = np.isin(classes, self.folders)
        scores[:, known] = self.bayes.score(read(history.mail[:]))[:, np.isin(self.learned.classes, self.folders)]
        y = np.array([names.index(folder) for folder in history.folders], np.int32)
        return self.blend.among(names).stepped(history.mail[:], self.pairs, y, scores)

    def without(self, history: History) -> Self:
        """The model without these messages, which were learned in the folders that their entries name.

        Naive Bayes forgets them exactly. The steps of the blend can't be undone: it corrects itself as the same
        messages are learned in the right folders.
        """
        if not len(history) or self.learned is None:
            return self
        left = replace(self, learned=self.learned - self._counted(history))
        return left if left.folders else replace(left, learned=None, blend=None)

    def with_guesses(self, history: History) -> Self:
        """The model with its guesses for messages that it has not learned, and whether each guess was right."""
        if not len(history) or self.learned is None:
            return self
        folders, odds = self.odds(history.mail[:], set(self.folders))
        named = [folders[at] for at in odds.argmax(axis=1)]
        lies = set(zip(history.letters.tolist(), history.folders, strict=True))
        right = np.array([each in lies for each in zip(history.letters.tolist(), named, strict=True)])
        standing, records = self.records.following(named, history.folders, right)
        more = Guesses(odds.max(axis=1), self._seen(named), *standing, right)
        return replace(self, guesses=self.guesses + more, records=records)

    def _at(self, now: float) -> Self:
        """The same model at a later time: what it learned has faded since."""
        if now <= self.now:
            return self
        if self.half_life is None or self.learned is None:
            return replace(self, now=now)
        factor = max(0.5 ** ((now - self.now) / DAY / self.half_life), 1e-200)
        return replace(self, now=now, learned=self.learned * factor)

    def _counted(self, history: History) -> Learned:
        folders, y = history.coded()
        weight = None
        if self.half_life is not None:
            weight = np.maximum(0.5 ** ((self.now - history.dates) / DAY / self.half_life), 1e-200)
        return count(self._plans, Sample(read(history.mail[:]), y, folders, weight))

    @cached_property
    def _plans(self) -> list[Plan]:
        tunings = [TextTuning(PSEUDOCOUNT, float(scale), idf=True) for scale in self.scales]
        return [
            Plan(Text(tokens=how, of=len(COLUMNS), tuned_to=tuning), [at], Frame((column,)))
            for at, ((column, how), tuning) in enumerate(zip(tokens(self.pairs).items(), tunings, strict=True))
        ]

    @cached_property
    def bayes(self) -> NaiveBayesModel:
        """Naive Bayes, with the parameters estimated from what was learned. Its class prior has the pseudo-counts of
        `Text`, so that its scores are those of replay."""
        return NaiveBayesModel(learned=self.learned, class_prior=Dirichlet(0.5))

    # Predictions

    @property
    def folders(self) -> list[str]:
        """The folders that still have learned messages."""
        if self.learned is None:
            return []
        return [str(name) for name, rows in zip(self.learned.classes, self._rows, strict=True) if rows > 0]

    @property
    def messages(self) -> float:
        """The sum of the weights of all learned messages; a message that has faded has a weight below 1."""
        return float(self._rows.sum())

    @property
    def counts(self) -> list[float]:
        """The sum of the weights of the learned messages of each folder, in the order of `learned.classes`."""
        return [float(rows) for rows in self._rows]

    @property
    def _rows(self) -> NDArray[Any]:
        return np.zeros(0) if self.learned is None else self.learned.rows.table[:, 0]

    def _seen(self, folders: list[str]) -> Array:
        rows = {} if self.learned is None else dict(zip(self.learned.classes.tolist(), self._rows, strict=True))
        return np.array([float(rows.get(folder, 0)) for folder in folders])

    def scores(self, mail: pa.Table) -> Array:
        """The score of each message (row) for each folder that was ever learned (column)."""
        scores = self.bayes.score(read(mail))
        if self.blend is None or self.learned is None:
            return scores
        return self.blend.among(self.learned.classes.tolist()).added(mail, self.pairs, scores)

    def odds(self, mail: pa.Table, among: set[str]) -> tuple[list[str], Array]:
        """The folders in `among` that it knows, and the log-odds of each against all others of these, one row per
        message. Log-odds still rank messages whose probability rounds to 1."""
        known = [name for name in self.folders if name in among]
        if self.learned is None or not known:
            return known, np.empty((mail.num_rows, 0))
        return known, log_odds(self.scores(mail)[:, np.isin(self.learned.classes, known)])

    def chances(self, mail: pa.Table, among: set[str]) -> tuple[list[str], Array]:
        """The same folders, and p(folder | message), which sums to 1 over them."""
        known, odds = self.odds(mail, among)
        return known, probability(odds)

    @cached_property
    def confidence(self) -> Confidence:
        return Confidence.of(self.guesses)

    def sure(self, folders: list[str], odds: Array) -> Array:
        """The confidence in the most probable folder of each message."""
        named = [folders[at] for at in odds.argmax(axis=1)]
        unknown = np.zeros(len(named), np.bool)
        return self.confidence.sure(Guesses(odds.max(axis=1), self._seen(named), *self.records.of(named), unknown))

    @cached_property
    def _foretold(self) -> Array:
        return foretold(self.guesses, 2 * WINDOW)

    @cached_property
    def _thresholds(self) -> dict[float, float]:
        return {}

    def threshold(self, precision: float) -> float:
        """The least confidence at which a message is filed. Computed once per precision, in 8 ms."""
        if precision not in self._thresholds:
            sure = self._foretold
            right = self.guesses.right[len(self.guesses) - len(sure) :]
            self._thresholds[precision] = threshold(sure, right, precision)
        return self._thresholds[precision]

    def reasons(self, mail: pa.Table) -> Reasons:
        """Why the first message of a table gets its scores: what each word and mark adds."""
        reasons = Explanation(self.bayes, read(mail))[0]
        return reasons if self.blend is None else self.blend.reasons(mail[:1], self.pairs, reasons)
