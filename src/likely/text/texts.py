"""Columns of texts without a copy: as Python strings, or in the buffers of Arrow."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likely import _native


class Texts:
    """A column of texts, or a slice of it; a missing text is None. Nothing is copied."""

    def __init__(self, native: _native.Texts, rows: range | None = None) -> None:
        self.native = native
        self.rows = range(len(native)) if rows is None else rows

    @classmethod
    def of(cls, texts: Sequence[str | None]) -> "Texts":
        return cls(_native.Texts(tuple(texts)))

    @classmethod
    def of_arrow(cls, array: Any) -> "Texts":
        """From an Arrow array of type string or large_string."""
        validity, offsets, data = array.buffers()
        type_ = np.int64 if str(array.type) == "large_string" else np.int32
        empty = np.zeros(1, type_)
        return cls(
            _native.Texts(
                empty if offsets is None else np.frombuffer(offsets, type_)[array.offset :][: len(array) + 1],
                np.frombuffer(data or b"", np.uint8),
                None if array.null_count == 0 else np.frombuffer(validity, np.uint8),
                array.offset,
            )
        )

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, rows: slice) -> "Texts":
        part = self.rows[rows]
        if part.step != 1:
            raise ValueError("a slice of texts must have step 1")
        return Texts(self.native, part)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), 1

    @property
    def span(self) -> tuple[_native.Texts, int, int]:
        """The arguments of kernels: the native texts, and the first row and the end of the slice."""
        return self.native, self.rows.start, self.rows.stop

    def there(self) -> NDArray[np.bool]:
        """Which texts are not missing."""
        return self.native.there()[self.rows.start : self.rows.stop].astype(np.bool)

    def sizes(self) -> NDArray[np.int64]:
        """The length of each text, in the units of its encoding."""
        return self.native.sizes()[self.rows.start : self.rows.stop]
