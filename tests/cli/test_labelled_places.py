"""Folders and mailboxes with their classes."""

from pathlib import Path

import pytest

from likely.cli.labelled_places import LabelledPlaces, not_used

SAME = [("inbox", Path("/m/ann/work/inbox.mbox")), ("inbox", Path("/m/bob/inbox.mbox"))]


@pytest.mark.parametrize(
    ("places", "labels"),
    [
        ([("spam", Path("a/spam")), ("spam", Path("b/spam")), ("ham", Path("b/ham"))], ["spam", "spam", "ham"]),
        (SAME, ["ann/work/inbox", "bob/inbox"]),
        (SAME[:1], ["inbox"]),
        ([SAME[0], SAME[0]], ["inbox", "inbox"]),
    ],
)
def test_paths_are_classes_where_names_are_all_the_same(places: list[tuple[str, Path]], labels: list[str]) -> None:
    assert [label for label, _ in LabelledPlaces(places).places] == labels


@pytest.mark.parametrize(
    ("classes", "labels"),
    [({"inbox", "spam"}, ["inbox", "inbox"]), ({"bob/inbox", "x"}, ["ann/work/inbox", "bob/inbox"])],
)
def test_names_are_those_that_a_model_knows(classes: set[str], labels: list[str]) -> None:
    places = LabelledPlaces(SAME)
    places.match(classes)
    assert [label for label, _ in places.places] == labels


def test_files_that_are_not_used_are_named() -> None:
    assert not_used({}) == []
    assert not_used({"a": "empty"}) == ["Not used: a (empty)."]
    many = not_used({f"f{i}": "empty" for i in range(1200)})
    assert many[0].endswith("f4 (empty) and 1,195 more.")
