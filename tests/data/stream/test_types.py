"""The narrowest type for what a column held and holds."""

import pyarrow as pa
import pytest

from likely.data.stream.types import common

TEXT = pa.large_string()


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
        (pa.timestamp("s"), pa.date32(), pa.timestamp("us")),
        (pa.time32("s"), pa.time64("ns"), pa.time64("us")),
        (pa.time32("s"), pa.date32(), TEXT),
    ],
)
def test_columns_of_two_types_have_one(before, now, both):
    assert common(before, now) == both
