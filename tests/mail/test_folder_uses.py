"""What a folder is for, by its flag or by its name."""

import pytest

from likely.mail.folder_uses import IGNORED, with_uses


def uses(*names, **flagged):
    found = with_uses([*((name, ()) for name in names), *((name, [flag]) for name, flag in flagged.items())])
    return {folder.name: set(folder.uses) for folder in found}


@pytest.mark.parametrize(
    ("use", "names"),
    [
        ("trash", ["Papierkorb", "Corbeille", "Deleted", "Deleted Items", "Gelöschte Elemente", "Papelera", "ゴミ箱"]),
        (
            "sent",
            ["Gesendet", "Sent Items", "Éléments envoyés", "Posta inviata", "Skickat", "已发送邮件", "Отправленные"],
        ),
        (
            "junk",
            ["Junk Email", "Junk E-mail", "Junk-E-Mail", "Spam", "Courrier indésirable", "Skräppost", "迷惑メール"],
        ),
        ("drafts", ["Entwürfe", "Brouillons", "Borradores", "Kladder", "下書き", "ENTWÜRFE", "Entwu\u0308rfe"]),
        ("outbox", ["Outbox", "Postausgang", "Boîte d'envoi"]),
        ("templates", ["Templates", "Vorlagen"]),
    ],
)
def test_by_the_names_of_mail_programs_in_their_languages(use, names):
    for name in names:
        assert uses(name, f"INBOX/{name}") == {name: {use}, f"INBOX/{name}": {use}}, name


def test_flags_tell_more_than_names():
    told = uses(Chess="Sent", Alles="All", Wichtig="Important", Ablage="Archive", Muell="Spam", Fun="HasChildren")
    assert told == {
        "Chess": {"sent"},
        "Alles": {"all"},
        "Wichtig": {"important"},
        "Ablage": {"archive"},
        "Muell": {"junk"},
        "Fun": set(),
    }
    assert {"important", "all", "sent", "junk"} <= IGNORED


def test_names_that_anyone_may_give_are_special_at_gmail_alone():
    assert uses("Important", "[Gmail]/Important", "[Gmail]/All Mail", "Todos", "[Google Mail]/Starred") == {
        "Important": set(),
        "[Gmail]/Important": {"important"},
        "[Gmail]/All Mail": {"all"},
        "Todos": set(),
        "[Google Mail]/Starred": {"flagged"},
    }


def test_a_folder_in_the_trash_is_trash():
    told = uses("Trash", "Trash/Chess", "Sentences", "Work/Sent/2023", "Archive/2023", Muell="Junk", **{"Muell/x": "y"})
    assert told["Trash/Chess"] == {"trash"}
    assert told["Work/Sent/2023"] == {"sent"}
    assert told["Muell/x"] == {"junk"}
    assert told["Sentences"] == told["Archive/2023"] == set()
