"""Who looks for databases among the engines is shown where they are."""

import importlib

import pytest


def test_databases_are_elsewhere() -> None:
    with pytest.raises(ImportError, match=r"databases are counted by likely\.sql: from likely\.sql import fit"):
        importlib.import_module("likely.engines.sql")
