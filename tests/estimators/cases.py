"""Tables of 60 rows in three classes, and when two models are one."""

import numpy as np
import pandas as pd
from numpy.testing import assert_allclose

from likely.families import FAMILIES

X = np.random.default_rng(0).normal(size=(60, 3)) + np.arange(60)[:, None] % 3
Y = np.array(["a", "b", "c"])[np.arange(60) % 3]
COUNTS = np.random.default_rng(1).poisson(2, (60, 3))


def mixed(n=60, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "word": rng.choice(["x", "y", "z"], n),
            "number": rng.normal(size=n),
            "count": rng.poisson(3, n),
            "flag": rng.random(n) < 0.5,
        }
    )


SAID = {"number": "gaussian", "count": "poisson"}
"""Families of the columns of mixed() of which there is a choice."""

OF_CELLS = [name for name, family in FAMILIES.items() if family.reads != "text"]


def same_scores(one, other, x, rtol=1e-12):
    assert one.classes_.tolist() == other.classes_.tolist()
    assert_allclose(one.predict_joint_log_proba(x), other.predict_joint_log_proba(x), rtol=rtol)
