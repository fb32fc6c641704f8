from pathlib import Path

from likely.cli.desk_mail import mail_place

from .command import likely, refused


def test_an_account_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    assert "there is no" in refused(likely("desk", "mail", str(tmp_path / "nothing"), "--no-open"))


def test_the_place_has_the_account(tmp_path: Path) -> None:
    for name in ("cur", "new", "tmp"):
        (tmp_path / "mail" / name).mkdir(parents=True)
    options = {
        "address": str(tmp_path / "mail"), "password_command": None, "token_command": None, "home": tmp_path / "home",
        "source": "INBOX", "include": (), "exclude": (),
    }  # fmt: skip
    place = mail_place(0.9, options)
    assert place.precision == 0.9
    assert place.filer.account.address == str(tmp_path / "mail")
    place.close()
