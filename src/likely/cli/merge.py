"""`likely merge`: one model of several."""

from dataclasses import replace

import click

from likely.cli import options
from likely.cli.update import counting
from likely.store import save


@click.command()
@click.argument("model_files", metavar="MODEL...", nargs=-1, required=True, type=click.Path(dir_okay=False))
@options.output_model
def command(model_files: tuple[str, ...], output: str) -> None:
    """Make one model of several that have learned apart, as if one had learned all their rows.

    They must read the same columns by the same families: say these when you fit them, as `--families` does.
    """
    first, *others = (counting(path) for path in model_files)
    model, rows = first.model, [first.origin.rows]
    for path, other in zip(model_files[1:], others, strict=True):
        if type(other.model) is not type(model):
            raise ValueError(f"{path} is another kind of model than {model_files[0]}")
        try:
            model.merge(other.model)
        except ValueError as error:
            raise ValueError(f"{path} does not go together with {model_files[0]}: {error}") from None
        rows.append(other.origin.rows)
    total = None if None in rows else sum(count for count in rows if count is not None)
    save(output, model, replace(first.origin.later(0), rows=total))
    click.echo(f"{output}: {len(model_files)} models with {int(model.counts.sum())} rows")
