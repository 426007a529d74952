"""Other clients are configured with the database server, and their files are restored exactly."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from hookwright.clients.dialects import FORMS
from hookwright.documentation import registration
from hookwright.documentation.registration import (
    LOCK,
    Server,
    unregister,
    unregister_from,
    write_notes,
)
from hookwright.installer.client import CLAUDE, CLIENTS
from hookwright_console.errors import RefusedError
from hookwright_console.files.user_folders import find_state_folder
from hookwright_documentation.databases import NOTES, find_root

LOCAL = {"type": "stdio", "command": "/a b/python3", "args": ["-m", 'dö"cs'], "env": {"A": "1"}}
REMOTE = {
    "type": "http",
    "url": "http://127.0.0.1:7731/mcp",
    "headers": {"Authorization": "Bearer ${LESSON_SEARCH_TOKEN}"},
}
NAME = "hookwright-docs"
FILES = {
    "codex": ".codex/config.toml",
    "copilot": ".copilot/mcp-config.json",
    "gemini": ".gemini/settings.json",
    "qwen": ".qwen/settings.json",
    "opencode": ".config/opencode/opencode.json",
}
WORDS = {"command": "/a b/python3", "args": ["-m", 'dö"cs']}
BEARER = {"Authorization": "Bearer ${LESSON_SEARCH_TOKEN}"}
URL = REMOTE["url"]
FORMED: dict[str, tuple[Any, Any]] = {
    "codex": (
        {**WORDS, "env": {"A": "1"}},
        {"url": URL, "bearer_token_env_var": "LESSON_SEARCH_TOKEN"},
    ),
    "copilot": (
        {"type": "local", **WORDS, "env": {"A": "1"}, "tools": ["*"]},
        {"type": "http", "url": URL, "headers": BEARER, "tools": ["*"]},
    ),
    "gemini": ({**WORDS, "env": {"A": "1"}}, {"httpUrl": URL, "headers": BEARER}),
    "qwen": ({**WORDS, "env": {"A": "1"}}, {"httpUrl": URL, "headers": BEARER}),
    "opencode": (
        {
            "type": "local",
            "command": ["/a b/python3", "-m", 'dö"cs'],
            "environment": {"A": "1"},
            "enabled": True,
        },
        {
            "type": "remote",
            "url": URL,
            "headers": {"Authorization": "Bearer {env:LESSON_SEARCH_TOKEN}"},
            "enabled": True,
        },
    ),
}
TOML = [
    "",
    'model = "x" # mine',
    "# top\r\n[mcp_servers.other]\r\ncommand = 'x'\r\n\r\n[a]\r\nb = 1e3\r\n",
    '[mcp_servers]\n\n[mcp_servers."a.b"]\nurl = "u"\n[[list]]\nx = 1 # last\n',
]
JSON = [
    "",
    "\n",
    "{}",
    '{ "a":1e3,\t"mcpServers":{ "o": {"command":"x"} }, "mcp": {} }\n',
    '{"mcp": {}}\r\n',
]
COMMENTED = ['{\n  // mine\n  "b": 2, // two\n}\n', '{"mcpServers": { // none\n}}']
CASES = [
    *(("codex", text) for text in TOML),
    *((form, text) for form in FORMS if form != "codex" for text in JSON),
    *((client, text) for client in ("gemini", "opencode") for text in COMMENTED),
]


def locate(client: str) -> Path:
    return Path.home() / FILES[client]


def write(client: str, text: str) -> None:
    locate(client).parent.mkdir(parents=True, exist_ok=True)
    locate(client).write_bytes(text.encode())


def register(client: str, entry: dict[str, Any]) -> bool:
    server = Server(NAME, entry, ("search_docs",))
    return registration.register(server, CLIENTS[client])


def read(client: str) -> Any:
    text = locate(client).read_text()
    held = tomlkit.parse(text).unwrap() if client == "codex" else json.loads(text)
    return held[FORMS[client].holder]


def test_entry_has_the_client_format() -> None:
    for client in FORMED:
        for number in [0, 1]:
            assert register(client, [LOCAL, REMOTE][number])
            assert read(client) == {NAME: FORMED[client][number]}
            assert not register(client, [LOCAL, REMOTE][number])
            assert register(client, [REMOTE, LOCAL][number])
            assert read(client) == {NAME: FORMED[client][1 - number]}
            assert unregister(NAME)
            assert not locate(client).exists()
            assert not (find_root() / NOTES).exists()


def test_file_is_restored_byte_for_byte() -> None:
    for client, text in CASES:
        write(client, text)
        register(client, LOCAL)
        assert NAME in locate(client).read_text()
        assert unregister(NAME)
        assert locate(client).read_bytes() == text.encode()


@pytest.mark.parametrize("client", ["codex", "gemini"])
@pytest.mark.parametrize("text", [None, "", "\n"])
def test_file_with_two_servers_is_restored(client: str, text: str | None) -> None:
    if text is not None:
        write(client, text)
    for name in (NAME, "another"):
        assert registration.register(Server(name, LOCAL, ()), CLIENTS[client])
    for name in (NAME, "another"):
        assert unregister(name)
    assert (locate(client).read_text() if locate(client).exists() else None) == text


@pytest.mark.parametrize("client", ["codex", "gemini"])
def test_later_additions_are_kept(client: str) -> None:
    register(client, LOCAL)
    addition = "\n[mine]\na = 1\n" if client == "codex" else ""
    text = locate(client).read_text()
    write(client, text + addition if addition else text.replace("{", '{"mine": 1,', 1))
    unregister(NAME)
    assert "mine" in locate(client).read_text()
    assert NAME not in locate(client).read_text()


@pytest.mark.parametrize("client", FORMED)
def test_user_server_is_kept(client: str) -> None:
    register(client, LOCAL)
    text = locate(client).read_text().replace("/a b/", "/mine/")
    write(client, text)
    with pytest.raises(RefusedError, match=f"has another server {NAME}"):
        register(client, LOCAL)
    unregister(NAME)
    assert locate(client).read_text() == text


@pytest.mark.parametrize(
    ("client", "text", "complaint"),
    [
        ("codex", "= broken", "is not valid TOML"),
        ("codex", "mcp_servers = 5", "is not an object"),
        ("codex", 'mcp_servers = {a = {url = "u"}}', "has no table mcp_servers"),
        ("gemini", "{", "is not valid JSON"),
        ("copilot", '{} // "no comments"', "is not valid JSON"),
        ("opencode", '{"mcp": []}', "is not an object"),
    ],
)
def test_unwritable_file_is_reported(client: str, text: str, complaint: str) -> None:
    write(client, text)
    with pytest.raises(RefusedError) as refused:
        register(client, LOCAL)
    fault = str(refused.value)
    assert complaint in fault
    assert str(locate(client)) in fault
    assert "\n" not in fault
    assert locate(client).read_text() == text
    assert not (find_root() / NOTES).exists()


def test_link_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("")
    locate("codex").parent.mkdir(parents=True)
    locate("codex").symlink_to(tmp_path / "real")
    with pytest.raises(RefusedError, match=f"is a link: add .* to {tmp_path}/real"):
        register("codex", LOCAL)
    assert (tmp_path / "real").read_text() == ""


def test_file_with_comments_is_preferred() -> None:
    path = locate("opencode").with_suffix(".jsonc")
    path.parent.mkdir(parents=True)
    path.write_text("{} // mine")
    register("opencode", LOCAL)
    assert not locate("opencode").exists()
    assert NAME in path.read_text()
    unregister(NAME)
    assert path.read_text() == "{} // mine"


def test_claude_notes_are_kept() -> None:
    register("claude", LOCAL)
    register("codex", LOCAL)
    unregister_from(CLAUDE, NAME)
    assert (find_root() / NOTES).exists()
    unregister(NAME)
    assert not locate("codex").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such lock")
def test_notes_are_locked_during_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    changes: list[Any] = []

    def write_locked(notes: Any) -> None:
        with (find_state_folder() / LOCK).open("w") as lock, pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        changes.append(notes)
        write_notes(notes)

    monkeypatch.setattr(registration, "write_notes", write_locked)
    gemini = CLIENTS["gemini"]
    for entry in (LOCAL, REMOTE):
        assert registration.register(Server(NAME, entry, ()), gemini)
    unregister_from(gemini, NAME)
    assert NAME in str(changes[0])
    assert NAME not in str(changes[-1])
