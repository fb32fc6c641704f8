"""`likely merge`: merges several models into one."""

from dataclasses import replace

import click

from likely.cli import options, output
from likely.cli.update import counting
from likely.printing import counted
from likely.store import save


@click.command()
@click.argument("model_files", metavar="MODEL...", nargs=-1, required=True, type=click.Path(dir_okay=False))
@options.output_model
def command(model_files: tuple[str, ...], path: str) -> None:
    """Merge models that have learned different rows into one, as if it had learned all of them.

    The models must have the same columns and families: name the families with `--families` when you fit.
    """
    first, *others = (counting(file) for file in model_files)
    model, rows, digest = first.model, [first.origin.rows], first.digest
    for file, other in zip(model_files[1:], others, strict=True):
        if type(other.model) is not type(model):
            raise ValueError(f"{file} and {model_files[0]} are different kinds of model")
        try:
            model = model.merge(other.model)
        except ValueError as error:
            raise ValueError(f"{file} cannot be merged with {model_files[0]}: {error}") from None
        rows.append(other.origin.rows)
        digest = None if digest is None or other.digest is None else digest + other.digest
    total = None if None in rows else sum(count for count in rows if count is not None)
    save(path, model, replace(first.origin.later(0), rows=total), digest=digest)
    output.text(f"{path}: {counted(len(model_files), 'model')} with {counted(model.class_counts.sum(), 'row')}")
