"""A model and where it comes from, in one file."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from likely import __version__
from likely.models.gaussian import Gaussian
from likely.models.naive_bayes import NaiveBayes
from likely.store import container, naive_bayes
from likely.store.container import BadModelFile
from likely.store.values import Reader, Writer


class Kind(NamedTuple):
    """How a kind of model is taken apart and put together again."""

    model: type[Any]
    parts: Callable[[Any], dict[str, Any]]
    made: Callable[[dict[str, Any]], Any]


KINDS = {
    "gaussian": Kind(Gaussian, naive_bayes.parts, naive_bayes.gaussian),
    "naive_bayes": Kind(NaiveBayes, naive_bayes.parts, naive_bayes.naive_bayes),
}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Origin:
    """What a model was trained on, and how that was read."""

    rows: int | None = None
    """How many were read; None where that is not known."""
    date: str = field(default_factory=_now)
    source: str = "table"
    """A "table", "texts" in folders, or "mail"."""
    target: str | None = None
    weights: str | None = None
    missing: Any = None
    """A value that stands for a missing cell."""
    moments: dict[str, str] = field(default_factory=dict)
    """The Arrow types of columns that hold times: as numbers, they are of one unit."""
    wrong: int | None = None
    """How many rows were told wrongly when each was left out, of how many; None once others have been learned."""
    left_out: int | None = None

    def later(self, rows: int) -> Self:
        """After so many more rows, or fewer: the error is no longer known."""
        known = None if self.rows is None else self.rows + rows
        return replace(self, rows=known, date=_now(), wrong=None, left_out=None)


class Stored(NamedTuple):
    model: Any
    origin: Origin
    version: str = __version__
    """Of the Likely that wrote it."""


def save(path: str | os.PathLike[str], model: Any, origin: Origin) -> None:
    """Writes the model whole or, if anything goes wrong, not at all."""
    kind = next((name for name, kind in KINDS.items() if type(model) is kind.model), None)
    if kind is None:
        raise TypeError(f"a model file does not hold a {type(model).__name__}")
    writer = Writer()
    told = {"kind": kind, "origin": writer.plain(asdict(origin), "origin")}
    told["parts"] = {name: writer.plain(part, name) for name, part in KINDS[kind].parts(model).items()}
    container.write(path, __version__, json.dumps(told, separators=(",", ":")), writer.arrays)


def load(path: str | os.PathLike[str]) -> Stored:
    """The model, as it was saved to the bit. Raises BadModelFile if the file is not as it was written; runs nothing."""
    return made(container.read(path), repr(os.fspath(path)))


def made(contents: container.Contents, name: str) -> Stored:
    """The model of a file with this name."""
    try:
        told, reader = json.loads(contents.text), Reader(contents.arrays)
        origin = Origin(**reader.value(told["origin"]))
        model = KINDS[told["kind"]].made({part: reader.value(plain) for part, plain in told["parts"].items()})
        return Stored(model, origin, contents.version)
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise BadModelFile(f"{name} holds no model that Likely {__version__} can read: {error}") from None
