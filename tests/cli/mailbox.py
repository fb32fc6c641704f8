"""An account to file mail in, and the commands of `likely mail` on it."""

from pathlib import Path

from click.testing import CliRunner

from likely.cli import main

from ..mail.letters import WORDS, message, mixed
from ..mail.places import MaildirPlace

__all__ = ["WORDS", "Mailbox", "MaildirPlace", "message", "mixed"]


class Mailbox:
    """A Maildir with 180 messages in three folders, one in the inbox that is clear and one that is not."""

    def __init__(self, root: Path) -> None:
        self.place, self.home = MaildirPlace(root / "mail"), root / "home"
        for folder in WORDS:
            self.place.create(folder)
            self.place.put(folder, *(raw for of, raw in mixed(180) if of == folder))
        self.place.put("INBOX", message("Chess", 1000), b"Subject: hm\nMessage-ID: <hm@example.org>\n\nzzz\n")

    def run(self, command: str, *arguments: str, code: int = 0) -> str:
        options = [command, str(self.place.root), "--home", str(self.home)]
        done = CliRunner().invoke(main, ["mail", *options, *arguments])
        assert done.exit_code == code, done.output
        return done.output
