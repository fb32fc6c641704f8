"""`likely fit`: learns a model from data of any size, says how it was read and how often it will be wrong."""

import re
from collections.abc import Callable
from typing import Any

import click
import pyarrow as pa

from likely.cli import options, show
from likely.cli.chosen import Models, families_of, unlearned
from likely.cli.evaluate import told
from likely.cli.kept import Kept
from likely.cli.labelled import anew, target_of
from likely.cli.options import Reading
from likely.cli.sources import Source, naming, opened
from likely.data.stream import Widened
from likely.models.naive_bayes import NaiveBayes, refuse_empty
from likely.store import Origin, save
from likely.validation import Result, relevance


@click.command()
@options.data
@options.target("The column that holds the classes. Folders and mailboxes are classes by their names.")
@options.output_model
@options.model_kind
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    output: str,
    kind: str,
    reading: Reading,
    as_json: bool,
) -> None:
    """Learn a model from a table, folders of texts, or mail.

    DATA is CSV or TSV (also .gz or .zst), Parquet, Arrow or JSON lines, several files or a pattern of names, - for
    standard input; a folder with a folder of texts for each class; or mail, as mbox files or Maildirs. It is read once,
    a batch at a time, and may be larger than memory. The families of columns are chosen by the first batch.
    """
    with opened(data, reading.missing, reading.encoding) as source:
        named = families_of(source.kind, reading)
        learned = _learn(
            source,
            lambda: unlearned(kind, named),
            lambda: anew(source, target, reading),
            kind == "auto",
        )
        judged = {name: learned.kept.judged(model, reading.missing) for name, model in learned.models.items()}
        best = min(judged, key=lambda name: judged[name].log_loss)
        model, result = learned.models[best], judged[best]
        times = {
            name: str(type_)
            for name, type_ in getattr(source, "types", {}).items()
            if pa.types.is_temporal(type_) and name in model.names
        }
        label = target_of(source, target, learned.first)
        wrong = None if result.weight is not None else int((~result.right).sum())
        origin = Origin(
            learned.kept.rows, source=source.kind, target=label, weights=reading.weights, missing=reading.missing,
            moments=times, wrong=wrong, left_out=None if wrong is None else len(result.y),
        )  # fmt: skip
        save(output, model, origin)
    if as_json:
        show.printed_json(_told(best, model, result, learned, judged))
    else:
        _print(output, best, model, result, learned, judged)


class _Learned:
    """The models, and what else was seen on the way."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self.kept = Kept()
        self.missing: dict[str, int] = {}
        self.late: dict[str, int] = {}
        """Classes that the first batch had not, and the row in which each came."""
        self.first: Any = None


def _learn(source: Source, begin: Callable[[], Models], parts: Callable[[], Any], optional: bool) -> _Learned:
    """Learns all batches; again from the beginning where one shows that a column is of a wider type."""
    while True:
        learned = _Learned(begin())
        try:
            for part in parts():
                if part.table.untyped and learned.kept.rows == 0:
                    _look_for_values(source, part)
                if learned.first is None:
                    learned.first = part.batch.table
                    if any(kind == "category" for kind in part.table.kinds) and optional:
                        learned.models.pop("Gaussian classifier", None)
                    known = set(part.classes.tolist())
                for label in set(part.classes.tolist()) - known:
                    learned.late.setdefault(str(label), learned.kept.rows)
                for model in learned.models.values():
                    _learn_one(model, part, source)
                learned.kept.add(part)
                for name, column in zip(part.columns.column_names, part.columns.columns, strict=True):
                    learned.missing[name] = learned.missing.get(name, 0) + column.null_count
        except Widened:
            continue
        for model in learned.models.values():
            refuse_empty(model.known, range(len(model.names)))
            model.check_parameters()
        return learned


def _learn_one(model: NaiveBayes, part: Any, source: Any) -> None:
    try:
        with naming(source, part.batch):
            model.learn(part.table, part.classes, part.y, part.weight)
    except ValueError as error:
        # The first batch had whole numbers of 0 or more in a column, and this one has others: read it as any numbers.
        found = re.search(r"column '([^']*)'", str(error))
        types = getattr(source, "types", {})
        chosen = model.learned is not None and (
            not isinstance(model.families, dict) or (found and found[1] not in model.families)
        )
        if found and chosen and pa.types.is_integer(types.get(found[1], pa.null())):
            types[found[1]] = pa.float64()
            raise Widened(found[1]) from None
        raise


def _look_for_values(source: Source, part: Any) -> None:
    """Of a column without a value in the first batch: a later one may tell what it holds, and reading begins again."""
    for _ in source:
        pass
    name = part.table.names[part.table.untyped[0]]
    raise ValueError(f"column {name!r} has no value in any row; leave it out with --ignore")


def _told(best: str, model: NaiveBayes, result: Result, learned: _Learned, judged: dict[str, Result]) -> dict[str, Any]:
    telling = relevance(model)
    return {
        "model": best,
        "rows": learned.kept.rows,
        "classes": dict(zip(map(str, model.classes.tolist()), model.known.rows.table[:, 0].tolist(), strict=True)),
        "columns": {
            str(name): {"family": repr(family), "missing": learned.missing[str(name)]}
            for name, family in model.chosen.items()
        },
        "relevance": dict(zip(map(str, telling.columns), telling.log_factors.tolist(), strict=True)),
        "left_out": told(result),
        "log_losses": {name: one.log_loss for name, one in judged.items()},
    }


def _print(
    output: str, best: str, model: NaiveBayes, result: Result, learned: _Learned, judged: dict[str, Result]
) -> None:
    rows = learned.kept.rows
    click.echo(f"{output}: {best} of {rows} rows, {len(model.names)} columns and {len(model.classes)} classes")
    if len(judged) > 1:
        losses = ", ".join(f"{name} {one.log_loss:.4f}" for name, one in judged.items())
        click.echo(f"Log loss on rows left out: {losses}. The least is kept.")
    show.heading("How each column is read")
    chosen = list(model.chosen.items())
    lines = [
        (name, str(learned.first.schema.field(str(name)).type), _short(repr(family)), learned.missing[str(name)])
        for name, family in chosen[:SHOWN]
    ]
    show.table(("column", "type", "family", "missing"), lines, left=3)
    if len(chosen) > SHOWN:
        click.echo(f"and {len(chosen) - SHOWN} more columns")
    telling = relevance(model)
    show.heading("What depends on the class most")
    factors = list(zip(telling.columns, telling.log_factors.tolist(), strict=True))
    show.table(("column", "log Bayes factor"), [(name, f"{factor:.1f}") for name, factor in factors[:TELLING]])
    show.heading("How often it is wrong")
    click.echo(str(result))
    for label, row in sorted(learned.late.items())[:5]:
        show.note(
            f"Class {label!r} first came after row {row}, when families had been chosen without it; "
            "shuffle the rows if that matters."
        )


SHOWN = 40
TELLING = 10


def _short(family: str) -> str:
    """Without options that fill the line, as those of a text do."""
    return family if len(family) <= 40 else f"{family.partition('(')[0]}(...)"
