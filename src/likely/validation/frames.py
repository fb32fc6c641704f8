"""Which choices of a model depend on the learned rows. Leave-one-out removes a row from the sums, but not from these
choices."""

import re
from typing import Literal

from likely.data.table import Table
from likely.models.choosing.named import named_columns
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Auto

Choice = Literal["refit", "kept"]
"""Whether the choices are made again without the judged rows, or once on all rows."""

CHOSEN = ("int", "float", "category")
"""Kinds of columns whose family is chosen from their values, unless the user names it."""

OPTIMISM = (
    "Families, bins and column weights were chosen with these rows in view. On 4 large tables the error was "
    "0.1 ± 0.2 points below that on new rows, which may be chance. `likely validate` chooses them without the rows "
    "that it judges."
)
"""Measured by `python -m bench accuracy --only optimism`."""


def chosen_by_rows(model: NaiveBayesModel) -> list[str]:
    """The choices that depend on the rows, in words; empty if the user has specified all of them."""
    named = named_columns(model.names, model.families)
    open_ = [model.names[j] for j, kind in enumerate(model.kinds) if j not in named and kind in CHOSEN]
    found = [f"the families of {_listed(open_)}"] if open_ else []
    for block in model.blocks:
        columns = _listed(list(block.frame.columns))
        found += [f"{what} {columns}" for what in block.family.chosen_by_rows(block.frame)]
    if model.select == "auto":
        found.append("the columns that count")
    weighted = [column for column, weight in model.chosen_weights.items() if weight != 1]
    if weighted:
        found.append(f"the weights of {_listed(weighted)}")
    if isinstance(model.smoothing, Auto):
        found.append("the strength of the priors")
    if model.missing == "auto":
        found.append("the columns in which a missing cell is informative")
    return found


def leaves_open(model: NaiveBayesModel, table: Table) -> bool:
    """Whether the model certainly makes choices that depend on rows. If False, ask `chosen_by_rows` after it has
    learned."""
    named = named_columns(table.names, model.families)
    open_ = any(j not in named and kind in CHOSEN for j, kind in enumerate(table.kinds))
    return open_ or model.weighs_columns or model.missing == "auto" or isinstance(model.smoothing, Auto)


def sentence(chosen: list[str]) -> str:
    """The choices as the subject of a sentence. If there are several, they are listed without their columns."""
    if len(chosen) > 1:
        chosen = [re.split(r" (?:of|over|for) ['\"\d]", what)[0] for what in chosen]
    found = ", ".join(chosen[:-1]) + (" and " if len(chosen) > 1 else "") + chosen[-1]
    return found[0].upper() + found[1:]


def in_view(chosen: list[str]) -> tuple[str, ...]:
    """A note for a result whose choices were made on all rows."""
    return (f"{sentence(chosen)} were chosen on all rows: these figures may be too good.",) if chosen else ()


def optimism(model: NaiveBayesModel) -> tuple[str, ...]:
    """A note on how much too good the leave-one-out error may be, if choices were made on the same rows."""
    return (OPTIMISM,) if chosen_by_rows(model) else ()


def _listed(names: list[object]) -> str:
    return ", ".join(map(repr, names[:4])) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
