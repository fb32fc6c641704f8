"""Which folders are learned from and filed to."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from likely.mail.account import IGNORED, Folder

SETTLED = 7.0
"""Days after which a message that Likely filed, and you left there, counts as where it belongs."""


@dataclass(frozen=True)
class FolderRules:
    """`include` and `exclude` are names, or patterns of names such as "Lists/*"."""

    source: str = "INBOX"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    settled: float = SETTLED

    def learned(self, folders: Iterable[Folder]) -> list[str]:
        """All but the folder that mail comes into, those excluded, and those for drafts, sent, trash and junk."""
        return [folder.name for folder in folders if self._learns(folder)]

    def _learns(self, folder: Folder) -> bool:
        if folder.name == self.source or _matches(folder.name, self.exclude):
            return False
        return not folder.uses & IGNORED or _matches(folder.name, self.include)


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
