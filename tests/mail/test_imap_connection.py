"""Tokens, commands and keyrings open a real server, and leave no trace: in no file, no output and no argument."""

import json
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from likely.mail.account import Refused
from likely.mail.imap import Imap
from likely.mail.secrets import VARIABLE, Secret

from .dovecot import PASSWORD
from .letters import message

TOKEN = "ya29.token-of-ann"
KEYRING = """
from pathlib import Path

from keyring.backend import KeyringBackend


class Kept(KeyringBackend):
    priority = 1

    def get_password(self, service, name):
        place, _, password = Path(__file__).with_name("kept").read_text().partition(" ")
        return password if place == f"{service}/{name}" else None

    def set_password(self, service, name, password):
        Path(__file__).with_name("kept").write_text(f"{service}/{name} {password}")
"""


class Introspection(BaseHTTPRequestHandler):
    """Tells of a token whether it is good, and whose it is, as RFC 7662 has it."""

    def do_GET(self):
        good = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        told = json.dumps({"active": good, "username": "ann"} if good else {"active": False}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *what):
        pass


@contextmanager
def introspection():
    with HTTPServer(("127.0.0.1", 0), Introspection) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def learn(place, home, *options, **environment):
    """`likely mail learn` by itself: with a password neither in its environment nor in its arguments, unless said."""
    command = [sys.executable, "-c", "from likely.cli import main; main()", "mail", "learn", place.server.address]
    kept = {name: value for name, value in os.environ.items() if name != VARIABLE}
    return subprocess.run(
        [*command, "--home", str(home), *options], env=kept | environment, capture_output=True, text=True, check=False
    )


def traces(secret, *folders):
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if secret.encode() in file.read_bytes()]


@pytest.mark.parametrize("mechanism", ["xoauth2", "oauthbearer"])
def test_a_token(imap, mechanism):
    with introspection() as tokens:
        place = imap(oauth=mechanism, tokens=tokens)
        account = Imap(place.server.address, Secret(token_command=f"echo {TOKEN}"))
        assert "INBOX" in [folder.name for folder in account.folders()]
        account.close()
        with pytest.raises(Refused, match="did not accept the login of ann") as told:
            Imap(place.server.address, Secret(token_command="echo ya29.of-another")).folders()
        assert "ya29" not in str(told.value)
        assert traces(TOKEN, place.root / "home", place.root / "state") == []
        assert TOKEN not in (place.root / "log").read_text()


def test_commands_and_keyrings_leave_no_trace(imap, tmp_path):
    place = imap()
    place.create("Chess")
    place.put("Chess", *(message("Chess", number) for number in range(3)))
    (tmp_path / "password").write_text(f"{PASSWORD}\nand more\n")
    script = tmp_path / "asked"
    script.write_text(f"cat /proc/$PPID/cmdline >> {tmp_path}/seen; cat {tmp_path}/password\n")
    by_command = learn(place, tmp_path / "home", "--password-command", f"sh {script}")
    assert "Learned 3 messages" in by_command.stdout
    assert "learn" in (tmp_path / "seen").read_text()
    assert PASSWORD not in (tmp_path / "seen").read_text()
    (tmp_path / "own_keyring.py").write_text(KEYRING)
    (tmp_path / "kept").write_text(f"likely/ann@127.0.0.1 {PASSWORD}")
    use = {"PYTHONPATH": str(tmp_path), "PYTHON_KEYRING_BACKEND": "own_keyring.Kept"}
    by_keyring = learn(place, tmp_path / "home", **use)
    assert "It knows 3 messages" in by_keyring.stdout
    for done in (by_command, by_keyring):
        assert PASSWORD not in done.stdout + done.stderr
    assert traces(PASSWORD, tmp_path / "home") == []
