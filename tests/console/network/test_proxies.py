"""ALL_PROXY applies to schemes without a proxy variable."""

import pytest

from hookwright_console.network.proxies import use_proxy_of_all

PROXY, OTHER = "http://127.0.0.1:3128", "http://127.0.0.1:3129"


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ({"ALL_PROXY": PROXY}, [PROXY, PROXY]),
        ({"all_proxy": PROXY, "ALL_PROXY": OTHER}, [PROXY, PROXY]),
        ({"ALL_PROXY": PROXY, "http_proxy": OTHER}, [OTHER, PROXY]),
        ({"ALL_PROXY": PROXY, "HTTPS_PROXY": OTHER}, [PROXY, None]),
        ({"ALL_PROXY": "socks5://127.0.0.1:1080"}, [None, None]),
        ({}, [None, None]),
    ],
)
def test_all_proxy_is_the_fallback(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], used: list[str | None]
) -> None:
    environment = dict(given)
    monkeypatch.setattr("os.environ", environment)
    use_proxy_of_all()
    assert [environment.get(name) for name in ("http_proxy", "https_proxy")] == used
