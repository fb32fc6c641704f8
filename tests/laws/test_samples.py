"""Rows sampled from a model lead back to the model, for every registered family that describes rows."""

from dataclasses import replace

import numpy as np
import pytest

from likely.priors import MaximumLikelihood

from .cases import Case, every_family, example, fits

ROWS, TIMES, CLASSES = 1000, 25, 3


def sampled(case: Case, rng: np.random.Generator) -> Case:
    y = np.repeat(np.arange(CLASSES, dtype=np.int32), ROWS)
    return replace(case, cells=case.family.sample(case.block().parameters, y, rng), y=y, weight=None)


@every_family(lambda family: family.generative)
def test_fitting_what_was_sampled_finds_the_parameters(family):
    """Sampled and fitted 25 times, each parameter is on average within 5 standard errors of the one sampled from.

    The standard error is that of the 25 fits. By maximum likelihood, so that no prior pulls; the bias of a standard
    deviation, 3 in 4,000, is a sixth of its standard error here.
    """
    rng = np.random.default_rng(20)
    likeliest = replace(family, prior=MaximumLikelihood())
    if hasattr(family, "shrinkage"):
        likeliest = replace(likeliest, shrinkage=0.0)
    case = example(likeliest if fits(likeliest) else family, rng, rows=300, columns=3, classes=CLASSES)
    samples = [sampled(case, rng) for _ in range(TIMES)]
    found = [sample.parameters(sample.count()) for sample in samples]
    for name, truth in case.parameters(case.count()).items():
        fitted = np.array([parameters[name] for parameters in found])
        off = fitted - truth
        if name[1] == "mean direction":  # the last hour of a day is close to the first
            off = (off + family.period / 2) % family.period - family.period / 2
        error = off.std(axis=0, ddof=1) / np.sqrt(TIMES)
        assert (np.abs(off.mean(axis=0)) <= 5 * error + 1e-12).all(), name


@every_family(lambda family: family.generative)
def test_sampling_depends_on_the_generator_alone(family):
    case = example(family, np.random.default_rng(1), rows=40, columns=2, classes=CLASSES)
    first, again, other = (sampled(case, np.random.default_rng(seed)).cells for seed in (5, 5, 6))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@every_family(lambda family: not family.generative)
def test_a_family_that_samples_nothing_says_what_to_use(family):
    case = example(family, np.random.default_rng(1), rows=40, columns=2, classes=CLASSES)
    with pytest.raises(TypeError, match=r"; use \w+$"):
        sampled(case, np.random.default_rng(0))
