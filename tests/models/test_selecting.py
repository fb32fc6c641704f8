"""Models that go by the columns that depend on the class."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from likely import NaiveBayes
from likely.data import read
from likely.validation import cross_validate, leave_one_out, relevance

from ..validation.tables import mixed, with_noise


def test_select_drops_what_has_no_evidence():
    x, y = mixed(400)
    model = NaiveBayes(select="auto", weights=False).fit(with_noise(x, 40), y)
    plain = NaiveBayes().fit(with_noise(x, 40), y)
    assert list(model.families_) == [name for name in plain.families_ if name in relevance(plain).relevant]
    kept = with_noise(x, 40).select(list(model.families_))
    same = NaiveBayes({name: plain.families_[name] for name in kept.column_names}).fit(kept, y)
    assert_allclose(model.predict_proba(with_noise(x, 40)), same.predict_proba(kept), rtol=1e-9)


def test_random_columns_cost_little_with_select():
    x, y = mixed(400)
    noisy = with_noise(x, 100)
    plain, chosen = (
        cross_validate(NaiveBayes(select="auto", weights=False), table, y, 5).log_loss for table in (x, noisy)
    )
    without = cross_validate(NaiveBayes(weights=False), noisy, y, 5).log_loss
    assert chosen - plain < 0.1
    assert without - plain > 0.15


def test_left_out_the_columns_are_chosen_anew():
    x, y = mixed(200)
    result = leave_one_out(NaiveBayes(select="auto"), with_noise(x, 20), y)
    assert any(note.startswith("The columns that count were chosen 10 times") for note in result.notes)


def test_one_column_is_kept_at_least_and_learning_goes_on():
    y = np.arange(60) % 2
    x = np.random.default_rng(0).normal(size=(60, 3))
    model = NaiveBayes("gaussian", select="auto").fit(x, y)
    assert len(model.families_) >= 1
    before = list(model.families_)
    assert list(model.partial_fit(x, y).families_) == before
    assert model.predict(x).shape == (60,)
    assert len(model.explain(x)[0].reasons) == len(before)


def test_what_select_may_be():
    with pytest.raises(ValueError, match="select is 'auto' or None, not True"):
        NaiveBayes(select=True).fit(read(np.zeros((2, 1))), [0, 1])
