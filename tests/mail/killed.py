"""Moves a message, or undoes a move, in a process of its own that ends itself at the given step.

Reads lines of JSON, and prints how each process ended. A step is any call that leaves this process: a statement of the
journal, bytes to a server, a look at or a change of a Maildir's folders. `limit` in place of `step` is how long files
may get, in bytes: as on a disk that is full.
"""

import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path

from likely.mail import maildir, maildir_files
from likely.mail.actions import COPY, MOVE, Flagging
from likely.mail.address import open_account
from likely.mail.database import opened
from likely.mail.journal import Journal, Subject


class Stepping:
    """Something whose calls of some names are steps."""

    def __init__(self, what, *names, step):
        self.__dict__.update(_what=what, _names=names, _step=step)

    def __getattr__(self, name):
        found = getattr(self._what, name)
        if name not in self._names:
            return found

        def called(*arguments, **options):
            self._step()
            return found(*arguments, **options)

        return called


ACTIONS = {"move": MOVE, "copy": COPY, "flag": Flagging("likely")}


def run(database, address, key="", to="", undo=0, step=-1, limit=resource.RLIM_INFINITY, action="move"):
    def stepped():
        nonlocal step
        if step == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        step -= 1

    account = open_account(address)
    letters = list(account.read("INBOX", [key]))
    journal = Journal(opened(Path(database)))
    journal.database = Stepping(journal.database, "execute", step=stepped)
    if hasattr(account, "server"):
        imap = account.server.connected._imap
        imap.send = Stepping(imap, "send", step=stepped).send
    maildir.os = maildir_files.os = Stepping(os, "scandir", "open", "fsync", step=stepped)
    rename = Path.rename
    Path.rename = lambda path, to: (stepped(), rename(path, to), stepped())
    link, unlink = Path.hardlink_to, Path.unlink
    Path.hardlink_to = lambda path, to: (stepped(), link(path, to), stepped())
    Path.unlink = lambda path: (stepped(), unlink(path), stepped())
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    if undo:
        journal.undo(account, journal.of("id = ?", undo)[0])
    else:
        subject = Subject("INBOX", key, letters[0].fingerprint, "", "")
        journal.move(account, subject, to, action=ACTIONS[action])


for line in sys.stdin:
    child = os.fork()
    if child == 0:
        try:
            run(**json.loads(line))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
