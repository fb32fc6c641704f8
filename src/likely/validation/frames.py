"""What of a model's frame was chosen by the rows learned, so that taking a row out of the sums does not take it out of
that choice."""

import re
from typing import Literal

from likely.data.table import Table
from likely.models.choosing.named import named_columns
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Auto

Choice = Literal["refit", "kept"]
"""Whether what rows choose is chosen without the rows that are judged, or once with all in view."""

CHOSEN = ("int", "float", "category")
"""Kinds of columns whose family is chosen by their values, unless it is named."""

OPTIMISM = (
    "Families, bins and column weights were chosen with these rows in view. On 4 large tables the error was "
    "0.1 ± 0.2 points below that on new rows, which may be chance. `likely validate` chooses them without the rows "
    "that it judges."
)
"""By `python -m bench accuracy --only optimism`."""


def chosen_by_rows(model: NaiveBayesModel) -> list[str]:
    """What was chosen by looking at the rows, in words; nothing where the user had specified it all."""
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
    """Whether it will choose by looking at rows for certain; where not, see `chosen_by_rows` once it has learned."""
    named = named_columns(table.names, model.families)
    open_ = any(j not in named and kind in CHOSEN for j, kind in enumerate(table.kinds))
    return open_ or model.weighs_columns or model.missing == "auto" or isinstance(model.smoothing, Auto)


def sentence(chosen: list[str]) -> str:
    """What was chosen, as the subject of a sentence; of several things without the columns."""
    if len(chosen) > 1:
        chosen = [re.split(r" (?:of|over|for) ['\"\d]", what)[0] for what in chosen]
    found = ", ".join(chosen[:-1]) + (" and " if len(chosen) > 1 else "") + chosen[-1]
    return found[0].upper() + found[1:]


def in_view(chosen: list[str]) -> tuple[str, ...]:
    """What was chosen, as a note of a result."""
    return (f"{sentence(chosen)} were chosen with all rows in view: these figures may be too good.",) if chosen else ()


def optimism(model: NaiveBayesModel) -> tuple[str, ...]:
    """How far to trust a leave-one-out error of rows that the model has also chosen by."""
    return (OPTIMISM,) if chosen_by_rows(model) else ()


def _listed(names: list[object]) -> str:
    return ", ".join(map(repr, names[:4])) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
