import re

import pytest

from likely import NaiveBayes
from likely.datasets import animals
from likely.desk.guard import POLICY
from likely.desk.report_pages import INLINE_STYLES, ReportPages
from likely.report.classifiers import found_in
from likely.report.page import page

REPORT = """<html><head><style>:root { --ink: red } p { margin: 0 }</style>
</head><body><nav><ol><li><a href="#one">One &amp; only</a></li>
<li><a href="#two">Two</a></li>
<li><a href="#gone">Gone</a></li></ol></nav>
<section id="one" class="x"><h1>a</h1></section>
<section id="two"><svg><style>q {}</style></svg></section></body></html>"""


def test_sections_have_their_titles_and_one_stylesheet() -> None:
    pages = ReportPages(REPORT)
    assert pages.titles == {"one": "One &amp; only", "two": "Two"}
    assert pages.section("one") == '<section id="one" class="x"><h1>a</h1></section>'
    assert pages.style == ":host { --ink: red } p { margin: 0 }"
    with pytest.raises(KeyError):
        pages.section("gone")


def test_every_section_of_a_report_is_a_page() -> None:
    table = animals()
    x, y = table.drop(columns="animal"), table["animal"]
    whole = page(found_in(NaiveBayes().fit(x, y), x, y), "Animals")
    pages = ReportPages(whole)
    assert list(pages.titles) == re.findall(r'<section id="(\w+)"', whole)
    assert sum(len(pages.section(name)) for name in pages.titles) > 0.8 * len(whole.partition("<main>")[2])


def test_only_styles_may_be_inline() -> None:
    assert INLINE_STYLES != POLICY
    assert INLINE_STYLES.replace("style-src 'self' 'unsafe-inline'", "style-src 'self'") == POLICY
