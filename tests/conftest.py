"""How hypothesis runs: the same examples every time, few enough for one core. And the databases that tests use."""

import os
import sqlite3

import pytest
from hypothesis import HealthCheck, Phase, settings

from .postgres import PROGRAMS, running

settings.register_profile(
    "likely",
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("likely")


@pytest.fixture(scope="session")
def postgres_place():
    """A server for all tests of a process."""
    if PROGRAMS is None:
        why = "PostgreSQL is not installed: on Debian, apt-get install postgresql"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)
    with running() as place:
        yield place


@pytest.fixture
def postgres(postgres_place):
    import psycopg

    with psycopg.connect(**postgres_place) as connection:
        yield connection
        connection.rollback()  # tables and all


@pytest.fixture(params=["duckdb", "sqlite", "postgres"])
def connection(request):
    """One of each database, empty."""
    if request.param == "postgres":
        yield request.getfixturevalue("postgres")
        return
    if request.param == "sqlite":
        opened = sqlite3.connect(":memory:")
    else:
        import duckdb

        opened = duckdb.connect()
    yield opened
    opened.close()
