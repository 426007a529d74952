"""The owner of a connection's peer is identified and cannot be forged."""

import socket
import struct
from contextlib import suppress

import pytest

from hookwright_console.network.peers import (
    OtherUserError,
    can_find_owner,
    check_server_owner,
    find_socket,
    is_loopback,
    is_own_client,
)

from ...support.other_users import ME, NOBODY, PLACES, SOMEBODY, Meetings, acting_as, needs_root

RESET = struct.pack("ii", 1, 0)  # SO_LINGER: reset the connection instead of closing it

pytestmark = pytest.mark.skipif(not can_find_owner(), reason="only Linux tells socket owners")


@pytest.mark.parametrize("place", PLACES)
def test_own_processes_trust_each_other(meet: Meetings, place: tuple[str, str]) -> None:
    meeting = meet(ME, ME, *place)
    check_server_owner(meeting.client)
    meeting.accept()
    check_server_owner(meeting.client)
    assert meeting.welcomes()


@needs_root
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(("server", "client"), [(ME, NOBODY), (NOBODY, SOMEBODY), (NOBODY, ME)])
def test_client_of_another_user_is_recognised(
    meet: Meetings, place: tuple[str, str], server: int, client: int
) -> None:
    meeting = meet(server, client, *place)
    meeting.accept()
    assert not meeting.welcomes()


@needs_root
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("accepted", [False, True])
@pytest.mark.parametrize(("server", "client"), [(NOBODY, ME), (NOBODY, SOMEBODY)])
def test_server_of_another_user_is_recognised(
    meet: Meetings, place: tuple[str, str], server: int, client: int, *, accepted: bool
) -> None:
    meeting = meet(server, client, *place)
    if accepted:
        meeting.accept()
    with acting_as(client), pytest.raises(OtherUserError, match=r"another user \(id 65534\)"):
        check_server_owner(meeting.client)


@needs_root
@pytest.mark.parametrize("accepted", [False, True])
def test_server_of_root_is_trusted(meet: Meetings, *, accepted: bool) -> None:
    meeting = meet(ME, NOBODY)
    if accepted:
        meeting.accept()
    with acting_as(NOBODY):
        check_server_owner(meeting.client)


@needs_root
def test_server_that_bound_the_port_later_is_detected(meet: Meetings) -> None:
    meeting = meet(NOBODY, ME)
    meeting.accept()
    port = meeting.listener.getsockname()[1]
    meeting.listener.close()
    with socket.create_server(("127.0.0.1", port)), pytest.raises(OtherUserError):
        check_server_owner(meeting.client)


def test_half_closed_client_is_accepted(meet: Meetings) -> None:
    meeting = meet(ME, ME)
    meeting.client.shutdown(socket.SHUT_WR)
    assert meeting.accept().recv(1) == b""
    assert meeting.welcomes()


@pytest.mark.parametrize("client", [ME, pytest.param(NOBODY, marks=needs_root)])
@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("early", [False, True])
def test_disconnected_client_is_rejected(
    meet: Meetings, client: int, *, reset: bool, early: bool
) -> None:
    meeting = meet(ME, client)
    if not early:
        meeting.accept()
    meeting.client.sendall(b"x")
    if reset:
        meeting.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    meeting.client.close()
    if early:
        meeting.accept()
    assert not meeting.welcomes()


class Remembering(socket.socket):
    """A socket that, like uvloop's, remembers its peer's address."""

    _peer: tuple[str, int] | None = None

    def getpeername(self) -> tuple[str, int]:
        if self._peer is None:
            self._peer = super().getpeername()
        return self._peer


@pytest.mark.parametrize("kind", [socket.socket, Remembering])
def test_reused_addresses_are_rejected(meet: Meetings, kind: type[socket.socket]) -> None:
    for _ in range(5):  # another process may take the port first
        meeting = meet(ME, ME)
        accepted = meeting.accepted = kind(fileno=meeting.accept().detach())
        assert is_own_client(accepted)
        address, server = meeting.client.getsockname(), meeting.listener.getsockname()
        meeting.client.sendall(b"x")
        meeting.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        meeting.client.close()
        with suppress(OSError):
            other = socket.create_connection(server, source_address=address)
            break
    with other:
        peer = find_socket(other.family, address, server)
        assert peer
        assert peer.is_connected
        assert not is_own_client(accepted)


def test_listener_on_the_client_port_is_ignored(meet: Meetings) -> None:
    while True:
        meeting = meet(ME, ME)
        address = meeting.client.getsockname()
        meeting.accept()
        meeting.client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        meeting.client.close()
        with suppress(OSError):  # another process may have bound the port
            server = socket.create_server(address)
            break
    with server:
        peer = find_socket(socket.AF_INET, address, meeting.listener.getsockname())
        assert peer
        assert not peer.is_connected
        assert not meeting.welcomes()


def test_connecting_client_is_ignored() -> None:
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as full,
        socket.create_connection(full.getsockname()),
        socket.socket() as waiting,
    ):
        waiting.bind(("127.0.0.1", 0))
        waiting.setblocking(False)  # noqa: FBT003 - it takes no name
        waiting.connect_ex(full.getsockname())
        peer = find_socket(socket.AF_INET, waiting.getsockname(), full.getsockname())
        assert peer
        assert (peer.user, peer.is_connected) == (ME, False)


def test_missing_socket_has_no_owner() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    assert find_socket(socket.AF_INET, address, address) is None


@pytest.mark.parametrize("trouble", [OSError, PermissionError])
def test_exhausted_file_descriptors_admit_nobody(
    meet: Meetings, monkeypatch: pytest.MonkeyPatch, trouble: type[OSError]
) -> None:
    """A server that has run out of file descriptors rejects every client."""
    meeting = meet(ME, ME)
    accepted = meeting.accept()

    def refuse(*_: object) -> None:
        raise trouble

    monkeypatch.setattr("hookwright_console.network.peers.find_socket", refuse)
    assert not can_find_owner()
    assert not is_own_client(accepted)
    check_server_owner(meeting.client)


def test_other_systems_report_no_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    assert not can_find_owner()


def test_loopback_addresses_are_recognised() -> None:
    for host, expected in [
        ("127.0.0.1", True),
        ("127.255.1.2", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:10.0.0.1", False),
        ("10.0.0.1", False),
        ("fe80::1%eth0", False),
        ("::", False),
        ("localhost", True),
        ("localhost.example", False),
    ]:
        assert is_loopback(host) is expected
