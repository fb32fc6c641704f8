"""A list of texts: a table of one column."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likely.data.table import Labels, Table
from likely.errors import WrongType
from likely.text import Texts


class TextTable(Table):
    def __init__(self, texts: Sequence[str | None], missing: Any = None) -> None:
        for row, text in enumerate(texts if set(map(type, texts)) - {str, type(None)} else ()):
            if text is not None and not isinstance(text, str):
                raise WrongType("", row, None, text, ", which is no text, as the others are")
        self.list = [None if text == missing else text for text in texts] if isinstance(missing, str) else texts
        self.column = Texts.of(self.list)
        self.rows = len(texts)
        self.names = range(1)
        self.kinds = ("text",)
        self.row_bytes = int(self.column.sizes().sum() / max(self.rows, 1)) + 1

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.list,)

    def texts(self, column: int, rows: slice) -> Texts:
        return self.column[rows]

    def numbers(self, columns: Sequence[int], rows: slice, sparse: bool = False) -> Any:
        raise ValueError("texts are read as words: their family is Text, Multinomial, Bernoulli or Complement")

    def categories(
        self, columns: Sequence[int], rows: slice, known: Sequence[Labels] | None
    ) -> tuple[NDArray[np.int32], list[Labels]]:
        raise ValueError("texts are read as words: their family is Text, Multinomial, Bernoulli or Complement")

    def _extreme(self, columns: Sequence[int], least: np.ufunc) -> NDArray[Any]:
        return np.full(len(columns), np.inf if least is np.fmin else -np.inf)

    def every(self, step: int) -> Self:
        return type(self)(self.list[::step])

    def take(self, rows: NDArray[np.intp]) -> Self:
        return type(self)([self.list[row] for row in rows.tolist()])

    def joined(self, others: Sequence[Self]) -> Self:
        return type(self)([*self.list, *(text for other in others for text in other.list)])
