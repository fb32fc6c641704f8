"""Rows drawn from a model lead back to the model, for every registered family that draws rows."""

from dataclasses import replace

import numpy as np
import pytest

from likely.priors import MaximumLikelihood

from .cases import Case, defaults, example, fits

ROWS, TIMES, CLASSES = 1000, 25, 3

every_family_that_draws = pytest.mark.parametrize("family", [p for p in defaults() if p.values[0].draws])


def drawn(case: Case, parameters: object, rng: np.random.Generator) -> Case:
    y = np.repeat(np.arange(CLASSES, dtype=np.int32), ROWS)
    return replace(case, block=case.family.sample(parameters, y, rng), y=y, weight=None)


@every_family_that_draws
def test_fitting_what_was_drawn_finds_the_parameters(family):
    """Drawn and fitted 25 times, each parameter is on average within 5 standard errors of the one drawn from.

    The standard error is that of the 25 fits. By maximum likelihood, so that no prior pulls; the bias of a standard
    deviation, 3 in 4,000, is a sixth of its standard error here.
    """
    rng = np.random.default_rng(20)
    likeliest = replace(family, prior=MaximumLikelihood())
    if hasattr(family, "shrinkage"):
        likeliest = replace(likeliest, shrinkage=0.0)
    case = example(likeliest if fits(likeliest) else family, rng, rows=300, columns=3, classes=CLASSES)
    parameters = case.family.estimate(case.count(), case.frame)
    samples = [drawn(case, parameters, rng) for _ in range(TIMES)]
    found = [sample.parameters(sample.count()) for sample in samples]
    for name, truth in case.parameters(case.count()).items():
        fitted = np.array([parameters[name] for parameters in found])
        error = fitted.std(axis=0, ddof=1) / np.sqrt(TIMES)
        assert (np.abs(fitted.mean(axis=0) - truth) <= 5 * error + 1e-12).all(), name


@every_family_that_draws
def test_drawing_depends_on_the_generator_alone(family):
    case = example(family, np.random.default_rng(1), rows=40, columns=2, classes=CLASSES)
    parameters = family.estimate(case.count(), case.frame)
    first, again, other = (drawn(case, parameters, np.random.default_rng(seed)).block for seed in (5, 5, 6))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("family", [p for p in defaults() if not p.values[0].draws])
def test_a_family_that_draws_nothing_says_what_to_use(family):
    case = example(family, np.random.default_rng(1), rows=40, columns=2, classes=CLASSES)
    with pytest.raises(TypeError, match=r"; use \w+$"):
        drawn(case, family.estimate(case.count(), case.frame), np.random.default_rng(0))
