"""Counts of columns and cliques: they add, subtract and grow by union."""

import numpy as np
import pytest

from likely.errors import NeverLearned
from likely.statistics import Counts, JointCounts, JointFrame


def counted(labels, rows, bins=(False, False)):
    """Of pairs of values of one class: the frame and the counts."""
    frame = JointFrame(("a", "b"), tuple(np.array(list(of), object) for of in labels), None, ((0, 1),), bins)
    codes = np.array(
        [[list(of).index(row[j]) if row[j] else -1 for row in rows] for j, of in enumerate(labels)], np.int32
    )
    y = np.zeros(len(rows), np.int32)
    table = np.concatenate([np.bincount(codes[j] + 1, minlength=len(of) + 1)[1:] for j, of in enumerate(labels)])
    return frame, JointCounts(table[None], frame.joint.count(codes.reshape(2, -1), y, 1))


def test_frames_grow_by_union():
    one, of_one = counted(("u", "pq"), ["up", "uq", ("u", None)])
    two, of_two = counted(("uv", "q"), ["vq", "uq"])
    both, mine, theirs = one.union(two)
    assert [list(of) for of in both.cells] == [["u", "v"], ["p", "q"]]
    total = of_one.placed(None, mine) + of_two.placed(None, theirs)
    expected, of_all = counted(("uv", "pq"), ["up", "uq", ("u", None), "vq", "uq"])
    assert np.array_equal(total.table, of_all.table)
    assert np.array_equal(total.joint, of_all.joint)
    assert expected.joint.starts[-1] == total.joint.shape[1]


def test_what_has_nothing_left_is_trimmed_but_for_bins():
    frame, counts = counted(("uv", "pq"), ["up"])
    trimmed, kept = frame.trimmed(counts.present.any(axis=0))
    assert [list(of) for of in trimmed.cells] == [["u"], ["p"]]
    left = counts.of_cells(kept)
    assert left.table.tolist() == [[1, 1]]
    assert left.joint.tolist() == [[0, 0, 0, 1]]
    binned, counts = counted(("uv", "pq"), ["up"], bins=(True, False))
    assert [list(of) for of in binned.trimmed(counts.present.any(axis=0))[0].cells] == [["u", "v"], ["p"]]


def test_labels_are_put_in_order_with_their_counts():
    frame, counts = counted(("vu", "qp"), ["up", "up", "vq"])
    ordered, order = frame.ordered()
    _, expected = counted(("uv", "pq"), ["up", "up", "vq"])
    assert np.array_equal(counts.placed(None, order).joint, expected.joint)
    assert ordered.cliques == frame.cliques


def test_a_combination_that_was_never_counted_is_found():
    frame, counts = counted(("uv", "pq"), ["up", "vq"])
    _, other = counted(("uv", "pq"), ["uq"])
    with pytest.raises(NeverLearned) as caught:
        counts - other
    assert frame.column_of(caught.value.cell) == "b"
    assert frame.column_of(1) == "a"
    assert (counts * 0.5).table.tolist() == [[0.5] * 4]


def test_other_cliques_do_not_add():
    one, _ = counted(("u", "p"), ["up"])
    with pytest.raises(ValueError, match="the networks differ"):
        one.union(JointFrame(one.columns, one.cells, None, (), (False, False)))


def test_what_does_not_fit_the_frame():
    frame, counts = counted(("u", "p"), ["up"])
    counts.check_joint(1, frame)
    with pytest.raises(ValueError, match="the shape of 'joint'"):
        JointCounts(counts.table, counts.joint[:, 1:]).check_joint(1, frame)
    with pytest.raises(ValueError, match="are below 0"):
        JointCounts(counts.table, counts.joint - 9).check_joint(1, frame)
    assert not isinstance(counts, Counts)
