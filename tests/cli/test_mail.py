"""The commands of `likely mail` on a Maildir, from proof to undo."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from likely.cli import main
from likely.cli.mail import MailGroup
from likely.mail.replay import HALF_LIVES

sys.path.insert(0, str(Path(__file__).parents[1]))
from mail.letters import WORDS, message, mixed
from mail.places import MaildirPlace

COMMANDS = ["prove", "learn", "file", "watch", "why", "log", "undo"]


@pytest.fixture
def place(tmp_path):
    place = MaildirPlace(tmp_path / "mail")
    for folder in WORDS:
        place.create(folder)
        place.put(folder, *(raw for of, raw in mixed(180) if of == folder))
    place.put("INBOX", message("Chess", 1000), b"Subject: hm\nMessage-ID: <hm@example.org>\n\nzzz\n")
    return place


@pytest.fixture
def likely(place, tmp_path):
    def run(command, *arguments, code=0):
        options = [] if command == "prove" else ["--home", str(tmp_path / "home")]
        done = CliRunner().invoke(main, ["mail", command, str(place.root), *options, *arguments])
        assert done.exit_code == code, done.output
        return done.output

    return run


def test_every_command_has_its_line_and_its_help():
    assert sorted(MailGroup.lines) == sorted(COMMANDS)
    for name in COMMANDS:
        done = CliRunner().invoke(main, ["mail", name, "--help"])
        assert done.exit_code == 0
        assert "--json" in done.output


def test_prove_tells_and_moves_nothing(likely, place, tmp_path):
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")}
    told = json.loads(likely("prove", "--json", "--precision", "0.9"))
    assert (told["messages"], told["folders"], told["wanted"]) == (180, 3, 0.9)
    assert {"accuracy", "coverage", "precision", "threshold"} <= set(told)
    text = likely("prove", "--half-life", "auto")
    assert "of 180 messages in 3 folders" in text
    assert "wanted" in text
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")} == before


def test_the_trade_as_a_picture(likely, tmp_path):
    told = json.loads(likely("prove", "--json", "-o", str(tmp_path / "trade.svg")))
    assert (tmp_path / "trade.svg").read_text().count("asked for: ") == sum(
        trade["precision"] is not None for trade in told["trades"]
    )
    assert "No such file" in likely("prove", "-o", str(tmp_path / "no" / "trade.svg"), code=1)


def test_a_half_life_that_replay_chooses(likely):
    assert json.loads(likely("learn", "--json", "--half-life", "auto"))["half_life"] in HALF_LIVES
    assert json.loads(likely("learn", "--json", "--half-life", "30"))["half_life"] == 30.0


def test_from_learning_to_undo(likely, place):
    learned = json.loads(likely("learn", "--json"))
    assert (learned["learned"], learned["messages"], learned["folders"]) == (180, 180, 3)
    dry = json.loads(likely("file", "--json"))
    assert sorted(verdict["action"] for verdict in dry) == ["left", "would move"]
    assert "Nothing was moved: --move does." in likely("file")
    assert json.loads(likely("log", "--json")) == []
    assert "1 moved" in likely("file", "--move")
    (move,) = json.loads(likely("log", "--json"))
    assert (move["from"], move["to"], move["state"]) == ("INBOX", "Chess", "moved")
    assert message("Chess", 1000) in place.contents("Chess")
    why = json.loads(likely("why", "1000.5@example.org", "--json"))
    assert why["folder"] == "Chess"
    assert max(why["scores"], key=why["scores"].get) == "Chess"
    assert "marks: from:club@chess.example" in likely("why", "<1000.5@example.org>")
    (undone,) = json.loads(likely("undo", "--json"))
    assert (undone["from"], undone["to"], undone["undoes"]) == ("Chess", "INBOX", move["id"])
    assert message("Chess", 1000) in place.contents("INBOX")
    assert "nothing to undo" in likely("undo", "--since", "2020-01-01")
    assert "undoes 1" in likely("log")
    assert "Learned 0 messages" in likely("learn")


def test_the_sum_of_reasons_is_the_score(likely):
    likely("learn")
    told = json.loads(likely("why", "0.12@example.org", "--json"))
    for folder, score in told["scores"].items():
        reasons = sum(reason["adds"][folder] for reason in told["reasons"])
        assert told["prior"][folder] + reasons + told["others"][folder] == pytest.approx(score)


@pytest.mark.parametrize(
    ("command", "arguments", "told"),
    [
        ("why", ["<no@such>"], "nothing has been learned"),
        ("prove", ["--precision", "1.5"], "1.5 is not in the range"),
        ("learn", ["--half-life", "soon"], "'soon' is no number of days"),
        ("file", ["--from", "Nowhere"], "there is no folder 'Nowhere'"),
    ],
)
def test_mistakes_are_one_sentence(likely, command, arguments, told):
    output = likely(command, *arguments, code=2 if "range" in told or "days" in told else 1)
    assert told in output
    assert "Traceback" not in output


def test_an_account_that_is_not_there():
    done = CliRunner().invoke(main, ["mail", "prove", "no/such/place"])
    assert done.exit_code == 1
    assert "there is no 'no/such/place'" in done.output
