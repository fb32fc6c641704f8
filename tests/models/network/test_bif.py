"""The Bayesian Interchange Format, read by plain code."""

import re

import numpy as np
import pandas as pd
import pytest

from likely import BayesNetwork
from likely.models.network.bif import identifiers


def network(edges=(("a b", "2"),)):
    rng = np.random.default_rng(0)
    x = pd.DataFrame(
        {"a b": rng.choice(["p,q", "p q", "1"], 60), "2": rng.normal(size=60), "class": rng.integers(2, size=60)}
    )
    return BayesNetwork(edges, families={"class": "categorical"}, bins=3).fit(x, rng.choice(["no", "yes"], 60)).network


def test_variables_states_and_every_probability():
    graph = network()
    text = graph.to_bif()
    variables = dict(re.findall(r"variable (\w+) \{\n  type discrete \[ \d+ \] \{ ([^}]*) \};\n\}", text))
    assert list(variables) == ["class_", "a_b", "x_2", "class"]
    assert variables["a_b"] == "v_1, p_q, p_q_2, v_other_"
    rows = re.search(r"probability \( x_2 \| class_, a_b \) \{\n(.*?)\n\}", text, re.DOTALL).group(1).splitlines()
    assert rows[0].startswith("  (no, v_1) ")
    numbers = np.array([[float(p) for p in row.split(") ")[1].rstrip(";").split(", ")] for row in rows])
    assert np.array_equal(numbers, graph.tables["2"].reshape(-1, 3))
    assert numbers.sum(axis=1) == pytest.approx(1)


def test_identifiers_are_of_letters_digits_and_underscores_and_differ():
    found = identifiers(["a", "a!", "a?", "_", "", 3, "é", (1.5, 2.0)])
    assert list(found.values()) == ["a", "a_", "a__2", "x_", "x", "x_3", "x__2", "x_1_5__2_0_"]
    assert all(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) for name in found.values())
