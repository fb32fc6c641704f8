"""Audits of parts add up to that of the whole."""

import numpy as np
import pytest

from likely.validation import part_audit
from likely.validation.mislabelled import audited
from likely.validation.part_audit import PartAudit

RNG = np.random.default_rng(0)
CLASSES = np.array(["a", "b", "c"])
P = RNG.dirichlet([0.1, 0.1, 0.1], 2000).clip(1e-12)
P /= P.sum(axis=1, keepdims=True)
Y = np.array([RNG.choice(3, p=p) for p in P]).astype(np.int32)
Y[::50] = P[::50].argmin(axis=1)
SHARE = np.bincount(Y) / len(Y)


def of_parts(*ends: int) -> PartAudit:
    total = PartAudit.empty(CLASSES)
    for number, (start, end) in enumerate(zip((0, *ends), (*ends, len(P)), strict=True)):
        total = total + PartAudit.of(CLASSES, P[start:end], Y[start:end], SHARE, number)
    return total


def test_it_is_that_of_one_machine() -> None:
    found, expected = of_parts(300, 300, 1999), audited(CLASSES, Y, P)
    assert len(found) == pytest.approx(len(expected), rel=0.02)
    assert found.noise == pytest.approx(expected.noise, rel=0.02)
    starts = [0, 300, 300, 1999]
    assert [starts[one.partition] + one.row for one in found.suspects[:30]] == expected.order[:30].tolist()
    assert found.suspects[0][2:] == expected[0][1:]


def test_parts_add_up_in_any_tree() -> None:
    whole, parts = of_parts(), of_parts(1, 700, 701)
    np.testing.assert_array_equal(parts.fits, whole.fits)
    assert [one[2:] for one in parts.least] == [one[2:] for one in whole.least]
    assert (len(parts), parts.noise, parts.rows) == (len(whole), whole.noise, 2000)


def test_more_suspects_than_are_remembered_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    every = len(of_parts(500))
    monkeypatch.setattr(part_audit, "REMEMBERED", 5)
    found = of_parts(500)
    assert len(found) == pytest.approx(every, rel=0.05)
    assert len(found.suspects) == 5
    assert str(found).endswith(f"and {len(found) - 5} more")


def test_in_print_and_as_a_table() -> None:
    found = of_parts(500)
    lines = str(found).splitlines()
    assert lines[0] == f"{len(found)} of 2,000 rows are surprising: check their labels"
    assert lines[1].split() == ["partition", "label", "probability", "looks", "like"]
    assert list(found.to_frame().columns) == ["partition", "row", "label", "looks_like", "probability"]


def test_nothing_to_check() -> None:
    share, y = np.array([1.0, 0.0]), np.zeros(40, np.int32)
    for row in ([0.5, 0.5], [1.0, 0.0]):  # the columns say nothing of the class, or all
        p = np.repeat([row], 40, axis=0)
        assert str(PartAudit.of(np.array(["a", "b"]), p, y, share, 0)) == "none of 40 rows is surprising"
    p = np.repeat([[0.4, 0.6]], 40, axis=0)
    assert str(PartAudit.of(np.array(["a", "b"]), p, y, share, 0)).startswith("40 of 40")
