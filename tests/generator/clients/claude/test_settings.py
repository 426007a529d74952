"""Claude Code's MCP servers are read from its files, even if these are malformed."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hookwright.clients.claude.mcp_servers import expand, list_servers
from hookwright.clients.claude.settings import parse_object
from hookwright_console.errors import RefusedError

from ....support.hypothesis_profiles import examples

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["mcpServers", "projects", "a", "command", "args", "env", "url"])
            | st.text(),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "repo" / "sub"
    folder.mkdir(parents=True)
    (folder.parent / ".git").mkdir()
    return folder


def configure(folder: Path, **scopes: Any) -> None:
    """Write the servers for each scope: user, local, and project (shared through the folder).

    `own` is the client's other data about the folder; `settings` is the user settings.
    """
    own = {"mcpServers": scopes.get("local", {}), **scopes.get("own", {})}
    main = {"mcpServers": scopes.get("user", {}), "projects": {str(folder.parent): own}}
    (Path.home() / ".claude.json").write_text(json.dumps(main))
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": scopes.get("project", {})}))
    (Path.home() / ".claude").mkdir(exist_ok=True)
    (Path.home() / ".claude" / "settings.json").write_text(json.dumps(scopes.get("settings", {})))


def build_servers(command: str) -> dict[str, Any]:
    return {"s": {"command": command}}


TRUST = {"hasTrustDialogAccepted": True, "enabledMcpjsonServers": ["s"]}


@pytest.mark.parametrize(
    ("scopes", "command", "approved"),
    [
        ({"user": build_servers("u")}, "u", True),
        ({"project": build_servers("p")}, "p", False),
        ({"project": build_servers("p"), "own": TRUST}, "p", True),
        ({"project": build_servers("p"), "own": {"enabledMcpjsonServers": ["s"]}}, "p", False),
        (
            {"project": build_servers("p"), "settings": {"enableAllProjectMcpServers": True}},
            "p",
            True,
        ),
        ({"project": build_servers("p"), "settings": {"enabledMcpjsonServers": ["s"]}}, "p", True),
        (
            {
                "project": build_servers("p"),
                "own": TRUST,
                "settings": {"disabledMcpjsonServers": ["s"]},
            },
            "p",
            False,
        ),
        ({"user": build_servers("u"), "project": build_servers("p")}, "u", True),
        ({"user": build_servers("u"), "project": build_servers("p"), "own": TRUST}, "p", True),
        (
            {
                "user": build_servers("u"),
                "local": build_servers("l"),
                "project": build_servers("p"),
                "own": TRUST,
            },
            "l",
            True,
        ),
    ],
)
def test_servers_known_to_the_client_are_found(
    folder: Path, scopes: dict[str, Any], command: str, *, approved: bool
) -> None:
    configure(folder, **scopes)
    server = list_servers(folder)["s"]
    assert (server.command, server.approved) == (command, approved)


def test_nearest_shared_server_is_used(folder: Path) -> None:
    configure(folder, project=build_servers("near"), own=TRUST)
    (folder.parent / ".mcp.json").write_text(json.dumps({"mcpServers": build_servers("far")}))
    assert list_servers(folder)["s"].command == "near"


def test_other_config_folder_is_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(folder, user=build_servers("home"))
    (tmp_path / ".claude.json").write_text(json.dumps({"mcpServers": build_servers("there")}))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    assert list_servers(folder)["s"].command == "there"


def test_server_by_url_is_read(folder: Path) -> None:
    record = {"type": "http", "url": "http://h/mcp", "headers": {"A": "b", "C": 1}}
    configure(folder, user={"my docs": record})
    server = list_servers(folder)["my docs"]
    assert (server.kind, server.url, server.headers) == ("http", "http://h/mcp", {"A": "b"})
    assert server.prefix == "mcp__my_docs__"


def test_variables_are_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SET", "${NEVER}")
    text = expand("${SET} ${NEVER:-else} ${NEVER:-} ${NEVER} $SET ${SET:-x}y")
    assert text == "${NEVER} else  ${NEVER} $SET ${NEVER}y"


@settings(max_examples=examples(60))
@example(main={"a": 1, "b": {"type": "http"}}, shared={"mcpServers": {"c": {"command": ""}}})
@given(main=JSON, shared=JSON)
def test_any_file_content_is_handled(folder: Path, main: object, shared: object) -> None:
    (Path.home() / ".claude.json").write_text(json.dumps({"mcpServers": main, "projects": main}))
    (folder / ".mcp.json").write_text(json.dumps(shared))
    for server in list_servers(folder).values():
        assert server.command or server.url


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"{", "is not valid JSON .line 1"),
        (b"[]", "is not a JSON object"),
        (b"\xff", "is not valid JSON"),
        (b"[" * 200_000, "is not valid JSON"),
    ],
)
def test_broken_file_is_reported(tmp_path: Path, content: bytes, complaint: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    with pytest.raises(RefusedError, match=complaint):
        parse_object(path)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_special_files_do_not_block(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "settings.json")
    with pytest.raises(RefusedError, match="not a regular file"):
        parse_object(tmp_path / "settings.json")


def test_file_replaced_by_a_pipe_does_not_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "settings.json").write_text("{}")
    status = (tmp_path / "settings.json").stat()
    monkeypatch.setattr(Path, "stat", lambda *_, **__: status)
    with pytest.raises(RefusedError, match="not a regular file"):
        parse_object(tmp_path / "pipe")
