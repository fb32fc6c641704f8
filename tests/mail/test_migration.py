"""What an earlier version knew is kept, and is not taken for what it knew of another account."""

import pytest

from likely.mail.address import open_account
from likely.mail.database import opened, path_for
from likely.mail.filer import Filer
from likely.mail.migration import database_path

from .filers import filled
from .places import MaildirPlace


@pytest.fixture
def known(tmp_path, monkeypatch):
    """An account that was learned by an earlier version, under a name of its own."""
    monkeypatch.chdir(tmp_path)
    place = filled(MaildirPlace(tmp_path / "Mail"), 6)

    def learned_as(name):
        path = path_for(name, tmp_path / "home")
        filer = Filer(place.account(), opened(path))
        filer.learn()
        filer.database.close()
        return path

    return learned_as


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("maildir:Mail", "Mail"),
        ("maildir:Mail", "maildir:Mail"),
        ("Mail", "./Mail"),
        ("maildir:ABSOLUTE", "Mail"),
        ("mbox:ABSOLUTE", "ABSOLUTE"),
    ],
)
def test_it_gets_its_new_name(known, tmp_path, name, spelled):
    earlier = known(name.replace("ABSOLUTE", str(tmp_path / "Mail")))
    spelled = spelled.replace("ABSOLUTE", str(tmp_path / "Mail"))
    path = database_path(open_account(spelled), spelled, tmp_path / "home")
    assert [file.name for file in earlier.parent.glob("*.sqlite*")] == [path.name]
    assert path.stat().st_mode & 0o777 == 0o600
    later = Filer(open_account("Mail"), opened(path))
    assert later.model.messages == 6
    assert later.learn().learned == 0


def test_that_of_another_account_which_was_spelled_alike_is_left(known, tmp_path, monkeypatch):
    earlier = known("maildir:Mail")
    filled(MaildirPlace(tmp_path / "other" / "Mail"), 3)
    (tmp_path / "other" / "Mail" / "Chess" / "new" / "more").write_bytes(b"Subject: x\n\n")
    for file in (tmp_path / "other" / "Mail").rglob("17*"):
        file.rename(file.with_name(f"9{file.name}"))
    monkeypatch.chdir(tmp_path / "other")
    path = database_path(open_account("Mail"), "Mail", tmp_path / "home")
    assert earlier.exists()
    assert not path.exists()
