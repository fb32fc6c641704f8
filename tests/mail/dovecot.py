"""A real IMAP server for the tests: Dovecot on loopback, unprivileged, with a configuration that is thrown away."""

import grp
import os
import pwd
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from time import monotonic, sleep

PROGRAM = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
PASSWORD = "not-a-secret"
USER = "ann"

CONFIGURATION = """
base_dir = {place}/run
state_dir = {place}/state
log_path = {place}/log
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
first_valid_gid = 1
auth_mechanisms = {mechanisms}
auth_failure_delay = 0
disable_plaintext_auth = no
ssl = {ssl}
protocols = imap
mail_fsync = never
mail_location = maildir:{place}/mail:LAYOUT=fs
mail_plugins = {plugins}
{capability}
service anvil {{
  chroot =
}}
service imap-login {{
  chroot =
  process_min_avail = 0
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    address = 127.0.0.1
    port = {tls_port}
    ssl = yes
  }}
}}
service imap {{
  drop_priv_before_exec = no
}}
protocol imap {{
  mail_plugins = {imap_plugins}
}}
namespace inbox {{
  inbox = yes
  separator = /
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
  mailbox Entsorgt {{
    auto = create
    special_use = \\Trash
  }}
}}
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={place}/home
}}
{more}
"""


OAUTH = """
introspection_url = {tokens}
introspection_mode = auth
username_attribute = username
active_attribute = active
active_value = true
"""


class Dovecot:
    """Started with `start`, which can be called again after `stop`; `mail` is the Maildir behind it."""

    def __init__(
        self,
        place: Path,
        move: bool = True,
        idle: bool = True,
        uidplus: bool = True,
        quota: str = "",
        acl: bool = False,
        tls: bool = False,
        oauth: str = "",
        tokens: str = "",
    ) -> None:
        """`oauth` names the mechanism by which tokens are taken, which the server at the URL `tokens` knows."""
        self.place = place
        self.mail = place / "mail"
        self.port, self.tls_port = _free_port(), _free_port() if tls else 0
        self.certificate = place / "certificate.pem"
        user = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        group = grp.getgrgid(user.pw_gid).gr_name
        hidden = [*([] if move else ["MOVE"]), *([] if idle else ["IDLE"]), *([] if uidplus else ["UIDPLUS"])]
        offers = ("UIDPLUS", "MOVE", "IDLE", "SPECIAL-USE", "MULTIAPPEND", "LITERAL+")
        offered = [name for name in offers if name not in hidden]
        plugins = " ".join([*(["quota"] if quota else []), *(["acl"] if acl else [])])
        more = f"plugin {{\n  quota = maildir\n  quota_rule = *:{quota}\n}}\n" if quota else ""
        more += "plugin {\n  acl = vfile\n}\n" if acl else ""
        if tls:
            certify(self.certificate)
            more += f"ssl_cert = <{self.certificate}\nssl_key = <{self.certificate}\n"
        for name in ("", "run", "state", "home", "mail"):
            (place / name).mkdir(exist_ok=True)
        if oauth:
            (place / "oauth2").write_text(OAUTH.format(tokens=tokens))
            more += f"passdb {{\n  driver = oauth2\n  mechanisms = {oauth}\n  args = {place}/oauth2\n}}\n"
        (place / "conf").write_text(
            CONFIGURATION.format(
                place=place,
                user=user.pw_name,
                group=group,
                uid=user.pw_uid,
                gid=user.pw_gid,
                port=self.port,
                tls_port=self.tls_port,
                ssl="yes" if tls else "no",
                mechanisms=oauth or "plain",
                password=PASSWORD,
                plugins=plugins,
                imap_plugins=plugins + (" imap_quota" if quota else "") + (" imap_acl" if acl else ""),
                capability=f"imap_capability = IMAP4rev1 {' '.join(offered)}" if hidden else "",
                more=more,
            )
        )
        self.own()
        self._identity = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if os.getuid() == 0 else {}
        self._process: subprocess.Popen[bytes] | None = None

    def own(self) -> None:
        """Gives all files to the user that the server runs as."""
        if os.getuid() == 0:
            user = pwd.getpwnam("nobody")
            for path in (self.place, *self.place.rglob("*")):
                os.chown(path, user.pw_uid, user.pw_gid, follow_symlinks=False)

    @property
    def address(self) -> str:
        return f"imap://{USER}@127.0.0.1:{self.port}"

    def start(self) -> None:
        assert PROGRAM is not None
        with (self.place / "output").open("ab") as output:
            self._process = subprocess.Popen(
                [PROGRAM, "-F", "-c", str(self.place / "conf")],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                cwd=self.place,
                start_new_session=True,
                **self._identity,
            )
        end = monotonic() + 20
        while monotonic() < end:
            with socket.socket() as client:
                client.settimeout(5)
                if client.connect_ex(("127.0.0.1", self.port)) == 0 and client.recv(100).startswith(b"* OK"):
                    return
            if self._process.poll() is not None:
                break
            sleep(0.02)
        log = self.place / "log"
        told = (log.read_text() if log.exists() else "") + (self.place / "output").read_text()
        raise RuntimeError(f"Dovecot did not start: {told[-2000:]}")

    def stop(self) -> None:
        """Ends it with all its processes, and with every connection."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(20)
            self._process = None


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def certify(path: Path) -> None:
    """A certificate of this machine, that nobody has signed but itself."""
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    files = ["-keyout", str(path), "-out", str(path.with_suffix(".crt"))]
    subprocess.run(["openssl", "req", *kind, *subject, *files], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + path.with_suffix(".crt").read_bytes())
