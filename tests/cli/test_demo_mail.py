"""The mailbox that comes with Likely: what it holds, and that it is filed with reasons."""

import re

from likely.datasets import MAILBOX
from likely.mail import messages, parse


def test_mail_is_filed_with_reasons(demo: str) -> None:
    assert re.search(r"60 messages to a student \(invented\), in the folders fun and study", demo)
    assert "1 would be misfiled: an error of 1.7 %" in " ".join(demo.split())
    assert "  study  100.0 %  Sheet 8 and the exam (by sheet, exam)\n" in demo
    assert re.search(r"^  fun +100\.0 %  Tonight \(by ", demo, re.MULTILINE)


def test_the_message_in_the_wrong_folder_is_found(demo: str) -> None:
    told = " ".join(demo.split())
    assert "'Party at the lake on Saturday' is in study, and looks like fun" in told


def test_the_bundled_mailbox() -> None:
    subjects = {}
    for box in sorted(MAILBOX.glob("*.mbox")):
        found = [parse(item.raw) for item in messages(box)]
        assert not [message.problems for message in found if message.problems]
        assert all(message.date is not None for message in found)
        subjects[box.stem] = [message.subject for message in found]
    assert {name: len(found) for name, found in subjects.items()} == {"fun": 30, "study": 30}
    assert "Party at the lake on Saturday" in subjects["study"]
