"""Tables in files, a batch of rows at a time: larger than memory, and in any of several formats."""

from likely.data.stream.conform import conform
from likely.data.stream.stream import Batch, Stream
from likely.data.stream.types import Widened

__all__ = ["Batch", "Stream", "Widened", "conform"]
