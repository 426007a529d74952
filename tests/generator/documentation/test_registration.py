"""Claude Code is configured with the database server, and its files are restored exactly."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.clients.claude.settings import locate_main
from hookwright.documentation.registration import (
    Server,
    allow,
    list_asking,
    locate_settings,
    register,
    restore,
    unregister,
)
from hookwright_console.errors import RefusedError
from hookwright_documentation.databases import NOTES, find_root

ENTRY = {"type": "stdio", "command": "/usr/bin/python3", "args": ["-m", "docs"]}
DOCS = Server("hookwright-docs", ENTRY, ("search_docs", "read_page"))
SEARCH = "mcp__hookwright-docs__search_docs"
TEXTS = [
    "{}",
    '{"mcpServers": {}}\n',
    '{ "a":1e3,\t"mcpServers":{ "other": {"command":"x"} } }',
    '{\n    "mcpServers": {\n        "other": {"command": "x"}\n    },\n\n    "b": [1,2]\n}\n',
    '{"numStartups": 3, "projects": {"/work": {"mcpServers": {}}}}',
]
SETTINGS = [
    "",
    " \n",
    "{}",
    '{"permissions": {"allow": []} ,\t"hooks": {"PreToolUse":[]}}\n',
    '{\n  "permissions": {\n    "allow": ["Bash(ls)"],\n    "deny": []\n  }\n}',
    '{"model": "opus"}',
]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def register_and_allow() -> None:
    assert register(DOCS)
    allow(list_asking(DOCS))


def test_files_are_restored_byte_for_byte() -> None:
    for main in TEXTS:
        for settings in SETTINGS:
            write(locate_main(), main)
            write(locate_settings(), settings)
            register_and_allow()
            assert json.loads(locate_main().read_text())["mcpServers"]["hookwright-docs"] == ENTRY
            assert SEARCH in json.loads(locate_settings().read_text())["permissions"]["allow"]
            assert unregister("hookwright-docs")
            assert locate_main().read_text() == main
            assert locate_settings().read_text() == settings
            assert not (find_root() / NOTES).exists()


def test_created_files_are_removed() -> None:
    register_and_allow()
    assert list_servers(Path.cwd())["hookwright-docs"].command == "/usr/bin/python3"
    unregister("hookwright-docs")
    assert not locate_main().exists()
    assert not locate_settings().exists()


def test_foreign_additions_are_kept() -> None:
    register_and_allow()
    for path, addition in ((locate_main(), {"numStartups": 1}), (locate_settings(), {"a": [1]})):
        path.write_text(json.dumps({**json.loads(path.read_text()), **addition}))
    unregister("hookwright-docs")
    assert json.loads(locate_main().read_text()) == {"numStartups": 1}
    assert json.loads(locate_settings().read_text()) == {"a": [1]}


def test_user_permission_is_kept() -> None:
    text = json.dumps({"permissions": {"allow": ["mcp__hookwright-docs__*"]}})
    write(locate_settings(), text)
    assert register(DOCS)
    assert list_asking(DOCS) == []
    unregister("hookwright-docs")
    assert locate_settings().read_text() == text


def test_changed_entry_is_kept() -> None:
    register(DOCS)
    changed = {"mcpServers": {"hookwright-docs": {**ENTRY, "env": {"A": "b"}}}}
    locate_main().write_text(json.dumps(changed))
    unregister("hookwright-docs")
    assert json.loads(locate_main().read_text()) == changed


def test_user_server_is_not_replaced() -> None:
    text = '{"mcpServers": {"hookwright-docs": {"command": "mine"}}}'
    write(locate_main(), text)
    with pytest.raises(RefusedError, match="remove it with claude mcp remove hookwright-docs"):
        register(DOCS)
    assert locate_main().read_text() == text


def test_own_entry_is_replaced() -> None:
    register(DOCS)
    http = {"type": "http", "url": "http://127.0.0.1:7731/mcp"}
    assert register(Server(DOCS.name, http, DOCS.tools))
    assert list_servers(Path.cwd())[DOCS.name].kind == "http"
    restore(DOCS.name, ENTRY)
    assert list_servers(Path.cwd())[DOCS.name].kind == "stdio"


def test_same_entry_is_registered_once() -> None:
    register(DOCS)
    assert not register(DOCS)


@pytest.mark.parametrize("text", ["[]", "{", '{"mcpServers": [1]}', '{"a": 1, "a": 2}'])
def test_broken_file_is_rejected(text: str) -> None:
    write(locate_main(), text)
    with pytest.raises(RefusedError):
        register(DOCS)
    assert locate_main().read_text() == text
    assert not (find_root() / NOTES).exists()


def test_refusal_includes_the_file() -> None:
    write(locate_main(), '{"mcpServers": null}')
    with pytest.raises(RefusedError, match='json: "mcpServers" is not an object: fix it'):
        register(DOCS)
    write(locate_settings(), '{"permissions": null}')
    with pytest.raises(RefusedError, match='"permissions" is not an object'):
        allow([SEARCH])


def test_denied_permission_is_not_recorded() -> None:
    write(locate_settings(), "{")
    with pytest.raises(RefusedError):
        allow([SEARCH])
    text = json.dumps({"permissions": {"allow": [SEARCH]}})
    write(locate_settings(), text)
    unregister("hookwright-docs")
    assert locate_settings().read_text() == text
    assert not (find_root() / NOTES).exists()


def test_link_is_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "kept.json"
    target.write_text("{}")
    locate_main().symlink_to(target)
    with pytest.raises(RefusedError, match=r"is a link: add \{.*\} to .*kept.json") as error:
        register(DOCS)
    assert locate_main().is_symlink()
    target.write_text(str(error.value).partition("add ")[2].partition(" to ")[0])
    assert not register(DOCS)
    unregister(DOCS.name)
    assert list_servers(Path.cwd())[DOCS.name].scope == "user"


def test_linked_settings_are_not_replaced(tmp_path: Path) -> None:
    target = tmp_path / "kept.json"
    target.write_text("{}")
    locate_settings().parent.mkdir(exist_ok=True)
    locate_settings().symlink_to(target)
    with pytest.raises(RefusedError, match=r'add \{"permissions": .*\} to .*kept.json'):
        allow([SEARCH])
    assert not (find_root() / NOTES).exists()


def test_link_loop_is_reported_in_one_line() -> None:
    register(DOCS)
    locate_main().unlink()
    locate_main().symlink_to(locate_main())
    with pytest.raises(RefusedError, match="is a broken link: remove it"):
        register(DOCS)
    with pytest.raises(RefusedError, match="fix that, then try again"):
        unregister(DOCS.name)


def test_concurrent_client_change_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    from hookwright.installer import files

    write(locate_main(), '{"numStartups": 1}')
    edit, edited = files.edit_json, list[int]()

    def edit_late(path: Path, wanted: dict[str, Any], **options: bool) -> bytes:
        content: bytes = edit(path, wanted, **options)
        if not edited:
            edited.append(path.write_text('{"numStartups": 2}'))
        return content

    monkeypatch.setattr(files, "edit_json", edit_late)
    register(DOCS)
    assert json.loads(locate_main().read_text()) == {
        "numStartups": 2,
        "mcpServers": {"hookwright-docs": ENTRY},
    }


SCRIPT = """
import sys
from hookwright.documentation.registration import Server, allow, register
for number in range(10):
    name = sys.argv[1] + str(number)
    register(Server(name, {"type": "http", "url": "http://127.0.0.1/" + name}, ()))
    allow(["mcp__" + name])
"""


def test_concurrent_processes_keep_each_others_notes() -> None:
    processes = [subprocess.Popen([sys.executable, "-c", SCRIPT, letter]) for letter in "abc"]
    assert [process.wait() for process in processes] == [0, 0, 0]
    names = {f"{letter}{number}" for letter in "abc" for number in range(10)}
    notes = json.loads((find_root() / NOTES).read_text())
    assert set(notes["clients"]["claude"]) == names
    assert set(notes["allow"]) == {f"mcp__{name}" for name in names}
