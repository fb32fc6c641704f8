"""The narrowest type for what a column held and holds."""

import pyarrow as pa
import pytest

from likely.data.stream.types import common, plain, wider

TEXT = pa.large_string()


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        (pa.null(), "3", pa.int64()),
        (pa.null(), "3.5", pa.float64()),
        (pa.int64(), "3.5", pa.float64()),
        (pa.int64(), "1e3", pa.float64()),
        (pa.int64(), "three", TEXT),
        (pa.float64(), "three", TEXT),
        (pa.null(), "1_000", TEXT),
        (pa.bool_(), "3", TEXT),
    ],
)
def test_a_value_that_does_not_fit_widens(before, value, after):
    assert wider(before, value) == after


@pytest.mark.parametrize(
    ("before", "now", "both"),
    [
        (pa.int64(), pa.int64(), pa.int64()),
        (pa.int64(), pa.null(), pa.int64()),
        (pa.null(), TEXT, TEXT),
        (pa.int32(), pa.int64(), pa.int64()),
        (pa.int64(), pa.float32(), pa.float64()),
        (pa.float64(), TEXT, TEXT),
        (pa.bool_(), pa.int64(), TEXT),
        (pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("s")),
    ],
)
def test_columns_of_two_types_have_one(before, now, both):
    assert common(before, now) == both


def test_a_time_is_one_moment_wherever_it_was_noted():
    assert plain(pa.timestamp("us", "Europe/Berlin")) == pa.timestamp("us")
    assert plain(pa.int64()) == pa.int64()
