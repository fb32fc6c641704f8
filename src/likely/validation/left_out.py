"""Leave one out: each row judged by a model of all others."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely import _native
from likely.data import Sample
from likely.models.calibration import How
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation.calibrate import calibration
from likely.validation.folds import answers_of_parts
from likely.validation.frames import Choice, chosen_by_rows, in_view
from likely.validation.learner import Answers, Learner, ModelLearner, learner
from likely.validation.measures import Array
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import folds

FRAMES = 10
"""How often what rows choose (families, bins) is chosen anew, each time without a tenth of them."""

CHECKED = 5
"""Rows that are fitted again to show how good an approximation is: those of highest leverage, where it is worst."""

MOST_AGAIN = 20
"""Rows at the most that are fitted again because the approximation does not hold for them."""


@dataclass(frozen=True, eq=False)
class LeaveOneOut(Result):
    scores: Array | None = None
    """log p(x, y) of each row and class, where there is a closed form."""
    leverage: Array | None = None
    """How much each row weighs in its own fitted score, from 0 to 1, where the scores are approximate."""
    worst: float | None = None
    """The largest difference of a probability, of the rows of highest leverage, from that by a fit without the row."""


def leave_one_out(
    model: Any, x: Any, y: Any, *, frame: Choice = "anew", sample_weight: Any = None, seed: int = 0
) -> LeaveOneOut:
    """The answers to each row by a model of all others.

    Of models that count it is exact, in one pass. What the model chooses by looking at rows (families, bins, options
    left open) is chosen anew ten times, each time without the tenth of the rows that is then judged, and is said in the
    notes; a category that only one row has is not known to the model that judges it. With frame="kept" all that is
    chosen once, with all rows in view, which is faster and a little too good.

    Of logistic regression it is one step of Newton's for each row; the notes show how far off it is where it is worst.
    Of any other model it takes as many fits as there are rows.
    """
    if frame not in ("anew", "kept"):
        raise ValueError(f"the frame is 'anew' or 'kept', not {frame!r}")
    if getattr(model, "calibrate", False) and hasattr(model, "set_params"):
        return _calibrated(model, x, y, frame, sample_weight, seed)
    bound = learner(model, x, y, sample_weight)
    if isinstance(bound, ModelLearner):
        return _counted(bound, frame, seed) if bound.model.counts_rows else _approximate(bound)
    n = len(bound.sample)
    return LeaveOneOut(**_common(bound, f"{n} fits", answers_of_parts(bound, np.arange(n), n)))


def _common(bound: Learner, how: str, answers: Answers) -> dict[str, Any]:
    sample = bound.sample
    return {
        "how": f"{bound.name}, leave-one-out: {how}",
        "classes": sample.classes,
        "rows": np.arange(len(sample)),
        "y": sample.y,
        "answers": answers.codes,
        "p": answers.p,
        "weight": sample.weight,
        "fit": bound.final,
    }


def _counted(bound: ModelLearner, frame: Choice, seed: int) -> LeaveOneOut:
    sample = bound.sample
    whole: Any = bound.learn(np.arange(len(sample)))
    chosen, notes = chosen_by_rows(whole), list[str]()
    scores, alone = np.empty((len(sample), len(sample.classes))), 0
    if frame == "kept" or not chosen:
        scores, alone = _scores(whole, sample, frame == "anew")
        notes += in_view(chosen)
    else:
        part = folds(min(FRAMES, len(sample)), sample.y, np.random.default_rng(seed))
        for fold in progress(range(int(part.max()) + 1), "leave-one-out"):
            rows, others = np.flatnonzero(part == fold), np.flatnonzero(part != fold)
            learned: Any = bound.learn_more(bound.learn(others), others, rows)
            scores[rows], more = _scores(learned, sample.take(rows), True)
            alone += more
        times = f"{int(part.max()) + 1} times, each time without the rows that were then judged."
        notes += [f"{what[0].upper()}{what[1:]} were chosen {times}" for what in chosen]
    if alone:
        notes.append(f"{alone} rows have a category that no other row has; they are judged as if nobody knew it.")
    answers = Answers.of(whole.loo_proba(sample, scores))
    return LeaveOneOut(**_common(bound, "in closed form", answers), notes=tuple(notes), scores=scores)


def _scores(learned: NaiveBayesModel, sample: Sample, own_categories: bool) -> tuple[Array, int]:
    """log p(x, y) of each row as if it had never been learned, and how many have a category to themselves."""
    among = sample.among(learned.classes)
    scores = learned.loo_scores(among)
    return scores, learned.unlearn_own_categories(among, scores) if own_categories else 0


def _calibrated(model: Any, x: Any, y: Any, frame: Choice, sample_weight: Any, seed: int) -> LeaveOneOut:
    from sklearn.base import clone

    plain = clone(model).set_params(calibrate=False)
    raw = leave_one_out(plain, x, y, frame=frame, sample_weight=sample_weight, seed=seed)
    p = calibrated(raw, model.calibrate, seed)
    answers, final = p.argmax(axis=1).astype(np.int32), learner(model, x, y, sample_weight).final
    return replace(raw, how=f"{raw.how}, calibrated", p=p, answers=answers, fit=final)


def calibrated(raw: Result, how: How | bool, seed: int) -> Array:
    """The probabilities of each tenth of the rows by a map learned from those of the others."""
    with np.errstate(divide="ignore"):
        log_p = np.log(raw.probabilities)
    p = np.empty(log_p.shape)
    part = folds(min(FRAMES, len(p)), raw.y, np.random.default_rng(seed))
    for fold in range(int(part.max()) + 1):
        others, weight = part != fold, None if raw.weight is None else raw.weight[part != fold]
        p[~others] = calibration(log_p[others], raw.y[others], raw.classes, how, weight)(log_p[~others])
    return p


def _approximate(bound: ModelLearner) -> LeaveOneOut:
    """By the leverage of each row; those that move too far are fitted again, and the worst of the others checked."""
    sample = bound.sample
    whole: Any = bound.learn(np.arange(len(sample)))
    scores, leverage, doubtful = whole.information(sample).loo()
    p = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
    _native.normalise(p, np.zeros(p.shape[1]), False)
    order = np.argsort(-leverage, kind="stable")
    again = order[doubtful[order]][:MOST_AGAIN]
    checked = order[~doubtful[order]][:CHECKED]
    same = ModelLearner(whole.fixed, sample)  # a step of Newton's does not choose C anew
    exact = np.stack([_fitted_without(same, row) for row in progress([*again, *checked], "rows fitted again")])
    p[again] = exact[: len(again)]
    worst = float(np.abs(p[checked] - exact[len(again) :]).max(initial=0.0))
    notes = [
        f"Approximate: of the {len(checked)} rows of highest leverage (up to {leverage[checked].max(initial=0):.3f}), "
        f"fitted again without, a probability differs by {worst:.2g} at the most.",
    ]
    if len(again):
        rest = int(doubtful.sum()) - len(again)
        left = f", and {rest} more are as doubtful" if rest else ""
        notes.append(f"{len(again)} rows move their own scores too far for that, and were fitted again{left}.")
    chosen = [] if whole.generative is None else chosen_by_rows(whole.generative)
    chosen += ["the values of C"] if whole.tried else []
    notes += in_view(chosen)
    how = "one step of Newton's for each"
    return LeaveOneOut(**_common(bound, how, Answers.of(p)), notes=tuple(notes), leverage=leverage, worst=worst)


def _fitted_without(bound: ModelLearner, row: int) -> Array:
    p = bound.answer(bound.learn(np.delete(np.arange(len(bound.sample)), row)), np.array([row])).p
    assert p is not None
    return np.asarray(p[0])
