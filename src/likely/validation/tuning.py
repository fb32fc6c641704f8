"""Tuning: some rows are learned, others choose between the models, and the last measure the one chosen, once."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from likely.printing import aligned
from likely.validation.curves import named
from likely.validation.held_out import judged
from likely.validation.learner import learner
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import cut

By = Literal["error", "log_loss"]


@dataclass(frozen=True, eq=False)
class Tuned(Result):
    """Of the model chosen, on rows that had no part in the choice; without any of those it has no error to show."""

    best: str = ""
    """The name of the model chosen."""
    by: By = "error"
    losses: dict[str, float] = None  # type: ignore[assignment]
    """What each model was judged by, on the rows that chose: of the one chosen it is too good to be true."""

    @property
    def error(self) -> float:
        if not len(self.rows):
            raise ValueError(
                "the rows left chose the model, and so cannot show its error: give tune a third part, such as "
                "parts=(0.6, 0.2, 0.2)"
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
    models: Any,
    x: Any,
    y: Any,
    parts: tuple[float, ...] = (0.6, 0.2, 0.2),
    *,
    by: By = "error",
    stratify: bool = False,
    time: Any = None,
    group: Any = None,
    sample_weight: Any = None,
    seed: int = 0,
) -> Tuned:
    """Chooses one of several models, given by name or in a list, and measures it.

    Each learns the first part of the rows and is judged by the second; the best, the first of those alike, then learns
    both and answers the third, which nothing else has seen. With two parts it is chosen only, and refuses to estimate
    an error. The parts are drawn as in `holdout`.
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
