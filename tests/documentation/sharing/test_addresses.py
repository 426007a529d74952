"""Untrusted addresses are limited to the internet; user addresses are stripped of secrets."""

import pytest

from hookwright_documentation.sharing.export import has_secret, is_followed, remove_secrets

TOKEN = "ghp_" + "a1B2c3D4e5F6" * 3


@pytest.mark.parametrize(
    "url",
    ["https://docs.acme.example/", "http://docs.acme.example:8080/x", "https://93.184.216.34/"],
)
def test_public_address_is_followed(url: str) -> None:
    assert is_followed(url)


def test_other_addresses_are_not_followed() -> None:
    for url in [
        *("", "x", "/home/me/docs", "file:///etc/passwd", "ftp://acme.example/", "python:acme"),
        *("http://localhost/", "http://127.0.0.1:80/", "http://[::1]/", "http://127.1/"),
        *("http://2130706433/", "http://0x7f000001/", "http://\uff11\uff12\uff17.0.0.1/"),
        *("http://10.0.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/"),
        *("http://[fe80::1]/", "http://[fd00::1]/", "http://100.64.0.1/", "http://intranet/"),
        *("http://nas.local/", "http://x.internal/", "http://a.localhost/", "http://0.0.0.0/"),
        *("https://me@acme.example/", "https://me:pw@acme.example/"),
        *("git+http://127.0.0.1/x.git", "http://", "https://[::ffff:127.0.0.1]/"),
    ]:
        assert not is_followed(url)


@pytest.mark.parametrize(
    ("url", "shared"),
    [
        ("https://acme.example/?page=2", "https://acme.example/?page=2"),
        ("https://me:secret@acme.example/x", "https://acme.example/x"),
        (f"https://acme.example/x?access_token={TOKEN}", "https://acme.example/x"),
        ("https://acme.example/x#part", "https://acme.example/x"),
    ],
)
def test_secrets_are_removed_from_urls(url: str, shared: str) -> None:
    assert remove_secrets(url) == shared


def test_secrets_are_found_in_links() -> None:
    assert has_secret(f"See [this](https://acme.example/x?token={TOKEN}).")
    assert not has_secret("See https://acme.example/?q=token and https://u:password@acme.example/.")
