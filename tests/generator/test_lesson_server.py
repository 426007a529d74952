"""The command that starts the lesson server matches its address."""

import pytest

from hookwright.lesson_server import explain_how_to_start, name_start_command, read_usual_url
from hookwright_console.network import server_address
from hookwright_console.network.addresses import find_origin
from lesson_search.cli.serve import PORT


@pytest.mark.parametrize(
    ("url", "command"),
    [
        ("http://127.0.0.1:7731", "lesson-search serve"),
        ("http://localhost:7731/", "lesson-search serve"),
        ("http://127.0.0.1:9123", "lesson-search serve --port 9123"),
        ("http://localhost", "lesson-search serve --port 80"),
        ("https://localhost:7731", ""),
        ("https://lessons.team.invalid", ""),
        ("http://lessons.team.invalid:7731", ""),
    ],
)
def test_start_command_fits_the_address(url: str, command: str) -> None:
    assert name_start_command(url) == command


def test_server_running_elsewhere_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_address, "read_address", lambda _: ("http://127.0.0.1:9123", 1))
    advice = explain_how_to_start("http://127.0.0.1:7731")
    assert advice == (
        "yours runs at http://127.0.0.1:9123: correct lesson_server_url with hookwright edit"
    )


def test_remote_server_must_be_started_there() -> None:
    advice = explain_how_to_start("https://lessons.team.invalid")
    assert advice == "start the server on lessons.team.invalid, or ask whoever runs it"


def test_invalid_server_address_must_be_corrected() -> None:
    advice = explain_how_to_start("nonsense")
    assert advice == "run hookwright edit, and correct lesson_server_url"


def test_default_url_matches_the_server() -> None:
    assert find_origin(read_usual_url()) == ("http", "127.0.0.1", PORT)
