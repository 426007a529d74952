"""Connections are made only to verified addresses."""

from collections.abc import Callable
from typing import Any

import pytest

from hookwright_documentation.sources.site.addresses import ConnectionRules

PUBLIC, LOOPBACK, PRIVATE = "93.184.215.14", "127.0.0.1", "10.0.0.7"


def answer(*rounds: list[str]) -> Callable[..., list[Any]]:
    waiting = list(rounds)

    def look_up(_: str, port: int, *_rest: int) -> list[Any]:
        addresses = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        return [(2, 1, 6, "", (address, port)) for address in addresses]

    return look_up


def find(rules: ConnectionRules, host: str, port: int = 443) -> list[str]:
    return [found[4][0] for found in rules.find_addresses(host, port)]


def test_name_resolving_to_loopback_is_rejected() -> None:
    rules = ConnectionRules(("docs.example.org", 443), lookup=answer([LOOPBACK]))
    assert find(rules, "evil.example.org") == []
    assert rules.refused == {"evil.example.org": LOOPBACK}


@pytest.mark.parametrize("host", ["a..b", "a" * 64 + ".example"])
def test_invalid_host_name_is_not_found(host: str) -> None:
    with pytest.raises(OSError, match="not a name of a host"):
        find(ConnectionRules(("docs.example.org", 443)), host)


def test_changed_dns_answer_is_rejected() -> None:
    rules = ConnectionRules(("docs.example.org", 443), lookup=answer([PUBLIC], [LOOPBACK]))
    assert find(rules, "docs.example.org") == [PUBLIC]
    assert find(rules, "docs.example.org") == []


def test_only_public_addresses_of_a_host_are_kept() -> None:
    rules = ConnectionRules(("docs.example.org", 443), lookup=answer([PRIVATE, PUBLIC]))
    assert find(rules, "docs.example.org") == [PUBLIC]


def test_private_host_from_the_user_is_allowed() -> None:
    rules = ConnectionRules(("wiki.corp", 8080), lookup=answer([PRIVATE]))
    assert find(rules, "wiki.corp", 8080) == [PRIVATE]
    assert find(rules, "wiki.corp", 6379) == []
    assert find(rules, "other.corp", 8080) == []


def test_private_host_may_redirect_to_https() -> None:
    rules = ConnectionRules(("wiki.corp", 80), lookup=answer([PRIVATE]))
    assert find(rules, "wiki.corp", 443) == [PRIVATE]


def test_user_proxy_is_allowed() -> None:
    rules = ConnectionRules(("docs.example.org", 443), frozenset({"proxy"}), answer([LOOPBACK]))
    assert find(rules, "proxy", 3128) == [LOOPBACK]


NEVER = [LOOPBACK, "169.254.169.254", "fe80::1", "::ffff:127.0.0.1", "fd00:ec2::254", "100.64.0.1"]


def test_dotted_name_must_not_resolve_to_loopback() -> None:
    for address in NEVER:
        for host in ["docs.example.org", "wiki.corp", "local.example.org"]:
            rules = ConnectionRules((host, 443), lookup=answer([address]))
            assert find(rules, host) == []
            assert rules.refused == {host: address}


@pytest.mark.parametrize("second", [LOOPBACK, "169.254.169.254"])
def test_intranet_host_stays_in_the_intranet(second: str) -> None:
    rules = ConnectionRules(("wiki.corp", 443), lookup=answer([PRIVATE, "fd12::1"], [second]))
    assert find(rules, "wiki.corp") == [PRIVATE, "fd12::1"]
    assert find(rules, "wiki.corp") == []
    assert rules.is_intranet


def test_mixed_addresses_are_not_an_intranet() -> None:
    rules = ConnectionRules(("wiki.corp", 443), lookup=answer([PRIVATE, LOOPBACK]))
    assert find(rules, "wiki.corp") == []


@pytest.mark.parametrize(
    "host", ["localhost", "wiki", "a.localhost", "nas.local", "x.internal", "nas.lan", "127.0.0.1"]
)
def test_name_outside_public_dns_may_resolve_to_loopback(host: str) -> None:
    rules = ConnectionRules((host, 443), lookup=answer([LOOPBACK]))
    assert find(rules, host) == [LOOPBACK]
    assert not rules.is_intranet


@pytest.mark.parametrize("address", [PRIVATE, LOOPBACK])
@pytest.mark.parametrize("host", ["wiki.acme.example", "localhost"])
def test_address_from_an_archive_is_not_exempt(host: str, address: str) -> None:
    rules = ConnectionRules((host, 443), lookup=answer([address], [PUBLIC]), is_strangers=True)
    assert rules.find_addresses(host, 443) == []
    assert rules.refused == {host: address}
    assert rules.find_addresses(host, 443)
