"""Tell the addresses of the internet from those of this computer and its networks."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

TRANSLATED = IPv6Network("64:ff9b::/96")  # an IPv4 address in the last 32 bits, RFC 6052


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the internet.

    Those of this computer, of private and link-local networks and of a carrier's (100.64.0.0/10)
    are not, in whatever form of IPv6 they are embedded.
    """
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    embedded = _find_embedded(ip)
    own = [] if ip in TRANSLATED else [ip]
    return all(_is_public(one) for one in (*own, *embedded))


def is_private_name(host: str) -> bool:
    """Return whether a host's name alone tells that it is not on the internet."""
    host = host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith((".localhost", ".local", ".internal")):
        return True
    return not is_public(host) if _is_literal(host) else False


def is_loopback(host: str) -> bool:
    """Return whether a host's name alone tells that it is this computer."""
    host = host.strip("[]").rstrip(".").lower()
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _is_literal(host: str) -> bool:
    # 127.1, 0x7f.1 and 2130706433 are addresses to some resolvers and proxies, too.
    return ":" in host or host.rpartition(".")[2].isdigit() or host.startswith("0x")


def _is_public(ip: IPv4Address | IPv6Address) -> bool:
    site_local = isinstance(ip, IPv6Address) and ip.is_site_local
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or site_local)


def _find_embedded(ip: IPv4Address | IPv6Address) -> list[IPv4Address]:
    if isinstance(ip, IPv4Address):
        return []
    found = [ip.ipv4_mapped, ip.sixtofour, *(ip.teredo or ())]
    if ip in TRANSLATED:
        found.append(IPv4Address(int(ip) & 0xFFFFFFFF))
    return [one for one in found if one is not None]
