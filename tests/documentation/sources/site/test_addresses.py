"""Addresses of this computer and its networks are distinguished from public addresses."""

import pytest

from hookwright_documentation.sources.site.addresses import is_loopback, is_private_name, is_public

PUBLIC = [
    "93.184.215.14",
    "2606:2800:21f::1",
    "64:ff9b::5db8:d70e",
    "1.1.1.1",
    "2606:2800:21f::5efe:1.1.1.1",
]
PRIVATE = [
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1"),  # noqa: S104
    *("169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1"),
    *("::ffff:127.0.0.1", "::ffff:a00:1", "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a00:1::1"),
    *("::127.0.0.1", "localhost", "", "168.63.129.16", "3fff::1", "192.88.99.1"),
    *("192.0.0.8", "192.0.0.192"),
    *("2606:2800:21f::5efe:a00:1", "2606:2800:21f::200:5efe:127.0.0.1", "::ffff:168.63.129.16"),
]


@pytest.mark.parametrize("address", PUBLIC)
def test_internet_address_is_public(address: str) -> None:
    assert is_public(address)


def test_other_address_is_not_public() -> None:
    for address in PRIVATE:
        assert not is_public(address)


def test_private_name_is_recognised_without_a_lookup() -> None:
    for host in [
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "printer.local",
        "nas.lan",
        "nas.home.arpa",
        "[::1]",
        "127.1",
        "0x7f.1",
    ]:
        assert is_private_name(host)


@pytest.mark.parametrize("host", ["example.org", "93.184.215.14", "localhost.example.org"])
def test_other_name_may_be_public(host: str) -> None:
    assert not is_private_name(host)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("LOCALHOST.", True),
        ("docs.localhost", True),
        ("[::1]", True),
        ("::ffff:127.0.0.1", True),
        ("localhost.example", False),
        ("192.168.1.1", False),
    ],
)
def test_loopback_names_are_recognised(host: str, *, here: bool) -> None:
    assert is_loopback(host) is here
