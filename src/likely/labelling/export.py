"""Exports labels for other programs: as a table, and as a model."""

import io
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from likely.data.stream.columns import numbers, texts
from likely.labelling.labels import Chosen
from likely.labelling.session import HOW, Session
from likely.store import save
from likely.store.model import Origin


def labelled_table(session: Session, target: str) -> pa.Table:
    """The labelled rows of the data, with their labels, and how each row was chosen (`Chosen`)."""
    rows = session.labelled
    how: list[Chosen] = [HOW[code] for code in session.how[rows]]
    kept = [name for name in session.shown.column_names if name != target]
    table = session.shown.select(kept).take(numbers(rows))
    return table.append_column(target, texts(session.labels_of(rows))).append_column(
        "chosen" if "chosen" not in kept else "likely chosen", texts(how)
    )


def exported(session: Session, target: str, kind: Literal["csv", "parquet"]) -> bytes:
    table, out = labelled_table(session, target), io.BytesIO()
    if kind == "csv":
        import pyarrow.csv

        pyarrow.csv.write_csv(table, out)
    else:
        import pyarrow.parquet

        pyarrow.parquet.write_table(table, out)
    return out.getvalue()


def save_model(session: Session, path: Path, target: str, source: str, schema: dict[str, Any] | None) -> None:
    """Saves the model of all labels as a model file, which every other command reads."""
    if session.model.model is None:
        raise ValueError("there is no model yet: label rows of two classes first")
    error = session.error
    origin = Origin(
        len(session.labelled),
        source=source,
        target=target,
        schema=schema,
        wrong=None if error is None else error.wrong,
        left_out=None if error is None else error.judged,
    )
    save(path, session.model.model, origin)
