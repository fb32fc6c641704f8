from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import random_array
from sklearn.utils import compute_sample_weight

from likely import LogisticRegression, NaiveBayes
from likely.report.classifiers import found_in
from likely.report.findings import FEW
from likely.validation import cross_validate, leave_one_out
from likely.validation.learned_rows import PERHAPS


def test_rows_that_were_learned_are_left_out(found, animals):
    assert found.learned
    np.testing.assert_allclose(found.result.probabilities, leave_one_out(NaiveBayes(), *animals).probabilities)


@pytest.mark.parametrize("make", [NaiveBayes, lambda: LogisticRegression(shrink_to="naive_bayes"), LogisticRegression])
def test_the_rows_learned_are_known_again(make, animals):
    x, y = animals
    model = make().fit(x, y)
    order = np.random.default_rng(0).permutation(len(y))
    assert found_in(model, x, y).learned
    assert found_in(model, x.iloc[order], y.iloc[order]).learned
    assert not found_in(model, x[:-1], y[:-1]).learned
    assert not found_in(model, x, y.iloc[order]).learned
    changed = x.assign(sightings=x["sightings"].where(x.index != 7, x["sightings"] + 1))
    assert not found_in(model, changed, y).learned


def test_new_rows_are_judged_as_they_are(animals):
    x, y = animals
    model = NaiveBayes().fit(x[:80], y[:80])
    found = found_in(model, x[80:], y[80:])
    np.testing.assert_allclose(found.result.probabilities, model.predict_proba(x[80:]))
    calibrated = NaiveBayes(calibrate=True).fit(x[:80], y[:80])
    np.testing.assert_allclose(
        found_in(calibrated, x[80:], y[80:]).result.probabilities, calibrated.predict_proba(x[80:])
    )


def test_logistic_regression_is_judged_in_parts(animals):
    model = LogisticRegression().fit(*animals)
    found = found_in(model, *animals)
    assert found.learned
    np.testing.assert_allclose(
        found.result.probabilities,
        cross_validate(LogisticRegression(), *animals, 5, stratify=True).probabilities,
        atol=1e-6,
    )
    assert not found.counts
    assert set(found.counted.chosen_families) == set(animals[0])


def test_a_class_that_was_never_learned(animals):
    x, y = animals
    model = NaiveBayes().fit(x[y != "lion"], y[y != "lion"])
    found = found_in(model, x, y)
    assert found.result.notes == (PERHAPS, "The model has never learned lion.")
    assert found.result.classes.tolist() == ["hyena", "lion", "warthog"]
    assert (found.result.probabilities[:, 1] == 0).all()
    assert len(found.audited) == (y != "lion").sum()
    with pytest.raises(ValueError, match="never learned class 'lion', so these are not the rows that it learned"):
        found_in(model, x, y, learned=True)


def test_few_rows_teach_nothing(animals):
    x, y = animals
    found = found_in(NaiveBayes().fit(x, y), x[: FEW - 1], y[: FEW - 1])
    assert found.after is None
    assert found.audit is None
    assert found.result is found.before


def test_a_wrong_label_is_found():
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "high"], 100)
    x = pd.DataFrame({"size": rng.normal(np.where(y == "low", 0, 9)), "noise": rng.normal(size=200)})
    y[13] = "high"
    found = found_in(NaiveBayes().fit(x, y), x, y)
    assert found.audited[found.audit.rows][0] == 13


def test_weights_count_as_rows(animals):
    x, y = animals
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    model = NaiveBayes({"shoulder_cm": "gaussian", "teeth_mm": "gaussian", "legs": "poisson"}).fit(x, y, weight)
    found = found_in(model, x, y, weight)
    assert found.learned
    assert found.result.error == pytest.approx(np.average(~found.result.right, weights=weight))
    assert not found_in(model, x, y).learned
    assert replace(found, learned=False).learned is False


def test_rows_are_weighed_as_they_were_learned(animals):
    model = LogisticRegression(class_weight="balanced").fit(*animals)
    found = found_in(model, *animals)
    assert found.learned
    np.testing.assert_allclose(found.result.weight, compute_sample_weight("balanced", animals[1]))


def test_of_a_sparse_matrix_nobody_can_tell(animals):
    y = animals[1]
    x = random_array((len(y), 30), density=0.2, rng=np.random.default_rng(0))
    model = LogisticRegression().fit(x, y)
    assert found_in(model, x, y).result.notes == (PERHAPS,)
    assert not found_in(model, x, y, learned=False).result.notes
