"""Where passwords come from, and where they never turn up."""

import pytest

from likely.mail.secrets import VARIABLE, NoSecret, Secret


@pytest.fixture(autouse=True)
def no_password(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)


def test_from_the_environment(monkeypatch):
    monkeypatch.setenv(VARIABLE, "sesame")
    assert Secret().get("ann", "example.org") == "sesame"


def test_from_a_command_before_all_else(monkeypatch):
    monkeypatch.setenv(VARIABLE, "sesame")
    assert Secret(password_command="printf 'open sesame\\nsecond line'").get("ann", "example.org") == "open sesame"
    token = Secret(token_command="echo token", password_command="echo password")
    assert token.is_token
    assert token.get("ann", "example.org") == "token"


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("false", "ended with status 1"),
        ("true", "printed nothing"),
        ("no-such-program-at-all", "No such file"),
        ("'unclosed", "ValueError"),
    ],
)
def test_a_command_that_fails_is_told_without_what_it_said(command, told):
    with pytest.raises(NoSecret, match=told):
        Secret(password_command=command).get("ann", "example.org")


def test_none_at_all_names_the_ways():
    with pytest.raises(
        NoSecret, match=r"LIKELY_MAIL_PASSWORD.*--password-command.*keyring set likely ann@example\.org"
    ):
        Secret().get("ann", "example.org")


def test_it_is_not_shown(monkeypatch):
    monkeypatch.setenv(VARIABLE, "sesame")
    assert "sesame" not in repr(Secret())
