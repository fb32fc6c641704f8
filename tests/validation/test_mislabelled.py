"""Labels that were made wrong are found again."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LogisticRegression as TheirLogistic

from likely import LogisticRegression, NaiveBayes
from likely.data import read
from likely.models.naive_bayes import NaiveBayesModel
from likely.validation import audit
from likely.validation.mislabelled import headline

from .tables import FAMILIES, mixed


def planted(rows=900, classes=3, share=0.05, apart=4.0, seed=0):
    """Rows of classes well apart, labels of which some are wrong, and which."""
    rng = np.random.default_rng(seed)
    y = rng.integers(classes, size=rows)
    x = rng.normal(size=(rows, 3)) + apart * np.eye(classes, 3)[y]
    wrong = np.zeros(rows, np.bool)
    wrong[rng.choice(rows, int(share * rows), replace=False)] = True
    return x, np.where(wrong, (y + rng.integers(1, classes, rows)) % classes, y), y, wrong


@pytest.mark.parametrize(
    "model",
    [NaiveBayes(), NaiveBayesModel(), NaiveBayes(calibrate=True), LogisticRegression(), TheirLogistic()],
    ids=["NaiveBayes", "model", "calibrated", "logistic", "scikit-learn"],
)
def test_planted_errors_are_found(model):
    x, label, y, wrong = planted()
    found = audit(model, x, label)
    hits = wrong[found.rows]
    assert hits.mean() > 0.85
    assert hits.sum() > 0.8 * wrong.sum()
    assert found.noise == pytest.approx(0.05, abs=0.02)
    suspects = found.suspects
    assert len(suspects) == len(found)
    assert np.mean([suspect.looks_like == y[suspect.row] for suspect in suspects]) > 0.9
    assert all(suspect.label == label[suspect.row] for suspect in suspects)


def test_of_clean_labels_hardly_any_is_suspect():
    x, label, *_ = planted(share=0.0)
    found = audit(NaiveBayes(), x, label)
    assert len(found) < 10
    assert found.noise < 0.01
    assert audit(NaiveBayes(), *planted(share=0.0, apart=30.0)[:2]).found <= 1


@pytest.mark.parametrize("share", [0.5, 0.3, 0.02])
def test_rows_of_a_rare_class_are_no_mistakes_where_the_columns_say_nothing(share):
    rng = np.random.default_rng(3)
    codes = np.array([f"SKU{code}" for code in rng.integers(0, 1000, 2000)])
    found = audit(NaiveBayes(), np.column_stack([codes, rng.normal(size=2000)]), (rng.random(2000) < share).astype(int))
    assert len(found) < 10


def test_the_order_is_suspects_first_and_then_that_of_the_probability_of_the_label():
    x, label, *_ = planted(300)
    found = audit(NaiveBayes(), x, label)
    own = found.p[np.arange(300), found.y]
    assert (np.diff(own[found.rows]) >= 0).all()
    assert (np.diff(own[found.order[len(found) :]]) >= 0).all()
    assert found[0].probability == own.min()
    assert sorted(found.order.tolist()) == list(range(300))


def test_why_is_of_a_model_that_has_not_seen_the_row():
    x, y = mixed(80)
    table = x.to_pandas()
    found = audit(NaiveBayes(FAMILIES), table, y)
    row = int(found.order[0])
    others = table.drop(index=row)
    expected = NaiveBayes(FAMILIES).fit(others, np.delete(y, row)).explain(table.iloc[[row]])[0]
    assert_allclose(found.why(row).scores, expected.scores, rtol=1e-9)


def test_in_print():
    x, label, *_ = planted(1200)
    text = str(audit(NaiveBayes(), x, label)).split("\n")
    assert int(text[0].split()[0]) == pytest.approx(60, abs=12)
    assert "1,200 rows are surprising" in text[0]
    assert text[1].split() == ["row", "label", "probability", "looks", "like", "why"]
    assert text[-1].startswith("and ")
    none = str(
        audit(NaiveBayesModel(), read(planted(200, share=0.0, apart=30.0)[0]), planted(200, share=0.0, apart=30.0)[1])
    )
    assert none == "none of 200 rows is surprising"


def test_what_does_not_count_cannot_tell_why():
    x, label, *_ = planted(300)
    found = audit(TheirLogistic(), x, label)
    with pytest.raises(TypeError, match="only a model that counts rows can show why"):
        found.why(0)
    assert "looks like" in str(found)


def test_one_row_is_one():
    assert headline(1, 300) == "1 of 300 rows is surprising: check its label"
    assert headline(2, 300) == "2 of 300 rows are surprising: check their labels"
