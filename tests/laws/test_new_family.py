"""A family is one file, one test and one line in the registry: proven on families that are written here.

They are registered while a test of this file runs. Nothing outside this file knows of them, and yet every law holds,
and a model does with them all that it does with any other. To write a family, begin with `Geometric`.
"""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import pytest

import likely
from likely import NaiveBayes, _native
from likely.data.table import Kind
from likely.families import FAMILIES, Bernoulli, Block, Categorical, Family, Gaussian, Poisson, evidence
from likely.families.cells import Array, Codes, check, ratio, terms, without
from likely.families.family import Domain, Line, Observations, Parameter, Picture
from likely.families.totals import number_of, totals
from likely.priors import Beta, Laplace, Prior
from likely.statistics import Frame, Statistics, Totals
from likely.validation import audit, cross_validate, leave_one_out, relevance, weigh

from . import test_contract, test_loo, test_models, test_samples, test_scores, test_statistics
from .cases import LAWS, variants

# Two families


@dataclass(frozen=True, eq=False)
class Ends:
    """The probability that it ends with the next trial, per class and column."""

    q: Array
    column_weights: Array | None = None

    @cached_property
    def weights(self) -> Array:
        return np.ones(self.q.shape[1]) if self.column_weights is None else self.column_weights

    @cached_property
    def log_end(self) -> Array:
        with np.errstate(divide="ignore"):
            return terms(self.weights, np.log(self.q))

    @cached_property
    def log_on(self) -> Array:
        with np.errstate(divide="ignore"):
            return terms(self.weights, np.log1p(-self.q))


@dataclass(frozen=True, repr=False)
class Geometric(Family):
    """log p(x | y) = log q + x log(1 - q): how many trials fail before one succeeds.

    Maximum likelihood is q = n / (n + sum); with Beta(a, b), (n + a) / (n + sum + a + b).
    """

    prior: Prior = Laplace()
    counts_in: ClassVar[tuple[type[Statistics], ...]] = (Totals,)
    auto: ClassVar[tuple[Kind, ...]] = ("int",)
    domain: ClassVar[Domain] = "whole"
    lowest: ClassVar[float] = 0.0
    picture: ClassVar[Picture] = "mass"
    needs: ClassVar[str] = "Geometric needs whole numbers of 0 or more"

    def count(self, seen: Observations, frame: Frame) -> Totals:
        return totals(seen, seen.cells, _native.COUNT, self.needs)

    def estimate(self, block: Block) -> Ends:
        fails, ends = self.prior.proportions(2)
        above = block.statistics.seen + ends
        return Ends(ratio(above, above + block.statistics.total + fails, 0.5))

    def score(self, parameters: Ends, cells: Array, out: Array) -> None:
        x = np.asarray(cells, np.float64)
        if (bad := (x < 0) | np.isinf(x) | (x != np.rint(x)) & ~np.isnan(x)).any():
            check(int(np.flatnonzero(bad)[0]), cells, self.needs)
        out += self.contributions(parameters, x).sum(axis=2)

    def contributions(self, parameters: Ends, cells: Array) -> Array:
        x = np.asarray(cells, np.float64)[:, None, :]
        return np.where(np.isnan(x), 0.0, parameters.log_end + terms(x, parameters.log_on))

    def loo(self, block: Block, seen: Observations) -> Array:
        x, w = np.asarray(seen.cells, np.float64), seen.weights[:, None]
        fails, ends = self.prior.proportions(2)
        above = without(block.statistics.seen[seen.y], w) + ends
        below = above + without(block.statistics.total[seen.y], w * np.nan_to_num(x)) + fails
        left = Ends(ratio(above, below, 0.5))
        return np.where(np.isnan(x), 0.0, left.log_end + terms(x, left.log_on))

    def sample(self, parameters: Ends, y: Codes, rng: np.random.Generator) -> Array:
        return rng.geometric(parameters.q[y]) - 1.0

    def describe(self, parameters: Ends, frame: Frame) -> Iterator[Parameter]:
        for j in range(len(frame.columns)):
            yield Parameter(j, "probability of the end", parameters.q[:, j])

    def parameter_count(self, block: Block) -> int:
        return int(block.statistics.total.size)

    def linear(self, parameters: Ends, frame: Frame) -> Line:
        columns = [(j, None) for j in range(len(frame.columns))]
        return Line(parameters.log_on, parameters.log_end.sum(axis=1), columns)

    def parameter_posterior(self, block: Block, column: int) -> Beta:
        fails, ends = self.prior.dirichlet(2).alpha
        number = number_of(block.statistics, column)
        return Beta(ends, fails).posterior(number, block.statistics.total[:, column])

    def log_evidence(self, block: Block) -> Array:
        fails, ends = evidence.proper(self.prior, 2)
        return evidence.of_bits(block.statistics.seen, block.statistics.total, ends, fails)

    def log_bayes_factor(self, block: Block) -> Array:
        """Each trial is a bit, and as many succeed as there are cells."""
        ends = block.statistics.seen
        return evidence.factor_of_bits(ends, ends + block.statistics.total)


@dataclass(frozen=True, repr=False)
class Rare(Categorical):
    """As Categorical, with a prior for columns of which nearly all rows have one value."""

    prior: Prior = Laplace(0.05)
    auto: ClassVar[tuple[Kind, ...]] = ("category", "bool")
    auto_constant: ClassVar[tuple[Kind, ...]] = ()


OWN = {"geometric": Geometric, "rare": Rare}


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Their lines in the registry."""
    for name, family in OWN.items():
        monkeypatch.setitem(FAMILIES, name, family)


# Every law


def laws_of(family: type[Family]) -> Iterator[Any]:
    """All that is written for any family, with each of its other parameters."""
    for law in LAWS:
        settings = list(_settings(law.test))
        varied = law.test.__module__ in _OF_VARIANTS and family is not Rare  # whose formulas are those of Categorical
        ofs = variants(family) if varied else (family(),)
        for own, options in product(ofs, settings):
            if law.holds_for(own):
                yield pytest.param(law.test, own, options, id=f"{law.test.__name__}-{own!r}-{list(options.values())}")


_OF_VARIANTS = {test_loo.__name__, test_scores.__name__}


def _settings(test: Any) -> Iterator[dict[str, Any]]:
    """Each way in which a test is called, but for the family."""
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    of_marks = [(mark.args[0], mark.args[1]) for mark in marks if mark.args[0] != "family"]
    for values in product(*(values for _, values in of_marks)):
        yield {name: value for (name, _), value in zip(of_marks, values, strict=True)}


def call(test: Any, given: dict[str, Any], request: pytest.FixtureRequest) -> None:
    """With what is given, and fixtures for the rest."""
    wanted = inspect.signature(test).parameters
    test(**given, **{name: request.getfixturevalue(name) for name in wanted if name == "tmp_path"})


@pytest.mark.parametrize(("law", "family", "options"), [law for kind in OWN.values() for law in laws_of(kind)])
def test_every_law_of_families_holds(law, family, options, request):
    call(law, {"family": family, **options}, request)


def laws_of_models(module: ModuleType = test_models) -> Iterator[Any]:
    for name, test in vars(module).items():
        if name.startswith("test_") and "data" in inspect.signature(test).parameters:
            for options in _settings(test):
                yield pytest.param(test, options, id=f"{name}-{list(options.values())}")


@pytest.fixture(scope="module", params=[*OWN, "all"])
def data(request) -> test_models.Data:
    return test_models.make(OWN.values() if request.param == "all" else [OWN[request.param]])


@pytest.mark.parametrize(("law", "options"), list(laws_of_models()))
def test_every_law_of_models_holds(law, options, data):
    law(data=data, **options)


def test_the_laws_are_those_of_all_files():
    """None is passed over: a new file of laws must be imported here."""
    written = {law.test.__module__ for law in LAWS}
    assert written == {of.__name__ for of in (test_contract, test_loo, test_samples, test_scores, test_statistics)}
    assert len(LAWS) > 50


# What users do

RNG = np.random.default_rng(0)
Y = np.array(["fox", "owl"])[RNG.integers(0, 2, 400)]
OWL = Y == "owl"
TABLE = pd.DataFrame(
    {
        "tries": RNG.geometric(np.where(OWL, 0.1, 0.35)) - 1,
        "income": RNG.normal(np.where(OWL, 0.0, 1.0), 1.2),
        "street": np.where(RNG.random(400) < 0.99, "high", "low"),
        "noise": RNG.geometric(0.2, 400) - 1,
    }
)
NAMED = {"tries": "geometric", "income": "gaussian", "street": "rare", "noise": Geometric()}


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    with pytest.MonkeyPatch.context() as patch:
        for name, family in OWN.items():
            patch.setitem(FAMILIES, name, family)
        return NaiveBayes(NAMED).fit(TABLE, Y)


def test_auto_chooses_them_where_they_fit_best():
    found = NaiveBayes().fit(TABLE, Y).families_
    assert {name: type(family) for name, family in found.items()} == {
        "tries": Geometric,
        "income": Gaussian,
        "street": Rare,
        "noise": Geometric,
    }


def test_auto_does_not_choose_them_where_others_fit_better():
    table = pd.DataFrame({"count": RNG.poisson(30, 400), "number": RNG.normal(0, 1, 400), "bit": OWL})
    found = NaiveBayes().fit(table, RNG.permutation(Y)).families_
    assert {name: type(family) for name, family in found.items()} == {
        "count": Poisson,
        "number": Gaussian,
        "bit": Bernoulli,
    }


def test_what_they_cannot_read_is_named_by_its_place():
    with pytest.raises(ValueError, match=r"^Geometric needs whole numbers of 0 or more; column 'a', row 1, has -1$"):
        NaiveBayes("geometric").fit(pd.DataFrame({"a": [1, -1]}), [0, 1])


def test_by_hand():
    """Of 3 and 5 failures, (2 + 1) / (2 + 8 + 2) end; of 2 and 4, so many."""
    model = NaiveBayes("geometric", class_prior="uniform").fit([[3], [5]], [0, 0])
    np.testing.assert_allclose(np.exp(model.predict_joint_log_proba([[0], [2]])), [[1 / 4], [1 / 4 * (3 / 4) ** 2]])


def test_relevance_selection_and_evidence(model):
    found = relevance(model)
    assert found["tries"] > 10
    assert found["income"] > 10
    assert found["noise"] < 0
    assert set(NaiveBayes(NAMED, select="auto").fit(TABLE, Y).families_) == {"tries", "income"}
    rivals = {"geometric": NaiveBayes("geometric"), "poisson": NaiveBayes("poisson")}
    assert weigh(rivals, TABLE[["tries"]], Y).map == "geometric"


def test_weights_smoothing_and_missing_cells():
    holed = TABLE.mask(RNG.random(TABLE.shape) < 0.1)
    model = NaiveBayes(smoothing="auto", column_weights=True, missing="value").fit(holed, Y)
    weights = model.column_weights_
    assert weights["noise"] < weights["tries"]
    assert all(np.isfinite(list(weights.values())))
    assert (model.predict(holed) == Y).mean() > 0.7


def test_describing_explaining_and_sampling(model):
    lines = {(column, name) for column, name, _ in model.describe().lines}
    assert {("tries", "probability of the end"), ("income", "standard deviation")} <= lines
    for reasons, scores in zip(model.explain(TABLE[:5]), model.predict_joint_log_proba(TABLE[:5]), strict=True):
        assert [reason.column for reason in reasons.reasons] == list(TABLE)
        np.testing.assert_allclose(reasons.scores, scores)
    rows, y = model.sample(5000, random_state=0)
    assert np.mean(rows["tries"].to_numpy()[y == "owl"]) == pytest.approx(TABLE["tries"][OWL].mean(), rel=0.1)
    assert np.mean(rows["income"].to_numpy()[y == "fox"]) == pytest.approx(1.0, abs=0.25)
    posterior = model.parameter_posterior("tries")
    assert posterior.mean[1] == pytest.approx(0.1, abs=0.02)


def test_learning_on_forgetting_and_merging(model):
    halves = [NaiveBayes(NAMED).fit(TABLE[rows], Y[rows]) for rows in (slice(0, 200), slice(200, None))]
    expected = model.predict_proba(TABLE)
    np.testing.assert_allclose(likely.merge(halves).predict_proba(TABLE), expected, rtol=1e-9)
    first = NaiveBayes(NAMED).fit(TABLE[:200], Y[:200])
    before = first.predict_proba(TABLE)
    np.testing.assert_allclose(first.partial_fit(TABLE[200:], Y[200:]).predict_proba(TABLE), expected, rtol=1e-9)
    np.testing.assert_allclose(first.forget(TABLE[200:], Y[200:]).predict_proba(TABLE), before, rtol=1e-9)


def test_validation_knows_how_often_it_is_wrong(model):
    one, folds = leave_one_out(NaiveBayes(NAMED), TABLE, Y), cross_validate(NaiveBayes(NAMED), TABLE, Y, 5)
    assert one.error == pytest.approx(folds.error, abs=0.05)
    assert one.error < 0.3
    row = 17
    others = np.arange(400) != row
    alone = NaiveBayes(NAMED).fit(TABLE[others], Y[others]).predict_proba(TABLE[row : row + 1])
    np.testing.assert_allclose(one.probabilities[row], alone[0], rtol=1e-9)


def test_an_audit_finds_labels_that_are_wrong():
    sure = pd.DataFrame({"tries": np.random.default_rng(5).geometric(np.where(OWL, 0.01, 0.9)) - 1})
    wrong = Y.copy()
    wrong[:5] = np.where(Y[:5] == "owl", "fox", "owl")
    found = audit(NaiveBayes("geometric"), sure, wrong)
    clear = {row for row in range(5) if OWL[row] and sure["tries"][row] > 30}
    assert clear
    assert {suspect.row for suspect in found.suspects} >= clear
