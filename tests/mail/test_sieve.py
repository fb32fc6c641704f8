"""Rules are for what is always filed alike; Dovecot's own Sieve runs them."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.sieve import LIST, SENDER, Rule, rules_of, script

PROGRAM = shutil.which("sieve-test")


def letter(folder, sender, list_id="", number=0):
    raw = f"From: X <{sender}>\nDate: 1 Jan 2024 00:00:{number % 60:02} +0000\n"
    raw += f'List-Id: "A list" <{list_id}>\n' if list_id else ""
    return Letter(folder, str(number), f"{raw}Subject: {number}\n\nhello\n".encode(), 0.0)


def history(*groups):
    """Of (folder, sender, list, how many)."""
    return History.of_letters(
        letter(folder, sender, list_id, number) for folder, sender, list_id, count in groups for number in range(count)
    )


def test_what_decides_a_folder():
    found = rules_of(
        history(
            ("Chess", "club@chess.example", "", 10),
            ("garden", "lily@garden.example", "", 4),  # too few
            ("garden", "bob@example.org", "", 10),
            ("Chess", "bob@example.org", "", 1),  # nine of ten are not enough
            ("Lists/Dev", "ann@example.org", "dev.example.org", 10),
            ("Work", "ann@example.org", "", 10),  # by itself; on the list, the list decides
        ),
        5,
        0.97,
    )
    assert found == [
        Rule(LIST, "dev.example.org", "Lists/Dev", 10, 10),
        Rule(SENDER, "ann@example.org", "Work", 10, 10),
        Rule(SENDER, "club@chess.example", "Chess", 10, 10),
    ]


NASTY = 'a"b\\c@example.org'


@pytest.fixture
def filed():
    """Where Dovecot's Sieve files a message."""
    if PROGRAM is None:
        why = "sieve-test is not installed: on Debian, apt-get install dovecot-sieve"
        pytest.fail(why) if "LIKELY_SKIP_NOTHING" in os.environ else pytest.skip(why)

    def run(text, raw):
        (place / "filter.sieve").write_text(text)
        (place / "mail").write_bytes(raw)
        for path in (place, *place.iterdir()):
            path.chmod(0o777)
        files = [str(place / "filter.sieve"), str(place / "mail")]
        done = subprocess.run([PROGRAM, "-c", str(place / "conf"), *files], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    with TemporaryDirectory(prefix="likely-") as made:
        place = Path(made)
        user = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        settings = f"mail_uid = {user.pw_uid}\nmail_gid = {user.pw_gid}\nfirst_valid_uid = 1\nmail_home = {place}\n"
        (place / "conf").write_text(f"{settings}mail_location = maildir:{place}/Maildir\nlog_path = {place}/log\n")
        yield run


def test_dovecot_files_by_the_script(filed):
    rules = [
        Rule(LIST, "dev.example.org", "Lists/Dev", 10, 10),
        Rule(SENDER, "ann@example.org", 'Arbeit/Pläne "x"', 10, 10),
        Rule(SENDER, NASTY, "Chess\nstop;", 10, 10),
        Rule(SENDER, "club@chess.example", "Chess\nstop;", 10, 10),
    ]
    text = script(rules, lambda folder: folder.partition("\n")[0])
    assert "\nstop;" not in text

    def target(*of):
        return filed(text, letter("", *of).raw).partition("store message in folder: ")[2].partition("\n")[0]

    assert target("ann@example.org", "dev.example.org") == "Lists/Dev"
    assert target("ANN@example.org") == 'Arbeit/Pläne "x"'
    assert target("club@chess.example", "other.dev.example.org") == "Chess"
    assert target("x@example.org", "nodev.example.org") == "INBOX"
    assert target("x@example.org") == "INBOX"


def test_an_account_without_rules_has_an_empty_script():
    assert script([]) == 'require ["fileinto"];\n'
