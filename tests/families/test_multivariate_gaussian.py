"""Columns that vary together: the family itself. Its estimates are in test_covariance.py, leaving rows out in
test_gaussian_loo.py.
"""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from likely import NaiveBayes
from likely.errors import Degenerate
from likely.families import BadCell, MultivariateGaussian
from likely.families.covariance import NEEDS
from likely.priors import Beta, InverseWishart, MaximumLikelihood, Normal

from .blocks import loo_scored, observed, scored
from .gaussians import FRAME, SHAPES, X, Y, drawn, every_shape, holed, learned

# Options


def test_by_default_it_is_full_and_tunes_itself():
    family = MultivariateGaussian()
    assert (family.covariance, family.shrinkage, family.prior) == ("full", "auto", MaximumLikelihood())
    assert repr(family) == "MultivariateGaussian()"
    assert repr(MultivariateGaussian("tied", 0.2)) == "MultivariateGaussian(covariance='tied', shrinkage=0.2)"


@pytest.mark.parametrize(
    ("shape", "shrinkage", "amounts"),
    [
        ("full", 0.3, (0.3, 0.0)),
        ("full", (0.3, 0.2), (0.3, 0.2)),
        ("full", [0.3, 0.2], (0.3, 0.2)),
        ("tied", 0.3, (1.0, 0.3)),
        ("tied", (0.3, 0.2), (1.0, 0.2)),
        ("diagonal", 0.3, (0.3, 1.0)),
        ("diagonal", (0.3, 0.2), (0.3, 1.0)),
        ("spherical", 0.3, (0.3, 1.0)),
    ],
)
def test_one_number_is_the_amount_that_the_covariance_leaves_free(shape, shrinkage, amounts):
    assert MultivariateGaussian(shape, shrinkage).amounts == amounts


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        (
            {"covariance": "round"},
            ValueError,
            "the covariance is 'full', 'tied', 'diagonal' or 'spherical', not 'round'",
        ),
        ({"shrinkage": "some"}, ValueError, "shrinkage is a number, a pair of numbers or 'auto', not 'some'"),
        *(
            (
                {"shrinkage": bad},
                ValueError,
                f"shrinkage is a number from 0 to 1, a pair of them or 'auto', not {bad!r}",
            )
            for bad in (
                -0.1,
                1.1,
                float("nan"),
                float("inf"),
                (0.1, 1.5),
                (0.1, 0.2, 0.3),
                (0.1,),
                (),
                ((0.1, 0.2),),
                None,
            )
        ),
        ({"mean_prior": InverseWishart(1.0, 2.0)}, TypeError, "mean_prior is a Normal, not InverseWishart"),
        ({"mean_prior": 3.0}, TypeError, "mean_prior is a Normal, not 3.0"),
    ],
    ids=lambda value: repr(value) if isinstance(value, dict) else "",
)
def test_an_option_that_is_none_is_refused_when_it_is_given(options, error, said):
    with pytest.raises(error) as caught:
        MultivariateGaussian(**options)
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize("pair", [[0.1, 0.2], np.array([0.1, 0.2]), (0.1, 0.2)], ids=["list", "array", "tuple"])
def test_a_family_is_a_value_however_its_pair_was_given(pair):
    assert MultivariateGaussian(shrinkage=pair) == MultivariateGaussian(shrinkage=(0.1, 0.2))
    assert hash(MultivariateGaussian(shrinkage=pair)) == hash(MultivariateGaussian(shrinkage=(0.1, 0.2)))


@every_shape
def test_a_prior_of_another_shape_is_refused(shape):
    family = MultivariateGaussian(shape, prior=Beta())
    with pytest.raises(TypeError, match=r"^Beta\(\) is no prior for a covariance \(MultivariateGaussian\); .* are$"):
        family.estimate(learned(family))


# Bad cells


@every_shape
@pytest.mark.parametrize("bad", [np.inf, -np.inf, 1e151])
@pytest.mark.parametrize("other", [1.0, np.nan])
def test_a_number_without_a_finite_square_is_refused_by_its_place(shape, bad, other):
    """Also in a row that is not counted for another cell that is missing."""
    x = X.copy()
    x[30] = other, bad, 2.0
    family = MultivariateGaussian(shape, 0.1)
    for use in (lambda: learned(family, x), lambda: scored(learned(family), x)):
        with pytest.raises(BadCell) as caught:
            use()
        assert (caught.value.row, caught.value.column, caught.value.value) == (30, 1, bad)
        assert caught.value.needs == "MultivariateGaussian needs finite numbers, up to 1e150"


def test_a_bad_cell_is_named_by_its_column():
    table = pa.table({"height": [1.0, 2.0, 3.0, 4.0], "weight": [1.0, 2.0, 2.0, np.inf]})
    said = r"^MultivariateGaussian needs finite numbers, up to 1e150; column 'weight', row 3, has inf$"
    with pytest.raises(ValueError, match=said):
        NaiveBayes(MultivariateGaussian()).fit(table, [0, 0, 1, 1])


@every_shape
def test_large_numbers_are_fine_up_to_there(shape):
    family, large = MultivariateGaussian(shape, (0.1, 0.2)), 1e149
    rtol = {"rtol": 1e-11}
    found, expected = scored(learned(family, X * large), X * large), scored(learned(family), X)
    np.testing.assert_allclose(found + 3 * np.log(large), expected, **rtol)
    out, same = (loo_scored(learned(family, x), observed(x, Y)) for x in (X * large, X))
    np.testing.assert_allclose(out + 3 * np.log(large), same, **rtol)


# What does not exist


def test_a_class_with_too_few_rows_is_named_with_the_rank_of_its_covariance():
    x, y = drawn((9, 3, 9))
    family = MultivariateGaussian("full", 0.0)
    with pytest.raises(Degenerate) as caught:
        family.estimate(learned(family, x, y))
    instead = "shrink it (shrinkage='auto' finds how far), give it a prior, or leave columns out"
    assert str(caught.value) == f"the full covariance has rank 2 of 3, from 3 rows, in class 1; {instead}"
    with pytest.raises(ValueError, match=r"^the full covariance has rank 2 of 3, from 3 rows, in class 'b'; shrink "):
        NaiveBayes(family).fit(x, np.array(["a", "b", "c"])[y])


@pytest.mark.parametrize("mean_prior", [None, Normal(0.0, 1.0), Normal(0.0, 0.0)], ids=repr)
@pytest.mark.parametrize("column", [X[:, 0], X[:, 0] - 2 * X[:, 2], np.full(len(Y), 0.7), Y / 3], ids=range(4))
@pytest.mark.parametrize("shape", ["full", "tied"])
def test_a_column_that_adds_nothing_is_an_error_by_maximum_likelihood(shape, column, mean_prior):
    """A copy, a sum, one value, one value in each class: whatever the prior of the mean."""
    family = MultivariateGaussian(shape, 0.0, mean_prior=mean_prior)
    where = "12 rows, in class 0" if shape == "full" else "36 rows"
    with pytest.raises(Degenerate, match=f"^the {shape} covariance has rank 2 of 3, from {where}; shrink it"):
        family.estimate(learned(family, np.c_[X[:, 0], column, X[:, 2]]))


def test_a_covariance_that_is_refused_is_not_said_to_have_all_its_rank():
    """Nearly a copy: some 1e-12 of its variance is its own."""
    family = MultivariateGaussian("full", 0.0)
    x = np.c_[X[:, 0], X[:, 0] + 3e-6 * X[:, 1], X[:, 2]]
    with pytest.raises(Degenerate, match="rank 2 of 3"):
        family.estimate(learned(family, x))


@pytest.mark.parametrize("mean_prior", [None, Normal(0.0, 1.0)], ids=repr)
@pytest.mark.parametrize("shape", ["diagonal", "spherical"])
def test_a_variance_that_does_not_exist_is_named_by_its_column(shape, mean_prior):
    family = MultivariateGaussian(shape, 0.0, mean_prior=mean_prior)
    x, y = drawn((9, 1, 9))
    first = 0 if shape == "spherical" else 2
    if shape == "diagonal":
        x, y = X.copy(), Y
        x[y == 1, 2] = 4.0
    said = f"^a {shape} covariance has no variance for column {first} in class 1; shrink it "
    with pytest.raises(Degenerate, match=said):
        family.estimate(learned(family, x, y))


@every_shape
@pytest.mark.parametrize(
    "option", [{"shrinkage": 0.1}, {"shrinkage": 0.0, "prior": InverseWishart(1.0, 2.0)}], ids=repr
)
def test_with_shrinkage_or_a_prior_every_class_has_a_covariance(shape, option):
    """Of one row, two, and none; with a column twice and one constant."""
    x, y = drawn((9, 1, 2, 9))
    x[:, 1] = x[:, 0]
    x[:, 2] = 0.7
    option = dict(option) if "prior" in option else {"shrinkage": (0.1, 0.1)}
    family = MultivariateGaussian(shape, **option)
    assert np.isfinite(scored(learned(family, x, y, classes=5), x)).all()


# Parameters


@pytest.mark.parametrize(
    ("shape", "free"), [("full", 9 + 3 * 6), ("tied", 9 + 6), ("diagonal", 9 + 9), ("spherical", 9 + 3)]
)
def test_free_parameters(shape, free):
    """Three means a class, and 6, 3 or 1 numbers of a covariance."""
    family = MultivariateGaussian(shape)
    assert family.parameter_count(learned(family)) == free


@every_shape
def test_it_describes_means_deviations_and_correlations(shape):
    family = MultivariateGaussian(shape, 0.0)
    lines = list(family.describe(family.estimate(learned(family)), FRAME))
    of = {(line.column, line.name): line.values for line in lines}
    assert len(of) == len(lines) == (9 if shape in ("full", "tied") else 6)
    within = sum((k == Y).sum() * np.cov(X[k == Y].T, ddof=0) for k in range(3)) / len(Y)
    for k in range(3):
        own = within if shape == "tied" else np.cov(X[k == Y].T, ddof=0)
        deviation = np.sqrt(np.diag(own) if shape != "spherical" else np.full(3, np.diag(own).mean()))
        for j in range(3):
            assert of[j, "mean"][k] == pytest.approx(X[k == Y, j].mean())
            assert of[j, "standard deviation"][k] == pytest.approx(deviation[j])
            for i in range(j if shape in ("full", "tied") else 0):
                expected = own[i, j] / deviation[i] / deviation[j]
                assert of[j, f"correlation with {FRAME.columns[i]}"][k] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("shape", "shrinkage", "linear"),
    [
        ("tied", 0.0, True),
        ("tied", 0.3, True),
        ("full", 1.0, True),
        ("full", (1.0, 0.5), True),
        ("diagonal", 1.0, True),
        ("spherical", 1.0, True),
        ("full", 0.99, False),
        ("full", (0.0, 1.0), False),
        ("diagonal", 0.0, False),
        ("spherical", 0.5, False),
    ],
)
def test_scores_of_a_tied_covariance_are_linear_but_for_what_all_classes_share(shape, shrinkage, linear):
    family = MultivariateGaussian(shape, shrinkage)
    block = learned(family)
    line = family.linear(family.estimate(block), FRAME)
    assert (line is not None) == linear
    if line is not None:
        assert list(line.features) == [(0, None), (1, None), (2, None)]
        rest = scored(block, X) - (X @ line.weights.T + line.bias)
        np.testing.assert_allclose(rest, rest[:, :1].repeat(3, axis=1), rtol=1e-10)


@pytest.mark.parametrize("seed", range(2))
@every_shape
def test_what_is_drawn_has_the_mean_and_the_covariance(shape, seed):
    """Whitened by them it is standard normal, and uncorrelated within five standard errors."""
    family = MultivariateGaussian(shape, 0.1)
    parameters = family.estimate(learned(family))
    y = np.repeat([2, 0, 1], 4000).astype(np.int32)
    x = family.sample(parameters, y, np.random.default_rng(seed))
    covariance = parameters.variance[:, None, :] * np.eye(3) if shape[0] in "ds" else parameters.covariance
    for k, c in enumerate(np.broadcast_to(covariance, (3, 3, 3))):
        z = np.linalg.solve(np.linalg.cholesky(c), (x[k == y] - parameters.mean[k]).T)
        assert min(stats.kstest(row, stats.norm.cdf).pvalue for row in z) > 1e-4
        assert np.abs(np.corrcoef(z) - np.eye(3)).max() < 5 / np.sqrt(4000)


@every_shape
def test_contributions_sum_to_the_score(shape):
    """Also with missing cells, which add nothing."""
    family, x = MultivariateGaussian(shape, (0.1, 0.2)), holed((3, 1), (7, 0), (7, 2), (8, 0), (8, 1), (8, 2))
    block = learned(family)
    cells = family.contributions(family.estimate(block), x)
    assert not cells[np.broadcast_to(np.isnan(x)[:, None, :], cells.shape)].any()
    np.testing.assert_allclose(cells.sum(axis=2), scored(block, x), rtol=1e-10)


@every_shape
def test_squared_distances_are_mahalanobis(shape):
    family, x = MultivariateGaussian(shape, 0.1), holed((3, 1), (7, 0), (7, 2))
    parameters = family.estimate(learned(family))
    covariance = parameters.variance[:, None, :] * np.eye(3) if shape[0] in "ds" else parameters.covariance
    found = parameters.squared_distances(x, NEEDS)
    for i, row in enumerate(x):
        there = ~np.isnan(row)
        for k, c in enumerate(np.broadcast_to(covariance, (3, 3, 3))):
            away = (row - parameters.mean[k])[there]
            assert found[i, k] == pytest.approx(away @ np.linalg.solve(c[np.ix_(there, there)], away))


# Units and memory


@pytest.mark.parametrize("units", [1e-3, 1000.0, 1e12])
@pytest.mark.parametrize(
    "family", [MultivariateGaussian(shape, by) for shape in SHAPES[:3] for by in (0.2, "auto")], ids=repr
)
def test_units_change_no_posterior(family, units):
    """Of a sphere they do, for it takes the columns as one."""
    scale = np.array([1.0, units, 1.0])
    here, there = (NaiveBayes(family).fit(x, Y) for x in (X, X * scale))
    np.testing.assert_allclose(there.predict_proba(X * scale), here.predict_proba(X), rtol=1e-9)


LAYOUTS = {
    "float32": lambda x: x.astype(np.float32),
    "Fortran": np.asfortranarray,
    "every other row": lambda x: x.repeat(2, axis=0)[::2],
    "every other column": lambda x: x.repeat(2, axis=1)[:, ::2],
    "backwards": lambda x: np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1],
    "int64": lambda x: x.astype(np.int64),
    "int8": lambda x: x.astype(np.int8),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@every_shape
def test_a_block_is_read_whatever_its_type_and_layout(shape, layout):
    """Counted, scored, left out, tuned and explained. Numbers are whole, so that every type holds them; one column is
    constant, and is left out of the work.
    """
    plain = np.round(X * 4)
    plain[:, 2] = 3.0
    if "int" not in layout:
        plain[[2, 5, 9], [0, 1, 2]] = np.nan
    laid_out = LAYOUTS[layout](plain)
    family = MultivariateGaussian(shape, (0.2, 0.3))

    def everything(x: np.ndarray) -> list[np.ndarray]:
        block, seen = learned(family, x), observed(x, Y)
        out, cells, scores = loo_scored(block, seen), family.loo(block, seen), scored(block, x)
        explained = family.contributions(family.estimate(block), x)
        amounts = MultivariateGaussian(shape).tuned(block, seen).amounts
        return [*block.statistics.arrays().values(), out, cells, scores, explained, np.array(amounts)]

    for found, expected in zip(everything(laid_out), everything(plain), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)
