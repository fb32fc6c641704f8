"""That bad input gives one sentence which names column, row and value, and changes nothing."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

X = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [4.0, 3.0], [2.5, 2.5], [0.5, 4.0]])
Y = np.array(["a", "a", "a", "b", "b", "b"])
BITS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 0.0]])


WITH_X = {
    "fit": lambda nb, x: nb.fit(x, labels_for(x)),
    "partial_fit": lambda nb, x: nb.partial_fit(x, labels_for(x)),
    "forget": lambda nb, x: nb.forget(x, labels_for(x)),
    "predict": lambda nb, x: nb.predict(x),
    "predict_proba": lambda nb, x: nb.predict_proba(x),
    "predict_log_proba": lambda nb, x: nb.predict_log_proba(x),
    "predict_joint_log_proba": lambda nb, x: nb.predict_joint_log_proba(x),
    "log_likelihood": lambda nb, x: nb.log_likelihood(x, labels_for(x)),
    "explain": lambda nb, x: list(nb.explain(x)),
    "score": lambda nb, x: nb.score(x, labels_for(x)),
}
LEARNING = ["fit", "partial_fit", "forget"]
SCORING = ["predict", "predict_proba", "predict_log_proba", "predict_joint_log_proba", "log_likelihood"]
WITH_Y = {
    "fit": lambda nb, y, w=None: nb.fit(X, y, sample_weight=w),
    "partial_fit": lambda nb, y, w=None: nb.partial_fit(X, y, sample_weight=w),
    "forget": lambda nb, y, w=None: nb.forget(X, y, sample_weight=w),
    "log_likelihood": lambda nb, y, w=None: nb.log_likelihood(X, y, sample_weight=w),
}


def labels_for(x):
    """As many labels as there are rows, or as there could be."""
    if scipy.sparse.issparse(x) or isinstance(x, (pd.DataFrame, pl.DataFrame, pa.Table, np.ndarray)):
        rows = x.shape[0] if len(x.shape) else 1
    else:
        rows = len(x) if hasattr(x, "__len__") else 1
    return np.resize(np.array(["a", "b"]), rows)


def state(nb, probe):
    """All that can be seen of a fitted model."""
    return (
        nb.predict_joint_log_proba(probe).tolist(),
        nb.classes_.tolist(),
        nb.class_count_.tolist(),
        repr(nb.families_),
        nb.n_features_in_,
        getattr(nb, "feature_names_in_", np.array([])).tolist(),
        repr(nb.get_params()),
        sorted(vars(nb)),
    )


def refused(nb, probe, call, error, sentence):
    """That the call raises exactly this sentence and leaves the model as it was."""
    before = state(nb, probe)
    with pytest.raises(error, match=f"^{re.escape(sentence)}$"):
        call(nb)
    assert state(nb, probe) == before


def never_fitted(estimator, call, error):
    """That a first call which fails leaves no trace."""
    before = sorted(vars(estimator))
    with pytest.raises(error):
        call(estimator)
    assert sorted(vars(estimator)) == before
