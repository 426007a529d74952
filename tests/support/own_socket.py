"""Fakes of the Unix socket that a lesson server has in addition to its port."""

import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from hookwright_console.network.server_address import find_socket


@contextmanager
def state_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Set the state folder to a short path; a socket path in a test's folder would be too long."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_STATE_HOME", f"{folder}/s")
        if len(str(find_socket(65_535))) > 100:
            pytest.skip("the temporary folder has too long a name")
        yield


@contextmanager
def listening_privately(port: int, answer: bytes) -> Iterator[list[bytes]]:
    """Listen on a port's Unix socket, respond to each request, and yield the list of requests."""
    requests: list[bytes] = []

    def run() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # the socket was closed
                return
            with connection, suppress(OSError):  # the client may only check the peer and disconnect
                requests.append(connection.recv(65_536))
                connection.sendall(answer)

    with leave_socket(port) as listener:
        listener.listen()
        threading.Thread(target=run, daemon=True).start()
        yield requests
        listener.shutdown(socket.SHUT_RDWR)


def leave_socket(port: int) -> socket.socket:
    """Return a bound socket that does not listen, like one that a stopped server leaves behind."""
    path = find_socket(port)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(path))
    return bound
