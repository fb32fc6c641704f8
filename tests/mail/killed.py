"""Moves messages by the journal, each in a process of its own that ends itself at the given step.

Reads lines of JSON, [step, database, address, key, folder], and prints how each process ended. What a step is: every
call that changes something, of the account, of its connection or of the journal, has one before it and one after it.
In place of a step, {"limit": bytes} is how long files may get: as on a disk that is full.
"""

import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path

from likely.mail import mbox
from likely.mail.address import open_account
from likely.mail.database import opened
from likely.mail.journal import Journal, Subject

CHANGES = {
    "Journal": ("_intended", "_ended"),
    "Maildir": ("move",),
    "Mbox": ("move",),
    "Imap": ("move",),
    "IMAPClient": ("move", "copy", "add_flags", "uid_expunge"),
}


def move(left: int | dict[str, int], path: str, address: str, key: str, to: str) -> None:
    limit = left["limit"] if isinstance(left, dict) else resource.RLIM_INFINITY
    left = -1 if isinstance(left, dict) else left

    def step() -> None:
        nonlocal left
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left -= 1

    def stepping(owner: object, name: str) -> None:
        plain = getattr(owner, name)

        def with_steps(*arguments: object, **options: object) -> object:
            step()
            done = plain(*arguments, **options)
            step()
            return done

        setattr(owner, name, with_steps)

    account = open_account(address)
    (letter,) = account.read("INBOX", [key])
    journal = Journal(opened(Path(path)))
    owners = [journal, account, *([account._connection] if hasattr(account, "_connection") else [])]
    for owner in owners:
        for name in CHANGES.get(type(owner).__name__, ()):
            stepping(owner, name)
    for name in ("_append", "_cut"):
        stepping(mbox, name)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    journal.move(account, Subject("INBOX", key, letter.fingerprint, "", ""), to)


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            move(*json.loads(line))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
