"""Find the user whose process is at the other end of a local connection.

Linux provides this through sock_diag(7): a request for the socket between two addresses takes 12
microseconds. /proc/net/tcp contains the same data but lists all sockets: on a machine with 24 GB,
reading it takes 3 ms without connections and 70 ms with ten thousand.

The kernel reports the following, tested on 6.18 and checked in `sock_i_uid()` of older versions:

- A socket that is open in a process has an inode, and the ID of the user who opened it; for a
  server's socket, this is the user who accepted the connection. shutdown() changes neither.
- A socket that was closed while data was in flight, is in TIME_WAIT or has not been accepted yet
  has the inode 0; its user is the former owner, the listener's owner or 0. Therefore the user is
  valid only together with an inode.
- If no socket has both addresses, the kernel reports the one that listens on the first address.
- If the other end is in another network namespace, the kernel reports no socket.
"""

import errno
import os
import socket
import struct
import sys
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address

from hookwright_console.errors import ReportedError

NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
REQUEST = 1  # NLM_F_REQUEST: query a single socket
HEAD = struct.Struct("=IHHII")  # length, type, flags, sequence number, port
KIND = struct.Struct("=BBBBI")  # family, protocol, extensions, padding, states
PORTS = struct.Struct(">HH")
ANY = struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)  # interface and cookie
STATE, OWNER = 1, struct.Struct("=II")  # index of the state field; layout of the user ID and inode
OWNER_PLACE = 64
MAX_ANSWER = 4096  # bytes
# ESTABLISHED, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT, LAST_ACK, CLOSING: both ends have established the
# connection.
CONNECTED = {1, 4, 5, 8, 9, 11}
ROOT = 0

Address = tuple[str, int]  # IPv6 addresses have two more fields


class OtherUserError(ReportedError):
    """Another user's process is listening on the port of this user's server."""


@dataclass(frozen=True)
class SocketOwner:
    """The user ID of a socket's process, and whether the socket is connected."""

    user: int
    is_connected: bool


def can_find_owner() -> bool:
    """Return whether this system reports socket owners, tested on a socket of this process."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as own:
            found = find_socket(own.family, own.getsockname(), ("127.0.0.1", 0))
    except OSError:
        return False
    return found is not None and found.user == os.geteuid()


def is_own_client(connection: socket.socket) -> bool:
    """Return whether a process of this user is the client of an accepted connection.

    Returns False for every other user, including root, and for a client that has closed its socket.
    """
    if sys.platform != "win32" and connection.family == socket.AF_UNIX:
        return True  # the socket's folder is private
    try:
        client, server = connection.getpeername(), connection.getsockname()
        found = find_socket(connection.family, client, server)
        # If this connection has ended, another connection may now use the same two addresses. Query
        # the system through a new socket object, because uvloop would return the cached address.
        with socket.fromfd(connection.fileno(), connection.family, socket.SOCK_STREAM) as same:
            same.getpeername()
    except OSError:
        return False
    return found is not None and found.is_connected and found.user == os.geteuid()


def check_server_owner(connection: socket.socket) -> None:
    """Raise OtherUserError if a loopback connection leads to another user's server.

    Servers run by root are accepted because Docker forwards ports as root, and root can do
    anything. Servers with an unknown owner are also accepted.
    """
    client, server = connection.getsockname(), connection.getpeername()
    if not is_loopback(server[0]):
        return
    try:
        # Check the listener first: if the connection has not been accepted yet, the listener will
        # accept it.
        listener = find_socket(connection.family, server, (client[0], 0))
        found = find_socket(connection.family, server, client) or listener
    except OSError:
        return
    if found and found.user not in {ROOT, os.geteuid()}:
        raise OtherUserError(
            f"port {server[1]} is held by another user (id {found.user}):"
            " start your server with another --port"
        )


def is_loopback(host: str) -> bool:
    """Return whether an address is reachable only from this machine."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host == "localhost"
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return (mapped or address).is_loopback


def find_socket(family: int, local: Address, remote: Address) -> SocketOwner | None:
    """Return the owner of the socket between two addresses, or of the listener on the local one.

    Args:
        family: The address family; IPv4-mapped IPv6 addresses also work.
        local: The address of the socket.
        remote: The address of its peer; port 0 if the socket is listening.

    Raises:
        OSError: The system does not report the owner.

    """
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, "only Linux tells who owns a socket")
    question = KIND.pack(family, socket.IPPROTO_TCP, 0, 0, 0xFFFFFFFF)
    question += PORTS.pack(local[1], remote[1])
    for host, *_ in (local, remote):
        question += socket.inet_pton(family, host.partition("%")[0]).ljust(16, b"\0")
    question += ANY
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_SOCK_DIAG) as kernel:
        length = HEAD.size + len(question)
        kernel.send(HEAD.pack(length, SOCK_DIAG_BY_FAMILY, REQUEST, 0, 0) + question)
        answer = kernel.recv(MAX_ANSWER, socket.MSG_DONTWAIT)  # the reply is available at once
    _, kind, *_ = HEAD.unpack_from(answer)
    if kind != SOCK_DIAG_BY_FAMILY:
        return None  # the kernel reported an error: no such socket
    user, inode = OWNER.unpack_from(answer, HEAD.size + OWNER_PLACE)
    return SocketOwner(user, answer[HEAD.size + STATE] in CONNECTED) if inode else None
