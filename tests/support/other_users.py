"""Create sockets and processes of other users, which requires root."""

import encodings.idna  # noqa: F401 - nobody else may read where Python is
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hookwright_console.network.peers import is_own_client

ME = os.geteuid()
NOBODY, SOMEBODY = 65_534, 65_533  # user IDs
# Import the hook's modules first, because other users may not be able to read Python's folder.
BECOME = (
    "import _json, encodings.idna, os, socket, sys\n"
    "os.setgroups([]); os.setgid({0}); os.setuid({0})\n"
)
# The address on which a server listens, and the address to which a client connects.
PLACES = [
    ("127.0.0.1", "127.0.0.1"),
    ("127.0.0.1", "localhost"),
    ("0.0.0.0", "127.9.9.9"),  # noqa: S104 - an address like any other
    ("127.0.0.1", "::ffff:127.0.0.1"),
    ("::1", "::1"),
    ("::", "127.0.0.1"),
    ("::", "::ffff:127.0.0.1"),
]
# Prints the port of the listener, and the number of bytes received from the client.
LISTEN = """
with socket.create_server(("127.0.0.1", 0)) as listener:
    print(listener.getsockname()[1], flush=True)
    connection, _ = listener.accept()
    got = connection.recv(65536)
    print(len(got), flush=True)
    connection.sendall(b"HTTP/1.1 502 Bad Gateway\\r\\nContent-Length: 0\\r\\n\\r\\n")
"""
needs_root = pytest.mark.skipif(
    sys.platform != "linux" or ME != 0, reason="only root can be another user"
)


@contextmanager
def acting_as(user: int) -> Iterator[None]:
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(ME)


def start_as(user: int, code: str, *words: object) -> "subprocess.Popen[str]":
    """Start a process of another user that runs code with os, socket and sys imported.

    Args:
        user: The user ID.
        code: The Python code.
        words: The arguments in sys.argv[1:].

    """
    command = [sys.executable, "-I", "-S", "-c", BECOME.format(user) + code, *map(str, words)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


class Meeting:
    """A server and a connected client, each run by some user; `accept` accepts the connection."""

    def __init__(self, server: int, client: int, *place: str) -> None:
        """Start a listening server, and connect a client.

        Args:
            server: The server's user.
            client: The client's user.
            place: The address to listen on, and the address to connect to.

        """
        self._user = server
        listen_address, connect_address = place or PLACES[0]
        family = socket.AF_INET6 if ":" in listen_address else socket.AF_INET
        try:
            with acting_as(server):
                self.listener = socket.create_server(
                    (listen_address, 0), family=family, dualstack_ipv6=listen_address == "::"
                )
        except OSError:
            pytest.skip("this machine has no IPv6")
        with acting_as(client):
            self.client = socket.create_connection(
                (connect_address, self.listener.getsockname()[1])
            )
        self.accepted: socket.socket | None = None

    def accept(self) -> socket.socket:
        with acting_as(self._user):
            self.accepted, _ = self.listener.accept()
        return self.accepted

    def welcomes(self) -> bool:
        assert self.accepted
        with acting_as(self._user):
            return is_own_client(self.accepted)

    def close(self) -> None:
        for connection in (self.client, self.accepted, self.listener):
            if connection:
                connection.close()


class Meetings:
    """Creates meetings, and closes them."""

    def __init__(self) -> None:
        self._meetings: list[Meeting] = []

    def __call__(self, server: int, client: int, *place: str) -> Meeting:
        self._meetings.append(Meeting(server, client, *place))
        return self._meetings[-1]

    def close(self) -> None:
        for meeting in self._meetings:
            meeting.close()
