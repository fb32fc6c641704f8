"""What is worth knowing of the columns before a model learns from them: one finding, one small rule.

A rule is a pure function of a column's schema and summary. What it finds is a value; who shows it decides how.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from likely.data.inference import LEAST_ROWS, MOST_UNREAD, NAMED_AS_ID, NUMBERS, is_identifier, is_text_type
from likely.data.number_forms import may_be_thousands, units_in
from likely.data.schema import ColumnSchema, Schema
from likely.data.summary import ColumnSummary, is_number
from likely.printing import percent, safe

FEW = 5
"""Rows of a class that are too few to learn it from."""
MANY_CLASSES = 30
SENTINELS = (-1, -9, -99, -999, -9999, -99999, 999, 9999, 99999, 999999)
MOSTLY = 0.5
"""The share of cells with different categories above which most of them occur once."""
NESTED = {"struct": "objects", "map": "objects", "list": "lists", "large_list": "lists", "fixed_size_list": "lists"}
"""What the types of Arrow are called by everyone else."""
GIVEN_AWAY = 0.995
"""The share of classes that one column must give right to be suspected of holding the answer."""


@dataclass(frozen=True)
class Finding:
    """Something to check in a column: a sentence, what it is about, and the option that changes it.

    See Also
    --------
    Dataset : `findings()` returns them.
    """

    kind: str
    column: str
    says: str
    option: str = ""
    numbers: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.column}: {self.says}" + (f" ({self.option})" if self.option else "")


@dataclass(frozen=True)
class TargetSummary:
    """The column with the classes: how many rows each has."""

    name: str
    classes: Mapping[Any, int]
    numbers: bool = False
    """Whether the classes are numbers that are not whole."""


Rule = Callable[[ColumnSchema, ColumnSummary], Finding | None]


def check(schema: Schema, summaries: Mapping[str, ColumnSummary], target: TargetSummary | None = None) -> list[Finding]:
    """All findings: those of the target first, then column by column."""
    found = [] if target is None else list(_of_target(target))
    for column in schema.columns:
        seen = summaries.get(column.name)
        if seen is not None and (target is None or column.name != target.name):
            found += [finding for rule in RULES if (finding := rule(column, seen)) is not None]
    return _together(found)


def _together(found: list[Finding]) -> list[Finding]:
    """With one finding for all columns that one option changes, as `--missing unknown` does."""
    first: dict[str, int] = {}
    others: dict[int, list[str]] = {}
    for at, finding in enumerate(found):
        merged = finding.option.startswith(("--missing", "--not-missing"))
        if merged and (start := first.setdefault(finding.option, at)) != at:
            others.setdefault(start, []).append(finding.column)
    return [
        replace(finding, says=f"{finding.says}; so in {_some(others[at])}") if at in others else finding
        for at, finding in enumerate(found)
        if first.get(finding.option, at) == at
    ]


def _some(columns: list[str]) -> str:
    return ", ".join(safe(name) for name in columns[:5]) + (f" and {len(columns) - 5:,} more" if columns[5:] else "")


def _option(column: str, type_: str) -> str:
    said = f"{column}={type_}"
    return f"--type {said}" if said.replace("=", "").replace("_", "").isalnum() else f'--type "{safe(said)}"'


def _quoted(option: str, value: str) -> str:
    return f"{option} {value}" if value.isalnum() else f"{option} '{safe(value)}'"


# Rules, each with what it finds


def nothing(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column without any value."""
    if seen.given or seen.present or not seen.rows or column.type != "ignore":
        return None
    return Finding("nothing", column.name, "no row has a value here: left out", numbers={"rows": seen.rows})


def constant(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column with one value in all rows."""
    if column.type == "ignore" or seen.distinct != 1 or seen.missing or seen.rows < 2:
        return None
    (value,) = seen.values
    says = f"always {safe(str(value))!r}: it can't distinguish classes"
    if column.type != "number":  # leave-one-out log loss of 400 rows, 6 of them rare: 0.030, with 5 such columns 0.034
        says += ", and makes naive Bayes predict rare ones less"
    return Finding("constant", column.name, says, _option(column.name, "ignore"), {"rows": seen.rows})


def twin(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column that says the same as an earlier one in every row."""
    if column.type == "ignore" or seen.twin is None:
        return None
    other = safe(repr(seen.twin.name))
    what = f"the same values as {other}" if seen.twin.same else f"{other} with other names for its values"
    says = f"{what}: naive Bayes counts this evidence twice"
    return Finding("twin", column.name, says, _option(column.name, "ignore"), {"column": seen.twin.name})


def identifier(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column that names rows, and so was left out."""
    if column.type != "ignore" or seen.given or not seen.present:
        return None
    text = is_text_type(seen.arrow)
    as_it_was = ColumnSchema(column.name, "category" if text else "integer")
    if not is_identifier(as_it_was, seen):
        return None
    how = "it counts the rows" if seen.consecutive else f"{seen.distinct:,} different values in {seen.present:,} rows"
    says = f"looks like an identifier ({how}): left out"
    numbers = {"distinct": seen.distinct, "rows": seen.present}
    return Finding("identifier", column.name, says, f"{_option(column.name, as_it_was.type)} keeps it", numbers)


def nested(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column of lists, objects or bytes."""
    if column.type != "ignore" or seen.given or seen.values or not seen.present:
        return None
    what = next((words for start, words in NESTED.items() if seen.arrow.startswith(start)), "bytes")
    return Finding("nested", column.name, f"holds {what}, which no model reads: left out; make columns of its values")


def share_missing(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column with half of its cells or more missing."""
    blank = (times for value, times in seen.values.items() if column.type == "category" and not str(value).strip())
    missing = seen.missing + sum(blank)
    if column.type == "ignore" or not seen.rows or missing < seen.rows / 2:
        return None
    says = f"{percent(missing / seen.rows)} of its cells are missing"
    return Finding("missing", column.name, says, _option(column.name, "ignore"), {"missing": missing})


def read_as_missing(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Texts among numbers or dates, which were read as missing."""
    if not seen.unread or column.type in ("ignore", "category", "text"):
        return None
    cells = sum(seen.unread.values())
    some = ", ".join(_cell(text) for text in islice(seen.unread, 3)) + (", ..." if len(seen.unread) > 3 else "")
    what = {"date": "dates", "time": "times", "yesno": "yes or no"}.get(column.type, "numbers")
    says = f"{what}, and {cells:,} of {seen.rows:,} cells {_are(cells)} {some}: read as missing"
    return Finding("unread", column.name, says, f"{_option(column.name, 'category')} reads texts", {"cells": cells})


def _are(cells: int) -> str:
    return "is" if cells == 1 else "are"


def _cell(text: str) -> str:
    return repr(safe(text)) if text else "blank"


def numbers_as_text(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column of categories, if most of what it holds are numbers: of three numbers and "more" it is not said."""
    if column.type != "category" or seen.given or not is_text_type(seen.arrow) or not seen.values:
        return None
    cells = sum(seen.values.values())
    others = {text: times for text, times in seen.values.items() if not is_number(str(text))}
    are = 1 - sum(others.values()) / cells
    if not others or are < 0.5 or len(seen.values) - len(others) <= min(len(others), MOST_UNREAD) + FEW:
        return None
    some = ", ".join(_cell(str(text)) for text in islice(others, 3)) + (", ..." if len(others) > 3 else "")
    says = f"{percent(are)} of its cells are numbers, but others are {some}: read as categories"
    option = f"{_option(column.name, 'number')} reads numbers, and others as missing"
    if len(others) > MOST_UNREAD:  # too many for that
        option = _option(column.name, "ignore")
    return Finding("numbers_as_text", column.name, says, option, {"numbers": are})


def units(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Numbers with different units, which were read as categories: 70 kg is not 70 lb."""
    if column.type != "category" or seen.given or not is_text_type(seen.arrow) or not seen.values:
        return None
    found = units_in({str(text): times for text, times in seen.values.items()})
    if len(found) < 2 or sum(found.values()) < NUMBERS * sum(seen.values.values()):
        return None
    some = ", ".join(safe(repr(unit)) for unit in islice(found, 3)) + (", ..." if len(found) > 3 else "")
    says = f"numbers with the units {some}: read as categories; convert them to one unit"
    return Finding("units", column.name, says, numbers={"units": len(found)})


def mostly_different(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Categories that mostly occur once, and so help little with new rows. Long texts are read as words."""
    if column.type != "category" or seen.given or not is_text_type(seen.arrow) or seen.present < LEAST_ROWS:
        return None
    if seen.distinct_share <= MOSTLY or seen.words >= 4 or units(column, seen) or numbers_as_text(column, seen):
        return None
    says = (
        f"{seen.distinct:,} different values in {seen.present:,} rows: read as categories, which new rows hardly share"
    )
    numbers = {"distinct": seen.distinct, "rows": seen.present}
    return Finding("mostly_different", column.name, says, _option(column.name, "ignore"), numbers)


def leading_zeros(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Whole numbers that begin with a zero, and so are kept as texts: 007 is not 7."""
    if column.type != "category" or seen.given or not is_text_type(seen.arrow):
        return None
    texts = [str(text) for text in seen.values]
    if not texts or not all(text.strip().isdecimal() for text in texts):
        return None
    zero = next((text for text in texts if len(text) > 1 and text.startswith("0")), None)
    if zero is None:
        return None
    says = f"codes such as {zero!r}: read as categories, because a number would lose the zero"
    return Finding("leading_zeros", column.name, says, _option(column.name, "integer"))


def number_format(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Numbers with a decimal comma, separators of thousands or a unit, or with a sign that may be one or the other."""
    if column.type not in ("number", "integer"):
        return None
    if (column.decimal, column.thousands, column.unit) == (".", "", ""):
        shown = next((str(text) for text in seen.values if "." in str(text)), "")
        if seen.given or not is_text_type(seen.arrow) or not may_be_thousands(list(map(str, seen.values))):
            return None
        says = f"numbers such as {safe(shown)!r}: read with a decimal point"
        return Finding("number_format", column.name, says, "--decimal , reads thousands")
    texts = [str(text) for text in seen.values]
    shown = next((text for text in texts if not is_number(text) and text not in seen.unread), texts[0])
    how = [
        "a decimal comma" if column.decimal == "," else "",
        f"{column.thousands!r} between thousands" if column.thousands else "",
        f"the unit {column.unit}" if column.unit else "",
    ]
    option = f"--decimal {column.thousands} reads decimals" if may_be_thousands(texts) and column.thousands else ""
    says = f"numbers such as {safe(shown.strip())!r}: read with {' and '.join(part for part in how if part)}"
    return Finding("number_format", column.name, says, option)


def date_format(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Dates in another form than ISO 8601, or in one of two."""
    if seen.either is not None and column.type == "category":
        text = safe(str(next(iter(seen.values))))
        one, other = (_option(column.name, f"date:{format_}") for format_ in seen.either)
        says = f"dates such as {text!r}, in which the day or the month may come first: read as categories"
        return Finding("date_either", column.name, says, f"{one} or {other}")
    if column.type not in ("date", "time") or not column.format or column.format == "%z" or seen.given:
        return None
    text = safe(next((str(text) for text in seen.values if str(text).strip() not in seen.unread), ""))
    what = "dates" if column.type == "date" else "times of day"
    return Finding("date_format", column.name, f"{what} such as {text!r}, read as {column.format}")


def date_as_number(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Whole numbers such as 20230725, which may be dates."""
    if column.type != "integer" or seen.given or len(seen.values) < 3 or is_text_type(seen.arrow):
        return None
    if not all(_is_day(str(value)) for value in seen.values):
        return None
    says = f"whole numbers such as {next(iter(seen.values))} that may be dates: read as numbers"
    return Finding("date_as_number", column.name, says, _option(column.name, "date:%Y%m%d"))


def _is_day(text: str) -> bool:
    return len(text) == 8 and "1900" <= text[:4] < "2100" and "01" <= text[4:6] <= "12" and "01" <= text[6:] <= "31"


def sentinel(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A number far from all others that occurs often, as -999 for a missing cell."""
    if column.type not in ("number", "integer") or len(seen.values) < 3 or is_text_type(seen.arrow):
        return None
    if seen.distinct > len(seen.values):
        return None
    numbers = sorted(float(value) for value in seen.values)
    for mark in SENTINELS:
        times = seen.values.get(mark, 0)
        rest = [number for number in numbers if number != mark]
        spread = rest[-1] - rest[0] if rest else 0
        beyond = mark < rest[0] - max(spread, 1) if mark < 0 else mark > rest[-1] + max(spread, 1)
        if times >= 2 and abs(mark) >= 99 and beyond:
            says = f"{times:,} of {seen.rows:,} cells are {mark}, far from all others: it may mark a missing value"
            return Finding("sentinel", column.name, says, f"--missing {mark}", {"value": mark, "cells": times})
    return None


def marks(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Categories that were read as missing, as NA was, which may be a name."""
    if column.type != "category" or seen.given or not seen.marks:
        return None
    mark, times = max(seen.marks.items(), key=lambda pair: pair[1])
    says = f"{times:,} of {seen.rows:,} cells {_are(times)} {_cell(mark)}: read as missing"
    return Finding("marks", column.name, says, f"{_quoted('--not-missing', mark)} keeps it", {"cells": times})


def marked(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Categories that may mark a missing cell."""
    if column.type not in ("category", "text") or seen.given:
        return None
    marks = {str(v): n for v, n in seen.values.items() if str(v).strip().lower() in ("unknown", "-", "n.a.")}
    if not marks:
        return None
    mark, times = max(marks.items(), key=lambda pair: pair[1])
    says = f"{times:,} of {seen.rows:,} cells {_are(times)} {_cell(mark.strip())}: read as a category"
    return Finding("marked", column.name, says, f"{_quoted('--missing', mark)} reads it as missing", {"cells": times})


def same_but_for_case(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Categories that differ only in capital letters."""
    if column.type != "category" or seen.given or seen.words >= 2:
        return None
    alike = _alike(map(str, seen.values))
    if not alike:
        return None
    return Finding("case", column.name, f"{alike} differ only in capital letters: read as different categories")


def _alike(texts: Iterable[str]) -> str:
    """The first texts that differ only in capital letters, as a list; "" if there are none."""
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(text.casefold(), []).append(text)
    alike = next((group for group in groups.values() if len(group) > 1), [])
    shown = [_cell(text) for text in alike[:3]]
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""


def nominal(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """Whole numbers with few values and the name of a code, which may stand for categories."""
    if column.type != "integer" or seen.given or not 3 <= seen.distinct <= 50:
        return None
    lowered = column.name.lower()
    coded = NAMED_AS_ID.search(column.name) or any(word in lowered for word in ("type", "class", "kind", "category"))
    if not coded or 2 * seen.distinct > seen.present:
        return None
    says = f"{seen.distinct} whole numbers that may be codes of categories: read as numbers"
    return Finding("nominal", column.name, says, _option(column.name, "category"), {"distinct": seen.distinct})


def gives_away(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column whose value alone gives the class of almost every row."""
    if column.type == "ignore" or seen.alone is None or seen.alone < GIVEN_AWAY:
        return None
    says = f"alone gives the class of {percent(seen.alone)} of rows: make sure it is known before the class is"
    return Finding("gives_away", column.name, says, _option(column.name, "ignore"), {"share": seen.alone})


def present_in_one_class(column: ColumnSchema, seen: ColumnSummary) -> Finding | None:
    """A column that has a value, or none, only in rows of one class: a date of cancellation is known afterwards."""
    found = seen.one_class
    if column.type == "ignore" or found is None or (seen.alone or 0) >= GIVEN_AWAY:
        return None
    have = "have" if found.present else "lack"
    how = f"all {found.of:,}" if found.rows == found.of else f"{found.rows:,} of {found.of:,}"
    whose = f"{how} rows that {have} a value are of class {_cell(str(found.label))}"
    says = f"{whose}: make sure it is known before the class is"
    numbers = {"rows": found.rows, "of": found.of, "class": found.label}
    return Finding("one_class_has_it", column.name, says, _option(column.name, "ignore"), numbers)


RULES: tuple[Rule, ...] = (
    nothing, identifier, nested, constant, twin, share_missing, read_as_missing, numbers_as_text, units,
    mostly_different, leading_zeros,
    number_format, date_format, date_as_number, sentinel, marks, marked, same_but_for_case, nominal, gives_away,
    present_in_one_class,
)  # fmt: skip


def _of_target(target: TargetSummary) -> Iterator[Finding]:
    classes, rows = target.classes, sum(target.classes.values())
    name = target.name
    if len(classes) == 1:
        yield Finding(
            "one_class", name, f"all {rows:,} rows are of class {_cell(str(next(iter(classes))))}: nothing to predict"
        )
    elif target.numbers or (len(classes) > MANY_CLASSES and 2 * len(classes) > rows):
        says = f"has {len(classes):,} values in {rows:,} rows: it looks like a number to predict, not a class"
        yield Finding("not_classes", name, says, numbers={"classes": len(classes), "rows": rows})
    if alike := _alike(map(str, classes)):
        yield Finding("case", name, f"{alike} differ only in capital letters: they are different classes")
    few = {label: times for label, times in classes.items() if times < FEW}
    if few and len(classes) > 1:
        some = ", ".join(f"{_cell(str(label))} ({times:,})" for label, times in islice(few.items(), 3))
        more = f" and {len(few) - 3:,} more" if len(few) > 3 else ""
        which = f"class {some} has" if len(few) == 1 else f"classes {some}{more} have"
        says = f"{which} fewer than {FEW} rows: rarely predicted"
        yield Finding("few_rows", name, says, numbers={"classes": len(few)})
