"""Databases are counted by `likely.sql`, which knows models and families: engines lie below these."""

raise ImportError("databases are counted by likely.sql: from likely.sql import fit")
