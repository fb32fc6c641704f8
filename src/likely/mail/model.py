"""What a filer has learned of an account: naive Bayes over the words and marks of its mail, and how its guesses did."""

import json
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO
from typing import Any, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely import _native
from likely.data import encode_target, read
from likely.families import Text
from likely.families.dials import Dials
from likely.mail.confidence import WINDOW, Array, Confidence, Guesses, foretold, threshold
from likely.mail.history import History
from likely.mail.replay import COLUMNS, DAY, IMAGINED, SCALES, growth_of, replay, tokens, worth_pairs
from likely.models.block import Block, Plan
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import Learned, NaiveBayes, count
from likely.statistics import Counts, Frame, Labels, Tallies, Vocabulary

FORM = 1
"""Of what `Model.saved` writes; another is not read."""


@dataclass(frozen=True)
class Model:
    """A value: what learns gives another. Mail of `half_life` days before `now` counts half; None for no fading."""

    learned: Learned | None = None
    scales: Array = field(default_factory=lambda: SCALES)
    guesses: Guesses = field(default_factory=Guesses.none)
    half_life: float | None = None
    now: float = 0.0
    pairs: bool = False
    """Whether pairs of neighbouring words are counted too."""

    @classmethod
    def of(cls, history: History, half_life: float | None = None) -> Self:
        """Learns mail in the order of its dates, each message guessed before it is learned."""
        if not len(history):
            return cls(half_life=half_life)
        folders, y = encode_target(history.folders)
        growth = None if half_life is None else growth_of(history.dates, half_life)
        pairs = worth_pairs(history.mail, y, len(folders))
        past = replay(history.mail, y, len(folders), growth, pairs)
        empty = cls(None, past.scales, past.guesses, half_life, float(history.dates.max()), pairs)
        return empty.with_learned(history)

    def with_learned(self, history: History) -> Self:
        if not len(history):
            return self
        later = self._at(float(history.dates.max()))
        counted = later._counted(history)
        return replace(later, learned=counted if later.learned is None else later.learned + counted)

    def without(self, history: History) -> Self:
        """With these messages forgotten, which were learned of the folders that their entries name."""
        if not len(history) or self.learned is None:
            return self
        return replace(self, learned=self.learned - self._counted(history))

    def with_guesses(self, history: History) -> Self:
        """With what it would have guessed of messages, that it has not learned, beside where their owner put them."""
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
        return count(self._plans, read(history.mail), folders, y, weight)

    @cached_property
    def _plans(self) -> list[Plan]:
        dials = [Dials(IMAGINED, float(scale)) for scale in self.scales]
        return [
            Plan(Text(tokens=how, of=len(COLUMNS), tuned_to=dial), [at], Frame((column,)))
            for at, ((column, how), dial) in enumerate(zip(tokens(self.pairs).items(), dials, strict=True))
        ]

    @cached_property
    def _bayes(self) -> NaiveBayes:
        bayes = NaiveBayes()
        bayes.learned, bayes.names, bayes.kinds = self.learned, COLUMNS, ("text", "text")
        return bayes

    # What it says

    @property
    def folders(self) -> list[str]:
        """Those of which something is left."""
        if self.learned is None:
            return []
        return [str(name) for name, rows in zip(self.learned.classes, self._rows, strict=True) if rows > 0]

    @property
    def messages(self) -> float:
        """How many count; those that have faded for what is left of them."""
        return float(self._rows.sum())

    @property
    def _rows(self) -> NDArray[Any]:
        return np.zeros(0) if self.learned is None else self.learned.rows.table[:, 0]

    def _seen(self, folders: list[str]) -> Array:
        rows = {} if self.learned is None else dict(zip(self.learned.classes.tolist(), self._rows, strict=True))
        return np.array([float(rows.get(folder, 0)) for folder in folders])

    def chances(self, mail: pa.Table, among: set[str]) -> tuple[list[str], Array]:
        """Folders among those given that it knows, and p(folder | message) of each; they sum to 1."""
        known = [name for name in self.folders if name in among]
        if self.learned is None or not known:
            return known, np.empty((mail.num_rows, 0))
        scores = self._bayes.score(read(mail))[:, np.isin(self.learned.classes, known)]
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return known, np.asarray(odds / odds.sum(axis=1, keepdims=True))

    @cached_property
    def confidence(self) -> Confidence:
        return Confidence.of(self.guesses)

    def sure(self, folders: list[str], chances: Array) -> Array:
        """How sure it is of the likeliest folder of each message."""
        return self.confidence.sure(chances.max(axis=1), self._seen([folders[at] for at in chances.argmax(axis=1)]))

    @cached_property
    def _foretold(self) -> Array:
        return foretold(self.guesses, WINDOW)

    def threshold(self, precision: float) -> float:
        return threshold(self._foretold, precision)

    def reasons(self, mail: pa.Table) -> Reasons:
        """Why the first message of a table gets its scores."""
        return Explanation(self._bayes, read(mail))[0]

    # As bytes

    def saved(self) -> bytes:
        arrays: dict[str, NDArray[Any]] = {
            "scales": self.scales,
            "chance": self.guesses.chance,
            "seen": self.guesses.seen,
            "right": self.guesses.right,
        }
        classes: list[str] = []
        if self.learned is not None:
            classes = self.learned.classes.tolist()
            arrays["rows"] = self.learned.rows.table
            for column, block in zip(COLUMNS, self.learned.blocks, strict=True):
                tallies = block.statistics
                assert isinstance(tallies, Tallies)
                assert tallies.words is not None
                ends, letters = tallies.words.buffers
                parts: dict[str, NDArray[Any]] = {
                    "ends": ends,
                    "letters": letters,
                    "starts": tallies.starts,
                    "at": tallies.at,
                }
                parts |= {"totals": tallies.totals, "texts": tallies.texts}
                arrays |= {f"{column}.{name}": array for name, array in parts.items()}
        told = {"form": FORM, "folders": classes, "half_life": self.half_life, "now": self.now, "pairs": self.pairs}
        arrays["told"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
        out = BytesIO()
        np.savez(out, **arrays)  # type: ignore[arg-type]
        return out.getvalue()

    @classmethod
    def loaded(cls, data: bytes) -> Self:
        with np.load(BytesIO(data), allow_pickle=False) as file:
            arrays = dict(file)
        told = json.loads(arrays["told"].tobytes())
        if told["form"] != FORM:
            raise ValueError(f"the model was written by another version, in form {told['form']}: learn anew")
        guesses = Guesses(arrays["chance"], arrays["seen"], arrays["right"])
        model = cls(None, arrays["scales"], guesses, told["half_life"], told["now"], told["pairs"])
        if "rows" not in arrays:
            return model
        blocks = tuple(
            Block(plan, _tallies({name: arrays[f"{column}.{name}"] for name in TALLIED}))
            for column, plan in zip(COLUMNS, model._plans, strict=True)
        )
        classes: Labels = np.array(told["folders"], object)
        return replace(model, learned=Learned(classes, Counts(arrays["rows"]), blocks))


TALLIED = ("ends", "letters", "starts", "at", "totals", "texts")


def _tallies(parts: dict[str, NDArray[Any]]) -> Tallies:
    words = Vocabulary(_native.words_of(parts["ends"], parts["letters"]))
    return Tallies(words, parts["starts"], parts["at"], parts["totals"], parts["texts"])
