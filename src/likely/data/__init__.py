"""Tables, wherever they come from, as blocks of numbers and codes of categories."""

from likely.data.read import read
from likely.data.sample import Sample
from likely.data.table import Table
from likely.data.target import encode_target

__all__ = ["Sample", "Table", "encode_target", "read"]
