"""How a class is predicted from probabilities: by the costs of mistakes, by thresholds, or "unsure" if none is probable
enough."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.statistics import Labels

Array = NDArray[np.float64]

UNSURE = "unsure"
"""The prediction for a row without a predicted class."""


@dataclass(frozen=True, eq=False)
class DecisionRule:
    """Without options, it predicts the most probable class.

    With costs, it predicts the class of the least expected cost Σ p(true) · cost(true as predicted). A class with a
    threshold is predicted only if its probability reaches it. If several do, the one with the largest ratio of
    probability to threshold wins. If none does, the best class without a threshold is predicted; if there is none, the
    row is unsure. A row whose predicted class has a probability below `abstain` is unsure too.
    """

    classes: Labels
    costs: Array | None = None
    """The cost of each prediction (across) for each true class (down)."""
    thresholds: Array | None = None
    """The threshold of each class, NaN if it has none."""
    abstain: float = 0.0

    @classmethod
    def of(cls, classes: Labels, costs: Any = None, threshold: Any = None, abstain: float | None = None) -> Self:
        """`costs` as in `cost_table`; `threshold` is a dict from class to probability or, with two classes, the
        probability of the second."""
        if abstain is not None and not 0 <= abstain <= 1:
            raise ValueError(f"abstain is a probability from 0 to 1, not {abstain}")
        table = None if costs is None else cost_table(costs, classes)
        limits = None if threshold is None else _thresholds(threshold, classes)
        return cls(classes, table, limits, abstain or 0.0)

    def codes(self, p: Array) -> NDArray[np.int32]:
        """The position of the class predicted for each row of probabilities; -1 if it is unsure."""
        worth = p if self.costs is None else -(p @ self.costs)
        if self.thresholds is None:
            chosen = worth.argmax(axis=1)
        else:
            limited = ~np.isnan(self.thresholds)
            ratio = np.where(limited, p / np.where(limited, self.thresholds, 1.0), -np.inf)
            best = ratio.argmax(axis=1)
            others = np.where(limited, -np.inf, worth).argmax(axis=1) if not limited.all() else -1
            chosen = np.where(ratio[np.arange(len(p)), best] >= 1, best, others)
        unsure = (p[np.arange(len(p)), chosen] < self.abstain) | (chosen < 0)
        return np.where(unsure, -1, chosen).astype(np.int32)

    def __call__(self, p: Array) -> Labels:
        """The class predicted for each row, or `UNSURE`."""
        codes = self.codes(p)
        if (codes >= 0).all():
            return np.asarray(self.classes[codes])
        labels = self.classes.astype(object)[codes]
        labels[codes < 0] = UNSURE
        return np.asarray(labels)

    @property
    def can_be_unsure(self) -> bool:
        """Whether a row may have no predicted class."""
        return self.abstain > 0 or (self.thresholds is not None and not np.isnan(self.thresholds).any())


def cost_table(costs: Any, classes: Labels) -> Array:
    """The cost of predicting each class (across) for a row of each class (down).

    `costs` is a table of classes x classes; a dict from (true, predicted) to a number; a text such as "Yes as No: 10,
    No as Yes: 1", or a dict of that form; or a dict of dicts, {"Yes": {"No": 10}}. A mistake that is not named costs 1,
    a correct prediction 0; a gain is a cost below 0.
    """
    if isinstance(costs, str):
        costs = _named(costs)
    elif costs is None:
        costs = {}
    if not isinstance(costs, Mapping):
        table = np.asarray(costs, np.float64)
        if table.shape != (len(classes), len(classes)):
            raise ValueError(f"costs have shape {table.shape}; {len(classes)} x {len(classes)} numbers are needed")
    else:
        table = 1.0 - np.eye(len(classes))
        known = {str(label): k for k, label in enumerate(classes.tolist())}
        for pair, cost in _flat(costs).items():
            table[_pair(pair, known)] = _number(cost, pair)
    if not np.isfinite(table).all():
        raise ValueError("costs must be finite numbers")
    return table


def _flat(costs: Mapping[Any, Any]) -> dict[Any, Any]:
    """{true: {predicted: cost}} as {(true, predicted): cost}; other entries unchanged."""
    flat = dict[Any, Any]()
    for pair, cost in costs.items():
        flat |= {(pair, to): of_pair for to, of_pair in cost.items()} if isinstance(cost, Mapping) else {pair: cost}
    return flat


def _named(text: str) -> dict[str, Any]:
    """The costs in "Yes as No: 10, No as Yes: 1", or in JSON."""
    if text.lstrip().startswith("{"):
        try:
            costs = json.loads(text)
        except ValueError as error:
            raise ValueError(f"costs are not JSON: {error}") from None
        return dict(costs)
    pairs = [part.rpartition(":") for part in text.split(",")]
    if any(not name for name, _, _ in pairs):
        raise ValueError(f"costs are written as 'TRUE as PREDICTED: NUMBER, ...', not {text!r}")
    return {name.strip(): cost for name, _, cost in pairs}


def _pair(pair: Any, known: dict[str, int]) -> tuple[int, int]:
    """The positions of the true and the predicted class."""
    if isinstance(pair, str):
        ways = [(a, b) for a in known for b in known if pair == f"{a} as {b}"]  # "as" may be part of a name
    else:
        ways = [(str(pair[0]), str(pair[1]))] if len(pair) == 2 and {*map(str, pair)} <= known.keys() else []
    if len(ways) != 1:
        names = ", ".join(map(repr, list(known)[:5])) + (", ..." if len(known) > 5 else "")
        raise ValueError(f"a cost is for 'TRUE as PREDICTED', both of the classes {names}, not {pair!r}")
    return known[ways[0][0]], known[ways[0][1]]


def _number(cost: Any, pair: Any) -> float:
    try:
        return float(cost)
    except (TypeError, ValueError):
        raise ValueError(f"the cost of {pair!r} must be a number, not {cost!r}") from None


def _thresholds(threshold: Any, classes: Labels) -> Array:
    if not isinstance(threshold, Mapping):
        if len(classes) != 2:
            raise ValueError(f"a threshold for {len(classes)} classes is a dict from class to probability")
        threshold = {classes.tolist()[1]: threshold}
    known = {str(label): k for k, label in enumerate(classes.tolist())}
    thresholds = np.full(len(classes), np.nan)
    for label, limit in threshold.items():
        if str(label) not in known:
            raise ValueError(f"there is no class {label!r} for a threshold; the classes are {', '.join(known)}")
        limit = _number(limit, label)
        if not 0 < limit <= 1:
            raise ValueError(f"a threshold is a probability above 0 and at most 1; class {label!r} has {limit:g}")
        thresholds[known[str(label)]] = limit
    return thresholds
