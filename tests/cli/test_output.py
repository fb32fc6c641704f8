"""What commands print: lines and colours in a terminal, plain text in a pipe, and nothing that a terminal obeys."""

import csv
import json
import os
import pty
import re
import shutil
import subprocess
import warnings
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE
from threading import Thread
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from likely.cli import mail_file, mail_log, output
from likely.data.findings import Finding

from ..mail.letters import message
from .command import COMMAND, ENTRY, Done, likely, refused, worked
from .mailbox import Mailbox

EVIL = "\x1b[2J\x07\x9b31m\N{RIGHT-TO-LEFT OVERRIDE}\N{LINE SEPARATOR}"
"""Clears the screen, rings, turns red and writes from right to left."""


def test_plain_columns(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "number"), [("a", 1), ("long name", 234)])
    assert capsys.readouterr().out == "name       number\na               1\nlong name     234\n"


def test_notes_are_not_part_of_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    output.note("so")
    output.heading("then")
    done = capsys.readouterr()
    assert (done.out, done.err) == ("\nthen\n", "so\n")


def test_paragraphs_are_as_wide_as_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    output.paragraph("one two three four five six")
    assert capsys.readouterr().out == "one two three four\nfive six\n"


def test_findings_fit_the_terminal_and_are_wrapped_in_a_pipe_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    says = "1 of 3 cells is 'unknown': read as a category; so in seven other columns of it"
    output.findings([Finding("marked", "a", says, "--type a=ignore"), Finding("marked", "b" * 200, "so")])
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == [
        "Check your columns",
        "  a: 1 of 3 cells is 'unknown': read as a category; so in seven other columns of",
        "    it (--type a=ignore)",
    ]
    assert max(map(len, printed)) <= 80
    monkeypatch.setenv("COLUMNS", "40")
    output.findings([Finding("marked", "a", says + " and", "--type a=ignore")])
    assert capsys.readouterr().out.splitlines()[1:4] == [
        "  a: 1 of 3 cells is 'unknown': read as",
        "    a category; so in seven other",
        "    columns of it and (--type a=ignore)",
    ]


def test_sentences_of_a_result_are_wrapped_in_a_terminal_and_its_tables_are_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    said = "one two three four five\n\nname   number of rows\n\x1b[31m"
    output.prose(said)
    assert capsys.readouterr().out == "one two three four five\n\nname   number of rows\n\\x1b[31m\n"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    output.prose(said)
    assert capsys.readouterr().out == "one two three four\nfive\n\nname   number of rows\n\\x1b[31m\n"


def test_json_of_arrays(capsys: pytest.CaptureFixture[str]) -> None:
    output.json({"é": np.array([1.5, 2.0]), "of": np.int64(3), "other": Path("p")})
    printed = capsys.readouterr().out
    assert json.loads(printed) == {"é": [1.5, 2.0], "of": 3, "other": "p"}
    assert "é" in printed


@pytest.mark.parametrize("indent", [2, None])
def test_json_escapes_what_a_terminal_obeys(indent: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    output.json({EVIL: [f"two\nlines {EVIL}", "\ud800"]}, indent)
    printed = capsys.readouterr().out
    assert json.loads(printed) == {EVIL: [f"two\nlines {EVIL}", "\ud800"]}
    assert not obeyed(printed)


def obeyed(text: str) -> set[str]:
    """Characters that no output may have."""
    return {char for char in text if char != "\n" and (ord(char) < 32 or 127 <= ord(char) < 160)} | (
        set(text) & {"\u202a", "\u202b", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u200f", "\u2028", "\u2029"}
    )


@pytest.fixture(scope="module")
def evil(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A table whose name, columns, classes and cells a terminal would obey, and a model of it."""
    place = tmp_path_factory.mktemp("evil")
    data, model = place / f"t{EVIL}.csv", place / f"m{EVIL}.likely"
    rng = np.random.default_rng(0)
    with data.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([f"number{EVIL}", f"kind{EVIL}", f"words{EVIL}", f"class{EVIL}"])
        for at in range(60):
            k = at % 2
            rows.writerow([f"{rng.normal(3 * k):.2f}", f"{'ab'[k]}{EVIL}", f"word{k}\n{EVIL}", f"{'pq'[k]}\n{EVIL}"])
    done = likely("fit", data, "-t", f"class{EVIL}", "-o", model)
    assert done.code == 0
    assert_safe(done)
    return data, model


def assert_safe(done: Done) -> None:
    assert not obeyed(done.out)
    assert not obeyed(done.err)


COMMANDS = pytest.mark.parametrize(
    "command",
    [
        ["fit", "DATA", "TARGET", "-o", "OUT.likely"],
        ["fit", "DATA", "TARGET", "-o", "OUT.likely", "--model", "auto", "--json"],
        ["describe", "MODEL"],
        ["describe", "MODEL", "--json"],
        ["explain", "MODEL", "DATA"],
        ["explain", "MODEL", "DATA", "--json"],
        ["evaluate", "MODEL", "DATA"],
        ["evaluate", "MODEL", "DATA", "--json"],
        ["validate", "DATA", "TARGET", "--method", "kfold"],
        ["validate", "DATA", "TARGET", "--method", "kfold", "--json"],
        ["compare", "DATA", "TARGET", "--rows", "20"],
        ["audit", "DATA", "TARGET"],
        ["audit", "DATA", "TARGET", "--json"],
        ["report", "MODEL", "DATA", "-o", "OUT.html"],
        ["plot", "MODEL", "DATA", "-o", "OUT.svg"],
        ["predict", "MODEL", "DATA", "-o", "OUT.csv"],
        ["sample", "MODEL", "-o", "OUT.csv"],
        ["learn", "MODEL", "DATA", "-o", "OUT.likely"],
        ["forget", "MODEL", "DATA", "-o", "OUT.likely"],
        ["merge", "MODEL", "MODEL", "-o", "OUT.likely"],
    ],
    ids=" ".join,
)


def arguments_of(command: list[str], evil: tuple[Path, Path], folder: Path) -> list[Any]:
    named: dict[str, list[Any]] = {"DATA": [evil[0]], "MODEL": [evil[1]], "TARGET": ["-t", f"class{EVIL}"]}
    return [one for word in command for one in named.get(word, [word.replace("OUT", f"{folder}/out{EVIL}")])]


@COMMANDS
def test_nothing_that_a_terminal_obeys_is_printed(command: list[str], evil: tuple[Path, Path], tmp_path: Path) -> None:
    done = likely(*arguments_of(command, evil, tmp_path))
    assert done.code == 0, done.err
    assert_safe(done)


@COMMANDS
def test_nor_in_a_terminal(
    command: list[str], evil: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = at_a_terminal(monkeypatch, *arguments_of(command, evil, tmp_path))
    assert not obeyed(COLOURS.sub("", printed))


COLOURS = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\?25[lh]|\r|\x1b\[1?[AK]|\x1b\[2K")
"""What Likely itself says to a terminal: colours, and where a line of progress begins."""


def at_a_terminal(monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> str:
    """What the command prints, with its errors, where both go to a terminal; in this process, which saves its start."""
    ours, theirs = pty.openpty()
    printed = []

    def read() -> None:
        with suppress(OSError):  # as Linux says that the other end is closed
            while some := os.read(ours, 65536):
                printed.append(some)

    reader = Thread(target=read)
    reader.start()
    with monkeypatch.context() as patch, os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        patch.setenv("TERM", "xterm")
        patch.delenv("NO_COLOR", raising=False)
        patch.setattr("sys.stdout", terminal)
        patch.setattr("sys.stderr", terminal)
        ENTRY.load().main(list(map(str, arguments)), "likely", standalone_mode=False)
    reader.join()
    os.close(ours)
    return b"".join(printed).decode()


def test_a_warning_is_safe(evil: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def warns(*_: Any) -> None:
        warnings.warn(f"mind {EVIL}", stacklevel=1)

    monkeypatch.setattr("likely.cli.describe.load", warns)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        done = CliRunner().invoke(ENTRY.load(), ["describe", str(evil[1])])
    assert done.stderr.startswith("Warning: mind \\x1b[2J")
    assert not obeyed(done.stderr)


@pytest.mark.parametrize("command", ["predict", "sample"])
def test_rows_are_safe_where_the_named_output_is_a_terminal(command: str, evil: tuple[Path, Path]) -> None:
    shown = in_terminal(*[command, evil[1], evil[0]][: 3 if command == "predict" else 2], "-o", "/dev/stdout")
    assert shown.count("\n") > 10
    assert not obeyed(shown.replace("\r\n", "\n"))


def test_output_to_a_pipe_that_is_closed_early(fitted: Path) -> None:
    rows = subprocess.Popen([COMMAND, "sample", fitted, "-n", "200000", "-o", "/dev/stdout"], stdout=PIPE, stderr=PIPE)
    assert rows.stdout is not None
    assert rows.stderr is not None
    assert b"," in rows.stdout.readline()
    rows.stdout.close()
    assert rows.stderr.read() == b""
    rows.stderr.close()
    rows.wait(30)


@pytest.mark.parametrize("form", ["csv", "parquet", "jsonl"])
def test_rows_go_through_a_pipe(form: str, fitted: Path, tmp_path: Path) -> None:
    pipe, file, read = tmp_path / f"pipe.{form}", tmp_path / f"file.{form}", []
    os.mkfifo(pipe)
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    worked(likely("sample", fitted, "-o", pipe))
    worked(likely("sample", fitted, "-o", file))
    reader.join()
    assert read == [file.read_bytes()]
    assert pipe.is_fifo()


def test_links_in_a_circle_are_one_sentence(fitted: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert refused(likely("sample", fitted, "-o", loop)) == f"{loop}: Too many levels of symbolic links"


@pytest.mark.parametrize(
    "arguments",
    [
        ["describe", f"none{EVIL}"],
        ["describe", "a", f"too many{EVIL}"],
        ["fit", f"none{EVIL}", "-t", "y", "-o", "m"],
        ["fit", "DATA", "-t", f"none{EVIL}", "-o", "m"],
        ["predict", "MODEL", "OTHER"],
        ["plot", "MODEL", "DATA", "--columns", f"a{EVIL},b", "-o", "x.svg"],
        ["mail", "prove", f"none{EVIL}"],
        [f"unknown{EVIL}"],
        [f"--unknown{EVIL}"],
        ["fit", f"--unknown{EVIL}"],
        ["fit", "DATA", "-t", "y", "-o", "m", "--model", f"none{EVIL}"],
    ],
    ids=" ".join,
)
def test_errors_are_safe(arguments: list[str], evil: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / f"other{EVIL}.csv"
    other.write_bytes(evil[0].read_bytes().replace(b"0.", b"\x1b[2J"))
    named = {"DATA": evil[0], "MODEL": evil[1], "OTHER": other}
    done = likely(*(named.get(word, word) for word in arguments))
    assert done.code in (1, 2)
    assert_safe(done)


@pytest.mark.parametrize("command", ["predict", "sample"])
def test_rows_are_data_in_a_pipe_and_safe_in_a_terminal(command: str, evil: tuple[Path, Path]) -> None:
    arguments = [command, evil[1], evil[0]][: 3 if command == "predict" else 2]
    assert EVIL in likely(*arguments).out
    shown = in_terminal(*arguments)
    assert shown.count("\n") > 10
    assert not obeyed(shown.replace("\r\n", "\n"))


@pytest.mark.parametrize("command", [["file"], ["log"], ["why", "<evil@example.org>"], ["prove", "--precision", "0.5"]])
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_message_commands_a_terminal(command: list[str], form: list[str], mailbox: Mailbox) -> None:
    evil = EVIL.encode()
    head = b"From: " + evil + b"<a@example.org>\nMessage-ID: <evil@example.org>\nSubject: " + evil + b"\n"
    mailbox.place.create(f"new{EVIL[:4]}")
    mailbox.place.put(f"new{EVIL[:4]}", b"From: " + evil + b"\nSubject: " + evil + b"\n\nx\n")
    mailbox.place.put("INBOX", head + message("Chess", 1).split(b"\n", 3)[-1])
    mailbox.run("learn")
    mailbox.run("file", "--move", "--precision", "0.5")
    assert not obeyed(mailbox.run(command[0], *command[1:], *form))


def in_terminal(*arguments: Any, **options: str) -> str:
    """What a command prints in a terminal."""
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    environment |= options
    with subprocess.Popen([str(COMMAND), *map(str, arguments)], stdout=theirs, env=environment) as process:
        os.close(theirs)
        printed = b""
        try:
            while some := os.read(ours, 65536):
                printed += some
        except OSError:  # as Linux says that the other end is closed
            pass
        process.wait(30)
    os.close(ours)
    assert process.returncode == 0
    return printed.decode()


def test_a_terminal_has_lines_and_colours(fitted: Path, tmp_path: Path) -> None:
    printed = in_terminal("describe", shutil.copy(fitted, tmp_path / "m.likely"))
    assert "━" in printed or "─" in printed
    assert "\x1b[1m" in printed


def test_a_table_in_a_terminal_is_safe_too(evil: tuple[Path, Path]) -> None:
    printed = in_terminal("describe", evil[1])
    assert "\x1b[2J" not in printed
    assert not obeyed(printed.replace("\r\n", "\n")) - {"\x1b"}


@pytest.mark.parametrize("width", [80, 120, 160])
def test_tables_of_mail_fit_the_terminal_and_keep_every_decision(width: int, mailbox: Mailbox) -> None:
    long = b"Subject: " + b"a very long subject about nothing in particular " * 4 + "日本語".encode() * 9
    sender = b"From: someone.with.a.long.name@department.of.an.institution.example.org"
    mailbox.place.put("INBOX", sender + b"\n" + long + b"\n" + message("Arbeit/Pläne", 7).split(b"\n", 3)[-1])
    mailbox.run("learn")
    account = [mailbox.place.root, "--home", mailbox.home]
    dry = in_terminal("mail", "file", *account, "--precision", "0.9", COLUMNS=str(width), NO_COLOR="1")
    mailbox.run("file", "--move", "--precision", "0.5")
    log = in_terminal("mail", "log", *account, COLUMNS=str(width), NO_COLOR="1")
    proof = in_terminal("mail", "prove", *account, "--precision", "0.9", COLUMNS=str(width), NO_COLOR="1")
    for shown in (dry, log, proof):
        tables = [re.sub(r"\x1b\[\d*m", "", line) for line in shown.splitlines()]
        assert max(map(cell_len, tables)) <= width
    assert dry.count("would move") + dry.count("left") >= 3
    assert "INBOX → Chess" in log
    assert "INBOX → Arbeit/Pläne" in log
    assert log.count("moved") >= 2
    for name in ("Arbeit/Pläne", "Chess", "garden"):
        assert name in proof


def test_at_80_columns_the_reason_is_shown_before_the_sender() -> None:
    """A message left at a high confidence, without the reason, would look like a mistake."""
    row = ["left", "tw_commercial_group", "98.3 %", "darrell.schoolcraft@enron.com", "TW Weekend Scheduled Volumes"]
    lines = [list(mail_file.HEAD), [*row, "articles, personal", "you took it back"]]
    shown, _ = output.fitted(lines, "<<><", 80, mail_file.SHORTEN)
    assert shown[1] == [*row[:3], "TW Weekend S…", "you took it back"]


def test_a_column_gives_way_only_as_far_as_it_may() -> None:
    lines = [["a", "subject"], ["decision", "x" * 50]]
    assert output.fitted(lines, "<", 100, [("subject", 5)])[0] == lines
    assert output.fitted(lines, "<", 33, [("subject", 5)])[0][1] == ["decision", "x" * 19 + "…"]
    assert output.fitted(lines, "<", 15, [("subject", 5)])[0][1] == ["decision", "xxxx…"]
    assert output.fitted(lines, "<", 22, [("subject", 0)])[0] == [["a", "subject"], ["decision", "x" * 8 + "…"]]
    assert output.fitted(lines, "<", 20, [("subject", 0)])[0] == [["a"], ["decision"]]  # less would say nothing
    assert output.fitted(lines, "<", 12, [("subject", 0)]) == ([["a"], ["decision"]], "<")


def test_a_column_that_gives_way_leaves_its_room_to_the_others() -> None:
    lines = [["no.", "from", "subject"], ["1", "a sender of 22 letters", "a subject that has 30 letters."]]
    shorten = [("subject", 12), ("from", 0)]
    shown, _ = output.fitted(lines, "<", 28, shorten)
    assert shown == [["no.", "subject"], ["1", "a subject that has…"]]


def test_a_log_shows_which_message_it_is_of_where_an_outcome_is_long() -> None:
    row = ["12", "18 Nov 20:50", "boss@work.example", "contract of the last quarter", "INBOX → Arbeit/Pläne", "99.9 %"]
    lines = [list(mail_log.HEAD), [*row, "flagged likely-Arbeit_Pl_ne"]]
    (head, shown), _ = output.fitted(lines, "><<<<><", 80, mail_log.SHORTEN)
    assert head == ["no.", "subject", "moved", "outcome"]
    assert shown == ["12", "contract of the la…", *lines[1][4::2]]
