"""Leave-one-out: each row is judged by a model of all other rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from likely import _native
from likely.data import Sample
from likely.errors import BadCell
from likely.models.calibration import How
from likely.models.log_odds import logs
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import counted
from likely.typing import Classifier, LabelsLike, TableLike, WeightsLike
from likely.validation.calibrate import calibration
from likely.validation.folds import answers_of_parts
from likely.validation.frames import Choice, chosen_by_rows, in_view, optimism, sentence
from likely.validation.learner import Answers, Learner, Model, ModelLearner, learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import folds

FEW = 1_000
"""With at most this many rows, prediction sets use choices made without the row. With more, one row changes no
choice."""
FRAMES = 10
"""How often the choices that depend on rows (families, bins) are made again, each time without a tenth of the rows."""

SCORES, BYTES = 500_000, 4 << 20
"""Up to these numbers (rows times columns times classes, and bytes of rows), `fit` makes the choices again too, as it
costs little: 0.5 s for telco-churn with 7,043 rows, 19 columns and 2 classes. For a multivariate Gaussian, pairs of
columns count."""

CHECKED = 5
"""How many models are fitted without a row, to show how good the approximation is: for the rows of highest leverage,
where it is worst."""

MOST_AGAIN = 20
"""The most rows for which a model is fitted again because the approximation does not hold."""


Judged = TypeVar("Judged", bound=Result)


@dataclass(frozen=True, eq=False)
class LeaveOneOut(Result):
    scores: Array | None = None
    """log p(x, y) of each row and class; None if there is no closed form."""
    leverage: Array | None = None
    """How much each row influences its own fitted score, from 0 to 1; None if the scores are exact."""
    worst: float | None = None
    """The largest error of an approximate probability, among the rows of highest leverage."""


def leave_one_out(
    model: Classifier | Model,
    x: TableLike,
    y: LabelsLike,
    *,
    frame: Choice = "refit",
    sample_weight: WeightsLike = None,
    seed: int = 0,
) -> LeaveOneOut:
    """Leave-one-out: each row is predicted by a model of all other rows.

    For models that count rows it is exact, in one pass. For logistic regression it is one Newton step for each row, and
    the notes show the largest error of this approximation. Any other model is fitted once for each row.

    Parameters
    ----------
    model : classifier
        One of Likely's, or any scikit-learn classifier. Its parameters are used, not what it may have learned.
    x : table
        numpy, scipy sparse, pandas, polars, pyarrow, or a list of texts.
    y : labels
        The class of each row.
    frame : "refit" or "kept", default "refit"
        "refit" makes the choices that depend on rows (families, bins, options with "auto") again ten times, each time
        without the tenth of the rows that is then predicted; the notes list them. A category that only one row has is
        unknown to the model that predicts the row. "kept" makes the choices once on all rows: faster, but the figures
        are a little too good.
    sample_weight : numbers, optional
        The weight of each row; 1 by default.
    seed : int, default 0
        The seed of the random numbers.

    Returns
    -------
    LeaveOneOut
        A `Result`: the predictions with the error, its interval, log loss, calibration and confusion. `print` shows
        them.

    See Also
    --------
    cross_validate : k folds, for models without a closed form.
    audit : which labels are likely wrong.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.datasets import animals
    >>> table = animals()
    >>> X, y = table.drop(columns="animal"), table["animal"]
    >>> from likely.validation import leave_one_out
    >>> result = leave_one_out(NaiveBayes(), X, y)
    >>> round(result.error, 3), [round(end, 3) for end in result.interval]
    (0.115, [0.07, 0.183])
    """
    if frame not in ("refit", "kept"):
        raise ValueError(f"the frame is 'refit' or 'kept', not {frame!r}")
    if getattr(model, "calibrate", False) and hasattr(model, "set_params"):
        return _calibrated(model, x, y, frame, sample_weight, seed)
    bound = learner(model, x, y, sample_weight)
    if isinstance(bound, ModelLearner):
        return _counted(bound, frame, seed) if bound.model.counts_rows else _approximate(bound)
    n = len(bound.sample)
    return LeaveOneOut(**_common(bound, f"{n} fits", answers_of_parts(bound, np.arange(n), n)))


def loo_of_learned(model: NaiveBayesModel, sample: Sample, everything: bool) -> Result:
    """The leave-one-out predictions of a model that counts rows, for rows that it has learned, as `fit` and reports
    show them. If `sample` is `everything` that it has learned, and small, choices are made again without the judged
    rows."""
    columns = sum(len(block.columns) ** (2 if block.family.joint else 1) for block in model.blocks)
    few = len(sample) * columns * len(model.classes) <= SCORES
    if everything and few and len(sample) * sample.table.row_bytes <= BYTES:
        found = _counted(ModelLearner(model.unlearned, sample.known()), "refit", 0)
        return Result(
            "leave-one-out", found.classes, found.rows, found.y, found.answers, found.log_p, found.weight, found.notes
        )
    answers, log_p = Answers.of(model.loo_proba(sample, model.loo_scores(sample), log=True))
    rows = np.arange(len(sample))
    return Result("leave-one-out", model.classes, rows, sample.y, answers, log_p, sample.weight, optimism(model))


def _common(bound: Learner, how: str, answers: Answers) -> dict[str, Any]:
    sample = bound.sample
    return {
        "how": f"{bound.name}, leave-one-out: {how}",
        "classes": sample.classes,
        "rows": np.arange(len(sample)),
        "y": sample.y,
        "answers": answers.codes,
        "log_p": answers.log_p,
        "weight": sample.weight,
        "fit": bound.final,
    }


def _counted(bound: ModelLearner, frame: Choice, seed: int) -> LeaveOneOut:
    sample = bound.sample
    whole: Any = bound.learn(np.arange(len(sample)))
    chosen, notes = chosen_by_rows(whole), list[str]()
    scores, alone, folded = np.empty((len(sample), len(sample.classes))), 0, 0
    if frame == "kept" or not chosen:
        scores, alone = _scores(whole, sample, frame == "refit")
        notes += in_view(chosen)
    else:
        part = folds(min(FRAMES, len(sample)), sample.y, np.random.default_rng(seed))
        for fold in progress(range(int(part.max()) + 1), "leave-one-out"):
            rows, others = np.flatnonzero(part == fold), np.flatnonzero(part != fold)
            without: Any = bound.learn(others)
            try:
                learned: Any = bound.learn_more(without, others, rows)
            except BadCell:  # a family that was chosen without these rows can't read one of their cells
                learned, folded = whole, folded + len(rows)
            scores[rows], more = _scores(learned, sample.take(rows), True)
            alone += more
        times = f"{int(part.max()) + 1} times, each time without the rows that were then judged."
        notes.append(f"{sentence(chosen)} were chosen {times}")
    if folded:
        unread = "rows are judged with choices made on all rows: a family chosen without them can't read a cell."
        notes.append(f"{folded:,} {unread}")
    if alone:
        have, are = ("has", "it is") if alone == 1 else ("have", "they are")
        only = f"{counted(alone, 'row')} {have} a category that no other row has"
        notes.append(f"{only}; {are} judged with that category unknown.")
    answers = Answers.of(whole.loo_proba(sample, scores, log=True))
    return LeaveOneOut(**_common(bound, "in closed form", answers), notes=tuple(notes), scores=scores)


def _scores(learned: NaiveBayesModel, sample: Sample, own_categories: bool) -> tuple[Array, int]:
    """The leave-one-out log p(x, y) of each row, and how many rows have a category that no other row has."""
    among = sample.among(learned.classes)
    scores = learned.loo_scores(among)
    return scores, learned.unlearn_own_categories(among, scores) if own_categories else 0


def _calibrated(model: Any, x: Any, y: Any, frame: Choice, sample_weight: Any, seed: int) -> LeaveOneOut:
    from sklearn.base import clone

    plain = clone(model).set_params(calibrate=False)
    raw = leave_one_out(plain, x, y, frame=frame, sample_weight=sample_weight, seed=seed)
    final = learner(model, x, y, sample_weight).final
    return replace(calibrated(raw, model.calibrate, seed), how=f"{raw.how}, calibrated", fit=final)


def calibrated(raw: Judged, how: How | bool, seed: int) -> Judged:
    """The result with calibrated probabilities: those of each tenth of the rows, by a map learned from the others."""
    log_p = raw.log_probabilities
    p = np.empty(log_p.shape)
    part = folds(min(FRAMES, len(p)), raw.y, np.random.default_rng(seed))
    for fold in range(int(part.max()) + 1):
        others, weight = part != fold, None if raw.weight is None else raw.weight[part != fold]
        p[~others] = calibration(log_p[others], raw.y[others], raw.classes, how, weight)(log_p[~others])
    answers, mapped = Answers.of(logs(p))
    return replace(raw, log_p=mapped, answers=answers)


def unchosen_log_p(model: NaiveBayesModel, sample: Sample) -> Array | None:
    """Leave-one-out log probabilities with choices made without the row, for prediction sets. None for more than `FEW`
    rows, and if no choice depends on rows.

    If the row takes part in the choice of families and weights, its class looks more probable than the class of a new
    row. 95 % sets from half of sonar, 104 rows, then contained the true class of only 87 % of the other half (`python
    -m bench accuracy --only small_sets`).
    """
    if not 2 <= len(sample) <= FEW or not chosen_by_rows(model):
        return None
    return loo_of_learned(model, sample, everything=True).log_probabilities


def _approximate(bound: ModelLearner) -> LeaveOneOut:
    """Approximate leave-one-out, from the leverage of each row. Models are fitted again without the rows that move too
    far, and without some rows of high leverage, as a check."""
    sample = bound.sample
    whole: Any = bound.learn(np.arange(len(sample)))
    chosen = [] if whole.generative is None else chosen_by_rows(whole.generative)
    chosen += ["the values of C"] if whole.tried else []
    if not whole.curved:
        log_p = whole.loo_scores(sample)
        _native.normalise(log_p, np.zeros(log_p.shape[1]), True)
        how = "naive Bayes in closed form, margins by five folds"
        return LeaveOneOut(**_common(bound, how, Answers.of(log_p)), notes=tuple(in_view(chosen)))
    scores, leverage, doubtful = whole.information(sample).loo()
    log_p = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
    _native.normalise(log_p, np.zeros(log_p.shape[1]), True)
    order = np.argsort(-leverage, kind="stable")
    again = order[doubtful[order]][:MOST_AGAIN]
    checked = order[~doubtful[order]][:CHECKED]
    same = ModelLearner(whole.fixed, sample)  # a Newton step does not choose C again
    exact = np.stack([_fitted_without(same, row) for row in progress([*again, *checked], "rows fitted again")])
    log_p[again] = exact[: len(again)]
    worst = float(np.abs(np.exp(log_p[checked]) - np.exp(exact[len(again) :])).max(initial=0.0))
    notes = [
        f"Approximate: of the {len(checked)} rows of highest leverage (up to {leverage[checked].max(initial=0):.3f}), "
        f"compared with a fit without the row, a probability differs by at most {worst:.2g}.",
    ]
    if len(again):
        rest = int(doubtful.sum()) - len(again)
        left = f"; {rest} more would need it too" if rest else ""
        one = "For 1 row the approximation is not good enough: the model was fitted again without it"
        many = f"For {len(again):,} rows the approximation is not good enough: the model was fitted again without each"
        notes.append(f"{one if len(again) == 1 else many}{left}.")
    notes += in_view(chosen)
    how = "one Newton step for each row"
    return LeaveOneOut(**_common(bound, how, Answers.of(log_p)), notes=tuple(notes), leverage=leverage, worst=worst)


def _fitted_without(bound: ModelLearner, row: int) -> Array:
    log_p = bound.answer(bound.learn(np.delete(np.arange(len(bound.sample)), row)), np.array([row])).log_p
    assert log_p is not None
    return np.asarray(log_p[0])
