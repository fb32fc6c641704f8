"""The picture of a network."""

import matplotlib.pyplot as plt
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


def test_one_graph_of_aode_stands_for_all():
    picture = drawn(5, "aode")
    svg = picture.svg()
    assert all(words in svg for words in ("x_i", "x_j", "4 other columns", "the mean over 5 columns as x_i"))
    assert picture.says.startswith("The mean of 5 Bayes networks: p(class, c0, c1, c2, c3, c4) = p(class) 1/5 [")


def test_long_names_that_begin_alike_are_told_apart_and_do_not_overlap():
    rng = np.random.default_rng(0)
    names = [f"measurement number {j}" for j in range(6)]
    x = pd.DataFrame(rng.choice(list("uv"), (40, 6)), columns=names)
    picture = draw_network(BayesNetwork([(names[0], name) for name in names[1:]]).fit(x, np.arange(40) % 2).network)
    picture.figure.draw_without_rendering()
    written = [text for text in picture.figure.axes[0].texts if text.get_text().startswith("measure")]
    assert len({text.get_text() for text in written}) == 6
    boxes = [text.get_bbox_patch().get_window_extent() for text in written]
    assert not any(one.overlaps(other) for k, one in enumerate(boxes) for other in boxes[:k])


def test_it_is_saved(tmp_path):
    drawn(5).save(tmp_path / "n.svg")
    assert (tmp_path / "n.svg").read_text().startswith("<")


def test_a_graph_on_axes_of_your_own():
    figure, (left, right) = plt.subplots(1, 2)
    network = BayesNetwork("tan").fit(np.arange(60).reshape(20, 3) % 4, np.arange(20) % 2)
    assert network.plot(left) is left
    assert len(left.texts) > 3
    assert not right.texts
    new = network.plot()
    assert new.figure is not figure
    plt.close("all")
