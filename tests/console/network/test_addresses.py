"""Messages quote addresses without their secrets."""

from hookwright_console.network.addresses import hide_login, shorten_url


def test_secrets_in_an_address_are_hidden() -> None:
    for address, shown in [
        ("https://docs.acme.example/a@b?page=2", "https://docs.acme.example/a@b?page=2"),
        ("https://me:hunter2@acme.example/x", "https://acme.example/x"),
        ("https://me:a@b@acme.example", "https://acme.example"),
        ("git+https://token@acme.example/x.git", "git+https://acme.example/x.git"),
        ("me:hunter2@acme.example", "acme.example"),
        ("git@acme.example:x/y.git", "git@acme.example:x/y.git"),
        (
            "https://acme.example/?a=1&access_token=hunter2&b",
            "https://acme.example/?a=1&access_token=...&b",
        ),
        ("https://acme.example/?API_KEY=hunter2#x", "https://acme.example/?API_KEY=...#x"),
        ("https://[::1", "https://[::1"),
        ("", ""),
    ]:
        assert hide_login(address) == shown


def test_secrets_are_hidden_before_truncation() -> None:
    assert shorten_url("https://me:" + "x" * 99 + "@acme.example/") == "https://acme.example/"
