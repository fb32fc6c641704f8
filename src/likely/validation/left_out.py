"""Leave one out: each row judged by a model of all others."""

from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely import _native
from likely.models.calibration import How
from likely.models.class_prior import left_out_log_prior
from likely.models.naive_bayes import NaiveBayes
from likely.validation.calibrate import calibration
from likely.validation.folds import answers_of_parts
from likely.validation.frames import Choice, chosen_by_rows, in_view, without_own_categories
from likely.validation.learner import Answers, Learner, OfModel, learner
from likely.validation.measures import Array, Codes
from likely.validation.progress import progress
from likely.validation.result import Result
from likely.validation.rows import Rows, folds

FRAMES = 10
"""How often what rows choose (families, bins) is chosen anew, each time without a tenth of them."""

CHECKED = 5
"""Rows that are fitted again to tell how good an approximation is: those of highest leverage, where it is worst."""

MOST_AGAIN = 20
"""Rows at the most that are fitted again because the approximation does not hold for them."""


@dataclass(frozen=True, eq=False)
class LeftOut(Result):
    scores: Array | None = None
    """log p(x, y) of each row and class, where the closed form tells them."""
    leverage: Array | None = None
    """How much each row weighs in its own fitted score, from 0 to 1, where the scores are approximate."""
    worst: float | None = None
    """The largest difference of a probability, of the rows of highest leverage, from that by a fit without the row."""


def leave_one_out(
    model: Any, x: Any, y: Any, *, frame: Choice = "anew", sample_weight: Any = None, seed: int = 0
) -> LeftOut:
    """The answers to each row by a model of all others.

    Of models that count it is exact, in one pass. What such a model chooses by looking at rows (families, bins, options
    left open) is chosen anew ten times, each time without the tenth of the rows that is then judged, and is said in the
    notes; a category that only one row has is not known to the model that judges it. With frame="kept" all that is
    chosen once, with all rows in view, which is faster and a little too good.

    Of logistic regression it is one step of Newton's for each row; the notes tell how far off it is where it is worst.
    Of any other model it takes as many fits as there are rows.
    """
    if frame not in ("anew", "kept"):
        raise ValueError(f"the frame is 'anew' or 'kept', not {frame!r}")
    if getattr(model, "calibrate", False) and hasattr(model, "set_params"):
        return _calibrated(model, x, y, frame, sample_weight, seed)
    bound = learner(model, x, y, sample_weight)
    if isinstance(bound, OfModel):
        return _counted(bound, frame, seed) if isinstance(bound.model, NaiveBayes) else _approximate(bound)
    codes, p = answers_of_parts(bound, np.arange(bound.rows), bound.rows)
    return LeftOut(**_common(bound, f"{bound.rows} fits", Answers(codes, p)))


def _common(bound: Learner, how: str, answers: Answers) -> dict[str, Any]:
    return {
        "how": f"{bound.name}, each row left out: {how}",
        "classes": bound.classes,
        "rows": np.arange(bound.rows),
        "y": bound.y,
        "answers": answers.codes,
        "p": answers.p,
        "weight": bound.weight,
        "fit": bound.final,
    }


def _counted(bound: OfModel, frame: Choice, seed: int) -> LeftOut:
    everything = np.arange(bound.rows)
    whole = bound.learn(everything)
    assert isinstance(whole, NaiveBayes)
    chosen, notes = chosen_by_rows(whole), list[str]()
    scores, alone = np.empty((bound.rows, len(bound.classes))), 0
    if frame == "kept" or not chosen:
        scores, alone = scores_left_out(bound, whole, everything, frame == "anew")
        notes += in_view(chosen)
    else:
        part = folds(min(FRAMES, bound.rows), bound.y, np.random.default_rng(seed), False, None)
        for fold in progress(range(int(part.max()) + 1), "rows left out"):
            rows, others = np.flatnonzero(part == fold), np.flatnonzero(part != fold)
            learned = bound.learn_more(bound.learn(others), others, rows)
            assert isinstance(learned, NaiveBayes)
            scores[rows], more = scores_left_out(bound, learned, rows, True)
            alone += more
        times = f"{int(part.max()) + 1} times, each time without the rows that were then judged."
        notes += [f"{what[0].upper()}{what[1:]} were chosen {times}" for what in chosen]
    if alone:
        notes.append(f"{alone} rows have a category that no other row has; they are judged as if nobody knew it.")
    p = posterior_left_out(whole, scores, bound.y, bound.weight)
    answers = Answers(p.argmax(axis=1).astype(np.int32), p)
    return LeftOut(**_common(bound, "in closed form", answers), notes=tuple(notes), scores=scores)


def posterior_left_out(model: NaiveBayes, scores: Array, y: Codes, weight: Array | None) -> Array:
    """p(y | x) from left-out scores. A row that is impossible in every class gets the class prior without it."""
    p, impossible = scores.copy(), np.isneginf(scores).all(axis=1)
    of, sums = None if weight is None else weight[impossible], model.known.rows.table[:, 0]
    p[impossible] = left_out_log_prior(model.class_prior, model.classes, sums, y[impossible], of)
    _native.normalise(p, model.log_prior(), False)
    return p


def scores_left_out(bound: OfModel, learned: NaiveBayes, rows: Rows, own_categories: bool) -> tuple[Array, int]:
    """log p(x, y) of each of these rows as if it had never been learned, and how many have a category to themselves."""
    table = bound.table if len(rows) == bound.rows else bound.table.take(rows)
    weight = None if bound.weight is None else np.ascontiguousarray(bound.weight[rows])
    y = np.searchsorted(learned.classes, bound.classes).astype(np.int32)[bound.y[rows]]
    scores = learned.score_left_out(table, y, weight)
    alone = without_own_categories(learned, table, y, weight, scores) if own_categories else 0
    return scores, alone


def _calibrated(model: Any, x: Any, y: Any, frame: Choice, sample_weight: Any, seed: int) -> LeftOut:
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
    part = folds(min(FRAMES, len(p)), raw.y, np.random.default_rng(seed), False, None)
    for fold in range(int(part.max()) + 1):
        others, weight = part != fold, None if raw.weight is None else raw.weight[part != fold]
        p[~others] = calibration(log_p[others], raw.y[others], raw.classes, how, weight)(log_p[~others])
    return p


def _approximate(bound: OfModel) -> LeftOut:
    """By the leverage of each row; those that it cannot tell are fitted again, and the worst of the others checked."""
    whole: Any = bound.learn(np.arange(bound.rows))
    scores, leverage, doubtful = whole.information(bound.table, bound.y, bound.weight).left_out()
    p = np.column_stack([np.zeros(len(scores)), scores]) if scores.shape[1] == 1 else scores
    _native.normalise(p, np.zeros(p.shape[1]), False)
    order = np.argsort(-leverage, kind="stable")
    again = order[doubtful[order]][:MOST_AGAIN]
    checked = order[~doubtful[order]][:CHECKED]
    same, same_c = copy(bound), copy(whole)
    same.model = same_c
    same_c.candidates = (whole.c,)  # and as far as it trusts naive Bayes: a step does not choose anew
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
    answers = Answers(p.argmax(axis=1).astype(np.int32), p)
    how = "one step of Newton's for each"
    return LeftOut(**_common(bound, how, answers), notes=tuple(notes), leverage=leverage, worst=worst)


def _fitted_without(bound: OfModel, row: int) -> Array:
    p = bound.answer(bound.learn(np.delete(np.arange(bound.rows), row)), np.array([row])).p
    assert p is not None
    return np.asarray(p[0])
