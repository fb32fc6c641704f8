"""Tuning: chosen by some rows, measured by others."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from likely.validation import tune

RNG = np.random.default_rng(0)
Y = RNG.integers(2, size=200)
X = RNG.normal(size=(200, 4)) + 0.6 * Y[:, None]
MODELS = {f"{k} neighbours": KNeighborsClassifier(k) for k in (1, 5, 25)} | {"Gaussian": GaussianNB()}


def test_the_best_on_the_second_part_is_measured_on_the_third():
    result = tune(MODELS, X, Y)
    from likely.validation.rows import cut

    fitted, choosing, measured = cut((0.6, 0.2, 0.2), Y.astype(np.int32), np.random.default_rng(0), False, None, None)
    errors = {n: np.mean(m.fit(X[fitted], Y[fitted]).predict(X[choosing]) != Y[choosing]) for n, m in MODELS.items()}
    assert result.losses == pytest.approx(errors)
    assert result.best == min(errors, key=errors.get)
    both = np.concatenate([fitted, choosing])
    final = MODELS[result.best].fit(X[both], Y[both])
    assert (result.rows == measured).all()
    assert result.error == np.mean(final.predict(X[measured]) != Y[measured])
    assert result.model.n_samples_fit_ == 200 if hasattr(result.model, "n_samples_fit_") else True
    assert result.best in str(result)


def test_by_log_loss():
    assert tune(MODELS, X, Y, by="log_loss").best == "Gaussian"  # one neighbour is sure and wrong
    with pytest.raises(ValueError, match="predicts classes, not probabilities"):
        tune([LinearSVC()], X, Y, by="log_loss")


def test_without_a_third_part_it_refuses_an_error():
    result = tune(MODELS, X, Y, (0.6, 0.4))
    for figure in ("error", "interval"):
        with pytest.raises(ValueError, match="so none can show its error: use three parts"):
            getattr(result, figure)
    assert result.best in MODELS
    assert result.model is not None
    assert f"no rows are left to estimate the error of {result.best}" in str(result)


def test_random_labels_show_why():
    """The best of many models on the rows that chose it looks better than chance; on others it does not."""
    rng = np.random.default_rng(3)
    chosen, measured = [], []
    for seed in range(8):
        y = rng.integers(2, size=150)
        models = [KNeighborsClassifier(k) for k in range(1, 16)]
        result = tune(models, rng.normal(size=(150, 3)), y, seed=seed)
        chosen.append(min(result.losses.values()))
        measured.append(result.error)
    assert np.mean(chosen) < 0.42
    assert np.mean(measured) > 0.45


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"by": "auc"}, "models are chosen by 'error' or 'log_loss', not 'auc'"),
        ({"parts": (0.2, 0.2, 0.2, 0.4)}, "rows are parted in two or three, not in 4"),
    ],
)
def test_refusals(options, said):
    with pytest.raises(ValueError, match=said):
        tune(MODELS, X, Y, **options)
