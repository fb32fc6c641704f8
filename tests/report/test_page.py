"""The page, by what is written in it and as a browser shows it."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from likely import NaiveBayes
from likely.printing import percent
from likely.report.appendix import SUSPECTS
from likely.report.classifiers import found_in, report
from likely.report.page import COLUMNS, LISTED, _coded, _named, best_two, page

from .chromium import look, printed
from .conftest import EVIL

VOID = {"meta", "br", "img", "link", "input"}


class Outline(HTMLParser):
    """Elements in their order, with what they hold; every one that begins must end."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.texts = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, *pair) for pair in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def judged(table, y, **options):
    model = NaiveBayes(**options).fit(table, y)
    return report(model, table, y)


@pytest.fixture(scope="module")
def pages(found, hostile):
    evil = pd.read_csv(hostile)
    rng = np.random.default_rng(0)
    many = pd.DataFrame(rng.normal(size=(400, 60)), columns=[f"column {j}" for j in range(60)])
    texts = [" ".join(rng.choice(["<script>", "&amp;", "мир", "日本", "emoji😀", EVIL, "the"], 9)) for _ in range(60)]
    return {
        "animals": page(found, "Animals"),
        "evil": judged(evil.drop(columns="cls"), evil["cls"]),
        "evil and rare": judged(evil.drop(columns="cls"), np.where(np.arange(200) % 12 == 0, EVIL, '"><b>')),
        "many": judged(many, [f"class {k % 100}" for k in range(400)]),
        "texts": judged(texts, ["<b>" if "мир" in text else "мир" for text in texts]),
        "one class": judged(many[["column 0"]], ["only"] * 400),
        "few": judged(many.iloc[:5, :2], list("abaab")),
        "holes": judged(many.iloc[:, :3].where(many.iloc[:, :3] > 0), ["a", "b"] * 200),
    }


def test_the_same_findings_are_the_same_page(found, pages):
    assert page(found, "Animals") == pages["animals"]


def test_every_page_is_well_formed_runs_nothing_and_asks_for_nothing(pages):
    for text in pages.values():
        outline = Outline(text)
        assert not {"script", "iframe", "object", "embed", "link", "img", "form"} & set(outline.tags)
        for tag, name, value in outline.attributes:
            assert not name.startswith("on"), (tag, name, value)
            if name in ("src", "href", "xlink:href", "action"):
                assert value.startswith(("#", "data:image/png;base64,")), value
        assert "default-src 'none'" in text
        assert not re.search(r"url\((?!#)|@import|https?://(?!www\.w3\.org/)", text.replace(EVIL, ""))


def test_what_comes_from_data_is_text(pages):
    texts = Outline(pages["evil"]).texts
    assert any(EVIL in text for text in texts)
    assert any('"><b>' in text for text in texts)
    assert any("{{ 7*7 }}" in text for text in texts)
    assert not any("\u202e" in text for text in texts)
    assert "�abc" in pages["evil"]
    assert "<script" not in pages["evil"] + pages["evil and rare"]
    assert EVIL in "".join(Outline(pages["evil and rare"]).texts)


def test_it_can_be_read_aloud(pages):
    for text in pages.values():
        outline = Outline(text)
        headings = [int(tag[1]) for tag in outline.tags if re.fullmatch(r"h\d", tag)]
        assert headings[0] == 1
        assert headings.count(1) == 1
        assert all(after <= before + 1 for before, after in pairwise(headings))
        pictures = [
            pair for pair in outline.attributes if pair[0] == "svg" and pair[1] in ("aria-label", "aria-hidden")
        ]
        assert len(pictures) == outline.tags.count("svg")
        ids = [value for _, name, value in outline.attributes if name == "id"]
        assert len(ids) == len(set(ids))
        assert {value for tag, name, value in outline.attributes if tag == "th" and name == "scope"} == {"row", "col"}
        assert ("html", "lang", "en") in outline.attributes


def test_the_words_and_figures_are_those_found(found, pages):
    text = pages["animals"]
    assert percent(found.result.error).replace(" ", "\u00a0") in text
    assert not re.search(r"\d %", re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))  # no line ends before its %
    assert f"{found.result.log_loss:.4f}" in text
    assert text.index("are predicted right") < text.index("<h2>")
    outline = Outline(text)
    anchors = [value for tag, name, value in outline.attributes if tag == "a" and name == "href"]
    ids = {value for tag, name, value in outline.attributes if tag == "section" and name == "id"}
    assert {anchor.removeprefix("#") for anchor in anchors} == ids


def test_what_is_drawn_is_bounded_and_said(pages):
    text = pages["many"]
    assert len(text) < 700_000
    assert "Shown are the 8 classes with the most errors, of 100." in text
    assert re.search(r"the \d+ columns that the model uses most, of 60", text)
    assert "Shown are 6 of 100 classes: those with the most rows." in text
    assert f"The {LISTED} with the most errors, of 100" in text
    assert text.count("<h4>") <= COLUMNS
    assert "There are too few rows to find surprising ones." in pages["few"]


def test_the_boundary_is_drawn_over_two_informative_numbers_only(pages):
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], 100)
    two = pd.DataFrame({"one": rng.normal(y == "a"), "two": rng.normal(y == "b")})
    for table, drawn in ((two, True), (two.assign(two=np.where(y == "a", "x", "z")), False), (two[["one"]], False)):
        assert ("Decision boundary" in judged(table, y)) is drawn
    assert "Decision boundary" not in pages["texts"]


def test_suspects_are_listed_with_their_rows():
    rng = np.random.default_rng(0)
    y = np.repeat(["low", "high"], 500)
    x = pd.DataFrame({"size": rng.normal(np.where(y == "low", 0, 9)), "noise": rng.normal(size=1000)})
    wrong = rng.choice(1000, 100, replace=False)
    y[wrong] = np.where(y[wrong] == "low", "high", "low")
    text = judged(x, y)
    rows = re.findall(
        r'data-of="row">(\d+)</td><td data-of="label"><bdi>(\w+)', text[text.index("Labels to check</h3>") :]
    )
    assert len(rows) == SUSPECTS
    assert {int(row) for row, _ in rows} <= {*wrong.tolist()}
    assert all(y[int(row)] == label for row, label in rows)
    assert f"The {SUSPECTS} least probable are listed." in text


def test_of_more_classes_than_colours_no_boundary_is_drawn():
    rng = np.random.default_rng(0)
    for classes, drawn in ((6, True), (7, False)):
        y = np.repeat(np.arange(classes), 40)
        x = pd.DataFrame({"one": rng.normal(3 * y), "two": rng.normal(-3 * y)})
        assert ("Decision boundary" in judged(x, y)) is drawn


def test_commands_are_code_and_nothing_else_is():
    assert _coded("run `likely <fit>` at 5 % & go") == "run <code>likely &lt;fit&gt;</code> at 5\u00a0% &amp; go"


def test_what_does_not_change_a_decision_is_in_the_appendix(monkeypatch, animals):
    monkeypatch.setattr("likely.validation.left_out.SCORES", 0)
    text = judged(*animals)
    assert "chosen with these rows in view" in text[text.index('id="appendix"') :]
    assert "chosen with these rows in view" not in text[: text.index('id="appendix"')]


def test_messages_have_columns_with_names(found):
    assert _named("marks", found) == "marks"
    origin = replace(found.stored.origin, source="mail")
    mail = replace(found, stored=found.stored._replace(origin=origin))
    assert _named("marks", mail) == "headers and links"


def test_the_legend_has_the_dashes_of_the_lines(pages):
    dashes = re.findall(r'stroke-width="2" stroke-dasharray="([^"]*)"', pages["animals"])
    assert len(dashes) == len(set(dashes)) == 3


def test_the_best_two_are_those_that_depend_most(found):
    assert best_two(found) == found.relevance.columns[:2]
    assert best_two(found_in(NaiveBayes().fit(["a b", "c d"], ["x", "y"]), ["a b", "c d"], ["x", "y"])) == []


def test_in_a_browser_it_fits_a_phone_and_nothing_hides_anything(pages, tmp_path):
    for width, smallest in ((360, 8.5), (1100, 11)):
        for name, seen in zip(pages, look(list(pages.values()), width, tmp_path), strict=True):
            assert seen["width"] <= seen["room"], (name, width)
            assert seen["asked"] == [], name
            assert seen["scripts"] == 0
            assert seen["title"] == ("Animals" if name == "animals" else "Report")
            assert seen["pictures"] == 3 if name == "one class" else seen["pictures"] >= 5, (name, seen["pictures"])
            assert seen["words"] > 1500
            assert seen["smallest"] >= smallest
            assert seen["outside"] == [], name
            assert seen["over"] == [], name
            assert seen["background"] == "rgb(255, 255, 255)"
            assert seen["cut"] == [] or "evil" in name, name


def test_in_the_dark_and_on_paper(pages, tmp_path):
    (seen,) = look([pages["animals"]], 1100, tmp_path, dark=True)
    assert seen["background"] == "rgb(13, 17, 23)"
    (tmp_path / "page.html").write_text(pages["animals"], "utf-8")
    paper = printed(tmp_path / "page.html", tmp_path)
    assert paper.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", paper)) <= 8
