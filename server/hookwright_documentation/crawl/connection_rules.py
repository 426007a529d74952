"""Find the addresses of hosts, and hold back those that are not to be connected to.

A connection goes to an address that was found here, so a name cannot lead to one address when it
is checked and to another one when it is used.
"""

import socket
from collections.abc import Callable
from typing import Any

from hookwright_documentation.crawl.addresses import is_intranet, is_public, may_be_own

Lookup = Callable[..., list[Any]]  # as socket.getaddrinfo


class ConnectionRules:
    """Which hosts may be connected to at addresses that are not of the internet."""

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
        self._first: list[str] = []  # addresses of the user's host
        self.refused: dict[str, str] = {}

    def find_addresses(self, host: str, port: int, *rest: int) -> list[Any]:
        """Return what the lookup finds, without what may not be connected to; raises OSError."""
        try:
            found = self._lookup(host, port, *rest)
        except UnicodeError:  # of a name that cannot be one, which resolvers do not expect
            raise socket.gaierror(socket.EAI_NONAME, "not a name of a host") from None
        host = host.lower()
        if host in self._proxies:
            return found
        public = [one for one in found if is_public(one[4][0])]
        if self.is_users(host, port):
            addresses = [str(one[4][0]) for one in found]
            self._first = self._first or addresses
            if self._any_address and not any(map(is_public, self._first)):
                return found
            if self.is_intranet:
                return [one for one in found if one in public or is_intranet(str(one[4][0]))]
        if found and not public:
            self.refused[host] = str(found[0][4][0])
        return public

    @property
    def is_intranet(self) -> bool:
        """Whether the user's host has a public name, and addresses of an intranet alone."""
        return not self._any_address and bool(self._first) and all(map(is_intranet, self._first))

    def is_users(self, host: str, port: int) -> bool:
        """Return whether the user gave a host and port; the one of HTTPS goes with that of HTTP."""
        if self._is_strangers:
            return False
        return (host, port) == self._origin or (host, 80, port) == (*self._origin, 443)
