"""The base class of generative classifiers for mixed columns. Their parameters are the options of their model."""

from __future__ import annotations

from typing import Any, ClassVar

from likely.estimators.classifier import GenerativeClassifier
from likely.families import Family
from likely.models.naive_bayes import NaiveBayesModel
from likely.priors import Auto
from likely.typing import Column


class MixedClassifier(GenerativeClassifier):
    """A subclass names the class of its model, and the parameters that it shares with it."""

    _model: ClassVar[type[NaiveBayesModel]]
    _options: ClassVar[tuple[str, ...]]

    def _unlearned(self) -> Any:
        return self._model(**{name: getattr(self, name) for name in self._options})

    @classmethod
    def _parameters(cls, model: Any) -> dict[str, Any]:
        options = {name: getattr(model, name) for name in cls._options}
        return options | {"smoothing": "auto" if isinstance(model.smoothing, Auto) else model.smoothing}

    @property
    def families_(self) -> dict[Column, Family]:
        return self.model_.chosen_families
