"""What filing at any precision would have done with the last messages, by the guesses made when they came."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from likely.mail.confidence import foretold
from likely.mail.model import MailModel
from likely.mail.prove import Trade, needed, trade

LAST = 2000
"""How many of the last messages to use."""


@dataclass(frozen=True)
class Trial:
    """The trial of one model. It uses the model's real guesses, each made before the message was learned."""

    model: MailModel

    @cached_property
    def _sure(self) -> Any:
        return foretold(self.model.guesses, LAST)

    @property
    def messages(self) -> int:
        return len(self._sure)

    def at(self, precision: float) -> Trade:
        right = self.model.guesses.right[len(self.model.guesses) - self.messages :]
        return trade(self._sure, right, precision)

    def needed(self, precision: float) -> dict[str, int | None]:
        """How many more messages each folder needs before Likely can file into it; None if no number is enough."""
        model = self.model
        if model.learned is None:
            return {}
        names = [str(name) for name in model.learned.classes]
        least = model.threshold(precision)
        return dict(zip(names, needed(model.confidence, names, model.counts, model.records, least), strict=True))
