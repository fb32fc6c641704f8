"""Attacks on the desk, each as another program or page on the machine would make it."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from likely.desk.guard import LONGEST, AccessTokens

from .desks import RunningDesk
from .tables import write


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningDesk]:
    folder = tmp_path_factory.mktemp("desk")
    with RunningDesk(write(folder / "messages.csv", 20, 6), "--text", "message", "--target", "kind") as running:
        running.enter()
        yield running


def test_it_listens_on_this_machine_alone(desk: RunningDesk) -> None:
    listening = [
        line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"
    ]
    mine = [address for address in listening if int(address.partition(":")[2], 16) == desk.port]
    assert mine == [f"0100007F:{desk.port:04X}"]
    with socket.socket() as client:
        client.settimeout(5)
        assert client.connect_ex(("127.0.0.2", desk.port)) != 0


def test_without_the_token_there_is_nothing(desk: RunningDesk) -> None:
    for path in (
        "/",
        "/labelled",
        "/events",
        "/labels.csv",
        "/static/desk.js",
        "/nothing",
        "/?token=wrong",
        "/?token=",
    ):
        answer = desk.ask("GET", path, cookie=None)
        assert answer.status == 403, path
        assert "tokens" not in answer.text
    assert desk.ask("POST", "/undo", {}, cookie=None).status == 403
    assert desk.ask("GET", "/", cookie=f"likely-desk-{desk.port}=wrong").status == 403
    assert desk.ask("GET", "/", cookie="\x01;;=;" + "x" * 500).status == 403


def test_cookies_of_other_ports_lock_nobody_out(desk: RunningDesk) -> None:
    name = desk.cookie.partition("=")[0]
    for other in ('prefs={"wide": "yes"}', 'a="', f"{name}=planted", "\xff=\xff"):
        assert desk.ask("GET", "/", cookie=f"{other}; {desk.cookie}").status == 200, other
        assert desk.ask("GET", "/", cookie=f"{desk.cookie}; {other}").status == 200, other


def test_the_token_becomes_a_cookie_that_scripts_and_other_sites_do_not_get(desk: RunningDesk) -> None:
    answer = desk.ask("GET", f"/?token={desk.token}", cookie=None)
    assert (answer.status, answer.headers.get("location")) == (303, "/")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert desk.token not in cookie
    assert desk.ask("GET", f"/labelled?token={desk.token}", cookie=None).status == 403


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_another_host_is_dns_rebinding(desk: RunningDesk, host: str) -> None:
    assert desk.ask("GET", "/", host=host.format(port=desk.port)).status == 403


def test_no_host_is_refused(desk: RunningDesk) -> None:
    assert desk.ask("GET", "/", host=None).status in (400, 403)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}", None]
)
def test_another_origin_changes_nothing(desk: RunningDesk, origin: str | None) -> None:
    given = None if origin is None else origin.format(port=desk.port)
    before = desk.page("/labelled")
    assert desk.ask("POST", "/answer", {"row": 9, "seen": 0, "label": "bug"}, origin=given).status == 403
    assert desk.page("/labelled") == before


def test_a_page_of_another_port_reads_nothing(desk: RunningDesk) -> None:
    """It is the same site, so that the cookie comes along."""
    for site in ("same-site", "cross-site"):
        assert desk.ask("GET", "/labels.csv", sec_fetch_site=site).status == 403
    assert desk.ask("GET", "/labels.csv", origin="http://127.0.0.1:1").status == 403


def test_every_answer_has_the_strict_headers(desk: RunningDesk) -> None:
    for path, cookie in (("/", desk.cookie), ("/static/desk.js", desk.cookie), ("/nothing", desk.cookie), ("/", None)):
        answer = desk.ask("GET", path, cookie=cookie)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers.get("x-content-type-options") == "nosniff"
        assert answer.headers.get("cross-origin-resource-policy") == "same-origin"
        assert answer.headers.get("cache-control") == "no-store"
        assert answer.headers.get("access-control-allow-origin") is None


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(desk: RunningDesk, method: str) -> None:
    assert desk.ask(method, "/").status == 405


@pytest.mark.parametrize(
    "path",
    [
        "/static/../guard.py",
        "/static/..%2fguard.py",
        "/static/%2e%2e/guard.py",
        "/static//etc/passwd",
        "/../../etc/passwd",
    ],
)
def test_paths_lead_nowhere(desk: RunningDesk, path: str) -> None:
    answer = desk.ask("GET", path)
    assert answer.status in (404, 405)
    assert "class Guard" not in answer.text


def test_what_is_no_number_is_refused(desk: RunningDesk) -> None:
    for row in ("", "x", "-1", "1e9", "9" * 40, "../x", "²"):
        assert desk.ask("POST", "/answer", {"row": row, "seen": 0, "label": "bug"}).status == 400
    assert desk.ask("GET", "/?row=999").status == 404


def test_a_form_that_is_too_long_is_refused(desk: RunningDesk) -> None:
    assert desk.ask("POST", "/answer", {"row": 1, "seen": 0, "label": "x" * LONGEST}).status == 413


def test_the_token_for_a_browser_is_good_for_one_visit() -> None:
    tokens = AccessTokens(1)
    once = tokens.address_for_one_visit().partition("token=")[2]
    assert tokens.opens(once)
    assert not tokens.opens(once)
    lasting = tokens.address.partition("token=")[2]
    assert tokens.opens(lasting)
    assert tokens.opens(lasting)
    assert not tokens.opens("é")
