"""Passwords and tokens. They come from the environment, a command or the system's keyring, and are never shown."""

import os
import shlex
import subprocess
from dataclasses import dataclass

VARIABLE = "LIKELY_MAIL_PASSWORD"
SERVICE = "likely"
SECONDS = 120
"""How many seconds the command may take: it may ask you something."""


class NoSecret(Exception):
    """There is no password."""


class SecretFailed(NoSecret):
    """The command that prints the password failed; it may succeed the next time."""


@dataclass(frozen=True)
class Secret:
    """Where a secret comes from. It is read each time it is needed, and stored nowhere."""

    password_command: str | None = None
    token_command: str | None = None

    @property
    def is_token(self) -> bool:
        """Whether it is an OAuth2 access token."""
        return self.token_command is not None

    def get(self, user: str, host: str) -> str:
        """The token that the token command prints; else the password from its command, the environment or the
        keyring."""
        command = self.token_command or self.password_command
        if command is not None:
            return _printed(command)
        if VARIABLE in os.environ:
            return os.environ[VARIABLE]
        found = _from_keyring(f"{user}@{host}")
        if found is None:
            raise NoSecret(
                f"there is no password for {user} at {host}: set {VARIABLE}, give --password-command or "
                f"--token-command, or store it by `keyring set {SERVICE} {user}@{host}`"
            )
        return found


def _printed(command: str) -> str:
    """The first line that a command prints. Its standard error goes to the terminal, not into our errors."""
    try:
        done = subprocess.run(shlex.split(command), stdout=subprocess.PIPE, timeout=SECONDS, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        name = type(error).__name__ if not isinstance(error, OSError) else error.strerror
        raise SecretFailed(f"the command for the password failed: {name}") from None
    line = done.stdout.decode(errors="replace").partition("\n")[0].rstrip("\r")
    if done.returncode or not line:
        what = f"ended with status {done.returncode}" if done.returncode else "printed nothing"
        raise SecretFailed(f"the command for the password {what}")
    return line


def _from_keyring(name: str) -> str | None:
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError:
        return None
    try:
        found: str | None = keyring.get_password(SERVICE, name)
        return found
    except KeyringError:
        return None
