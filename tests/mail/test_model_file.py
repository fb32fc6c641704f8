"""What was learned, as bytes and back; and bytes that are not as they were written."""

import json
import random
from dataclasses import replace

import numpy as np
import pytest

from likely.mail.account import Letter
from likely.mail.history import History
from likely.mail.model import MailModel
from likely.mail.model_file import packed, unpacked
from likely.mail.online_blend import OnlineBlend, no_weights
from likely.store import BadModelFile, container

from .letters import WORDS, mixed

HISTORY = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(150)))
NEW = History.of_letters(Letter(folder, str(at), raw, 0.0) for at, (folder, raw) in enumerate(mixed(160)[150:]))


def blended(half_life=None):
    model = MailModel.of(HISTORY, half_life)
    weights = no_weights(3) + np.linspace([-1, 0], 1, 3, axis=1, dtype=np.float32)
    return replace(model, blend=OnlineBlend(tuple(model.folders), weights, 0.3)).with_learned(NEW)


def chances(model):
    return model.chances(NEW.mail, set(WORDS))[1]


@pytest.mark.parametrize("half_life", [None, 3.0])
def test_bytes_give_it_again(half_life):
    model = blended(half_life)
    again = unpacked(packed(model))
    assert (chances(again) == chances(model)).all()
    assert again.threshold(0.97) == model.threshold(0.97)
    for told in ("half_life", "now", "pairs", "chosen_by", "folders"):
        assert getattr(again, told) == getattr(model, told)
    assert (chances(again.with_learned(NEW)) == chances(model.with_learned(NEW))).all()
    assert packed(again) == packed(model)
    assert unpacked(packed(MailModel())).learned is None


def test_damaged_bytes_are_refused():
    data, dice = packed(blended()), random.Random(0)
    for _ in range(200):
        at = dice.randrange(len(data))
        with pytest.raises(BadModelFile):
            unpacked(data[:at] + bytes([data[at] ^ 1 << dice.randrange(8)]) + data[at + 1 :])
    for end in (0, 7, 100, len(data) - 1):
        with pytest.raises(BadModelFile):
            unpacked(data[:end])


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda told: told.update(kind="naive_bayes"), "another kind"),
        (lambda told: told.pop("filer"), "filer"),
        (lambda told: told["filer"]["named"]["blend"]["named"].update(rate=7.0), "blend"),
        (lambda told: told["filer"]["named"].update(seen={"array": "filer.scales"}), "second time"),
        (lambda told: told["filer"]["named"].update(scales={"array": "filer.guesses.odds"}), "second time"),
        (lambda told: told["parts"]["named"]["blocks"].pop(), "two texts"),
    ],
)
def test_what_does_not_fit_is_refused(change, why):
    """With checksums that are right: as a program might write it."""
    contents = container.unpacked(packed(blended()), "it")
    told = json.loads(contents.text)
    change(told)
    with pytest.raises(BadModelFile, match=why):
        unpacked(container.packed(contents.version, json.dumps(told), contents.arrays))
