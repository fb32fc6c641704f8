"""What a filer has learned of an account: naive Bayes over the words and marks of its mail, how far it leans to
logistic regression, and how its guesses did."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data import Sample, encode_target, read
from likely.families import Plan, Text
from likely.families.text_tuning import TextTuning
from likely.mail.confidence import WINDOW, Confidence, Guesses, foretold, threshold
from likely.mail.history import History
from likely.mail.lean import Lean
from likely.mail.reading import COLUMNS, tokens
from likely.mail.replay import DAY, IMAGINED, SCALES, faded, worth_pairs
from likely.models.explain import Explanation, Reasons
from likely.models.learned import Learned, count
from likely.models.naive_bayes import NaiveBayesModel
from likely.optimize.softmax.problem import Array
from likely.statistics import Frame, Labels


@dataclass(frozen=True)
class MailModel:
    """A value: what learns gives another. Mail of `half_life` days before `now` counts half; None for no fading."""

    learned: Learned | None = None
    scales: Array = field(default_factory=lambda: SCALES)
    guesses: Guesses = field(default_factory=Guesses.none)
    half_life: float | None = None
    now: float = 0.0
    pairs: bool = False
    """Whether pairs of neighbouring words are counted too."""
    lean: Lean | None = None
    """How far it leans to logistic regression; None for naive Bayes alone."""
    chosen_by: int = 0
    """How many messages were there when scales, pairs and lean were chosen."""

    @classmethod
    def of(cls, history: History, half_life: float | str | None = None) -> Self:
        """Learns mail in the order of its dates, each message guessed before it is learned. A half-life of "auto" is
        chosen by replay."""
        if not len(history):
            return cls(half_life=None if half_life is None or half_life == "auto" else float(half_life))
        folders, y = encode_target(history.folders)
        pairs = worth_pairs(history.mail, y, len(folders))
        past, life = faded(history.mail, y, len(folders), history.dates, half_life, pairs)
        names = tuple(folders.tolist())
        lean = None if past.weights is None else Lean(names, past.weights, past.rate)
        empty = cls(None, past.scales, past.guesses, life, float(history.dates.max()), pairs, None, len(history))
        return replace(empty.with_learned(history), lean=lean)

    def with_learned(self, history: History) -> Self:
        if not len(history):
            return self
        later = self._at(float(history.dates.max()))
        counted = later._counted(history)
        if later.learned is None:
            return replace(later, learned=counted)
        learned = later.learned + counted
        return replace(later, learned=learned, lean=later._stepped(history, learned.classes))

    def _stepped(self, history: History, classes: Labels) -> Lean | None:
        """Its lean after these messages, which it has not learned; of folders that it does not know it cannot
        predict."""
        if self.lean is None or self.learned is None:
            return self.lean
        names = classes.tolist()
        scores = np.full((len(history), len(names)), -np.inf)
        known = np.isin(classes, self.folders)
        scores[:, known] = self.bayes.score(read(history.mail))[:, np.isin(self.learned.classes, self.folders)]
        y = np.array([names.index(folder) for folder in history.folders], np.int32)
        return self.lean.among(names).stepped(history.mail, self.pairs, y, scores)

    def without(self, history: History) -> Self:
        """With these messages forgotten, which were learned of the folders that their entries name.

        What naive Bayes counted of them is gone to the last digit. Steps can't be taken back: its lean stays, and is
        mended as the same messages are learned of the right folders.
        """
        if not len(history) or self.learned is None:
            return self
        return replace(self, learned=self.learned - self._counted(history))

    def with_guesses(self, history: History) -> Self:
        """With what it would have guessed of messages, that it has not learned, and where you put them."""
        if not len(history) or self.learned is None:
            return self
        folders, chances = self.chances(history.mail, set(self.folders))
        best = chances.argmax(axis=1)
        right = np.array([folders[at] == entry.folder for at, entry in zip(best, history.entries, strict=True)])
        told = Guesses(chances.max(axis=1), self._seen([folders[at] for at in best]), right)
        return replace(self, guesses=self.guesses + told)

    def _at(self, now: float) -> Self:
        """The same at a later time: all that was learned has faded."""
        if now <= self.now:
            return self
        if self.half_life is None or self.learned is None:
            return replace(self, now=now)
        factor = max(0.5 ** ((now - self.now) / DAY / self.half_life), 1e-200)
        return replace(self, now=now, learned=self.learned * factor)

    def _counted(self, history: History) -> Learned:
        folders, y = encode_target(history.folders)
        weight = None
        if self.half_life is not None:
            weight = np.maximum(0.5 ** ((self.now - history.dates) / DAY / self.half_life), 1e-200)
        return count(self._plans, Sample(read(history.mail), y, folders, weight))

    @cached_property
    def _plans(self) -> list[Plan]:
        tunings = [TextTuning(IMAGINED, float(scale)) for scale in self.scales]
        return [
            Plan(Text(tokens=how, of=len(COLUMNS), tuned_to=tuning), [at], Frame((column,)))
            for at, ((column, how), tuning) in enumerate(zip(tokens(self.pairs).items(), tunings, strict=True))
        ]

    @cached_property
    def bayes(self) -> NaiveBayesModel:
        """What was learned, as it scores."""
        return NaiveBayesModel(learned=self.learned)

    # What it says

    @property
    def folders(self) -> list[str]:
        """Those that have something left."""
        if self.learned is None:
            return []
        return [str(name) for name, rows in zip(self.learned.classes, self._rows, strict=True) if rows > 0]

    @property
    def messages(self) -> float:
        """How many count; those that have faded for what is left of them."""
        return float(self._rows.sum())

    @property
    def counts(self) -> list[float]:
        """How many messages of each folder that was ever learned count."""
        return [float(rows) for rows in self._rows]

    @property
    def _rows(self) -> NDArray[Any]:
        return np.zeros(0) if self.learned is None else self.learned.rows.table[:, 0]

    def _seen(self, folders: list[str]) -> Array:
        rows = {} if self.learned is None else dict(zip(self.learned.classes.tolist(), self._rows, strict=True))
        return np.array([float(rows.get(folder, 0)) for folder in folders])

    def scores(self, mail: pa.Table) -> Array:
        """Of each message and each folder that was ever learned."""
        scores = self.bayes.score(read(mail))
        if self.lean is None or self.learned is None:
            return scores
        return self.lean.among(self.learned.classes.tolist()).added(mail, self.pairs, scores)

    def chances(self, mail: pa.Table, among: set[str]) -> tuple[list[str], Array]:
        """Folders among those given that it knows, and p(folder | message) of each; they sum to 1."""
        known = [name for name in self.folders if name in among]
        if self.learned is None or not known:
            return known, np.empty((mail.num_rows, 0))
        scores = self.scores(mail)[:, np.isin(self.learned.classes, known)]
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return known, np.asarray(odds / odds.sum(axis=1, keepdims=True))

    @cached_property
    def confidence(self) -> Confidence:
        return Confidence.of(self.guesses)

    def sure(self, folders: list[str], chances: Array) -> Array:
        """The confidence in the most probable folder of each message."""
        return self.confidence.sure(chances.max(axis=1), self._seen([folders[at] for at in chances.argmax(axis=1)]))

    @cached_property
    def _foretold(self) -> Array:
        return foretold(self.guesses, WINDOW)

    def threshold(self, precision: float) -> float:
        return threshold(self._foretold, precision)

    def reasons(self, mail: pa.Table) -> Reasons:
        """Why the first message of a table gets its scores."""
        reasons = Explanation(self.bayes, read(mail))[0]
        return reasons if self.lean is None else self.lean.reasons(mail[:1], self.pairs, reasons)
