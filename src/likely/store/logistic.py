"""Logistic regression in a model file: options, weights, and what must hold of them."""

from dataclasses import fields, replace
from typing import Any

import numpy as np

from likely.families import Gaussian
from likely.limits import Between, Equal, Falling, Limit, Rising
from likely.models.block import Block
from likely.models.logistic.design import Absences, Bag, Design, Number, Numbers, Others, pieces_of
from likely.models.logistic.regression import LogisticRegression
from likely.models.logistic.solver import Solution
from likely.models.logistic.strength import Tried
from likely.store import naive_bayes
from likely.store.naive_bayes import block_of, of_block, require

LIMITS: dict[str, type[Limit]] = {limit.__name__: limit for limit in (Between, Rising, Falling, Equal)}


def parts(model: LogisticRegression) -> dict[str, Any]:
    """All that the model is, in values that a file holds. What a design has of naive Bayes is there already."""
    generative, pieces = model.generative, model.design.pieces
    theirs = () if generative is None else generative.known.blocks
    blocks = [piece.block for piece in pieces if isinstance(piece, (Numbers, Others))]
    return {
        "c": "auto" if model.candidates is None else model.candidates,
        "shrink_to": model.shrink_to,
        "families": model.families,
        "smoothing": model.smoothing,
        "class_prior": model.class_prior,
        "missing": model.missing,
        "standardize": model.standardize,
        "limits": [(type(limit).__name__, _arguments(limit), limit.of) for limit in model.limits],
        "ordered": model.ordered,
        "tol": model.tol,
        "names": naive_bayes.names_of(model),
        "kinds": naive_bayes.kinds_of(model),
        "classes": model.classes,
        "counts": model.counts,
        "generative": None if generative is None else naive_bayes.parts(generative),
        "blocks": [_of_block(block) for block in blocks[len(theirs) :]],
        "bag": any(isinstance(piece, Bag) for piece in pieces),
        "absent": next((tuple(piece.plan.columns) for piece in pieces if isinstance(piece, Absences)), ()),
        "dense": model.design.dense,
        "strength": model.c,
        "trust": model.trust,
        "tried": [tuple(each) for each in model.tried],
        "solution": _fields(model.solution),
        "multipliers": model.multipliers,
        "kkt": None if model.kkt is None else {**_fields(model.kkt), "multipliers": tuple(model.kkt.multipliers)},
    }


def _arguments(limit: Any) -> tuple[Any, ...]:
    if isinstance(limit, Equal):
        return limit.features
    return tuple(argument for name, argument in _fields(limit).items() if name != "of")


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _of_block(block: Block) -> dict[str, Any]:
    """A number as it is has a family that only logistic regression knows."""
    number = isinstance(block.family, Number)
    return {**of_block(block), "number": number, **({"family": Gaussian(block.family.prior)} if number else {})}


def logistic(parts: dict[str, Any]) -> LogisticRegression:
    """The model of these parts. Raises ValueError where they do not fit each other."""
    flags = [parts[name] for name in ("standardize", "dense", "ordered")]
    require(all(isinstance(flag, bool) for flag in flags), "an option is yes or no")
    require(isinstance(parts["tol"], float) and parts["tol"] > 0, "tol is above 0")
    model = LogisticRegression(
        parts["c"], shrink_to=parts["shrink_to"], families=parts["families"], smoothing=parts["smoothing"],
        class_prior=parts["class_prior"], missing=parts["missing"], standardize=parts["standardize"],
        limits=[LIMITS[name](*arguments, of=of) for name, arguments, of in parts["limits"]],
        ordered=parts["ordered"], tol=parts["tol"],
    )  # fmt: skip
    model.names, model.kinds = naive_bayes.columns(parts)
    model.classes, model.counts = naive_bayes.classes(parts["classes"]), parts["counts"]
    require(len(model.classes) > 1, "there is but one class")
    require(_numbers(model.counts, (len(model.classes),)) and not (model.counts < 0).any(), "a class has rows")
    _learn(model, parts)
    return model


def _learn(model: LogisticRegression, parts: dict[str, Any]) -> None:
    generative = parts["generative"]
    model.generative = None if generative is None else naive_bayes.naive_bayes(generative)
    require((model.generative is None) == (model.shrink_to is None), "weights are drawn to what is not there")
    if model.generative is not None:
        same = model.generative.names == model.names and model.generative.kinds == model.kinds
        require(same and np.array_equal(model.generative.classes, model.classes), "naive Bayes is of another table")
    model.design = _design(model, parts)
    model.c, model.tried = parts["strength"], [Tried(*each) for each in parts["tried"]]
    model.trust = parts["trust"]
    require(isinstance(model.c, float) and model.c > 0, "C is above 0")
    require(isinstance(model.trust, float) and 0 <= model.trust <= 1, "naive Bayes is trusted from 0 to 1")
    model.solution, model.multipliers = Solution(**parts["solution"]), parts["multipliers"]
    _check(model.solution, 1 if len(model.classes) == 2 else len(model.classes), model.design.size)
    model.kkt = None
    if (kkt := parts["kkt"]) is not None:
        from likely.optimize import Certificate, Multipliers  # loaded only here: most models have no limits

        model.kkt = Certificate(**{**kkt, "multipliers": Multipliers(*kkt["multipliers"])})


def _design(model: LogisticRegression, parts: dict[str, Any]) -> Design:
    names, classes, absent = model.names, len(model.classes), parts["absent"]
    require(isinstance(parts["bag"], bool) and not (parts["bag"] and parts["blocks"]), "a matrix is read in one way")
    if parts["bag"]:
        require(set(model.kinds) == {"sparse"} and not parts["dense"], "only a sparse matrix is read as it is")
        return Design((Bag(names),), dense=False)
    blocks = [] if model.generative is None else list(model.generative.known.blocks)
    blocks += [_block(part, names, classes) for part in parts["blocks"]]
    require(len(blocks) > 0 and all(type(j) is int and 0 <= j < len(names) for j in absent), "columns go too far")
    pieces = pieces_of(names, blocks, absent, model.standardize)
    for piece in pieces:
        if isinstance(piece, Numbers):
            finite = np.isfinite(piece.means).all() and np.isfinite(piece.scales).all() and (piece.scales > 0).all()
            require(bool(finite), "numbers have no spread")
    return Design(pieces, parts["dense"])


def _block(part: dict[str, Any], names: Any, classes: int) -> Block:
    block = block_of(part, names, classes)
    if not part["number"]:
        return block
    require(type(block.family) is Gaussian, "a number is read as Gaussian")
    return replace(block, plan=replace(block.plan, family=Number(block.family.prior)))


def _check(solution: Solution, outputs: int, size: int) -> None:
    require(_numbers(solution.weights, (outputs, size)), f"weights are not of {outputs} times {size} features")
    require(_numbers(solution.bias, (outputs,)), "a class has one bias")
    for number in (solution.objective, solution.gap):
        require(isinstance(number, float), "the objective is a number")
    require(isinstance(solution.passes, int) and isinstance(solution.message, str), "the solution is not in order")
    held = solution.holding
    require(
        held is None or _numbers(held, (len(held), max(1, outputs - 1) * (size + 1))), "limits are not of the weights"
    )


def _numbers(array: Any, shape: tuple[int, ...]) -> bool:
    """Are these numbers that there can be, in this shape?"""
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype in (np.float64, np.int64)
    return fits and bool(np.isfinite(array).all())
