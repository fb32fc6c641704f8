"""A labelling session: the rows, your answers, and the row that comes next."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likely.data import read
from likely.data.stream.columns import numbers
from likely.labelling.labels import Answer, Chosen, Labels, digest_of
from likely.labelling.learner import GrowingModel, RunningError

RANDOM_SHARE = 0.25
"""This share of the offered rows is drawn at random. The error is measured only on these, and on rows with labels in
the data. The other rows are those that the model is uncertain about: they are hard, and would make the error too
high."""

CANDIDATES = 1000
"""How many unlabelled rows are drawn at random; the one that the model is least certain about is offered."""

JUDGED = 2000
"""The most rows to measure the error on after each answer, so that it takes milliseconds: ± 2.2 % at worst."""

HOW: tuple[Chosen, ...] = ("given", "random", "uncertain", "sought")
NONE, SKIPPED = -1, -2


@dataclass(frozen=True)
class Offer:
    """The next row to label, and how it was chosen."""

    row: int
    chosen: Chosen


class Stale(Exception):
    """The page that sent an answer was out of date."""


class Session:
    """The state of a session. All of it follows from the data and the file of labels."""

    def __init__(
        self,
        columns: pa.Table,
        labels: Labels,
        given: list[str | None] | None = None,
        families: Any = None,
        shown: pa.Table | None = None,
        seed: int | None = None,
    ) -> None:
        """`columns` is the table that the model reads, `shown` the table that you see (by default the same), and
        `given` the labels in the data, with None for rows without one."""
        self.columns, self.labels, self.shown = columns, labels, columns if shown is None else shown
        self.given = given
        self.model = GrowingModel(read(columns), families)
        self._random = np.random.default_rng(seed)
        self._rank = np.random.default_rng(0).permutation(self.rows)
        """A fixed random order: if there are many rows, the error is always measured on the first ones."""
        self.load()

    @property
    def rows(self) -> int:
        return int(self.columns.num_rows)

    def load(self) -> None:
        """Reads all labels, and fits the model."""
        self.classes: list[str] = []
        self._codes: dict[str, int] = {}
        self.code: NDArray[np.int32] = np.full(self.rows, NONE, np.int32)
        self.how = np.full(self.rows, HOW.index("given"), np.uint8)
        self.answer = np.zeros(self.rows, np.int64)
        """The id of the last answer on each row; 0 if there is none."""
        self.unmatched = 0
        """How many answers are on rows that have changed since. They are kept, but not used."""
        for row, label in enumerate(self.given or ()):
            if label is not None:
                self.code[row] = self._code(label)
        for label in self.labels.classes():
            self._code(label)
        answers = list(self.labels.answers())
        digests = self._digests(np.array([answer.row for answer in answers if answer.row < self.rows], np.intp))
        for answer in answers:
            if answer.row >= self.rows or digests[answer.row] != answer.digest:
                self.unmatched += 1
            else:
                self._set(answer)
        self._fit()
        self.error: RunningError | None = self._judged()
        self.offer = self._next()

    def _code(self, label: str) -> int:
        if label not in self._codes:
            self._codes[label] = len(self.classes)
            self.classes.append(label)
        return self._codes[label]

    def _set(self, answer: Answer) -> None:
        self.code[answer.row] = SKIPPED if answer.label is None else self._code(answer.label)
        self.how[answer.row], self.answer[answer.row] = HOW.index(answer.chosen), answer.id

    def _digests(self, rows: NDArray[np.intp]) -> dict[int, bytes]:
        found = self.shown.take(numbers(rows)).to_pydict()
        return {int(row): digest_of(cells) for row, cells in zip(rows, zip(*found.values(), strict=True), strict=True)}

    def _is_there(self, answer: Answer) -> bool:
        """Whether the row of an answer is still there, and unchanged."""
        return answer.row < self.rows and self._digests(np.array([answer.row]))[answer.row] == answer.digest

    # Labels

    def label_of(self, row: int) -> str | None:
        code = int(self.code[row])
        return None if code < 0 else self.classes[code]

    @property
    def labelled(self) -> NDArray[np.intp]:
        return np.flatnonzero(self.code >= 0)

    def counts(self) -> dict[str, int]:
        """How many rows are labelled with each class; classes without rows have 0."""
        times = np.bincount(self.code[self.code >= 0], minlength=len(self.classes))
        return dict(zip(self.classes, times.tolist(), strict=True))

    def cells(self, row: int) -> dict[str, Any]:
        """The cells of a row that you see, by column."""
        return {name: values[0] for name, values in self.shown.slice(row, 1).to_pydict().items()}

    def labels_of(self, rows: NDArray[np.intp]) -> NDArray[np.object_]:
        return np.array(self.classes, object)[self.code[rows]]

    # Answers

    def say(self, row: int, label: str | None, seen: int) -> None:
        """Records your answer on a row: a class, known or new, or None to skip it. `seen` is the id of the last answer
        on this row that the page knew (0 for none): raises Stale if there is a newer one."""
        if not 0 <= row < self.rows:
            raise Stale(f"There is no row {row}; nothing was changed.")
        self.refresh()
        chosen: Chosen = self.offer.chosen if self.offer is not None and self.offer.row == row else "sought"
        if self.answer[row] or self.code[row] >= 0:  # a corrected label: how the row was chosen does not change
            chosen = HOW[self.how[row]]
        digest, old = self._digests(np.array([row]))[row], self.label_of(row)
        with self._whole():
            last = self.labels.last_of(row, digest)
            if seen != (0 if last is None else last.id):
                raise Stale(f"Row {row:,} was answered elsewhere since; nothing was changed.")
            if label is not None and label not in self.classes:
                self.labels.name(label)
            self._set(Answer(self.labels.add(row, digest, label, chosen), row, digest, label, chosen))
            self._learned(row, old)

    def undo(self) -> int | None:
        """Undoes the last answer, offers its row again, and returns the row; None if there is no answer."""
        self.refresh()
        with self._whole():
            undone = self.labels.undo()
            if undone is None:
                return None
            row = undone.row
            if not self._is_there(undone):
                self.unmatched -= 1
                return row
            old, before = self.label_of(row), self.labels.last_of(row, undone.digest)
            if before is not None:
                self._set(before)
            else:
                label = self.given[row] if self.given is not None else None
                self.code[row] = NONE if label is None else self._code(label)
                self.how[row], self.answer[row] = HOW.index("given"), 0
            self._learned(row, old)
        self.offer = Offer(row, undone.chosen)
        return row

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """A transaction: if it fails, the file is unchanged, and the memory is loaded from it again."""
        try:
            with self.labels.transaction():
                yield
        except BaseException:
            self.load()
            raise

    def refresh(self) -> bool:
        """Loads what other processes have written meanwhile; returns whether there was anything."""
        changed = self.labels.changed_by_others()
        if changed:
            self.load()
        return changed

    def _learned(self, row: int, old: str | None) -> None:
        labelled = len(self.labelled)
        if self.model.settled(labelled):
            self.model.changed(row, old, self.label_of(row))
        else:
            self._fit()
        self.error = self._judged()
        if self.error is not None:
            self.labels.keep_error(labelled, self.error.wrong, self.error.judged)
        if self.offer is None or self.offer.row == row:
            self.offer = self._next()

    def _fit(self) -> None:
        rows = self.labelled
        self.model.fit(rows, self.labels_of(rows))

    # The error

    def _judged(self) -> RunningError | None:
        rows = self.judges()
        return self.model.error(rows, self.labels_of(rows))

    def judges(self) -> NDArray[np.intp]:
        """The rows that the error is measured on: labelled in the data, or drawn at random."""
        rows = np.flatnonzero((self.code >= 0) & (self.how <= HOW.index("random")))
        most = self.model.at_once(JUDGED)
        return rows if len(rows) <= most else np.sort(rows[np.argpartition(self._rank[rows], most)[:most]])

    # The next row

    def _next(self) -> Offer | None:
        """The next row to label; skipped rows come last. None if all rows are labelled."""
        for code in (NONE, SKIPPED):
            left = np.flatnonzero(self.code == code)
            if len(left):
                return self._of(left)
        return None

    def _of(self, left: NDArray[np.intp]) -> Offer:
        if self.model.model is None or self._random.random() < RANDOM_SHARE:
            return Offer(int(self._random.choice(left)), "random")
        rows = self._random.choice(left, min(self.model.at_once(CANDIDATES), len(left)), replace=False)
        best = -np.sort(-self.model.probabilities(rows), axis=1)
        return Offer(int(rows[np.argmin(best[:, 0] - best[:, 1])]), "uncertain")


def labels_path(data: Path) -> Path:
    """The file of the labels of a file or folder: it is next to it."""
    return data.with_name(f"{data.name}.labels.sqlite")
