"""The words that users read: the field's terms, and names that mean one thing."""

import ast
import re
from collections import defaultdict
from pathlib import Path

import click
import pytest

from likely.cli import main

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "likely"

PHRASES = {
    r"left out of its own count|rows? (\w+ )?left out|left[- ]out error": "leave-one-out",
    r"by a model of the others|of each class alike": "k-fold cross-validation, stratified",
    r"\bdials?\b|\bleans? to\b|\bdrawn (to|towards) naive\b": "the blend, shrunk towards; hyper-parameters",
    r"\bhow far naive Bayes is trusted\b|\btrust_\b": "the scale of the naive Bayes log-odds, nb_scale_",
    r"\border in which they came\b": "time-ordered",
    r"\bbelieved?\b": "prior, posterior",
    r"\bimagined\b": "pseudo-counts",
    r"\bhow sure\b|\btoo sure\b|\bat its word\b|\bsurest\b|\bsure enough\b": "confidence, over-confident, calibrated",
    r"\btold\b|\btells?\b": "reported, shown, informative",
    r"\btaken for\b|\bwhat it was given\b|\bclass (it|they) (was|were) given\b|\bgiven each class\b": "predicted",
    r"\balways to answer\b": "always predicting",
    r"\bcounts? [\d.]+ times\b": "column weight",
    r"\bgo(es)? over from\b": "decision boundary",
    r"\bout of the vector\b": "marginalised out",
    r"\blimits (of|on) weights\b": "constraints on weights",
    r"\bodds of words\b": "likelihood ratio",
    r"\bits owner\b|\bowner's\b|\bhe\b|\bhis\b|\bhim\b|\bhimself\b": "you, your",
    r"\bbeside\b": "vs., compared with",
    r"\bmap of the house\b|\bwho may import\b|\brooms? of the house\b": "architecture, layering",
    r"\bso many\b|\bhad from\b|\bthat there (is|are)\b|\bof which\b|\bdrawn anew\b": "rewrite the sentence",
    r"(?<!no )\bsuch (?!as\b|that\b|an?\b)": "rewrite the sentence",
}
"""What readers outside the project stumbled over, and the field's term for it."""

ON_PAGES = {
    r"(?<!--)\banew\b": "again",
    r"\bin the order in which\b|\bby so much\b|\bas ever\b": "rewrite the sentence",
    r"\bgoes by\b|\bgo by\b": "uses, chooses by",
    r"\b(is|are) looked at\b": "is checked, is used",
    r"\bin place of\b": "instead of",
    r"\bmends?\b": "corrects, solves",
}
"""More of them, in the documentation alone."""


def found_in(text: str, place: str, phrases: dict[str, str] = PHRASES) -> list[str]:
    flat = " ".join(text.split())
    return [
        f"{place}: {flat[max(0, hit.start() - 40) : hit.end() + 40]!r} (write: {instead})"
        for phrase, instead in phrases.items()
        for hit in re.finditer(phrase, flat, re.IGNORECASE)
    ]


def strings(path: Path) -> list[tuple[int, str]]:
    """The docstrings and other texts of a file, without names in them that are code."""
    tree = ast.parse(path.read_text())
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)}
    texts = []
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
            and " " in node.value
        ):
            texts.append((node.lineno, node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            texts.append((node.lineno, "".join(map(str, parts))))
    return [(line, re.sub(r"`[^`]*`", "``", text)) for line, text in texts]


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_sources_use_the_terms_of_the_field(path: Path) -> None:
    assert not [hit for line, text in strings(path) for hit in found_in(text, f"line {line}")]


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), SOURCE / "report" / "page.html"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_use_the_terms_of_the_field(page: Path) -> None:
    assert not found_in(page.read_text(), page.name, PHRASES | ON_PAGES)


def commands(group: click.Group, *path: str) -> dict[str, click.Command]:
    found: dict[str, click.Command] = {" ".join(path): group}
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        found |= (
            commands(command, *path, name) if isinstance(command, click.Group) else {" ".join((*path, name)): command}
        )
    return found


@pytest.mark.parametrize(("name", "command"), commands(main, "likely").items(), ids=str)
def test_help_uses_the_terms_of_the_field(name: str, command: click.Command) -> None:
    assert not found_in(command.get_help(click.Context(command)), name)


def test_class_names_are_unique() -> None:
    places = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert not {name: found for name, found in places.items() if len(found) > 1}
