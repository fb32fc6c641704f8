"""The mailbox of the demo: the error of filing, new messages with reasons, and a message in the wrong folder."""

from typing import cast

import numpy as np

from likely.cli import output
from likely.data import read
from likely.datasets import MAILBOX
from likely.mail import READ_AS, messages, parse, table
from likely.models.explain import Explanation, Reasons
from likely.models.naive_bayes import NaiveBayesModel
from likely.printing import percent
from likely.validation import audit, leave_one_out

NEW = (
    b"From: Prof. Ada Linden <linden@uni.example>\nSubject: Sheet 8 and the exam\n\n"
    b"Sheet 8 is the last one before the exam. Solutions are due on Monday.\n",
    b"From: Lena Fischer <lena@friends.example>\nSubject: Tonight\n\n"
    b"Pizza and a film at mine? Bring Jonas and ice cream.\n",
    b"From: Sports Office <sports@uni.example>\nSubject: Swimming course\n\n"
    b"Registration for the swimming course on Tuesday is open; bring your student card.\n",
)


def show_mail() -> None:
    found = [(box.stem, parse(item.raw)) for box in sorted(MAILBOX.glob("*.mbox")) for item in messages(box)]
    y = np.array([label for label, _ in found])
    mail = read(table(message for _, message in found))
    model = NaiveBayesModel(READ_AS)
    result = leave_one_out(model, mail, y)
    low, high = result.interval
    output.paragraph(
        f"{len(y)} messages to a student (invented), in the folders {' and '.join(result.classes)}. Leave-one-out, "
        f"{int((~result.right).sum())} would be misfiled: an error of {percent(result.error)}, 95 % interval "
        f"{percent(low)} to {percent(high)}. New messages go where they belong:"
    )
    new = [parse(raw) for raw in NEW]
    answers, fitted = read(table(new)), cast(NaiveBayesModel, result.model)
    p = fitted.predict_proba(answers)
    for message, reasons, chance in zip(new, Explanation(fitted, answers), p, strict=True):
        folder = str(reasons.classes[chance.argmax()])
        output.text(f"  {folder:6} {percent(chance.max()):>7}  {message.subject} (by {_why(reasons)})")
    suspect = audit(model, mail, y)[0]
    subject = found[suspect.row][1].subject
    output.paragraph(
        f"And one seems to be in the wrong folder: '{subject}' is in {suspect.label}, and looks like "
        f"{suspect.looks_like}."
    )


def _why(reasons: Reasons) -> str:
    """The two words that are the strongest evidence for the predicted folder."""
    listed = [reason for reason in reasons.ranked if reasons.log_odds(reason.contributions) > 0]
    return ", ".join(str(reason.column).split(": ", 1)[-1] for reason in listed[:2])
