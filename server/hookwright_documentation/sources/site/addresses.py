"""Distinguish public addresses from those of this computer and of private networks.

Connections use the address that was checked, so a name cannot resolve to one address for the check
and another for the connection.
"""

import socket
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from hookwright_console.network import peers

# Not public, although some Python versions' `ipaddress` module reports them as public.
SPECIAL = tuple(
    ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocols, and Oracle's cloud metadata
        "168.63.129.16/32",  # Azure's platform address, present on all its machines
        "192.88.99.0/24",  # 6to4 relays, now obsolete
        "3fff::/20",  # reserved for documentation
    )
)
INTRANET = tuple(
    ip_network(network) for network in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")
)
METADATA = ip_address("fd00:ec2::254")  # Amazon's metadata service, like 169.254.169.254
ISATAP = (0x00005EFE, 0x02005EFE)  # third quarter of an IPv6 address that ends with an IPv4 address
OWN_NAMES = (".localhost", ".local", ".internal", ".lan", ".home.arpa")
TRANSLATED = IPv6Network("64:ff9b::/96")  # IPv4 address in the last 32 bits, RFC 6052
Lookup = Callable[..., list[Any]]  # a function like socket.getaddrinfo


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet.

    Addresses of this computer, of private and link-local networks, and of carrier networks
    (100.64.0.0/10) are not public. The same applies to IPv6 addresses that embed one.
    """
    if (ip := parse(address)) is None:
        return False
    every: list[IPv4Address | IPv6Address | None] = [] if ip in TRANSLATED else [ip]
    if isinstance(ip, IPv6Address):
        every += [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
        if ip in TRANSLATED or (int(ip) >> 32) & 0xFFFFFFFF in ISATAP:
            every.append(IPv4Address(int(ip) & 0xFFFFFFFF))
    return all(
        address.is_global
        and not (
            address.is_multicast or address.is_reserved or getattr(address, "is_site_local", False)
        )
        and not any(address in network for network in SPECIAL)
        for address in every
        if address
    )


def is_intranet(address: str) -> bool:
    """Return whether an IP address is in a range for private networks."""
    ip = parse(address)
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return ip is not None and ip != METADATA and any(ip in network for network in INTRANET)


def parse(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address.partition("%")[0])
    except ValueError:
        return None


def normalize_host(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()


def may_be_own(host: str) -> bool:
    """Return whether a host is an IP address, or a name that public DNS does not contain."""
    host = normalize_host(host)
    return "." not in host or host.endswith(OWN_NAMES) or is_literal(host)


def is_private_name(host: str) -> bool:
    """Return whether a host's name alone shows that it is not on the internet."""
    host = normalize_host(host)
    is_own = host == "localhost" or host.endswith(OWN_NAMES)
    return is_own or (is_literal(host) and not is_public(host))


def is_loopback(host: str) -> bool:
    """Return whether a host's name alone shows that it is this computer, in any notation."""
    host = normalize_host(host)
    return host.endswith(".localhost") or peers.is_loopback(host)


def is_literal(host: str) -> bool:
    # Some resolvers and proxies also accept addresses such as 127.1, 0x7f.1 and 2130706433.
    return ":" in host or host.rpartition(".")[2].isdigit() or host.startswith("0x")


class ConnectionRules:
    """Determines which hosts may be reached at non-public addresses."""

    def __init__(
        self,
        origin: tuple[str, int],
        proxies: frozenset[str] = frozenset(),
        lookup: Lookup = socket.getaddrinfo,
        *,
        is_strangers: bool = False,
    ) -> None:
        self._origin = origin
        self._proxies = proxies
        self._lookup = lookup
        self._is_strangers = is_strangers
        self._any_address = may_be_own(origin[0])
        self._first: list[str] = []  # addresses of the host specified by the user
        self.refused: dict[str, str] = {}

    def find_addresses(self, host: str, port: int, *rest: int) -> list[Any]:
        """Return a host's permitted addresses; raises OSError."""
        try:
            found = self._lookup(host, port, *rest)
        except UnicodeError:  # the name is invalid, and resolvers do not expect this error
            raise socket.gaierror(socket.EAI_NONAME, "not a name of a host") from None
        host = host.lower()
        if host in self._proxies:
            return found
        public = [entry for entry in found if is_public(entry[4][0])]
        if self.is_users(host, port):
            addresses = [str(entry[4][0]) for entry in found]
            self._first = self._first or addresses
            if self._any_address and not any(map(is_public, self._first)):
                return found
            if self.is_intranet:
                return [
                    entry for entry in found if entry in public or is_intranet(str(entry[4][0]))
                ]
        if found and not public:
            self.refused[host] = str(found[0][4][0])
        return public

    @property
    def is_intranet(self) -> bool:
        """Whether the user's host has a public name but only private addresses."""
        return not self._any_address and bool(self._first) and all(map(is_intranet, self._first))

    def is_users(self, host: str, port: int) -> bool:
        """Return whether the user specified a host and port; specifying HTTP also permits HTTPS."""
        if self._is_strangers:
            return False
        return (host, port) == self._origin or (host, 80, port) == (*self._origin, 443)
