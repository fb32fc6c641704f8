"""One of several values, and the mass kept for those not seen yet."""

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from likely import NaiveBayes
from likely.families import Categorical
from likely.priors import Dirichlet, Laplace, MaximumLikelihood, MEstimate

from .blocks import observed

TABLE = pa.table({"colour": ["red", "red", "green", "blue", "red", "green"]})
LABELS = [0, 0, 0, 0, 1, 1]
"""Class 0 has red twice, green and blue once; class 1 has red and green once."""


def likelihood(family: Categorical, values: list[str | None]) -> np.ndarray:
    model = NaiveBayes(family, class_prior="uniform").fit(TABLE, LABELS)
    return 2 * np.exp(model.predict_joint_log_proba(pa.table({"colour": pa.array(values, pa.string())})))


def test_maximum_likelihood_is_the_share_of_each_value():
    expected = [[1 / 4, 0], [1 / 4, 1 / 2], [2 / 4, 1 / 2]]
    np.testing.assert_allclose(
        likelihood(Categorical(prior=MaximumLikelihood()), ["blue", "green", "red"]), expected, atol=1e-15
    )


def test_laplace_smoothing_counts_one_value_more_than_were_seen():
    """(count + 1) / (n + 4) for three colours and whatever else may come."""
    expected = [[2 / 8, 1 / 6], [2 / 8, 2 / 6], [3 / 8, 2 / 6], [1 / 8, 1 / 6]]
    np.testing.assert_allclose(likelihood(Categorical(), ["blue", "green", "red", "mauve"]), expected)


@pytest.mark.parametrize("prior", [Laplace(), Laplace(0.3), MEstimate(5), Dirichlet((0.5, 1, 2, 3))], ids=repr)
def test_known_values_and_one_unseen_have_all_the_probability(prior):
    total = likelihood(Categorical(prior=prior), ["blue", "green", "red", "mauve"]).sum(axis=0)
    np.testing.assert_allclose(total, 1.0)


def test_a_value_not_seen_before_is_neither_an_error_nor_a_free_pass():
    """It is rarer, and tells for the class with fewer rows: 1/8 against 1/6."""
    model = NaiveBayes(Categorical(), class_prior="uniform").fit(TABLE, LABELS)
    odds = model.predict_proba(pa.table({"colour": ["mauve"]}))[0]
    np.testing.assert_allclose(odds, [(1 / 8) / (1 / 8 + 1 / 6), (1 / 6) / (1 / 8 + 1 / 6)])


def test_every_new_value_is_alike():
    found = likelihood(Categorical(), ["mauve", "taupe", ""])
    np.testing.assert_array_equal(found, found[[0, 0, 0]])


def test_without_mass_for_the_unseen_the_known_values_share_it_all():
    found = likelihood(Categorical(unseen=False), ["blue", "green", "red"])
    np.testing.assert_allclose(found, [[2 / 7, 1 / 5], [2 / 7, 2 / 5], [3 / 7, 2 / 5]])


def test_without_mass_for_the_unseen_a_new_value_is_impossible():
    """In every class, so that the row gets the class prior."""
    model = NaiveBayes(Categorical(unseen=False)).fit(TABLE, LABELS)
    row = pa.table({"colour": ["mauve"]})
    assert np.isneginf(model.predict_joint_log_proba(row)).all()
    np.testing.assert_allclose(model.predict_proba(row), [[4 / 6, 2 / 6]])


def test_an_m_estimate_adds_m_rows_in_given_proportions():
    """The proportions are of blue, green, red, and a value to come."""
    family = Categorical(prior=MEstimate(10, (0.1, 0.2, 0.6, 0.1)))
    expected = [[2 / 14, 1 / 12], [3 / 14, 3 / 12], [8 / 14, 7 / 12], [1 / 14, 1 / 12]]
    np.testing.assert_allclose(likelihood(family, ["blue", "green", "red", "mauve"]), expected)


def test_a_mode_is_one_less_of_each():
    """(count + a - 1) / (n + sum of a - 4)."""
    family = Categorical(prior=Dirichlet(3.0, estimate="mode"))
    expected = [[3 / 12, 2 / 10], [3 / 12, 3 / 10], [4 / 12, 3 / 10], [2 / 12, 2 / 10]]
    np.testing.assert_allclose(likelihood(family, ["blue", "green", "red", "mauve"]), expected)


def test_the_posterior_is_a_dirichlet():
    posterior = NaiveBayes(Categorical(prior=Laplace(0.5))).fit(TABLE, LABELS).parameter_posterior("colour")
    np.testing.assert_array_equal(posterior.alpha, [[1.5, 1.5, 2.5, 0.5], [0.5, 1.5, 1.5, 0.5]])
    np.testing.assert_allclose(posterior.mean, [stats.dirichlet(alpha).mean() for alpha in posterior.alpha])


def test_the_posterior_without_the_unseen_is_of_the_known_values():
    posterior = NaiveBayes(Categorical(unseen=False)).fit(TABLE, LABELS).parameter_posterior("colour")
    np.testing.assert_array_equal(posterior.alpha, [[2, 2, 3], [1, 2, 2]])


def test_a_missing_cell_adds_nothing():
    np.testing.assert_allclose(likelihood(Categorical(), [None]), [[1.0, 1.0]])


def test_a_class_without_values_has_the_prior_shares():
    table = pa.table({"colour": ["red", "green", None]})
    model = NaiveBayes(Categorical(), class_prior="uniform").fit(table, [0, 0, 1])
    found = 2 * np.exp(model.predict_joint_log_proba(pa.table({"colour": ["red", "mauve"]})))[:, 1]
    np.testing.assert_allclose(found, [1 / 3, 1 / 3])


def test_a_value_that_arrives_takes_its_cell_from_the_prior():
    """Once mauve has been seen there are five cells: (1 + 1) / (5 + 5)."""
    model = NaiveBayes(Categorical()).fit(TABLE.slice(0, 4), [0] * 4)
    row = pa.table({"colour": ["mauve"]})
    assert np.exp(model.predict_joint_log_proba(row)).item() == pytest.approx(1 / 8)
    model.partial_fit(row, [0])
    assert np.exp(model.predict_joint_log_proba(row)).item() == pytest.approx(2 / 10)


def test_numbers_are_categories_too():
    """Each number is a value of its own, with no order; a number not seen is new."""
    model = NaiveBayes(Categorical()).fit(np.array([[3], [3], [-7]]), [0, 0, 0])
    found = np.exp(model.predict_joint_log_proba(np.array([[3], [-7], [0]])))
    np.testing.assert_allclose(found[:, 0], [3 / 6, 2 / 6, 1 / 6])


def test_values_of_floats_need_not_be_whole():
    model = NaiveBayes(Categorical()).fit(np.array([[0.5], [0.5], [np.nan], [-0.25]]), np.zeros(4))
    found = np.exp(model.predict_joint_log_proba([[0.5], [-0.25], [0.0], [np.nan]]))
    np.testing.assert_allclose(found[:, 0], [3 / 6, 2 / 6, 1 / 6, 1])


def test_text_where_numbers_were_learned_is_named():
    model = NaiveBayes(Categorical()).fit(pa.table({"size": [1, 2]}), [0, 1])
    with pytest.raises(ValueError, match="column 'size'"):
        model.predict(pa.table({"size": ["large"]}))


def test_one_parameter_for_each_value():
    """Of V values and one unseen, V are free; without the unseen one less."""
    for family, free in ((Categorical(), 3), (Categorical(unseen=False), 2)):
        assert NaiveBayes(family).fit(TABLE, LABELS).describe().free_parameters == 1 + 2 * free


def test_the_description_names_the_values():
    lines = NaiveBayes(Categorical()).fit(TABLE, LABELS).describe().lines
    assert [name for _, name, _ in lines] == [f"probability of {value!r}" for value in ("blue", "green", "red")]
    np.testing.assert_allclose(lines[2][2], [3 / 8, 2 / 6])


def test_the_boundary_is_linear_in_indicators():
    line = NaiveBayes(Categorical()).fit(TABLE, LABELS).linear()
    assert line.features == [("colour", "blue"), ("colour", "green"), ("colour", "red")]
    np.testing.assert_allclose(line.weights, np.log([[2 / 8, 2 / 8, 3 / 8], [1 / 6, 2 / 6, 2 / 6]]))


def test_only_known_values_are_drawn():
    drawn, _ = NaiveBayes(Categorical(prior=Laplace(50))).fit(TABLE, LABELS).sample(200, random_state=1)
    assert set(drawn["colour"].to_pylist()) == {"red", "green", "blue"}


def test_leave_one_out_keeps_the_cell_of_the_row_itself():
    """The frame stays as it was: blue is known still, with no row left. (0 + 1) / (3 + 4)."""
    model = NaiveBayes(Categorical()).fit(TABLE, LABELS).model_
    (block,) = model.known.blocks
    code = np.flatnonzero(block.frame.cells[0] == "blue").astype(np.int32)[None]
    found = block.family.loo(block, observed(code, [0], 2))
    assert np.exp(found).item() == pytest.approx(1 / 7)
