"""What is known of an account is the same for every process."""

from .filers import again, known
from .letters import message


def test_two_processes_see_what_the_other_has_learned(filer, maildir):
    other = again(filer)
    filer.learn()
    maildir.put("INBOX", message("Chess", 1000))
    assert [verdict.action for verdict in other.file(0.97)] == ["would move"]
    maildir.put("Chess", message("Chess", 1001))
    assert other.learn().learned == 1
    assert filer.learn().learned == 0
    assert known(filer)["Chess"] == 61
