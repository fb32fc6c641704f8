"""Stores the model of an account as the bytes of a model file. They are checked when they are read, and run no code.

They are in the database of the account, so that the model and the list of learned messages change in one transaction.
"""

import json
from typing import Any

import numpy as np

from likely import __version__
from likely.mail.confidence import Guesses
from likely.mail.folder_records import FolderRecord, FolderRecords
from likely.mail.model import MailModel
from likely.mail.online_blend import RATES, OnlineBlend, no_weights
from likely.mail.reading import COLUMNS
from likely.store import BadModelFile, container, naive_bayes
from likely.store.values import Reader, Writer

KIND = "filer"


def packed(model: MailModel) -> bytes:
    writer, blend = Writer(), model.blend
    about = {
        "scales": model.scales,
        "half_life": model.half_life,
        "now": model.now,
        "pairs": model.pairs,
        "chosen_by": model.chosen_by,
        "guesses": vars(model.guesses),
        "records": {
            "messages": model.records.messages,
            "folders": list(model.records.each),
            "each": np.array(list(model.records.each.values()), float).reshape(-1, 3),
        },
        "blend": None if blend is None else {"folders": blend.folders, "weights": blend.weights, "rate": blend.rate},
    }
    parts = None if model.learned is None else naive_bayes.parts(model.bayes)
    manifest = {"kind": KIND, "filer": writer.plain(about, "filer"), "parts": writer.plain(parts, "parts")}
    return container.packed(__version__, json.dumps(manifest, separators=(",", ":")), writer.arrays)


def unpacked(data: bytes) -> MailModel:
    """The model in these bytes. Raises BadModelFile if `packed` did not make them, or if this version can't read
    them."""
    contents = container.unpacked(data, "what was learned of this account")
    try:
        manifest, reader = json.loads(contents.text), Reader(contents.arrays)
        _require(manifest["kind"] == KIND, "it is of another kind")
        return _made(reader.value(manifest["filer"]), reader.value(manifest["parts"]))
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise BadModelFile(f"what was learned of this account cannot be read: {error}; learn again") from None


def _made(about: dict[str, Any], parts: dict[str, Any] | None) -> MailModel:
    guesses = Guesses(**about["guesses"])
    shapes = {array.shape for array in guesses.arrays}
    _require(shapes == {(len(guesses),)} and guesses.right.dtype == np.bool, "a guess is not whole")
    _require(about["scales"].shape == (len(COLUMNS),) and bool((about["scales"] > 0).all()), "each text has its scale")
    learned = None if parts is None else naive_bayes.naive_bayes(parts).known
    _require(learned is None or len(learned.blocks) == len(COLUMNS), "there are two texts")
    return MailModel(
        learned,
        about["scales"],
        guesses,
        _records(**about["records"]),
        about["half_life"],
        about["now"],
        about["pairs"],
        None if about["blend"] is None else _blend(**about["blend"]),
        about["chosen_by"],
    )


def _records(messages: Any, folders: Any, each: Any) -> FolderRecords:
    _require(each.shape == (len(folders), 3) and bool(np.isfinite(each).all()), "a folder's record is not whole")
    return FolderRecords(messages, {name: FolderRecord(*row) for name, row in zip(folders, each.tolist(), strict=True)})


def _blend(folders: Any, weights: Any, rate: Any) -> OnlineBlend:
    fits = weights.shape == no_weights(len(folders)).shape and weights.dtype == np.float32
    _require(fits and rate in RATES and bool(np.isfinite(weights).all()), "its blend is not in order")
    _require(bool((weights[:, 1] >= 0).all()), "a sum of squares is negative")
    return OnlineBlend(tuple(folders), weights.copy(), rate)


def _require(ok: bool, otherwise: str) -> None:
    if not ok:
        raise ValueError(otherwise)
