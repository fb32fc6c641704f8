"""Databases: learns in the database that has the data, and writes SQL that scores a model there."""

from likely.sql.dialects import DIALECTS, Dialect
from likely.sql.push_down import fit

__all__ = ["DIALECTS", "Dialect", "fit"]
