"""`likely fit`: learns a model from data of any size, says how it was read and how often it will be wrong."""

from typing import Any

import click
import pyarrow as pa

from likely.cli import options, show
from likely.cli.chosen import LOGISTIC, families_of, unlearned
from likely.cli.evaluate import told
from likely.cli.judged import with_calibration
from likely.cli.labelled import anew, target_of
from likely.cli.learned import Learned, learn
from likely.cli.options import Reading
from likely.cli.sources import opened
from likely.store import Origin, save
from likely.validation import Calibration, Relevance, Result, relevance


@click.command()
@options.data
@options.target("The column that holds the classes. Folders and mailboxes are classes by their names.")
@options.output_model
@options.model_kind
@options.calibrate
@click.option(
    "--ordered",
    is_flag=True,
    help="Rows are in the order in which they came: by the latest the strength of logistic regression is chosen.",
)
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    output: str,
    kind: str,
    calibrate: bool,
    ordered: bool,
    reading: Reading,
    as_json: bool,
) -> None:
    """Learn a model from a table, folders of texts, or mail.

    DATA is CSV or TSV (also .gz or .zst), Parquet, Arrow or JSON lines, several files or a pattern of names, - for
    standard input; a folder with a folder of texts for each class; or mail, as mbox files or Maildirs. It is read once,
    a batch at a time, and may be larger than memory, but for logistic regression, which holds all rows. The families of
    columns are chosen by the first batch.
    """
    if ordered and kind not in ("logistic", "auto"):
        raise click.BadParameter(
            "only logistic regression asks for an order; add --model logistic.", param_hint="'--ordered'"
        )
    with opened(data, reading.missing, reading.encoding) as source:
        if ordered and source.kind != "table":
            raise click.BadParameter(
                "folders and mailboxes are read in turn, and have no order.", param_hint="'--ordered'"
            )
        named = families_of(source.kind, reading)
        learned = learn(
            source, lambda: unlearned(kind, named, ordered), lambda: anew(source, target, reading), reading.missing
        )
        compared, maps = learned.compared, dict[str, Calibration]()
        if calibrate:
            for name in compared:
                compared[name], _ = with_calibration(compared[name])
                learned.judged[name], maps[name] = with_calibration(learned.judged[name])
        best = min(compared, key=lambda name: compared[name].log_loss)
        model, result = learned.models[best], learned.judged[best]
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
        save(output, model, origin, maps.get(best), calibrate)
    if as_json:
        show.printed_json(_told(best, model, result, learned))
    else:
        _print(output, best, model, result, learned)


def _told(best: str, model: Any, result: Result, learned: Learned) -> dict[str, Any]:
    telling, chosen = _telling(best, model), model.chosen
    names = {id(family): repr(family) for family in {id(family): family for family in chosen.values()}.values()}
    return {
        "model": best,
        "rows": learned.kept.rows,
        "classes": dict(zip(map(str, model.classes.tolist()), model.counts.tolist(), strict=True)),
        "columns": {
            str(name): {"family": names[id(family)], "missing": learned.missing[str(name)]}
            for name, family in chosen.items()
        },
        "relevance": dict(zip(map(str, telling.columns), telling.log_factors.tolist(), strict=True)),
        "left_out": told(result),
        "log_losses": {name: one.log_loss for name, one in learned.compared.items()},
    }


def _print(output: str, best: str, model: Any, result: Result, learned: Learned) -> None:
    rows = learned.kept.rows
    click.echo(f"{output}: {best} of {rows} rows, {len(model.names)} columns and {len(model.classes)} classes")
    if len(learned.compared) > 1:
        losses = ", ".join(f"{name} {one.log_loss:.4f}" for name, one in learned.compared.items())
        how = "held out in parts" if LOGISTIC in learned.compared else "left out"
        click.echo(f"Log loss on rows {how}: {losses}. The least is kept.")
    show.heading("How each column is read")
    chosen = list(model.chosen.items())
    lines = [
        (name, str(learned.first.schema.field(str(name)).type), _short(repr(family)), learned.missing[str(name)])
        for name, family in chosen[:SHOWN]
    ]
    show.table(("column", "type", "family", "missing"), lines, left=3)
    if len(chosen) > SHOWN:
        click.echo(f"and {len(chosen) - SHOWN} more columns")
    telling = _telling(best, model)
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


def _telling(best: str, model: Any) -> Relevance:
    return relevance(model.generative if best == LOGISTIC else model)


SHOWN = 40
TELLING = 10


def _short(family: str) -> str:
    """Without options that fill the line, as those of a text do."""
    return family if len(family) <= 40 else f"{family.partition('(')[0]}(...)"
