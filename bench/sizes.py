"""How long and how large the benches of mail at a server are; `python -m bench filing` has options for them."""

from dataclasses import dataclass


@dataclass
class Sizes:
    minutes: float = 60.0
    """Of the soak."""
    messages: int = 100_000
    folders: int = 200


SIZES = Sizes()
