"""Named accounts with their options, from `likely/mail.toml` in the XDG configuration folder:

[home]
address = "imaps://ann@example.org"
password-command = "pass mail/home"
exclude = ["Archive/*"]
precision = 0.98
"""

import os
import tomllib
from pathlib import Path
from typing import Any

TEXTS = ("address", "password-command", "token-command", "home", "from", "half-life")
LISTS = ("include", "exclude")
NUMBERS = ("precision", "settled", "every")
NAMES = {"from": "source"}
"""Options whose parameter has another name in the code."""


def config_path() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "likely" / "mail.toml"


def settings_of(name: str) -> dict[str, Any] | None:
    """The settings of the account with this name; None if there is none. A path or an address is never a name."""
    path = config_path()
    if "/" in name or ":" in name or not path.exists():
        return None
    try:
        accounts = tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{str(path)!r} is not TOML: {error}") from None
    if name not in accounts:
        return None
    account = accounts[name]
    if not isinstance(account, dict) or "address" not in account:
        raise ValueError(f"{str(path)!r}: account {name!r} has no address")
    for key, value in account.items():
        _check(f"{str(path)!r}: account {name!r}", key, value)
    return {NAMES.get(key, key.replace("-", "_")): value for key, value in account.items()}


def _check(where: str, key: str, value: Any) -> None:
    if key in TEXTS:
        good, kind = isinstance(value, str), "a text"
    elif key in LISTS:
        good, kind = isinstance(value, list) and all(isinstance(item, str) for item in value), "a list of texts"
    elif key in NUMBERS:
        good, kind = isinstance(value, int | float) and not isinstance(value, bool), "a number"
    else:
        raise ValueError(f"{where} has a setting {key!r}; known are {', '.join((*TEXTS, *LISTS, *NUMBERS))}")
    if not good:
        raise ValueError(f"{where}: {key!r} should be {kind}")
