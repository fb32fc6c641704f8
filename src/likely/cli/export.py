"""`likely export`: writes a model in a form in which other programs can score rows."""

import click

from likely.cli import options, output
from likely.store import Stored, load, replacing

FORMS = ("sql", "json", "onnx")
DIALECTS = ("duckdb", "postgres", "sqlite")


@click.command()
@options.model_file
@click.option(
    "--to",
    "form",
    required=True,
    type=click.Choice(["sql", "json", "onnx"]),
    help="The form to write: sql, json or onnx.",
)
@click.option("--dialect", type=click.Choice(DIALECTS), help="For SQL: the database that will run it.")
@click.option("--table", metavar="NAME", help="For SQL: the table with the rows to score; SCHEMA.NAME in a schema.")
@click.option(
    "--keep", metavar="COLUMN", multiple=True, help="For SQL: a column to return with each row. Can be repeated."
)
@click.option("-o", "--output", "path", type=click.Path(dir_okay=False), help="The file to write.")
def command(
    model_file: str, form: str, dialect: str | None, table: str | None, keep: tuple[str, ...], path: str | None
) -> None:
    """Write a model as SQL, JSON or ONNX, to score rows elsewhere.

    SQL is one SELECT that returns, for each row of a table, the predicted class, its probability, and the probability
    of each class. JSON has the numbers that are needed to score a row. ONNX needs the package onnx.
    """
    if form == "sql" and (dialect is None or table is None):
        raise click.UsageError("SQL needs --dialect and --table")
    if form != "sql" and (dialect, table, keep) != (None, None, ()):
        raise click.UsageError("--dialect, --table and --keep are for --to sql")
    if form == "onnx" and path is None:
        raise click.UsageError("ONNX is no text; add -o FILE")
    options.check_output(path, model_file)
    written = _written(load(model_file), form, dialect, table, keep)
    if path is None:
        output.exact(written.decode())
        return
    with replacing(path) as file:
        file.write(written)


def _written(stored: Stored, form: str, dialect: str | None, table: str | None, keep: tuple[str, ...]) -> bytes:
    from likely.export.scoring import scoring

    if form == "sql":
        from likely.export.sql import select
        from likely.sql.dialects import DIALECTS

        return select(scoring(stored), DIALECTS[str(dialect)], str(table), keep or None).encode()
    if form == "json":
        from likely.export.json import document

        return document(scoring(stored)).encode()
    from likely.export.onnx import graph

    return graph(scoring(stored))
