"""`likely mail prove`: it tells, and moves nothing."""

import json
from pathlib import Path

import click
import pytest

from likely.cli.mail_prove import days

from .mailbox import Mailbox


def test_nothing_is_moved_or_written(mailbox: Mailbox, tmp_path: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")}
    told = json.loads(mailbox.run("prove", "--json", "--precision", "0.9"))
    assert (told["messages"], told["folders"], told["wanted"]) == (180, 3, 0.9)
    assert {"accuracy", "coverage", "precision", "threshold"} <= set(told)
    text = mailbox.run("prove", "--half-life", "30")
    assert "Of all 180 messages in 3 folders" in text
    assert text.startswith("Of the last 180 messages it would have filed 44 %, 100.0 % of it correctly.\n")
    assert "needed" in text
    assert "Mail counts half after 30 days." in text
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*")} == before


def test_what_was_filed_by_itself_proves_nothing(filed: Mailbox) -> None:
    assert len(filed.place.contents("Chess")) == 61
    assert json.loads(filed.run("prove", "--json"))["messages"] == 180


def test_the_trade_as_a_picture(mailbox: Mailbox, tmp_path: Path) -> None:
    told = json.loads(mailbox.run("prove", "--json", "-o", str(tmp_path / "trade.svg")))
    assert (tmp_path / "trade.svg").read_text().count("asked for: ") == sum(
        trade["precision"] is not None for trade in told["trades"]
    )
    refused = mailbox.run("prove", "-o", str(tmp_path / "no" / "trade.svg"), code=1)
    assert refused == f"Error: {tmp_path / 'no'}: there is no such folder\n"


@pytest.mark.parametrize("text", ["soon", "0", "-1", "inf", "nan"])
def test_what_is_no_number_of_days(text: str) -> None:
    with pytest.raises(click.BadParameter, match="is not 'auto' or a number of days above 0"):
        days(text)


def test_days() -> None:
    assert (days("1.5"), days(None)) == (1.5, None)
