"""A model of parts is the model of all rows."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from likely.data import Sample
from likely.engines.engine import PLACES, added
from likely.engines.threads import ThreadParts
from likely.errors import BadCell
from likely.families import TextMultinomial
from likely.fitting import over_parts, part_totals, row_sample
from likely.fitting.over_parts import fit_parts, spread_rows
from likely.fitting.row_sample import RowSample
from likely.models.naive_bayes import NaiveBayesModel
from likely.text import Tokens

from ..samples import sample_of

RNG = np.random.default_rng(0)
Y = RNG.integers(0, 3, 300)
TABLE = pd.DataFrame(
    {
        "number": RNG.normal(Y),
        "count": RNG.poisson(3 + Y),
        "word": RNG.choice(["red", "green", "blue"], 300),
        "flag": RNG.random(300) < (Y + 1) / 5,
    }
)


def as_sample(rows: Any) -> Sample | None:
    return sample_of(TABLE.iloc[rows], Y[rows]) if len(rows) else None


def parts_of(*cuts: int) -> ThreadParts[Any]:
    return ThreadParts(np.split(np.arange(300), cuts))


@pytest.mark.parametrize("cuts", [(), (1, 2), (0, 150, 150, 299), tuple(range(3, 300, 3))], ids=len)
def test_chosen_and_counted_as_in_memory(cuts: tuple[int, ...]) -> None:
    model, rows = fit_parts(NaiveBayesModel(), parts_of(*cuts), as_sample)
    whole = NaiveBayesModel().fit(sample_of(TABLE, Y))
    assert model.chosen_families == whole.chosen_families
    assert rows.rows == rows.count == 300
    np.testing.assert_array_equal(model.class_counts, whole.class_counts)
    table = sample_of(TABLE, Y).table
    np.testing.assert_allclose(model.score(table), whole.score(table), rtol=1e-9)


def test_rows_to_choose_by_are_of_parts_spread_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_parts, "FIRST_PARTS", 4)
    monkeypatch.setattr(over_parts, "FIRST_ROWS", 5)
    order = np.argsort(Y, kind="stable")  # by class: the first parts have one class
    parts = ThreadParts(np.array_split(order, 30))
    found = spread_rows(parts, as_sample).sample
    assert len(found) == 20
    assert found.classes.tolist() == [0, 1, 2]


def test_more_parts_are_looked_at_where_they_are_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(over_parts, "FIRST_PARTS", 4)
    monkeypatch.setattr(over_parts, "FIRST_ROWS", 100)
    parts = ThreadParts([np.array([], int) if at % 2 else np.arange(at, at + 2) for at in range(100)])
    assert len(spread_rows(parts, as_sample).sample) == 100


def test_no_part_sends_more_of_its_rows_than_the_sample_of_all_has(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = list[int]()

    class Watched(ThreadParts[Any]):
        def total(self, work: Any) -> Any:
            sent.extend(work(number, part).sample.count for number, part in enumerate(self.parts))
            return super().total(work)

    parts = np.array_split(np.arange(300), 10)
    monkeypatch.setattr(row_sample, "MOST_ROWS", 50)
    _, rows = fit_parts(NaiveBayesModel(), Watched(parts), as_sample)
    assert sum(sent) < 80
    each = [RowSample.of(sample_of(TABLE.iloc[part], Y[part]), at * PLACES) for at, part in enumerate(parts)]
    assert rows.at.tolist() == added(each).at.tolist()


def test_no_rows_at_all() -> None:
    with pytest.raises(ValueError, match="there are no rows to learn from"):
        fit_parts(NaiveBayesModel(), ThreadParts([np.array([], int)] * 3), as_sample)


def test_errors_name_the_part_and_the_row() -> None:
    def bad(part: int) -> Sample:
        return sample_of(np.array([[1.0], [-2.0 if part == 3 else 2.0]]), ["a", "b"])

    with pytest.raises(
        ValueError, match=r"partition 3, row 1: Poisson needs whole numbers of 0 or more; column 0 has -2\.0"
    ):
        fit_parts(NaiveBayesModel("poisson"), ThreadParts(range(5)), bad)

    def other(part: int) -> Sample:
        return sample_of(np.ones((2, 1 + part // 4)), ["a", "b"])

    with pytest.raises(ValueError, match=r"partition 4: "):
        fit_parts(NaiveBayesModel("gaussian"), ThreadParts(range(5)), other)


def test_sums_too_large_for_a_worker_are_refused_by_the_column_that_takes_most(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [" ".join(f"word{at}{more}" for more in range(20)) for at in range(300)]
    table = pd.DataFrame({"number": TABLE["number"], "text": texts})

    def as_texts(rows: Any) -> Sample:
        return sample_of(table.iloc[rows], Y[rows])

    families = {"text": "text_multinomial"}
    parts = ThreadParts(np.array_split(np.arange(300), 10))
    fit_parts(NaiveBayesModel(families), parts, as_texts)
    monkeypatch.setattr(part_totals, "MOST_SHIPPED", 50_000)
    says = r"what is counted of column 'text' takes .* GB, and a worker adds 8 of these at a time; count words in"
    with pytest.raises(ValueError, match=says + r" buckets, as Tokens\(hashing=2\*\*22\) does"):
        fit_parts(NaiveBayesModel(families), parts, as_texts)
    hashed = {"text": TextMultinomial(tokens=Tokens(hashing=2**8))}
    assert fit_parts(NaiveBayesModel(hashed), parts, as_texts)[1].rows == 300


def test_a_cell_that_families_are_chosen_by_has_its_partition_and_row() -> None:
    table = TABLE.assign(number=np.where(np.arange(300) == 217, np.inf, 1.5))
    parts = ThreadParts(np.array_split(np.arange(300), 30))
    with pytest.raises(BadCell, match=r"^partition 21, row 7: .*; column 'number' has inf$"):
        fit_parts(NaiveBayesModel(), parts, lambda rows: sample_of(table.iloc[rows], Y[rows]))


@pytest.mark.parametrize("looked", [1, 16], ids=["counted", "looked at"])
@pytest.mark.parametrize(
    ("column", "cells", "says"),
    [
        ("number", "five", "column 'number' holds text, and in other partitions numbers"),
        ("word", 5.0, "column 'word' holds numbers, and in other partitions text"),
    ],
)
def test_partitions_of_other_types_are_named(
    monkeypatch: pytest.MonkeyPatch, looked: int, column: str, cells: Any, says: str
) -> None:
    monkeypatch.setattr(over_parts, "FIRST_PARTS", looked)
    monkeypatch.setattr(over_parts, "FIRST_ROWS", 5)
    parts = ThreadParts(np.array_split(np.arange(300), 30))

    def other(rows: Any) -> Any:
        return sample_of(TABLE.iloc[rows].assign(**({column: cells} if 130 in rows else {})), Y[rows])

    with pytest.raises(ValueError, match=f"^partition 13: {says}$"):
        fit_parts(NaiveBayesModel(), parts, other)


def test_classes_of_another_type_are_named() -> None:
    parts = ThreadParts(np.array_split(np.arange(300), 30))
    with pytest.raises(TypeError, match=r"^partition 13: text and numbers do not mix"):
        fit_parts(
            NaiveBayesModel(),
            parts,
            lambda rows: sample_of(TABLE.iloc[rows], Y[rows].astype(str) if 130 in rows else Y[rows]),
        )
