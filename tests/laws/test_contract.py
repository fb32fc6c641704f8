"""What every family owes to the rest of the package, texts too: a file, a test and a line in the registry are enough.

Each law is tried through a model that has learned a small table by the family alone. What a family cannot do, it says.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from likely.data import Sample, read
from likely.families import FAMILIES, Block, Family, MultivariateGaussian, Text
from likely.families.cells import dense
from likely.families.text_tuning import UNTUNED
from likely.models.describe import describe
from likely.models.explain import Explanation
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import MaximumLikelihood
from likely.report.columns import draw_column
from likely.statistics import Counts, Moments, Statistics, Tallies
from likely.store.model import BadModelFile, Origin, load, save

from .cases import LAWS, POOLS, Law, pools, settled

SAME = {"rtol": 1e-9, "atol": 1e-9}
CLASSES = np.array(["ash", "birch", "cedar"])
ROWS = 240
WORDS = np.array(["sun", "rain", "wind", "snow", "fog", "hail"])


def every_kind(holds_for: Any = lambda family: True) -> Any:
    """A law of each registered family, those of texts too."""

    def note(test: Any) -> Any:
        LAWS.append(Law(test, holds_for))
        found = [pytest.param(settled(kind()), id=name) for name, kind in FAMILIES.items()]
        return pytest.mark.parametrize("family", [one for one in found if holds_for(one.values[0])])(test)

    return note


# Tables that a family can read


def column(family: Family, y: np.ndarray, rng: np.random.Generator, informative: bool) -> np.ndarray:
    """Low in one class and high in another, or the same in all."""
    high = rng.integers(0, 6, len(y))
    if informative:
        high = np.where(rng.random(len(y)) < 0.9, 2 * y + rng.integers(0, 2, len(y)), high)
    if family.reads == "text":
        others = WORDS[rng.integers(0, 6, (len(y), 1))]
        return np.array(
            [" ".join([WORDS[at], WORDS[at], *more]) for at, more in zip(high, others, strict=True)], object
        )
    if family.reads == "categories":
        return high
    if family.marks_missing:
        return np.where(high < 3, np.nan, 1.0)
    pool = POOLS[pools(type(family))[0]].astype(np.float64)
    return pool[high * len(pool) // 6]


def sample_of(
    family: Family, *informative: bool, holes: float = 0.0, rows: int = ROWS, weighted: bool = False, seed: int = 0
) -> Sample:
    """Rows with a column for each, told by whether it depends on the class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, rows).astype(np.int32)
    found = pd.DataFrame({f"x{j}": column(family, y, rng, depends) for j, depends in enumerate(informative)})
    if holes and not family.marks_missing:
        found = found.mask(rng.random(found.shape) < holes)
    return Sample(read(found), y, CLASSES, rng.choice([0.5, 1.0, 3.0], rows) if weighted else None)


def learned(family: Family, sample: Sample, **options: Any) -> NaiveBayesModel:
    return NaiveBayesModel(family, **options).fit(sample)


def blocks(family: Family, *informative: bool, **options: Any) -> tuple[Sample, tuple[Block, ...]]:
    sample = sample_of(family, *informative, **options)
    return sample, learned(family, sample).known.blocks


def emptied(family: Family, sample: Sample) -> NaiveBayesModel:
    """A model that has chosen bins, scales and shrinkage by all rows, and has forgotten them."""
    return learned(family, sample).forget(sample)


def parted(sample: Sample) -> tuple[Sample, Sample]:
    rows = np.arange(len(sample))
    return sample.take(rows[: len(rows) // 3]), sample.take(rows[len(rows) // 3 :])


def same(one: NaiveBayesModel, other: NaiveBayesModel, sample: Sample) -> None:
    np.testing.assert_array_equal(one.classes, other.classes)
    np.testing.assert_allclose(one.score(sample.table), other.score(sample.table), **SAME)


# Relevance and evidence


@every_kind()
def test_noise_has_no_evidence_for_it_and_what_depends_on_the_class_has(family):
    """The log Bayes factor of a column: below 3 of noise, beyond 20 of what the classes differ by."""
    _, noise = blocks(family, False, False)
    for block in noise:
        factors = block.family.log_bayes_factor(block)
        assert factors.shape == (len(block.columns),)
        assert np.isfinite(factors).all()
        assert (factors < 3).all()
    _, (block, *_) = blocks(family, True, False)
    assert block.family.log_bayes_factor(block)[0] > 20


@every_kind()
def test_select_keeps_what_depends_on_the_class(family):
    """Column by column where columns are independent; what belongs together stays together."""
    model = learned(family, sample_of(family, False, True, False), select="auto")
    kept = sorted(j for block in model.known.blocks for j in block.columns)
    assert kept == ([1] if family.independent else [0, 1, 2])


def has_evidence(family: Family) -> bool:
    _, found = blocks(family, True)
    try:
        found[0].family.log_evidence(found[0])
    except TypeError:
        return False
    return True


@every_kind(lambda family: not has_evidence(family))
def test_a_family_without_evidence_says_so(family):
    _, (block,) = blocks(family, True)
    with pytest.raises(TypeError, match=rf"^{type(family).__name__}\(.*\), which has no evidence in closed form$"):
        block.family.log_evidence(block)


@every_kind(has_evidence)
def test_evidence_is_one_number_for_each_class_and_column(family):
    for options in ({}, {"holes": 0.2, "weighted": True}):
        _, found = blocks(family, True, False, **options)
        for block in found:
            assert block.family.log_evidence(block).shape == (3, len(block.columns))
            assert np.isfinite(block.family.log_evidence(block)).all()


@every_kind(lambda family: has_evidence(family) and (family.independent or family.reads == "text"))
def test_no_evidence_is_above_the_highest_likelihood(family):
    """It is a mean of likelihoods: those of all parameters, as probable as the prior says."""
    sample, (block,) = blocks(family, True)
    seen = block.observe(sample)
    best = replace(block, family=replace(family, prior=MaximumLikelihood()))
    highest = family.contributions(best.parameters, seen.cells)[np.arange(len(sample)), sample.y].sum()
    assert family.log_evidence(block).sum() + family.log_base(seen) < highest


# Learning


@every_kind()
def test_learning_in_parts_merging_and_forgetting(family):
    sample = sample_of(family, True, False, holes=0.1, weighted=True)
    empty, (first, rest) = emptied(family, sample), parted(sample)
    whole = empty.learn(sample)
    same(empty.learn(first).learn(rest), whole, sample)
    same(empty.learn(first).merge(empty.learn(rest)), whole, sample)
    same(whole.forget(rest), empty.learn(first), sample)
    same(whole.decay(0.5), empty.learn(sample.weighing(sample.weights / 2)), sample)


@every_kind()
def test_a_weight_is_a_row_so_many_times(family):
    sample = sample_of(family, True, False, holes=0.1)
    times = np.arange(len(sample)) % 3
    empty = emptied(family, sample)
    weighed = empty.learn(sample.weighing(times.astype(np.float64)))
    same(weighed, empty.learn(sample.take(np.repeat(np.arange(len(sample)), times))), sample)


@every_kind()
def test_rows_that_were_never_learned_are_not_forgotten(family):
    sample = sample_of(family, True)
    first, rest = parted(sample)
    with pytest.raises(ValueError, match=r"never learned.*nothing was forgotten"):
        emptied(family, sample).learn(first).forget(rest)


@every_kind()
@pytest.mark.parametrize("weighted", [False, True])
def test_leave_one_out_is_forgetting_the_row(family, weighted):
    sample = sample_of(family, True, False, holes=0.1, rows=60, weighted=weighted)
    model = learned(family, sample)
    scores = model.loo_scores(sample)
    model.unlearn_own_categories(sample, scores)
    for i in range(0, 60, 7):
        row = sample.take(np.array([i]))
        np.testing.assert_allclose(scores[i], model.forget(row).score(row.table)[0], **SAME)


@every_kind(lambda family: not family.marks_missing)
def test_a_row_of_missing_cells_gets_the_class_prior(family):
    sample = sample_of(family, True, False)
    model = learned(family, sample)
    nothing = None if family.reads == "text" else np.nan
    blank = pd.DataFrame({"x0": [nothing], "x1": [nothing]}, dtype=object if nothing is None else float)
    np.testing.assert_allclose(model.predict_proba(read(blank))[0], sample.class_weights / len(sample), rtol=1e-12)


# What a model says


@every_kind()
def test_reasons_sum_to_the_scores(family):
    sample = sample_of(family, True, False, holes=0.1)
    model = learned(family, sample)
    table = sample.at_most(30).table
    found = [reasons.scores for reasons in Explanation(model, table)]
    np.testing.assert_allclose(found, model.score(table), **SAME)


@every_kind()
def test_a_description_has_a_number_for_each_class(family):
    model = learned(family, sample_of(family, True, False))
    description = describe(model)
    assert description.free_parameters >= 2 + 3  # of the class prior, and one of each class at the least
    assert {column for column, _, _ in description.lines} == {"x0", "x1"}
    assert all(values.shape == (3,) and np.isfinite(values).all() for _, _, values in description.lines)


@every_kind(lambda family: family.generative)
def test_a_model_of_sampled_rows_is_the_model_that_they_were_sampled_from(family):
    """Of 20,000 rows, classes within 5 standard errors, and probabilities of the first rows within 0.05."""
    sample = sample_of(family, True, False)
    model = learned(family, sample)
    columns, y = model.sample(20_000, np.random.default_rng(1))
    share = sample.class_weights / len(sample)
    assert (np.abs(np.bincount(y) / 20_000 - share) < 5 * np.sqrt(share * (1 - share) / 20_000)).all()
    if family.marks_missing:  # which says nothing of what is there
        assert columns == {}
        return
    again = model.forget(sample).learn(Sample(read(pd.DataFrame(columns)), y, CLASSES))
    np.testing.assert_allclose(again.predict_proba(sample.table), model.predict_proba(sample.table), atol=0.05)


@every_kind(lambda family: family.generative)
def test_parameters_have_a_posterior(family):
    """One for each class, with a mean that follows the rows."""
    means = []
    for seed in (0, 1):
        model = learned(family, sample_of(family, True, False, seed=seed))
        posterior = model.parameter_posterior(model.known.blocks[0].frame.columns[0])
        means.append(np.asarray(posterior.mean, np.float64))
        assert len(means[-1]) == 3
        assert np.isfinite(means[-1]).all()
    assert not np.allclose(*means, rtol=1e-6)


@every_kind(lambda family: not family.generative)
def test_what_does_not_describe_rows_samples_none(family):
    with pytest.raises(TypeError):
        learned(family, sample_of(family, True)).sample(1, np.random.default_rng(0))


# Features, for logistic regression


@every_kind()
def test_features_have_names_and_scales(family):
    sample, found = blocks(family, True, False)
    for block in found:
        features = block.family.features(block, block.observe(sample).cells)
        names, scale = block.family.feature_names(block), block.family.feature_scale(block)
        assert features.shape == (len(sample), len(names))
        assert {column for column, _ in names} <= set(range(len(block.columns)))
        if scale is not None:
            mean, variance = scale
            assert mean.shape == variance.shape == (len(names),)
            assert (variance > 0).all()
            np.testing.assert_allclose(mean, features.mean(axis=0), **SAME)


@every_kind(lambda family: not isinstance(family, MultivariateGaussian))
def test_scores_are_linear_in_the_features(family):
    """And in their squares, where those are features too; up to what is the same for all classes."""
    sample, found = blocks(family, True, False)
    for block in found:
        cells = block.observe(sample).cells
        features = block.family.features(block, cells)
        features = np.asarray(features, np.float64) if isinstance(features, np.ndarray) else dense(features)
        names = block.family.feature_names(block)
        line = block.family.natural(block.parameters, block.frame)
        assert list(line.features)[: len(names)] == list(names)
        lengths = features.sum(axis=1, keepdims=True)
        if block.family.squares:
            features = np.hstack([features, features**2])
        scores = np.zeros((len(sample), 3))
        block.family.score(block.parameters, cells, scores)
        if isinstance(block.family, Text):  # its class prior is divided by how often all tokens count, or by |x idf|
            idf = block.parameters.of_all.idf
            if idf is not None:
                whole = replace(block.family, tokens=replace(block.family.reading, root=False), tuned_to=UNTUNED)
                lengths = np.linalg.norm(dense(whole.features(block, cells)) * idf, axis=1, keepdims=True)
            scores -= block.parameters.of_all.prior / lengths
        rest = scores - features @ line.weights.T - line.bias
        np.testing.assert_allclose(rest, rest[:, :1].repeat(3, axis=1), rtol=1e-7, atol=1e-7)


# The model file


@every_kind()
def test_a_model_file_holds_all_that_was_learned(family, tmp_path):
    sample = sample_of(family, True, False, holes=0.1, weighted=True)
    model = learned(family, sample, missing="value")
    save(tmp_path / "model", model, Origin())
    again = load(tmp_path / "model").model
    assert [block.family for block in again.known.blocks] == [block.family for block in model.known.blocks]
    np.testing.assert_array_equal(again.score(sample.table), model.score(sample.table))
    np.testing.assert_array_equal(again.loo_scores(sample), model.loo_scores(sample))
    more = sample_of(family, True, False, seed=1)
    np.testing.assert_array_equal(again.learn(more).score(sample.table), model.learn(more).score(sample.table))


def spoiled(statistics: Statistics) -> list[Statistics]:
    """Of another type, of fewer classes, below nothing, no number, and of fewer cells."""
    other = Moments if isinstance(statistics, Counts) else Counts
    size = np.ones((3, 2))
    found = [Counts(size) if other is Counts else Moments(size, size, size), statistics.of_some_classes(slice(0, 2))]
    name = next(name for name, array in statistics.arrays().items() if name in ("table", "total", "n", "texts"))
    for bad in (-1.0, np.nan, np.inf):
        array = statistics.arrays()[name].astype(np.float64)
        array[0, 0] = bad
        found.append(replace(statistics, **{name: array}))
    if not isinstance(statistics, Tallies):
        found.append(replace(statistics, **{name: array[:, 1:] for name, array in statistics.arrays().items()}))
    return found


@every_kind()
def test_statistics_that_are_not_those_of_the_family_are_refused(family, tmp_path):
    _, (block, *_) = blocks(family, True, True)
    model = learned(family, sample_of(family, True, True))
    block.family.check_counted(block.statistics, block.frame, 3)
    for bad in spoiled(block.statistics):
        with pytest.raises(ValueError):  # noqa: PT011 - each says what is wrong in its own words
            block.family.check_counted(bad, block.frame, 3)
        broken = (replace(block, statistics=bad), *model.known.blocks[1:])
        save(tmp_path / "model", replace(model, learned=replace(model.known, blocks=broken)), Origin())
        with pytest.raises(BadModelFile):
            load(tmp_path / "model")


# The report


@every_kind(lambda family: family.reads != "text")
def test_a_column_has_a_picture(family):
    """Of texts, words are shown."""
    sample = sample_of(family, True, False, holes=0.1)
    model = learned(family, sample)
    for name in model.known.blocks[0].frame.columns:
        picture = draw_column(model, sample, name)
        assert picture.says.startswith(f"{name} by class: ")
        assert picture.figure.axes
