"""What must agree before statistics can be added."""

import numpy as np
import pytest

from likely.statistics import Counts, Frame


def cells(*columns: list) -> tuple[np.ndarray, ...]:
    return tuple(np.array(column, object if column and isinstance(column[0], str) else np.int64) for column in columns)


COLOURS = Frame(("colour", "size"), cells(["blue", "red"], [1, 2, 3]))


def test_without_cells_or_edges_a_column_is_one_cell():
    frame = Frame(("a", "b", "c"))
    assert (frame.sizes, frame.starts.tolist()) == ([1, 1, 1], [0, 1, 2, 3])


def test_the_cells_of_a_column_are_its_categories():
    assert (COLOURS.sizes, COLOURS.starts.tolist()) == ([2, 3], [0, 2, 5])


def test_the_cells_of_a_column_are_its_bins():
    frame = Frame(("a", "b"), edges=(np.array([0.0, 1, 2, 5]), np.array([0.0, 1])))
    assert (frame.sizes, frame.starts.tolist()) == ([3, 1], [0, 3, 4])


def test_some_of_the_columns():
    part = COLOURS.of([1])
    assert (list(part.columns), part.cells[0].tolist(), part.edges) == (["size"], [1, 2, 3], None)
    part = Frame(("a", "b"), edges=(np.array([0.0, 1]), np.array([2.0, 3, 4]))).of([1, 0])
    assert [edges.tolist() for edges in part.edges] == [[2, 3, 4], [0, 1]]


def test_categories_in_order_of_appearance_are_put_in_ascending_order():
    """And their counts with them."""
    frame = Frame(("colour", "size"), cells(["red", "blue", "green"], [7, 3]))
    ordered, place = frame.ordered()
    assert [labels.tolist() for labels in ordered.cells] == [["blue", "green", "red"], [3, 7]]
    counts = Counts(np.array([[10, 20, 30, 7, 3]])).placed(None, place)
    assert counts.table.tolist() == [[20, 30, 10, 3, 7]]


def test_without_categories_nothing_is_out_of_order():
    frame = Frame(("a",))
    assert frame.ordered() == (frame, None)


def test_frames_grow_by_union():
    """Counts of both sides end where their categories are."""
    other = Frame(("colour", "size"), cells(["green", "red"], [2, 9]))
    both, mine, theirs = COLOURS.union(other)
    assert [labels.tolist() for labels in both.cells] == [["blue", "green", "red"], [1, 2, 3, 9]]
    assert Counts(np.array([[1, 2, 3, 4, 5]])).placed(None, mine).table.tolist() == [[1, 0, 2, 3, 4, 5, 0]]
    assert Counts(np.array([[1, 2, 3, 4]])).placed(None, theirs).table.tolist() == [[0, 1, 2, 0, 3, 0, 4]]


def test_a_union_with_itself_moves_nothing():
    assert COLOURS.union(COLOURS) == (COLOURS, None, None)


def test_a_union_with_an_equal_frame_moves_nothing():
    both, mine, theirs = COLOURS.union(Frame(("colour", "size"), cells(["blue", "red"], [1, 2, 3])))
    assert (mine, theirs) == (None, None)
    assert [labels.tolist() for labels in both.cells] == [["blue", "red"], [1, 2, 3]]


def test_a_union_with_a_smaller_frame_moves_only_that():
    both, mine, theirs = COLOURS.union(Frame(("colour", "size"), cells(["red"], [1, 2, 3])))
    assert (mine, theirs.at.tolist(), both.sizes) == (None, [1, 2, 3, 4], [2, 3])


@pytest.mark.parametrize(
    ("columns", "said"),
    [(("colour", "weight"), "'size' here, 'weight' there"), (("colour",), "2 here, 1 there")],
)
def test_columns_that_differ_are_named(columns, said):
    with pytest.raises(ValueError, match=f"^the columns differ: {said}$"):
        COLOURS.union(Frame(columns))


def test_a_range_of_columns_equals_a_list_of_them():
    frame, *_ = Frame(range(2)).union(Frame([0, 1]))
    assert list(frame.columns) == [0, 1]


def test_bins_do_not_grow():
    a, b = (Frame(("height",), edges=(np.array([0.0, end]),)) for end in (1, 2))
    with pytest.raises(ValueError, match=r"^column 'height' was cut into different bins"):
        a.union(b)


def test_equal_bins_are_one_frame():
    a, b = (Frame(("height",), edges=(np.array([0.0, 1.0]),)) for _ in range(2))
    assert a.union(b) == (a, None, None)


def test_text_and_numbers_in_a_column_are_named_with_it():
    with pytest.raises(ValueError, match=r"^column 'size': text and numbers do not mix: 1, 2, 3 and 'L'$"):
        COLOURS.union(Frame(("colour", "size"), cells(["red"], ["L"])))


def test_what_a_feature_is_of():
    """A category, the ends of a bin, a word, or the number itself."""
    assert COLOURS.value_of(0, 0) == COLOURS.cells[0][0]
    assert COLOURS.value_of(1, 2) == COLOURS.cells[1][2]
    assert Frame(("height",), edges=(np.array([0.0, 1.0, 3.0]),)).value_of(0, 1) == (1.0, 3.0)
    assert Frame(("text",)).value_of(0, "good") == "good"
    assert Frame(("number",)).value_of(0, None) is None
