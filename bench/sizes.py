"""How long and how large some benches are; `python -m bench` has options for them."""

from dataclasses import dataclass


@dataclass
class Sizes:
    minutes: float = 60.0
    """Of the soak."""
    messages: int = 100_000
    folders: int = 200
    rows: int = 1_000_000
    """Of engines and of clusters."""


SIZES = Sizes()
