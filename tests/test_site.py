"""The site names all there is: every public name, every command, every page of the course."""

import importlib
import importlib.util
import re
from pathlib import Path

import pytest

import likely
from likely.cli import COMMANDS

DOCS = Path(__file__).parents[1] / "docs"
API = (DOCS / "reference" / "api.md").read_text()
LISTED = {
    module: set(re.findall(r"^   (\w+)$", block, re.MULTILINE))
    for module, block in re.findall(r"currentmodule:: ([\w.]+)\n(.*?)^```", API, re.MULTILINE | re.DOTALL)
}
INTERNAL = {
    "likely": {"__version__"},
    "likely.families": {"FAMILIES", "BadCell", "Block", "Family", "Plan"},
    "likely.priors": {"Estimate", "Prior", "short"},
    "likely.sql": {"DIALECTS", "Dialect"},
    "likely.mail": {"READ_AS"},
    "likely.datasets": {"ANIMALS", "MAILBOX"},
}
"""Public names for those who add a family, a prior or a database, which CONTRIBUTING describes; and constants."""


DOCUMENTED = ("families", "priors", "validation", "data", "sql", "mail", "optimize", "report", "datasets")


@pytest.mark.parametrize("name", ["likely", *(f"likely.{module}" for module in DOCUMENTED)])
def test_every_public_name_is_in_the_reference(name):
    module = likely if name == "likely" else importlib.import_module(name)
    public = set(getattr(module, "__all__", dir(module)))
    assert public - INTERNAL.get(name, set()) <= LISTED[name]


@pytest.mark.parametrize("module", LISTED)
def test_every_name_of_the_reference_exists(module):
    for name in LISTED[module]:
        assert hasattr(importlib.import_module(module), name), name


def test_every_command_is_explained():
    page = (DOCS / "command-line.md").read_text()
    assert [name for name in COMMANDS if f"## likely {name}" not in page and f"`likely {name}" not in page] == []


def test_every_page_of_the_course_is_in_its_index():
    index = (DOCS / "learn" / "index.md").read_text()
    pages = {page.stem for page in (DOCS / "learn").glob("*.md")} - {"index"}
    assert pages == set(re.findall(r"\]\((\w+)\.md\)", index))
    assert pages == set(re.search(r":numbered:\n\n(.*?)```", index, re.DOTALL).group(1).split())


def test_links_that_lead_nowhere_are_found(tmp_path):
    spec = importlib.util.spec_from_file_location("links", DOCS / "links.py")
    links = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(links)
    (tmp_path / "a.html").write_text('<h1 id="top"></h1><a href="b.html#here"></a><a href="https://x.org/none"></a>')
    (tmp_path / "b.html").write_text('<p id="here"></p><a href="a.html#top"></a><img src="data:,x">')
    assert links.broken(tmp_path) == []
    (tmp_path / "c.html").write_text('<a href="a.html#gone"></a><img src="no.png"><a href="#none"></a>')
    assert len(links.broken(tmp_path)) == 3


@pytest.mark.parametrize("page", sorted((DOCS / "learn").glob("*.md")), ids=lambda page: page.stem)
def test_pages_of_the_course_have_exercises_with_answers_and_a_picture(page):
    text = page.read_text()
    if page.stem != "index":
        assert re.search(r"^## Exercises?$", text, re.MULTILINE)
        assert re.search(r"^:::{dropdown} Answers?$", text, re.MULTILINE)
        assert ".plot(" in text or "plt." in text
