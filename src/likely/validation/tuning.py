"""Tuning: the first rows are learned, others choose between the models, and the last measure the chosen one, once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from likely.printing import aligned
from likely.typing import ClassifiersLike, LabelsLike, TableLike, WeightsLike
from likely.validation.curves import named
from likely.validation.held_out import judged
from likely.validation.learner import learner
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import cut

By = Literal["error", "log_loss"]


@dataclass(frozen=True, eq=False)
class Tuned(Result):
    """The result of the chosen model, on rows that were not used for the choice. If no such rows are left, it has no
    error.

    See Also
    --------
    tune : makes it.
    """

    best: str = ""
    """The name of the model chosen."""
    by: By = "error"
    losses: dict[str, float] = None  # type: ignore[assignment]
    """The loss of each model on the rows that chose between them. That of the chosen model is too good to be true."""

    @property
    def error(self) -> float:
        if not len(self.rows):
            raise ValueError(
                "all rows were used to learn and to choose the model, so none can show its error: use three parts, "
                "such as parts=(0.6, 0.2, 0.2)"
            )
        return super().error

    def __str__(self) -> str:
        order = sorted(self.losses, key=self.losses.__getitem__)
        lines: list[tuple[str, ...]] = [
            ("model", "", self.by.replace("_", " ")),
            *((name, "", f"{self.losses[name]:.4f}") for name in order),
        ]
        table = aligned(lines)
        if not len(self.rows):
            return f"{self.how}\n{table}\nno rows are left to estimate the error of {self.best}"
        return f"{table}\n\n{super().__str__()}"


def tune(
    models: ClassifiersLike,
    x: TableLike,
    y: LabelsLike,
    parts: tuple[float, ...] = (0.6, 0.2, 0.2),
    *,
    by: By = "error",
    stratify: bool = False,
    time: LabelsLike | None = None,
    group: LabelsLike | None = None,
    sample_weight: WeightsLike = None,
    seed: int = 0,
) -> Tuned:
    """Chooses one of several models, and measures the chosen one on rows that were not used for the choice.

    Each model learns the first part of the rows and is judged on the second part. The best model then learns both, and
    predicts the third part, which no model has seen before. If models are equally good, the first is chosen.

    Parameters
    ----------
    models : classifier, list of them, or dict from name to classifier
        Likely's, or any of scikit-learn's. Their parameters are used, not what they may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    parts : tuple of 2 or 3 floats, default (0.6, 0.2, 0.2)
        The shares of the rows that are learned, that choose, and that measure. With two, the result has no error.
    by : "error" or "log_loss", default "error"
        What the models are compared by.
    stratify : bool, default False
        Whether each part has the same share of each class.
    time : numbers or dates, optional
        A value for each row. Earlier rows are learned and later ones judged.
    group : labels, optional
        A value for each row. Rows of one group stay together, so that no group is both learned and judged.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    Tuned
        A `Result` of the model chosen, with its name in `best` and the figures of all in `losses`.

    See Also
    --------
    learning_curve : compare models at several sizes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.priors import Laplace, MEstimate
    >>> from likely.validation import tune
    >>> models = {"m = 2": NaiveBayes(smoothing=MEstimate(2)), "Laplace": NaiveBayes(smoothing=Laplace())}
    >>> tuned = tune(models, X, y, by="log_loss")
    >>> tuned.best in models, len(tuned.rows)
    (True, 24)
    """
    if by not in ("error", "log_loss"):
        raise ValueError(f"models are chosen by 'error' or 'log_loss', not {by!r}")
    if len(parts) not in (2, 3):
        raise ValueError(f"rows are parted in two or three, not in {len(parts)}")
    bound = {name: learner(model, x, y, sample_weight) for name, model in named(models).items()}
    first = next(iter(bound.values()))
    fitted, choosing, *rest = cut(tuple(parts), first.sample.y, np.random.default_rng(seed), stratify, group, time)
    losses = {}
    for name in progress(list(bound), "models"):
        one = bound[name]
        judged_by = Result(name, **judged(one, one.learn(fitted), choosing))
        losses[name] = judged_by.error if by == "error" else judged_by.log_loss
    best = min(losses, key=losses.__getitem__)
    one = bound[best]
    title = f"{best}, best of {len(bound)} on {len(choosing)} rows"
    if not rest:
        nothing = np.zeros(0, np.intp)
        answers = np.zeros(0, np.int32)
        return Tuned(
            title, one.sample.classes, nothing, answers, answers, fit=one.final, best=best, by=by, losses=losses
        )
    measured = judged(one, one.learn(np.union1d(fitted, choosing)), rest[0])
    return Tuned(f"{title}; measured on {len(rest[0])} others", **measured, best=best, by=by, losses=losses)
