"""Databases: learning where the data lie, and the SQL by which a model is scored there."""

from likely.sql.dialects import DIALECTS, Dialect
from likely.sql.push_down import fit

__all__ = ["DIALECTS", "Dialect", "fit"]
