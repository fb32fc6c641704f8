"""Databases are counted by `likely.sql`, since that needs models and families, which engines must not import."""

raise ImportError("databases are counted by likely.sql: from likely.sql import fit")
