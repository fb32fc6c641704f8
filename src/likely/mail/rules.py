"""Which folders Likely learns from and files to."""

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from likely.mail.account import Gone
from likely.mail.folder_uses import IGNORED, Folder

INBOX = "INBOX"
SETTLED = 7.0
"""A message that Likely filed counts as right once you have left it there for this many days."""


@dataclass(frozen=True)
class FolderRules:
    """`source` is the folder that mail comes into. `include` and `exclude` are names of folders, or patterns such as
    "Lists/*". `settled` is in days."""

    source: str = INBOX
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    settled: float = SETTLED

    def learned(self, folders: Iterable[Folder]) -> list[str]:
        """The folders to learn from: all except the folder that mail comes into, excluded ones, and those for drafts,
        sent mail, trash, junk and the like.

        Raises Gone if the folder that mail comes into does not exist: otherwise a typing error in `source` would make
        Likely learn from INBOX. Only INBOX itself may be missing, for example in an archive.
        """
        roles = {folder.name: self.role(folder) for folder in folders}
        if self.source not in {INBOX, *roles}:
            raise Gone(f"there is no folder {self.source!r}, which --from names as the folder that mail comes into")
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
