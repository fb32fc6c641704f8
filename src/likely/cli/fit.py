"""`likely fit`: learns a model from data of any size, and shows how it reads them and how often it will be wrong."""

from dataclasses import asdict
from typing import Any

import click

from likely.cli import options, output
from likely.cli.cluster import cluster, refuse_on_cluster
from likely.cli.decisions import decided, headline, show_decisions
from likely.cli.evaluate import figures
from likely.cli.labelled_batches import batches_for_new_model, kept_columns, sample_of_all
from likely.cli.loo_error import with_calibration
from likely.cli.model_factory import NAIVE_BAYES, families_of, new_models
from likely.cli.options import Decisions, Reading
from likely.cli.second_pass import SecondPass, second_pass
from likely.cli.sources import TARGET, opened
from likely.cli.training import TrainingRun, train, train_on_cluster
from likely.data.dataset import Dataset
from likely.data.findings import Finding, TargetSummary
from likely.families import Family
from likely.printing import counted
from likely.store import Origin, save
from likely.validation import Calibration, Relevance, Result, relevance
from likely.validation.recommended import recommended


@click.command()
@options.data
@options.target(options.CLASSES)
@options.output_model
@options.model_kind
@options.interactions
@options.calibrate
@click.option(
    "--time-ordered",
    is_flag=True,
    help="The rows are time-ordered: choose the regularisation strength on the latest ones.",
)
@click.option(
    "--structure",
    type=click.Choice(["auto", "naive", "tan", "kdb", "aode"]),
    help="For --model network: which columns may depend on which; by default auto.",
)
@options.cost
@click.option(
    "--no-digest",
    is_flag=True,
    help="Do not store the digest by which `report` and `evaluate` recognise rows that the model has learned.",
)
@options.engine
@click.option(
    "--validate-all",
    "validates_all",
    is_flag=True,
    help="With --engine: read the rows again, to validate on all of them and to find labels that may be wrong.",
)
@options.reading
@options.as_json
def command(
    data: tuple[str, ...],
    target: str | None,
    path: str,
    kind: str,
    interactions: str,
    calibrate: bool,
    time_ordered: bool,
    structure: str | None,
    costs: str | None,
    no_digest: bool,
    engine: str | None,
    validates_all: bool,
    reading: Reading,
    as_json: bool,
) -> None:
    """Learn a model from a table, folders of texts, or mail.

    DATA is CSV or TSV (also .gz or .zst), Parquet, Arrow or JSON lines: one or several files, a pattern of names, or -
    for standard input. It can also be a folder with a folder of texts for each class, or mail as mbox files or
    Maildirs. It is read once, a batch at a time, and may be larger than memory; logistic regression and the blend hold
    all rows. The families of columns are chosen on a sample of rows from all of DATA.
    """
    if time_ordered and kind not in ("logistic", "blend", "auto"):
        raise click.BadParameter(
            "only logistic regression and the blend use the order; add --model blend.", param_hint="'--time-ordered'"
        )
    if structure is not None and kind != "network":
        raise click.BadParameter("only a Bayes network has one; add --model network.", param_hint="'--structure'")
    if validates_all and engine is None:
        raise click.BadParameter(
            "rows are read again only on a cluster; add --engine, or use `likely audit`.",
            param_hint="'--validate-all'",
        )
    refuse_on_cluster(engine, data, kind)
    with opened(data, reading, kept_columns(target, reading)) as source:
        if time_ordered and source.kind != "table":
            raise click.BadParameter(
                "messages and texts are read from all folders in turn.",
                param_hint="'--time-ordered'",
            )
        named = families_of(source, reading)
        sample, parts = sample_of_all(source, target, reading, batches_for_new_model(source, target, reading))
        models = new_models(kind, named, time_ordered, structure or "auto", interactions)
        again: SecondPass | None = None
        if engine is None:
            training = train(source, models, sample, parts, not no_digest, calibrate)
        else:
            with cluster(engine, source) as (files, spread):
                training = train_on_cluster(files, models, sample, spread, target, reading, not no_digest, calibrate)
                if validates_all:
                    again = second_pass(files, training, spread, target, reading, calibrate)
        compared, maps = training.compared, dict[str, Calibration]()
        if calibrate:
            for name in training.results:
                of_model = training.calibrated_by.get(name)
                training.results[name], maps[name] = with_calibration(training.results[name], of_model)
            if compared is not training.by_texts:  # these are calibrated already
                compared |= {name: with_calibration(other)[0] for name, other in compared.items()}
        best, reason = recommended(compared)
        model, result = training.models[best], training.results[best]
        rule = Decisions(costs=costs).rule(model.classes)
        label = target or TARGET
        schema, findings = None, list[Finding]()
        if isinstance(source, Dataset):
            schema = source.learned_schema().plain()
            findings = source.findings(TargetSummary(label, training.totals.classes))
        wrong, judged = None if result.weight is not None else int((~result.right).sum()), len(result.y)
        if wrong is not None and again is not None:
            wrong, judged = round(again.totals.error * again.totals.rows), again.totals.rows
        origin = Origin(
            training.totals.count,
            source=source.kind,
            target=label,
            weights=reading.weights,
            missing=reading.missing[0] if len(reading.missing) == 1 else None,
            schema=schema,
            wrong=wrong,
            left_out=None if wrong is None else judged,
        )
        save(path, model, origin, maps.get(best), calibrate, digest=training.totals.digest)
    if as_json:
        decisions = {} if rule is None else {"decisions": decided(rule, result)}
        all_rows = {} if again is None else {"validation": again.figures()}
        output.json(_figures(best, model, result, training, findings) | {"reason": reason} | decisions | all_rows)
        return
    shown = again or (str(result) if rule is None else result.described(headline(rule, result)))
    _print(path, best, reason, model, shown, training, findings)
    if rule is not None:
        show_decisions(rule, result)


def _figures(best: str, model: Any, result: Result, training: TrainingRun, findings: list[Finding]) -> dict[str, Any]:
    relevant, chosen = _relevance(model), model.chosen_families
    names = {id(family): repr(family) for family in {id(family): family for family in chosen.values()}.values()}
    return {
        "model": best,
        "rows": training.totals.count,
        "classes": dict(zip(map(str, model.classes.tolist()), model.class_counts.tolist(), strict=True)),
        "columns": {
            str(name): {"family": names[id(family)], "missing": training.totals.missing[str(name)]}
            for name, family in chosen.items()
        },
        "relevance": dict(zip(map(str, relevant.columns), relevant.log_factors.tolist(), strict=True)),
        "pairs": [{"columns": [str(a), str(b)], "log_factor": factor} for a, b, factor in _learned_pairs(model)],
        "validation": figures(result),
        "findings": [asdict(finding) for finding in findings],
        "log_losses": {name: compared.log_loss for name, compared in training.compared.items()},
        "advice": _advice(best, training),
    }


def _print(
    path: str,
    best: str,
    reason: str,
    model: Any,
    result: str | SecondPass,
    training: TrainingRun,
    findings: list[Finding],
) -> None:
    output.findings(findings)
    rows = training.totals.count
    columns, classes = counted(len(model.names), "column"), counted(len(model.classes), "class", "classes")
    output.text(f"{path}: {best} of {counted(rows, 'row')}, {columns} and {classes}")
    if len(training.compared) > 1:
        losses = ", ".join(f"{name} {compared.log_loss:.4f}" for name, compared in training.compared.items())
        how = training.compared[best].how.removeprefix(f"{best}, ")
        output.prose(f"Log loss, {how}: {losses}.")
        output.prose(f"Kept: {best}. {reason}")
    output.heading("How each column is read")
    chosen, kinds = list(model.chosen_families.items()), dict(zip(model.names, model.known.kinds, strict=True))
    lines = [
        (name, _type(kinds[name], family), _short(repr(family)), training.totals.missing[str(name)])
        for name, family in chosen[:SHOWN]
    ]
    output.table(("column", "type", "family", "missing"), lines, "<<<>")
    if len(chosen) > SHOWN:
        output.text(f"and {len(chosen) - SHOWN:,} more columns")
    factors = _factors(model)
    if factors:
        output.heading("What depends on the class most")
        output.table(("column", "log Bayes factor"), [(name, f"{factor:,.1f}") for name, factor in factors[:RELEVANT]])
    if pairs := _learned_pairs(model):
        output.heading("Pairs of columns that act together")
        shown = [(f"{a} × {b}", f"{factor:,.1f}") for a, b, factor in pairs[:RELEVANT]]
        output.table(("pair", "log Bayes factor"), shown)
        if len(pairs) > RELEVANT:
            output.text(f"and {len(pairs) - RELEVANT:,} more pairs")
    output.heading("How often it is wrong")
    if isinstance(result, SecondPass):
        result.show()
    else:
        output.prose(result)
    if advised := _advice(best, training):
        output.prose(f"\n{advised}")
    for label in training.late[:5]:
        output.note(f"Class {label!r} has no row in the sample on which the families of columns were chosen.")


def _advice(best: str, training: TrainingRun) -> str:
    """A sentence that recommends the blend for texts, if it is better. Naive Bayes stays the default even then:
    `learn`, `forget` and `merge` need it, and it can read more rows than memory holds."""
    if best != NAIVE_BAYES or not training.by_texts:
        return ""
    from likely.validation.text_models import advice

    return advice(training.by_texts)


def _type(kind: str, family: Family) -> str:
    return "text" if family.domain == "text" else KINDS[kind]


def _factors(model: Any) -> list[tuple[Any, float]]:
    """The columns that depend on the class, with their log Bayes factors. Text columns are left out, because theirs
    can't be compared: they sum over thousands of words, and most words do not depend on the class."""
    relevant, families = _relevance(model), model.chosen_families
    factors = zip(relevant.columns, relevant.log_factors.tolist(), strict=True)
    return [
        (name, factor) for name, factor in factors if factor > 0 and getattr(families.get(name), "domain", "") != "text"
    ]


def _relevance(model: Any) -> Relevance:
    return relevance(model)


def _learned_pairs(model: Any) -> list[tuple[Any, Any, float]]:
    """The interactions of the blend, with their log Bayes factors; NaN for pairs that the user named."""
    if model.counts_rows:
        return []
    factors = {(pair.first, pair.second): pair.log_factor for pair in relevance(model).pairs}
    return [(a, b, factors.get((a, b), float("nan"))) for a, b in model.design.pairs]


KINDS = {"bool": "yes or no", "int": "integer", "float": "number", "sparse": "number"} | {
    kind: kind for kind in ("category", "text")
}
SHOWN = 40
RELEVANT = 10


def _short(family: str) -> str:
    """A family without its options, if these would fill the line, as those of Text do."""
    return family if len(family) <= 40 else f"{family.partition('(')[0]}(...)"
