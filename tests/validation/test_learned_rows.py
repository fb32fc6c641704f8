"""Which rows a model is judged by: those that are new, or those that it has learned."""

import numpy as np
import pytest

from likely.data import row_digest
from likely.data.row_digest import RowDigest
from likely.validation.learned_rows import FEW, PERHAPS, judged_by

RNG = np.random.default_rng(0)
MARKS = RNG.permutation(1 << 20)[:4000].astype(np.uint32) << np.uint32(8)  # a hash that ends in no zero
OLD, NEW = MARKS[:1000], MARKS[1000:2000]


def test_new_rows() -> None:
    found = judged_by(RowDigest.of(OLD), NEW)
    assert (len(found.rows), found.learned, found.note, found.known) == (1000, False, "", True)


def test_learned_rows_are_left_out_where_enough_are_new() -> None:
    found = judged_by(RowDigest.of(OLD), np.concatenate([OLD[:412], NEW[:588]]))
    assert found.rows.tolist() == list(range(412, 1000))
    assert not found.learned
    assert found.note == "412 of these 1,000 rows were learned: the figures are of the 588 new rows alone."
    one = judged_by(RowDigest.of(OLD), np.concatenate([OLD[:1], NEW[:1]]))
    assert one.note == "1 of these 2 rows was learned: the figures are of the 1 new row alone."


def test_new_rows_are_left_out_where_they_are_too_few() -> None:
    assert judged_by(RowDigest.of(OLD), OLD)._replace(rows=np.zeros(0)) == (pytest.approx([]), True, "", True)
    few = judged_by(RowDigest.of(OLD), np.concatenate([OLD, NEW[: FEW - 1]]))
    assert few.learned
    assert few.rows.tolist() == list(range(1000))
    assert few.note == "1,000 of these 1,019 rows were learned: the figures leave out the 19 new rows."
    assert not judged_by(RowDigest.of(OLD), np.concatenate([OLD, NEW[:FEW]])).learned


def test_as_many_equal_rows_as_chance_explains_are_new() -> None:
    """A tenth of the learned rows have an equal, so that of new rows a tenth have one too."""
    digest = RowDigest.of(np.concatenate([OLD[:950], OLD[:50]]))
    chance = digest.look_up(NEW).chance
    assert chance == pytest.approx(0.1, abs=0.001)
    assert len(judged_by(digest, np.concatenate([OLD[:100], NEW[:900]])).rows) == 1000
    assert len(judged_by(digest, np.concatenate([OLD[:140], NEW[:860]])).rows) == 860


def test_where_most_rows_have_an_equal_nobody_knows() -> None:
    found = judged_by(RowDigest.of(np.concatenate([OLD, OLD])), OLD)
    assert not found.known
    assert found.note == f"{PERHAPS[:-1]}: most rows that it has learned have an equal."


def test_of_a_sampled_digest_it_says_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row_digest, "MOST", 600)
    zeros = (RNG.random(4000) < 0.5).astype(np.uint32)
    digest = RowDigest.of((MARKS | zeros)[:1000])
    assert digest.level == 1
    both = (MARKS | zeros)[500:1500]
    found = judged_by(digest, both)
    n, new = int(zeros[500:1500].sum()), int(zeros[1000:1500].sum())
    assert found.rows.tolist() == (500 + np.flatnonzero(zeros[1000:1500])).tolist()
    assert found.note.startswith("About 5") or found.note.startswith("About 4")
    assert found.note.endswith(
        f" % of these 1,000 rows were learned, by {n} of them that can be checked: "
        f"the figures are of the {new} new rows alone."
    )
    assert len(judged_by(digest, (MARKS | zeros)[:1000]).rows) == 1000
    unchecked = judged_by(digest, MARKS[:5])
    assert not unchecked.known
    assert "its digest holds one row in 2, and none of these" in unchecked.note
