"""Accounts by name."""

import json
from pathlib import Path

import pytest

from likely.cli.mail_config import config_path, settings_of

from .command import likely, refused, worked
from .mailbox import Mailbox


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = config_path()
    path.parent.mkdir(parents=True)
    return path


def test_an_account_has_a_name_and_settings_that_options_override(config: Path, mailbox: Mailbox) -> None:
    home = f'address = "{mailbox.place.root}"\nhome = "{mailbox.home}"\nexclude = ["gar*"]\n'
    config.write_text(f"[own]\n{home}precision = 0.9\n[other]\n{home}")
    assert json.loads(worked(likely("mail", "learn", "own", "--json")))["folders"] == 2
    assert json.loads(worked(likely("mail", "status", "own", "--json")))["precision"] == 0.9
    assert json.loads(worked(likely("mail", "status", "own", "--json", "--precision", "0.8")))["precision"] == 0.8
    assert json.loads(worked(likely("mail", "status", "other", "--json")))["precision"] == 0.97
    assert "there is no 'none'" in refused(likely("mail", "status", "none"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("own", "is not TOML"),
        ("[own]\nprecision = 0.9", "account 'own' has no address"),
        ('[own]\naddress = "x"\npassword = "sesame"', "has a setting 'password'; known are address"),
        ('[own]\naddress = "x"\nprecision = "high"', "'precision' should be a number"),
        ('[own]\naddress = "x"\nexclude = "a"', "'exclude' should be a list of texts"),
    ],
)
def test_mistakes_are_one_sentence(config: Path, text: str, told: str) -> None:
    config.write_text(text)
    said = refused(likely("mail", "status", "own"))
    assert told in said
    assert "sesame" not in said


def test_an_address_is_no_name(config: Path) -> None:
    config.write_text('["imap://x"]\naddress = "y"')
    assert settings_of("imap://x") is None
    assert settings_of("./own") is None
