"""A project for two clients registers and removes its servers in both."""

import json
from pathlib import Path

import pytest

from hookwright.cli import connect
from hookwright.clients.claude.settings import locate_main
from hookwright.documentation.database_records import find_users
from hookwright.project.change import commit_project, create_project
from hookwright.project.reader import open_project
from hookwright.template.store import keep_template

from ...support.acme_documentation import PREFIX, write_site
from ...support.command_line import CommandLine
from ...support.project import GITLAB

pytestmark = pytest.mark.long
TOKEN = "HOOKWRIGHT_DOCS_TOKEN"  # noqa: S105 - a name
VALUE = "sesame-of-the-team"
OURS, TEAM = "hookwright-docs", "team-docs"
# The user's content in each client file, with unusual formatting.
OWN = {
    ".claude.json": '{"mcpServers":{ "mine": {"command":"x"} },\t"a":1e3}\n',
    ".claude/settings.json": '{\n   "permissions": {"allow": ["Read"]}\n}',
    ".gemini/settings.json": '{\n  // mine\n  "mcpServers": {"mine": {"command": "x"}},\n}\r\n',
}


@pytest.fixture
def line(hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    for name, text in OWN.items():
        (Path.home() / name).parent.mkdir(exist_ok=True)
        (Path.home() / name).write_bytes(text.encode())
    project = hookwright_line.folder / "hooks"
    answers = {"databases": [GITLAB], "hooks": ["docsearch"], "clients": ["claude", "gemini"]}
    create_project(project, answers, str(keep_template()))
    assert not commit_project(project)
    write_site(hookwright_line.folder / "site")
    monkeypatch.setenv(TOKEN, VALUE)
    return hookwright_line


def read_home() -> dict[str, bytes]:
    excluded = {".local", ".cache", "copier"}
    return {
        str(path.relative_to(Path.home())): path.read_bytes()
        for path in sorted(Path.home().rglob("*"))
        if path.is_file() and not excluded.intersection(path.relative_to(Path.home()).parts)
    }


def test_setup_round_trip(line: CommandLine) -> None:
    before = read_home()
    words = ("acme", "site", "--prefix", PREFIX, "--license", "MIT", "--yes")
    done = json.loads(line.output("setup", *words, "--project", "hooks", "--json"))
    assert done["proof"]["url"].startswith(PREFIX)
    entry = json.loads(locate_main().read_text())["mcpServers"][OURS]
    gemini = (Path.home() / ".gemini" / "settings.json").read_text()
    assert OURS in gemini
    assert json.dumps(entry["command"]) in gemini
    hook = Path.home() / ".gemini/hookwright/hooks/PreToolUse/docsearch-hooks.py"
    assert "mcp_hookwright-docs_search_docs" in hook.read_text()
    line.output("uninstall", "--project", "hooks", "--client", "claude", "--yes")
    assert find_users("acme") == ["hooks"]
    line.output("remove", "acme", "--project", "hooks", "--yes")
    line.output("uninstall", "--project", "hooks", "--yes")
    assert read_home() == before


def test_connection_round_trip(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from hookwright.documentation.team_server import SharedDatabase

    acme = SharedDatabase("acme", ("acme",), "acme documentation", PREFIX, "", 4)
    monkeypatch.setattr(connect, "list_shared", lambda *_: ([acme], {}))
    monkeypatch.setattr(connect, "prove_shared", lambda *_: PREFIX)
    before = read_home()
    line.output("connect", "https://team.example", "--project", "hooks", "--yes")
    gemini = (Path.home() / ".gemini" / "settings.json").read_text()
    assert '"httpUrl": "https://team.example/mcp"' in gemini
    assert f'"Authorization": "Bearer ${{{TOKEN}}}"' in gemini
    assert not any(VALUE.encode() in content for content in read_home().values())
    line.output("remove", "acme", "--project", "hooks", "--yes")
    assert TEAM not in (Path.home() / ".gemini" / "settings.json").read_text()
    assert len(open_project(line.folder / "hooks").databases) == 1
    line.output("uninstall", "--project", "hooks", "--yes")
    assert read_home() == before
