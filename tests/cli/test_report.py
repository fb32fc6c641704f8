"""The page that is written of a model and rows."""

import re
from pathlib import Path

import pandas as pd

from likely import load
from likely.report import report

from .animals import ANIMALS, fit
from .command import installed, likely, refused, worked

MAIL = ANIMALS.parent / "mailbox"


def test_the_report_is_written_and_the_rows_learned_are_known_again(fitted: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    told = worked(installed("report", fitted, ANIMALS, "-o", out))
    assert told == f"{out}: 11.5 % wrong, of 122 rows (leave-one-out)\n"
    page = out.read_text("utf-8")
    assert "<h1><bdi>Which animal is it?</bdi></h1>" in page
    assert "always predicting “hyena” is right in 37.7\u00a0%" in page
    worked(likely("report", fitted, ANIMALS, "-o", tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_text("utf-8") == page


def test_texts_and_mail_have_reports_of_words(tmp_path: Path) -> None:
    path, out = tmp_path / "mail.likely", tmp_path / "mail.html"
    worked(likely("fit", MAIL, "-o", path))
    assert "of 60 rows (leave-one-out" in worked(likely("report", path, MAIL, "-o", out))
    page = out.read_text("utf-8")
    assert "Words that are evidence for study" in page
    assert "1 of 60 rows is surprising" in page
    assert "no two columns of numbers or categories" in refused(likely("plot", path, MAIL, "-o", tmp_path / "p.svg"))


def test_a_saved_model_and_the_same_model_in_python_have_one_report(fitted: Path, tmp_path: Path) -> None:
    worked(likely("report", fitted, ANIMALS, "-o", tmp_path / "r.html", "--title", "Animals"))
    table = pd.read_csv(ANIMALS)
    page = report(load(fitted), table.drop(columns="animal"), table["animal"], title="Animals")
    figures = re.compile(r'<td class="n">(.*?)</td>')
    assert figures.findall(page) == figures.findall((tmp_path / "r.html").read_text("utf-8"))


def test_a_calibrated_logistic_regression_has_its_report(logistic: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    assert "5-fold cross-validation, stratified)" in worked(likely("report", logistic, ANIMALS, "-o", out))
    page = out.read_text("utf-8")
    assert "logistic regression" in page
    assert "The model is calibrated" in page


def test_rows_that_may_have_been_learned_are_said_to_be(tmp_path: Path) -> None:
    fitted = fit(ANIMALS, tmp_path / "m.likely", "--no-digest")
    some, out = tmp_path / "some.csv", tmp_path / "r.html"
    some.write_text("".join(ANIMALS.read_text().splitlines(keepends=True)[:60]))
    for rows, said in (("auto", True), ("no", False)):
        told = worked(likely("report", fitted, some, "-o", out, "--learned", rows))
        assert f"(rows that the model {'may have' if said else 'has not'} learned)" in told
        assert ("whether the model has learned some of these rows" in out.read_text("utf-8")) == said


def test_nothing_is_written_where_nothing_can_be(fitted: Path, tmp_path: Path) -> None:
    assert "nowhere" in refused(likely("report", fitted, ANIMALS, "-o", tmp_path / "nowhere" / "r.html"))
    assert refused(likely("report", fitted, ANIMALS), 2) == "Missing option '-o' / '--output'."


def test_costs_decide_the_first_screen(fitted: Path, tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    worked(likely("report", fitted, ANIMALS, "-o", out, "--cost", "lion as hyena: 20"))
    assert "With these costs, a row costs" in out.read_text("utf-8")
    assert "both of the classes" in likely("report", fitted, ANIMALS, "-o", out, "--cost", "lion as cat: 2").err


def test_what_to_check_of_the_columns_is_on_the_page(tmp_path: Path) -> None:
    data, model, out = tmp_path / "d.csv", tmp_path / "m.likely", tmp_path / "r.html"
    data.write_text("same,x,y\n" + "".join(f"one,{i % 7},{'ab'[i % 7 > 2]}\n" for i in range(60)))
    worked(likely("fit", data, "-t", "y", "-o", model))
    worked(likely("report", model, data, "-o", out))
    page = out.read_text("utf-8")
    assert "it can&#39;t distinguish classes" in page
    assert "may give the answer away" in page
