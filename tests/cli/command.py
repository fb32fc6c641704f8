"""The command, as tests call it."""

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

COMMAND = Path(sys.executable).with_name("likely")
(ENTRY,) = entry_points(group="console_scripts", name="likely")


class Done(NamedTuple):
    code: int
    out: str
    err: str


def installed(*arguments: Any, stdin: bytes = b"", **environment: str) -> Done:
    """In a process of its own, as users call it."""
    done = subprocess.run(
        [str(COMMAND), *map(str, arguments)],
        input=stdin,
        capture_output=True,
        timeout=300,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "100", **environment},
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def likely(*arguments: Any, stdin: bytes = b"") -> Done:
    """The same entry point of the installed package in this process, which saves its start."""
    done = CliRunner().invoke(ENTRY.load(), list(map(str, arguments)), input=stdin, prog_name="likely")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)


def worked(done: Done) -> str:
    assert (done.code, done.err) == (0, "")
    return done.out


def refused(done: Done, code: int = 1) -> str:
    """What was said, in one sentence on one line."""
    assert (done.code, done.out) == (code, "")
    lines = done.err.splitlines()
    assert lines[-1].startswith("Error: ")
    assert code == 2 or len(lines) == 1
    return lines[-1].removeprefix("Error: ")
