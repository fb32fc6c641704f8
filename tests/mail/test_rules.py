"""Which folders are learned from and filed to."""

from likely.mail.folder_uses import Folder, with_uses
from likely.mail.rules import FolderRules

FOLDERS = [
    Folder("INBOX"),
    Folder("Chess"),
    Folder("Lists/dev"),
    Folder("Lists/users"),
    Folder("Archiv", frozenset({"archive"})),
    Folder("Gesendet", frozenset({"sent"})),
    Folder("Alles", frozenset({"all"})),
    *with_uses([("Trash", ()), ("Spam", ()), ("Drafts", ())]),
]


def test_all_but_where_mail_comes_in_and_what_is_for_something_else():
    assert FolderRules().learned(FOLDERS) == ["Chess", "Lists/dev", "Lists/users", "Archiv"]
    assert FolderRules("Chess").learned(FOLDERS)[:2] == ["INBOX", "Lists/dev"]


def test_what_the_owner_says_goes():
    rules = FolderRules(include=("Spam", "Gesendet"), exclude=("Lists/*", "Chess"))
    assert rules.learned(FOLDERS) == ["Archiv", "Gesendet", "Spam"]
    assert FolderRules(include=("Spam",), exclude=("Spam",)).learned(FOLDERS) == FolderRules().learned(FOLDERS)
