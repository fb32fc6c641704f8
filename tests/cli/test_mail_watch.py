"""`likely mail watch`: mail as it comes, until it is interrupted."""

import json
import signal
import subprocess
from threading import Timer

from .command import COMMAND
from .mailbox import Mailbox, message


def test_mail_is_filed_as_it_comes(mailbox: Mailbox) -> None:
    mailbox.run("learn")
    options = [str(mailbox.place.root), "--home", str(mailbox.home), "--move", "--json", "--precision", "0.9"]
    with subprocess.Popen([str(COMMAND), "mail", "watch", *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        late = Timer(60, process.kill)
        late.start()
        seen = [json.loads(process.stdout.readline())]
        mailbox.place.put("INBOX", message("garden", 2000))
        while seen[-1].get("message_id") != "2000.6@example.org":
            seen.append(json.loads(process.stdout.readline()))
        process.send_signal(signal.SIGTERM)
        assert json.loads(process.stdout.read().splitlines()[-1]) == {"event": "stopped"}
        process.wait(30)
        late.cancel()
    assert process.returncode == 0
    assert (seen[-1]["event"], seen[-1]["action"], seen[-1]["folder"]) == ("filed", "moved", "garden")
    assert message("garden", 2000) in mailbox.place.contents("garden")
