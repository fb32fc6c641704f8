"""Other programs over the same mail: mbsync between a Maildir and a server, and Dovecot on a Maildir that Likely moves
mail in. They find each message once, and nothing to complain about."""

import os
import shutil
import subprocess

import pytest

from likely.mail.actions import COPY
from likely.mail.database import opened
from likely.mail.filer import Filer
from likely.mail.maildir import Maildir

from .dovecot import PASSWORD, USER
from .filers import ENOUGH, filled
from .letters import WORDS, message

CONFIGURATION = """
IMAPStore far
Host 127.0.0.1
Port {port}
User {user}
Pass {password}
SSLType None
AuthMechs PLAIN LOGIN

MaildirStore near
Path {place}/
Inbox {place}/INBOX
SubFolders Verbatim

Channel all
Far :far:
Near :near:
Patterns *
Create Both
Expunge Both
SyncState *
"""

NEW = 6


def program(name, package):
    found = shutil.which(name)
    if found is None:
        why = f"{name} is not installed: on Debian, apt-get install {package}"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)
    return found


def printed(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=60, check=False)
    complaints = [line for line in done.stderr.splitlines() if "notice" not in line]  # it waits a second
    assert (done.returncode, complaints) == (0, []), done
    return done.stdout


def served(place):
    """How many messages each folder has at the server, and whether one is there twice."""
    with place.client() as client:
        found = {}
        for name in (name for flags, _, name in client.list_folders() if b"\\Noselect" not in flags):
            client.select_folder(name, readonly=True)
            uids = client.search("ALL")
            found[name] = [one[b"BODY[]"] for one in client.fetch(uids, ["BODY.PEEK[]"]).values()] if uids else []
    every = [raw for raws in found.values() for raw in raws]
    assert len(set(every)) == len(every)
    return {name: len(raws) for name, raws in found.items() if raws}


def test_mbsync_carries_on_with_what_was_moved_and_undone(imap, tmp_path):
    mbsync = program("mbsync", "isync")
    place = filled(imap())
    place.put("INBOX", *(message(list(WORDS)[number % 3], 1000 + number) for number in range(NEW)))
    near, settings = tmp_path / "near", tmp_path / "mbsyncrc"
    near.mkdir()
    settings.write_text(CONFIGURATION.format(port=place.server.port, user=USER, password=PASSWORD, place=near))
    sync = (mbsync, "-c", settings, "-q", "all")
    printed(*sync)
    filer = Filer(Maildir(near), opened(tmp_path / "ann.sqlite"))
    assert filer.learn().learned == ENOUGH
    before = served(place)
    assert [one.action for one in filer.file(0.97, move=True)] == ["moved"] * NEW
    printed(*sync)
    assert served(place) == dict.fromkeys(WORDS, ENOUGH // 3 + NEW // 3)
    assert [move.state for move in filer.undo(last=NEW)] == ["moved"] * NEW
    printed(*sync)
    assert served(place) == before
    assert {name: len(filer.account.keys(name)) for name in before} == before


def test_dovecot_serves_what_was_moved_in_its_own_maildir(imap, tmp_path):
    doveadm = program("doveadm", "dovecot-core")
    place = filled(imap())
    place.put("INBOX", *(message(list(WORDS)[number % 3], 1000 + number) for number in range(NEW)))
    filer = Filer(Maildir(place.server.mail), opened(tmp_path / "ann.sqlite"))
    filer.learn()

    def listed():
        """By Dovecot's own tool: how many messages there are, and how many of them differ."""
        told = printed(doveadm, "-c", place.root / "conf", "-f", "tab", "fetch", "-u", USER, "hdr.message-id", "ALL")
        names = told.splitlines()[1:]
        return len(names), len(set(names))

    both = ENOUGH + NEW
    assert listed() == (both, both)
    assert [one.action for one in filer.file(0.97, move=True)] == ["moved"] * NEW
    place.server.own()
    assert listed() == (both, both)
    assert served(place) == dict.fromkeys(WORDS, ENOUGH // 3 + NEW // 3)
    assert [move.state for move in filer.undo(last=NEW)] == ["moved"] * NEW
    assert [one.action for one in filer.file(0.97, move=True, action=COPY)] == ["left"] * NEW  # you took them back
    place.server.own()
    assert listed() == (both, both)
    log = (place.root / "log").read_text()
    assert not [line for line in log.splitlines() if "Error" in line or "Warning" in line]
