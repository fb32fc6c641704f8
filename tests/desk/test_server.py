import asyncio
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from likely.desk.server import listener

from .desks import COMMAND, RunningDesk
from .tables import write


def test_it_prints_its_address_and_ends_with_ctrl_c_while_a_page_listens(tmp_path: Path) -> None:
    with RunningDesk(write(tmp_path / "messages.csv"), "--text", "message") as desk:
        desk.enter()
        with socket.create_connection(("127.0.0.1", desk.port)) as listening:
            listening.sendall(f"GET /events HTTP/1.1\r\nHost: {desk.host}\r\nCookie: {desk.cookie}\r\n\r\n".encode())
            listening.settimeout(10)
            assert b"text/event-stream" in listening.recv(1000)
            assert "Error" not in desk.interrupt()


AT_THE_START = """
import asyncio, signal
from likely.desk.events import Events
from likely.desk.server import serve

class Desk:
    pages, events = None, Events()
    routes = lambda self: []
    close = lambda self: print("closed")

class Count:
    "Interrupts as asyncio counts them. Ctrl-C comes when its handler is there and the count is not yet."
    def __set__(self, runner, count):
        if "count" in vars(runner):
            print("interrupted")
            signal.raise_signal(signal.SIGINT)
        vars(runner)["count"] = count
    def __get__(self, runner, _):
        return vars(runner)["count"]

asyncio.Runner._interrupt_count = Count()
serve(Desk())
"""


def test_ctrl_c_at_the_moment_that_the_loop_starts() -> None:
    """In a process of its own: signals need a main thread without a browser's loop."""
    done = subprocess.run([sys.executable, "-c", AT_THE_START], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("interrupted\nclosed\n", "")


def test_small_packets_do_not_wait_for_each_other() -> None:
    """As asyncio has it of a server's connections, if the protocol is named."""

    async def option() -> int:
        found = asyncio.get_running_loop().create_future()

        def connected(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            made = writer.get_extra_info("socket")
            found.set_result(made.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with listener(0) as listening:
            async with await asyncio.start_server(connected, sock=listening):
                with socket.create_connection(listening.getsockname()):
                    return await found

    with ThreadPoolExecutor(1) as other:  # in this thread the browser's own loop may run
        assert other.submit(lambda: asyncio.run(option())).result()


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    write(tmp_path / "messages.csv")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [str(COMMAND), "desk", "messages.csv", "--text", "message", "--no-open", "--port", str(port)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: port {port} of 127.0.0.1 can't be used")
    assert done.stderr.count("\n") == 1


def test_what_fails_is_a_page(tmp_path: Path) -> None:
    with RunningDesk(write(tmp_path / "messages.csv"), "--text", "message") as desk:
        desk.enter()
        answer = desk.ask("GET", "/nothing")
        assert answer.status == 404
        assert "This could not be done" in answer.text
