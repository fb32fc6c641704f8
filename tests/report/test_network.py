"""The picture of a network."""

import numpy as np
import pandas as pd

from likely import BayesNetwork
from likely.report.network import draw_network


def drawn(columns, structure="naive"):
    rng = np.random.default_rng(0)
    x = pd.DataFrame({f"c{j}": rng.choice(list("uv"), 40) for j in range(columns)})
    return draw_network(BayesNetwork(structure).fit(x, rng.integers(2, size=40)).network)


def test_an_arrow_for_each_edge_and_a_name_for_each_column():
    picture = drawn(3, (("c0", "c1"), ("c0", "c2")))
    svg = picture.svg()
    assert all(name in svg for name in ("class", "c0", "c1", "c2", "for each row"))
    assert len(picture.figure.axes[0].texts) == 4 + 1 + 5
    assert "c0 → c1, c0 → c2" in picture.says


def test_columns_that_depend_on_the_class_alone_are_one_plate():
    svg = drawn(9).svg()
    assert "9 columns" in svg
    assert ">c4<" not in svg


def test_of_many_columns_one_arrow_leads_to_all():
    picture = drawn(12, [("c0", f"c{j}") for j in range(1, 12)])
    assert "every column" in picture.svg()
    assert len(picture.figure.axes[0].texts) == 13 + 2 + 12


def test_it_is_saved(tmp_path):
    drawn(5).save(tmp_path / "n.svg")
    assert (tmp_path / "n.svg").read_text().startswith("<")
