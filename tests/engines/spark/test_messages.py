"""What tasks return: results and errors."""

import pyarrow as pa
import pytest

import likely
from likely.engines.spark import messages


def test_another_version_of_likely_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    done = messages.done("0.0.1", lambda number, part: part, 0, 0)
    assert str(done) == f"a worker has Likely {likely.__version__}, and this is 0.0.1; install the same on both"


def test_a_message_that_spark_cannot_carry_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LARGEST", 10)
    large = pa.Table.from_batches([messages.message(3, "a" * 50)])
    with pytest.raises(ValueError, match=r"partition 3 makes 0\.0 GB, and Spark hands over 2 at most; repartition"):
        messages.results(large)
