"""Each picture alone, and the page: of names and cells that are markup, mathematics, control characters, turned
writing, very long or nothing."""

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from likely import BayesNetwork, LogisticRegression, NaiveBayes
from likely.data import read
from likely.models.explain import explanation
from likely.report.boundary import draw_plane
from likely.report.classifiers import found_in
from likely.report.columns import draw_column
from likely.report.confusion import draw_confusion
from likely.report.coverage import draw_coverage
from likely.report.curves import draw_curves
from likely.report.drift import draw_drift
from likely.report.drivers import draw_drivers, drivers
from likely.report.findings import Findings
from likely.report.gains import draw_gains, draw_lift, draw_precision_recall
from likely.report.names import TURNS, short
from likely.report.network import draw_network
from likely.report.page import page
from likely.report.pairs import draw_pair, pair_terms
from likely.report.picture import LONGEST, Picture
from likely.report.rates import draw_rates
from likely.report.reliability import draw_reliability
from likely.report.words import draw_words
from likely.validation import drift, learning_curve, thresholds

from ..cli.command import likely, worked
from ..hostile import KINDS, table
from .test_page import Outline

CONTROLS = {*TURNS, *map(chr, range(9)), *map(chr, range(11, 32)), "\x7f", *map(chr, range(128, 160))}


class Case(NamedTuple):
    columns: list[str]
    classes: list[str]
    found: Findings

    def table(self, seed: int, shift: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
        return table([*self.columns, *self.classes], seed, shift)


@pytest.fixture(scope="module", params=KINDS)
def case(request) -> Case:
    names = KINDS[request.param]
    x, y = table(names, 0)
    return Case(names[:3], names[3:], found_in(NaiveBayes().fit(x, y), x, y))


def cuts(case: Case):
    return thresholds(case.found.result, case.classes[1])


def network(case: Case) -> Picture:
    x, y = case.table(0)
    return draw_network(BayesNetwork("tan", bins=3).fit(x, y).network)


def pair(case: Case) -> Picture:
    x, y = case.table(0)
    two = [(case.columns[0], case.columns[2])]
    model = LogisticRegression(shrink_to="naive_bayes", interactions=two).fit(x, y).model_
    return draw_pair(model, pair_terms(model, read(x))[0])


PICTURES: dict[str, tuple[Callable[[Case], Picture], str]] = {
    "plane": (lambda case: draw_plane(case.found.stored, case.found.sample, case.columns[:2]), "columns classes"),
    "plane of categories": (lambda case: draw_plane(case.found.stored, case.found.sample, case.columns[1:]), "columns"),
    "column of numbers": (lambda case: draw_column(case.found.counted, case.found.sample, case.columns[0]), "classes"),
    "column of categories": (lambda case: draw_column(case.found.counted, case.found.sample, case.columns[2]), "cells"),
    "confusion": (lambda case: draw_confusion(case.found.result), "classes"),
    "coverage": (lambda case: draw_coverage(case.found.result), ""),
    "curves": (
        lambda case: draw_curves(learning_curve({case.columns[0]: NaiveBayes()}, *case.table(0), repeats=2)),
        "columns",
    ),
    "drift": (lambda case: draw_drift(drift(case.table(0)[0], case.table(1, 2.0)[0])), "columns"),
    "drift of a model": (
        lambda case: draw_drift(drift(NaiveBayes(calibrate=True).fit(*case.table(0)), case.table(1, 2.0)[0])),
        "columns classes",
    ),
    "drivers": (
        lambda case: draw_drivers(drivers(explanation(case.found.model, case.found.sample.table), 1, [])),
        "columns",
    ),
    "gains": (lambda case: draw_gains(cuts(case), None), ""),
    "lift": (lambda case: draw_lift(cuts(case)), ""),
    "network": (network, "columns"),
    "pair": (pair, "columns cells"),
    "precision and recall": (lambda case: draw_precision_recall(cuts(case), None), ""),
    "rates": (lambda case: draw_rates(case.found.sample, [case.columns[2]], 1)[0], "cells"),
    "reliability": (lambda case: draw_reliability(case.found.before, case.found.after), ""),
}


@pytest.mark.parametrize("name", PICTURES)
def test_names_are_text_in_every_picture(name: str, case: Case) -> None:
    draw, shown = PICTURES[name]
    picture = draw(case)
    wanted = [{"columns": case.columns, "classes": case.classes, "cells": case.columns}[what] for what in shown.split()]
    safe(picture.svg(), wanted)
    safe(picture._repr_html_(), wanted)
    assert len(picture.says) <= LONGEST


def test_words_are_text(case: Case) -> None:
    texts = [f"{name} {word}" for name, word in zip(case.columns[:2], ("win", "later"), strict=True)] * 20
    model = NaiveBayes().fit(texts, case.classes * 20)
    safe(draw_words(model.model_, 0, 0).svg(), [])


def test_the_page_is_well_formed() -> None:
    """Of all these names at once."""
    rng, kinds = np.random.default_rng(0), list(KINDS.values())
    y = rng.integers(0, len(kinds), 300)
    columns = {
        name: np.array(names, object)[(y + rng.integers(0, 3, 300)) % 5] for names in kinds for name in names[:2]
    }
    x, labels = pd.DataFrame(columns | {"size": rng.normal(y)}), np.array([names[3] for names in kinds], object)[y]
    text = page(found_in(NaiveBayes().fit(x, labels), x, labels), kinds[0][0])
    assert Outline(text).open == []
    for bad in ("<script", "<b>", "<i>", *CONTROLS):
        assert bad not in text, bad
    words = re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", text, flags=re.DOTALL)
    assert max(map(len, re.findall(r"[^<>]+", words))) < 1500


def test_the_command_plots_them(case: Case, tmp_path) -> None:
    x, y = case.table(0)
    BayesNetwork("tan", bins=3).fit(x, y).save(tmp_path / "m.likely")
    shown = worked(likely("plot", tmp_path / "m.likely", "--network", "-o", tmp_path / "p.svg"))
    assert not set(shown.rstrip("\n")) & CONTROLS
    safe((tmp_path / "p.svg").read_text("utf-8"), [])


def safe(svg: str, wanted: list[str]) -> None:
    assert "<script" not in svg
    assert "<b>" not in svg
    assert not set(svg.rstrip("\n")) & CONTROLS - {"\n"}
    texts = [element.text or "" for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")]
    assert max(map(len, texts), default=0) < 80
    for names in wanted:
        assert any(short(name)[:5] in text for name in names for text in texts), (names, texts)
