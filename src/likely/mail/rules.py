"""Which folders are learned from and filed to."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from likely.mail.account import Gone
from likely.mail.folder_uses import IGNORED, Folder

INBOX = "INBOX"
SETTLED = 7.0
"""Days after which a message that Likely filed, and you left there, counts as where it belongs."""


@dataclass(frozen=True)
class FolderRules:
    """`include` and `exclude` are names, or patterns of names such as "Lists/*"."""

    source: str = INBOX
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    settled: float = SETTLED

    def learned(self, folders: Iterable[Folder]) -> list[str]:
        """All but the folder that mail comes into, those excluded, and those for drafts, sent, trash and junk.

        Raises Gone if there is no such folder that mail comes into: INBOX would be learned in its place. Only INBOX may
        be missing, as in an archive.
        """
        roles = {folder.name: self.role(folder) for folder in folders}
        if self.source not in {INBOX, *roles}:
            raise Gone(f"there is no folder {self.source!r}, which mail is to come into (--from)")
        return [name for name, role in roles.items() if role == "learned"]

    def role(self, folder: Folder) -> str:
        """How a folder is treated: "learned", or why it is left alone."""
        if folder.name == self.source:
            return "mail comes in"
        if _matches(folder.name, self.exclude):
            return "left alone: excluded"
        special = sorted(folder.uses & IGNORED)
        if special and not _matches(folder.name, self.include):
            return f"left alone: {', '.join(special)}"
        return "learned"


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(name == pattern or fnmatchcase(name, pattern) for pattern in patterns)
