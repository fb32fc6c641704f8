"""Numbers that come round again, against scipy.stats."""

from datetime import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import stats

from likely import LogisticRegression, NaiveBayes
from likely.families import BadCell, VonMises
from likely.priors import Dirichlet, Gamma, Laplace, MaximumLikelihood
from likely.validation import leave_one_out

from .blocks import counted, observed, scored

RNG = np.random.default_rng(0)
NIGHT = RNG.random(600) < 0.5
HOURS = np.where(NIGHT, RNG.normal(23.5, 2, 600), RNG.normal(13, 3, 600)) % 24
Y = np.where(NIGHT, "night", "day")


def described(prior: object, x: np.ndarray, period: float = 24) -> dict[str, list[float]]:
    lines = NaiveBayes(VonMises(prior, period)).fit(x[:, None], np.zeros(len(x))).describe().lines
    return {name: values.tolist() for _, name, values in lines}


def test_maximum_likelihood_is_that_of_scipy():
    k, mean, _ = stats.vonmises.fit(HOURS[NIGHT] * np.pi / 12, fscale=1)
    found = described(MaximumLikelihood(), HOURS[NIGHT])
    assert found["mean direction"][0] == pytest.approx(mean * 12 / np.pi % 24, rel=1e-6)
    assert found["concentration"][0] == pytest.approx(k, rel=1e-6)


def test_the_score_is_the_log_density():
    block = counted(VonMises(period=24), observed(HOURS[:, None], NIGHT))
    lines = list(block.family.describe(block.parameters, block.frame))
    mean, k = (line.values for line in lines)
    rows = RNG.uniform(-48, 48, (20, 1))
    expected = stats.vonmises.logpdf(rows * np.pi / 12, k, mean * np.pi / 12) + np.log(np.pi / 12)
    np.testing.assert_allclose(scored(block, rows), expected, rtol=1e-10)


def test_where_you_begin_to_count_makes_no_difference():
    """Midnight is no edge: 23:30 is an hour from 0:30. Nor do whole days count that are added."""
    p = NaiveBayes(VonMises(period=24)).fit(HOURS[:, None], Y).predict_proba([[23.5], [0.5], [12.0]])
    shifted = NaiveBayes(VonMises(period=24)).fit(HOURS[:, None] + 7, Y).predict_proba([[30.5], [7.5 - 24], [19.0]])
    np.testing.assert_allclose(p, shifted, rtol=1e-9)
    assert (p[:2, 1] > 0.9).all()
    assert p[2, 1] < 0.1


@pytest.mark.parametrize(("prior", "rows"), [(Laplace(), 1), (Laplace(3), 3), (Dirichlet(0.5), 0.5)], ids=repr)
def test_a_prior_adds_rows_that_are_spread_evenly(prior, rows):
    """Steps of equal length in all directions lead nowhere: they are as good as so many more rows."""
    from likely.families.concentration import concentration

    angle = HOURS * np.pi / 12
    length = np.hypot(np.cos(angle).sum(), np.sin(angle).sum()) / (len(HOURS) + rows)
    assert described(prior, HOURS)["concentration"][0] == pytest.approx(concentration(np.array([length]))[0])


def test_one_value_has_a_spread_by_the_prior_alone():
    assert described(Laplace(), np.full(9, 6.0))["concentration"][0] == pytest.approx(5.3, abs=0.1)
    with pytest.raises(ValueError, match=r"^VonMises has no spread for column 0 in class 0\.0; give it a prior"):
        described(MaximumLikelihood(), np.full(9, 6.0))


def test_a_prior_of_a_rate_is_refused():
    with pytest.raises(TypeError, match=r"^Gamma\(\) is no prior for proportions"):
        described(Gamma(), HOURS)


@pytest.mark.parametrize("period", [0.0, -1.0, np.inf, np.nan])
def test_a_period_is_above_0(period):
    with pytest.raises(ValueError, match=r"^the period must be above 0, not "):
        VonMises(period=period)


def test_infinity_is_refused():
    with pytest.raises(BadCell, match=r"^VonMises needs finite numbers, up to 1e150; column 0, row 1, has inf"):
        counted(VonMises(), observed(np.array([[1.0], [np.inf]]), [0, 1]))


def test_the_posterior_is_the_prior_and_the_rows():
    found = NaiveBayes(VonMises(Laplace(2), 24)).fit(HOURS[:, None], Y).parameter_posterior(0)
    assert found.rows.tolist() == [(~NIGHT).sum() + 2, NIGHT.sum() + 2]
    assert found.mean[0] == pytest.approx(13, abs=0.5)
    assert (found.length < found.rows).all()


def test_a_time_of_day_is_cyclic_and_other_numbers_are_not():
    """By its type: a float is never read as a cycle."""
    clock = [time(int(hour), int(hour % 1 * 60)) for hour in HOURS]
    table = pa.table({"at": pa.array(clock, pa.time32("s")), "hour": HOURS})
    families = NaiveBayes().fit(table, Y).families_
    assert families["at"] == VonMises(period=86_400.0)
    assert not isinstance(families["hour"], VonMises)
    frame = pd.DataFrame({"at": clock})
    assert isinstance(NaiveBayes().fit(frame, Y).families_["at"], VonMises)
    assert LogisticRegression().fit(frame, Y).features_ == [("at", "cos"), ("at", "sin")]


def test_logistic_regression_reads_cosine_and_sine():
    model = LogisticRegression(families=VonMises(period=24)).fit(HOURS[:, None], Y)
    assert model.features_ == [(0, "cos"), (0, "sin")]
    assert (model.predict([[23.9], [0.1], [13.0]]) == ["night", "night", "day"]).all()
    assert leave_one_out(model, HOURS[:, None], Y).error < 0.05


def test_whole_hours_are_sampled_from_0_to_23():
    hours = np.floor(HOURS).astype(int)
    rows, _ = NaiveBayes(VonMises(period=24)).fit(pd.DataFrame({"hour": hours}), Y).sample(2000, random_state=0)
    found = rows["hour"].to_numpy()
    assert found.dtype.kind == "i"
    assert (found.min(), found.max()) == (0, 23)
