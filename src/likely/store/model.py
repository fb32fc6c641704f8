"""Stores a model and its origin in one file."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from textwrap import shorten
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from likely import __version__
from likely.data.row_digest import RowDigest
from likely.data.table import Table
from likely.models.calibration import Calibration, Steps
from likely.models.gaussian import GaussianModel
from likely.models.log_odds import log_odds, logs
from likely.models.naive_bayes import NaiveBayesModel
from likely.models.prediction_sets import Conformity
from likely.store import container, naive_bayes
from likely.store.container import BadModelFile
from likely.store.values import Reader, Writer

Array = NDArray[np.float64]


class Kind(NamedTuple):
    """How a kind of model is split into parts for a file, and made from them again."""

    model: type[Any]
    parts: Callable[[Any], dict[str, Any]]
    made: Callable[[dict[str, Any]], Any]


def _logistic() -> Kind:
    from likely.models.logistic.regression import LogisticModel  # imported only here: other kinds do not need it
    from likely.store import logistic

    return Kind(LogisticModel, logistic.parts, logistic.logistic)


def _network() -> Kind:
    from likely.models.network.model import NetworkModel
    from likely.store import network

    return Kind(NetworkModel, network.parts, network.network)


KINDS: dict[str, Callable[[], Kind]] = {
    "gaussian": lambda: Kind(GaussianModel, naive_bayes.parts, naive_bayes.gaussian),
    "naive_bayes": lambda: Kind(NaiveBayesModel, naive_bayes.parts, naive_bayes.naive_bayes),
    "logistic": _logistic,
    "network": _network,
}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Origin:
    """The data that a model was trained on, and how they were read."""

    rows: int | None = None
    """How many rows were learned; None if it is not known."""
    date: str = field(default_factory=_now)
    source: str = "table"
    """ "table", "texts" (in folders) or "mail"."""
    target: str | None = None
    weights: str | None = None
    missing: Any = None
    """A value that marks a missing cell of a table in memory."""
    schema: dict[str, Any] | None = None
    """The type of each column, and how its cells are written (`likely.data.schema.Schema` as plain values); None if the
    data were not read from a file."""
    wrong: int | None = None
    """How many of the `left_out` rows were predicted wrongly in validation; None after more rows were learned."""
    left_out: int | None = None

    def later(self, rows: int) -> Self:
        """The origin after this many more rows (fewer if negative): the error is no longer known."""
        known = None if self.rows is None else self.rows + rows
        return replace(self, rows=known, date=_now(), wrong=None, left_out=None)


class Stored(NamedTuple):
    model: Any
    origin: Origin
    calibration: Calibration | None = None
    calibrate: Any = False
    """The option `calibrate`, which another fit would use."""
    class_weight: Any = None
    version: str = __version__
    """The version of Likely that wrote it."""
    digest: RowDigest | None = None
    """The digest of the learned rows; None if there is none."""

    def predict_proba(self, table: Table) -> Array:
        """p(y | x) of each row and class, calibrated if the model is."""
        if self.calibration is None:
            return np.asarray(self.model.predict_proba(table))
        return self.calibration(self.model.predict_proba(table, log=True))

    def predict_log_proba(self, table: Table) -> Array:
        """log p(y | x) of each row and class, calibrated if the model is."""
        if self.calibration is None:
            return np.asarray(self.model.predict_proba(table, log=True))
        return logs(self.predict_proba(table))

    def log_odds(self, table: Table) -> Array:
        """The log-odds of each class against all others: they rank even rows whose probability rounds to 1."""
        return log_odds(self.predict_log_proba(table))


def save(
    path: str | os.PathLike[str],
    model: Any,
    origin: Origin,
    calibration: Calibration | None = None,
    calibrate: Any = False,
    class_weight: Any = None,
    digest: RowDigest | None = None,
) -> None:
    """Writes the model. If anything goes wrong, no file is written."""
    kind = next((name for name, kind in KINDS.items() if type(model) is kind().model), None)
    if kind is None:
        raise TypeError(f"a model file does not hold a {type(model).__name__}")
    writer = Writer()
    manifest = {
        "kind": kind,
        "origin": writer.plain(asdict(origin), "origin"),
        "calibrate": writer.plain(calibrate, "calibrate"),
        "calibration": writer.plain(calibration, "calibration"),
        "class_weight": writer.plain(class_weight, "class_weight"),
        "digest": writer.plain(digest, "digest"),
        "parts": {name: writer.plain(part, name) for name, part in KINDS[kind]().parts(model).items()},
    }
    container.write(path, __version__, json.dumps(manifest, separators=(",", ":")), writer.arrays)


def load(path: str | os.PathLike[str]) -> Stored:
    """The model in a file, exactly as it was saved. Raises BadModelFile if the file was changed or damaged. Runs no
    code."""
    return made(container.read(path), repr(os.fspath(path)))


def made(contents: container.Contents, name: str) -> Stored:
    """The model in the contents of a file; `name` is the file's name for errors."""
    try:
        manifest, reader = json.loads(contents.text), Reader(contents.arrays, len(contents.text))
        origin = Origin(**reader.value(manifest["origin"]))
        model = KINDS[manifest["kind"]]().made({part: reader.value(plain) for part, plain in manifest["parts"].items()})
        calibration = reader.value(manifest["calibration"])
        _check(calibration, len(model.classes))
        how = reader.value(manifest["calibrate"]), reader.value(manifest.get("class_weight"))
        digest = reader.value(manifest.get("digest"))
        if not isinstance(digest, RowDigest | None):
            raise ValueError("the digest of learned rows is none")
        return Stored(model, origin, calibration, *how, contents.version, digest)
    except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        why = shorten(f"it has no {error}" if isinstance(error, KeyError) else str(error), 200, placeholder=" ...")
        raise BadModelFile(
            f"{name}, written by Likely {contents.version}, holds no model that Likely {__version__} can read: {why}"
        ) from None


def _check(calibration: Any, classes: int) -> None:
    if calibration is None:
        return
    fits = isinstance(calibration, Calibration) and calibration.scale > 0 and calibration.offset.shape == (classes,)
    fits = fits and len(calibration.curves) in (0, classes) and bool(np.isfinite(calibration.offset).all())
    curves = (*calibration.curves, *([] if calibration.winner is None else [calibration.winner]))
    if not fits or not all(map(_rises, curves)):
        raise ValueError("the calibration does not fit the classes")
    if calibration.conformity is not None:
        _check_conformity(calibration.conformity, classes)


def _rises(curve: Steps) -> bool:
    x, y = curve
    fits = x.ndim == 1 and x.shape == y.shape and x.size > 0 and bool(np.isfinite(x).all())
    return fits and bool((np.diff(x) > 0).all() and (np.diff(y) >= 0).all() and y[0] > 0 and y[-1] <= 1)


def _check_conformity(conformity: Any, classes: int) -> None:
    """Raises ValueError unless all classes exist, and each row has a probability."""
    fits = isinstance(conformity, Conformity) and conformity.y.ndim == 1 and conformity.own.shape == conformity.y.shape
    if not fits or not ((conformity.y >= 0) & (conformity.y < classes)).all():
        raise ValueError("what prediction sets go by does not fit the classes")
    weight = conformity.weight
    if weight is not None and (weight.shape != conformity.y.shape or not ((weight >= 0) & (weight < np.inf)).all()):
        raise ValueError("the weights of what prediction sets go by do not fit its rows")
    if not ((conformity.own >= 0) & (conformity.own <= 1)).all():
        raise ValueError("prediction sets go by probabilities from 0 to 1")
