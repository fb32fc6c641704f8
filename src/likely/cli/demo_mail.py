"""The bundled mailbox of the demo: how often it is misfiled, new messages with reasons, and one in the wrong folder."""

from pathlib import Path

import numpy as np
from rich.console import Console

from likely.data import read
from likely.mail import READ_AS, messages, parse, table
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import NaiveBayes
from likely.validation import audit, leave_one_out

MAILBOX = Path(__file__).with_name("mailbox")
"""60 messages to a student, written for Likely: 30 in "study", of which one is misfiled, and 30 in "fun"."""

NEW = (
    b"From: Prof. Ada Linden <linden@uni.example>\nSubject: Sheet 8 and the exam\n\n"
    b"Sheet 8 is the last one before the exam. Solutions are due on Monday.\n",
    b"From: Lena Fischer <lena@friends.example>\nSubject: Tonight\n\n"
    b"Pizza and a film at mine? Bring Jonas and ice cream.\n",
    b"From: Sports Office <sports@uni.example>\nSubject: Swimming course\n\n"
    b"Registration for the swimming course on Tuesday is open; bring your student card.\n",
)


def show_mail(console: Console) -> None:
    found = [(box.stem, parse(item.raw)) for box in sorted(MAILBOX.glob("*.mbox")) for item in messages(box)]
    y = np.array([label for label, _ in found])
    mail = read(table(message for _, message in found))
    model = NaiveBayes(READ_AS)
    result = leave_one_out(model, mail, y)
    low, high = result.interval
    console.print(
        f"{len(y)} messages to a student (invented), in the folders {' and '.join(result.classes)}. Each left out in "
        f"turn, {int((~result.right).sum())} would be misfiled: an error of {result.error:.1%}, 95 % interval "
        f"{low:.1%} to {high:.1%}. New messages go where they belong:"
    )
    new = [parse(raw) for raw in NEW]
    answers = read(table(new))
    p = result.model.posterior(answers)
    for message, reasons, chance in zip(new, Explanation(result.model, answers), p, strict=True):
        folder = str(reasons.classes[chance.argmax()])
        line = f"  {folder:6} {chance.max():6.1%}  {message.subject} (by {_why(reasons)})"
        console.print(line, markup=False, soft_wrap=True)
    suspect = audit(model, mail, y)[0]
    subject = found[suspect.row][1].subject
    console.print(
        f"And one seems to be in the wrong folder: '{subject}' is in {suspect.label}, and looks like "
        f"{suspect.looks_like}."
    )


def _why(reasons: Reasons) -> str:
    """The words that speak most for the winner, as many as fit on a line."""
    told = [reason for reason in reasons.ranked if reasons.log_odds(reason.contributions) > 0]
    return ", ".join(str(reason.column).split(": ", 1)[-1] for reason in told[:2])
