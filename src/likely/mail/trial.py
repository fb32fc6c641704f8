"""What filing at any precision would have done with the last messages, by the guesses that were made as they came."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from likely.mail.confidence import foretold
from likely.mail.model import MailModel
from likely.mail.prove import Trade, needed, trade

LAST = 2000
"""Messages that are looked back at."""


@dataclass(frozen=True)
class Trial:
    """Of one model, which guessed each message before it learned it: a replay, and no formula."""

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
        """Messages that each folder lacks before any can be filed into it; None where no number would do."""
        model = self.model
        if model.learned is None:
            return {}
        names = [str(name) for name in model.learned.classes]
        least = model.threshold(precision)
        return dict(zip(names, needed(model.confidence, names, model.counts, model.records, least), strict=True))
