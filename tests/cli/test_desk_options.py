import webbrowser
from collections.abc import Callable
from typing import Any

import pytest

from likely.cli.desk_options import run
from likely.desk import server
from likely.desk.guard import AccessTokens


def test_the_browser_gets_a_token_for_one_visit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    tokens = AccessTokens(1234)

    def serve(desk: Any, port: int, ready: Callable[[AccessTokens], None]) -> None:
        ready(tokens)

    monkeypatch.setattr(server, "serve", serve)
    monkeypatch.setattr(webbrowser, "open", opened.append)
    run(None, 0, opens=True)  # type: ignore[arg-type]
    assert tokens.address in capsys.readouterr().out
    (address,) = opened
    assert address.startswith("http://127.0.0.1:1234/?token=")
    assert address != tokens.address
    run(None, 0, opens=False)  # type: ignore[arg-type]
    assert len(opened) == 1
