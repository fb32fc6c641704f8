"""What could not be read of a message."""

PROBLEMS = 20
"""Problems told of one message. Damage repeats itself: of 100,000 bad parts the first few say it all."""


class Problems:
    """Sentences, each told once and in order, and not more than `PROBLEMS` of them."""

    __slots__ = ("told",)

    def __init__(self) -> None:
        self.told: dict[str, None] = {}

    def add(self, sentence: str) -> None:
        if len(self.told) < PROBLEMS:
            self.told[sentence] = None
