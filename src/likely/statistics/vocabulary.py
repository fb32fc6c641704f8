"""Vocabularies: words and their numbers."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from likely import _native


class Vocabulary(Sequence[str]):
    """Different words, numbered by their first occurrence. It is immutable: adding words returns another.

    If words come as bytes, as from a file, the hash table for finding them is built when it is first needed.
    """

    def __init__(self, words: _native.Words) -> None:
        self.table = words

    @classmethod
    def of_buffers(cls, ends: NDArray[np.int64], letters: NDArray[np.uint8]) -> "Vocabulary":
        """A vocabulary from the end of each word in `letters`, the UTF-8 bytes of all words."""
        made = cls.__new__(cls)
        made.buffers = ends, letters
        return made

    @classmethod
    def of(cls, words: Iterable[str]) -> "Vocabulary":
        encoded = [word.encode("utf-8", "surrogatepass") for word in words]
        if len(set(encoded)) < len(encoded):
            word = next(word for at, word in enumerate(encoded) if word in encoded[:at])
            raise ValueError(
                f"the words of a vocabulary must differ, but {word.decode('utf-8', 'surrogatepass')!r} is there twice"
            )
        ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
        return cls(_native.words_of(ends, np.frombuffer(b"".join(encoded), np.uint8)))

    @cached_property
    def table(self) -> _native.Words:
        """The hash table of the words, for kernels."""
        return _native.words_of(*self.buffers)

    @property
    def tabled(self) -> bool:
        """Whether the hash table has been built."""
        return "table" in self.__dict__

    def __len__(self) -> int:
        return len(self.table) if self.tabled else len(self.buffers[0])

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            return [self.table.word(i) for i in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are {len(self)} words, and no number {at}")
        return self.table.word(at % len(self))

    def __iter__(self) -> Iterator[str]:
        return (self.table.word(at) for at in range(len(self)))

    def __contains__(self, word: Any) -> bool:
        return isinstance(word, str) and self.number(word) >= 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Vocabulary):
            return NotImplemented
        if self is other:
            return True
        (ends, letters), (other_ends, other_letters) = self.buffers, other.buffers
        return np.array_equal(ends, other_ends) and np.array_equal(letters, other_letters)

    def __reduce__(self) -> tuple[Any, ...]:
        return Vocabulary.of_buffers, self.buffers

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        some = ", ".join(map(repr, self[:5])) + (", ..." if len(self) > 5 else "")
        return f"Vocabulary of {len(self)} words: {some}"

    def number(self, word: str) -> int:
        """The number of a word; -1 if the vocabulary does not have it."""
        return self.table.find(word.encode("utf-8", "surrogatepass"))

    def numbers(self, words: "Vocabulary") -> NDArray[np.int64]:
        """The number of each of a few words, -1 if the vocabulary does not have it. It does not build the hash table of
        all words."""
        return words.table.among(*self.buffers)

    def joined(self, other: "Vocabulary") -> tuple["Vocabulary", NDArray[np.int64]]:
        """The words of both vocabularies: first these with their numbers, then the new ones; and the numbers of the
        other's words."""
        if self.table is other.table:
            return self, np.arange(len(self))
        words, at = self.table.joined(other.table)
        return (self if len(words) == len(self) else Vocabulary(words)), at

    def chosen(self, kept: NDArray[np.bool]) -> "Vocabulary":
        """Some of the words, in their order."""
        return self if kept.all() else Vocabulary(self.table.chosen(np.flatnonzero(kept)))

    @cached_property
    def buffers(self) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
        """The end of each word in the UTF-8 bytes of all words, and these bytes."""
        return self.table.buffers()
