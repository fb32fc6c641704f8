"""Findings: each rule, when it is said and when not."""

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from likely.data import Dataset
from likely.data.findings import RULES, TargetSummary, check, gives_away, nominal, sentinel
from likely.data.schema import ColumnSchema, Schema
from likely.data.summary import ColumnSummary

SEEN = ColumnSummary("a", 100, 0, {1: 40, 2: 30, 3: 30}, 3, "int64")
COLUMN = ColumnSchema("a", "integer")


def test_an_ordinary_column_has_none() -> None:
    assert [rule(COLUMN, SEEN) for rule in RULES] == [None] * len(RULES)


@pytest.mark.parametrize(
    ("values", "said"),
    [({-999: 5, 1: 50, 2: 45}, True), ({-999: 1, 1: 50, 2: 49}, False), ({-2: 5, 1: 50, 2: 45}, False)],
)
def test_a_number_far_from_all_others(values: dict[int, int], said: bool) -> None:
    assert (sentinel(COLUMN, replace(SEEN, values=values)) is not None) == said


@pytest.mark.parametrize(("name", "said"), [("area_code", True), ("type of soil", True), ("age", False)])
def test_whole_numbers_that_may_be_codes(name: str, said: bool) -> None:
    assert (nominal(replace(COLUMN, name=name), replace(SEEN, name=name)) is not None) == said


@pytest.mark.parametrize(("share", "said"), [(0.999, True), (0.98, False), (None, False)])
def test_a_column_that_gives_the_class_away(share: float | None, said: bool) -> None:
    assert (gives_away(COLUMN, replace(SEEN, alone=share)) is not None) == said


def test_how_often_a_column_alone_gives_the_class() -> None:
    table = pa.table({"y": ["p", "q"] * 50, "same": [0, 1] * 50, "other": [0, 0, 1, 1] * 25, "id": range(100)})
    found = {one.column: one for one in Dataset(table, kept=["y"]).findings(TargetSummary("y", {"p": 50, "q": 50}))}
    assert found["same"].kind == "gives_away"
    assert found["same"].numbers == {"share": 1.0}
    assert found["id"].kind == "identifier"
    assert set(found) == {"same", "id"}


def _churn(cells: list[Any], stayed: int = 50) -> dict[str, str]:
    """The findings of a column of customers, of whom the first have left and the others stayed."""
    y = ["left"] * (len(cells) - stayed) + ["stayed"] * stayed
    table = pa.table({"y": y, "a": pa.array(cells)})
    target = TargetSummary("y", {"left": len(cells) - stayed, "stayed": stayed})
    return {one.kind: str(one) for one in Dataset(table, kept=["y"]).findings(target)}


def test_a_value_that_only_rows_of_one_class_have() -> None:
    days = [f"{1 + day % 28:02}.{1 + day % 12:02}.2024" for day in range(50)]
    says = (
        "a: all 50 rows that have a value are of class 'left': make sure it is known before the class is "
        "(--type a=ignore)"
    )
    assert _churn(days + [None] * 50)["one_class_has_it"] == says
    assert _churn(days + ["-"] * 50)["one_class_has_it"] == says  # a mark of a missing date is none
    assert _churn(["x"] * 50 + [None] * 50)["one_class_has_it"] == says
    assert _churn([float(day) for day in range(30)] + [None] * 70)["one_class_has_it"] == says.replace("50", "30")


def test_a_value_that_only_rows_of_one_class_lack() -> None:
    numbers = [float(at % 7) for at in range(60)]
    assert "all 40 rows that lack a value are of class 'left'" in _churn([None] * 40 + numbers)["one_class_has_it"]


def test_values_that_are_missing_by_chance_or_in_few_rows_are_not_suspect() -> None:
    assert "one_class_has_it" not in _churn([None, 1.5, 2.5, 3.5] * 25)
    assert "one_class_has_it" not in _churn([1.5] * 10 + [None] * 90)
    assert "one_class_has_it" not in _churn([1.5, 2.5] * 50)
    assert "one_class_has_it" not in _churn([2.5] * 990 + [None] * 9 + [2.5], stayed=10)


@pytest.mark.parametrize(
    ("classes", "kinds"),
    [
        ({"a": 50, "b": 50}, []),
        ({"a": 50}, ["one_class"]),
        ({"a": 50, "b": 2}, ["few_rows"]),
        (dict.fromkeys(range(60), 1), ["not_classes", "few_rows"]),
        (dict.fromkeys(range(60), 100), []),
    ],
)
def test_the_target(classes: dict[Any, int], kinds: list[str]) -> None:
    assert [finding.kind for finding in check(Schema(()), {}, TargetSummary("y", classes))] == kinds


def test_a_finding_is_one_line_with_its_option() -> None:
    (finding,) = check(
        Schema((replace(COLUMN, name="my\x1b code"),)), {"my\x1b code": replace(SEEN, name="my\x1b code")}
    )
    assert str(finding) == (
        'my\x1b code: 3 whole numbers that may be codes of categories: read as numbers (--type "my\\x1b code=category")'
    )


def test_columns_that_one_option_changes_are_one_finding() -> None:
    cells = ["x", "unknown", "y", "x"]
    table = pa.table({"a": cells, "b": cells, "c": ["x", "y", "x", "y"], "d": cells})
    (finding,) = Dataset(table).findings()
    assert str(finding) == (
        "a: 1 of 4 cells is 'unknown': read as a category; so in b, d (--missing unknown reads it as missing)"
    )


def test_a_model_finds_in_its_rows_what_was_found_before_it_learned_them() -> None:
    table = pa.table({"id": range(100), "one": [1] * 100, "x": ["p", "unknown"] * 50})
    before = Dataset(table)
    after = Dataset(table, schema=before.learned_schema(), strict=True)
    assert [str(finding) for finding in after.findings()] == [str(finding) for finding in before.findings()]
    assert [finding.kind for finding in after.findings()] == ["identifier", "constant", "marked"]


@pytest.mark.parametrize(
    ("name", "said"), [("EmployeeNumber", True), ("employee_number", True), ("zipCode", True), ("age", False)]
)
def test_a_number_that_names_its_row(name: str, said: bool) -> None:
    numbers = [3 * i + i % 2 for i in range(200)]
    kinds = [finding.kind for finding in Dataset(pa.table({name: numbers})).findings()]
    assert kinds == (["identifier"] if said else [])


def test_numbers_with_different_units() -> None:
    weights = [f"{60 + at}.5 kg" for at in range(30)] + [f"{140 + at} lb" for at in range(30)]
    found = {one.kind: str(one) for one in Dataset(pa.table({"weight": weights})).findings()}
    assert found["units"] == ("weight: numbers with the units 'kg', 'lb': read as categories; convert them to one unit")
    assert "units" not in {
        one.kind for one in Dataset(pa.table({"room": [f"Room {at}" for at in range(30)]})).findings()
    }


def test_categories_that_mostly_differ() -> None:
    names = [f"Smith and {at // 2}" for at in range(60)] + [f"Jones and {at}" for at in range(60)]
    (finding,) = Dataset(pa.table({"firm": names})).findings()
    assert str(finding) == (
        "firm: 90 different values in 120 rows: read as categories, which new rows hardly share (--type firm=ignore)"
    )
    assert Dataset(pa.table({"firm": names}), types={"firm": "category"}).findings() == []
    assert Dataset(pa.table({"said": [f"it is the {at}. time" for at in range(60)]})).findings() == []


@pytest.mark.parametrize(("cells", "what"), [([{"os": "x"}, {"os": "y"}], "objects"), ([[1], [2]], "lists")])
def test_nested_cells_are_named_in_plain_words(cells: list[Any], what: str) -> None:
    (finding,) = Dataset(pa.table({"a": cells, "b": [1.5, 2.5]})).findings()
    assert str(finding) == f"a: holds {what}, which no model reads: left out; make columns of its values"


def test_classes_of_few_rows_are_counted() -> None:
    target = TargetSummary("y", {"a": 50, "b": 2})
    assert str(check(Schema(()), {}, target)[0]) == "y: class 'b' (2) has fewer than 5 rows: rarely predicted"
    target = TargetSummary("y", {"a": 50} | {f"b{at}": 1 for at in range(5)})
    assert str(check(Schema(()), {}, target)[0]).endswith(
        "classes 'b0' (1), 'b1' (1), 'b2' (1) and 2 more have fewer than 5 rows: rarely predicted"
    )


def _twins(table: dict[str, Any], **options: Any) -> list[str]:
    return [str(one) for one in Dataset(pa.table(table), **options).findings() if one.kind == "twin"]


def test_a_column_with_the_values_of_another_is_named() -> None:
    size = [((37 * at) % 101) / 8 for at in range(100)]
    says = "copy: the same values as 'size': naive Bayes counts this evidence twice (--type copy=ignore)"
    assert _twins({"size": size, "copy": size}) == [says]
    assert _twins({"size": [*size[:99], None], "copy": [*size[:99], None]}) == [says]
    assert _twins({"size": size, "copy": [*size[:99], 0.5]}) == []
    assert _twins({"size": size, "other": [cell + 1 for cell in size]}) == []


def test_a_column_that_renames_the_values_of_another_is_named() -> None:
    colours = ["red", "blue", "blue", "green"] * 20
    codes = [{"red": 3, "blue": 1, "green": 2}[colour] for colour in colours]
    says = "code: 'colour' with other names for its values: naive Bayes counts this evidence twice (--type code=ignore)"
    assert _twins({"colour": colours, "code": codes}) == [says]
    assert _twins({"colour": colours, "code": [1, *codes[1:]]}) == []


def test_columns_that_are_equal_by_chance_ignored_or_constant_are_no_twins() -> None:
    flags = ["a", "b", "b", "a", "b"] * 20
    assert _twins({"one": flags[:20], "two": flags[:20]}) == []
    assert _twins({"one": flags, "two": flags}, types={"one": "ignore"}) == []
    assert _twins({"one": [1] * 100, "two": [2] * 100}) == []
    assert len(_twins({"one": flags, "two": flags, "three": flags})) == 2


def test_the_classes_are_no_twin_of_a_column() -> None:
    table = pa.table({"a": ["x", "y"] * 50, "y": ["p", "q"] * 50, "b": ["x", "y"] * 50})
    kinds = [(one.column, one.kind) for one in Dataset(table).findings(TargetSummary("y", {"p": 50, "q": 50}))]
    assert kinds == [("a", "gives_away"), ("b", "twin"), ("b", "gives_away")]


def test_blank_categories_are_missing_and_said_to_be() -> None:
    table = pa.table({"a": ["x", "", "y", ""] * 10, "b": ["x", "", "y", "x"] * 10})
    (batch,) = Dataset(table)
    assert (batch.table["a"].null_count, batch.table["b"].null_count) == (20, 10)
    assert [str(one) for one in Dataset(table).findings()] == ["a: 50.0 % of its cells are missing (--type a=ignore)"]


@pytest.mark.parametrize(
    ("cell", "harm"), [("x", ", and makes naive Bayes predict rare ones less"), (2.5, "")], ids=["category", "number"]
)
def test_a_column_with_one_value_and_what_it_does(cell: Any, harm: str) -> None:
    (finding,) = Dataset(pa.table({"a": [cell] * 30})).findings()
    assert str(finding) == f"a: always {str(cell)!r}: it can't distinguish classes{harm} (--type a=ignore)"
