"""Tables, wherever they come from, as blocks of numbers and codes of categories; and files as datasets."""

from typing import TYPE_CHECKING, Any

from likely.data.read import read
from likely.data.sample import Sample
from likely.data.table import Table
from likely.data.target import encode_target

if TYPE_CHECKING:
    from likely.data.dataset import Dataset
    from likely.data.findings import Finding
    from likely.data.schema import Schema

__all__ = ["Dataset", "Finding", "Sample", "Schema", "Table", "encode_target", "read"]


def __getattr__(name: str) -> Any:
    """What reads files is loaded when it is asked for: models of tables in memory need none of it."""
    modules = {"Dataset": "dataset", "Finding": "findings", "Schema": "schema"}
    if name not in modules:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{modules[name]}"), name)
