"""Stores Bayes networks in a model file: as naive Bayes, with the option `structure`."""

from dataclasses import replace
from typing import Any

from likely.models.network.model import NetworkModel
from likely.store import naive_bayes
from likely.store.naive_bayes import require


def parts(model: NetworkModel) -> dict[str, Any]:
    """The complete model, in values that a file can hold."""
    return naive_bayes.parts(model) | {"structure": model.structure, "bins": model.bins}


def network(parts: dict[str, Any]) -> NetworkModel:
    """The model made of these parts. Raises ValueError if they do not fit together."""
    model = naive_bayes.made(NetworkModel, parts)
    require(sum(block.family.network is not None for block in model.blocks) <= 1, "there is one network")
    return replace(model, structure=parts["structure"], bins=parts["bins"])
