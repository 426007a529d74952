"""A site is set up, searched and removed."""

import json
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hookwright.clients.claude.settings import locate_main
from hookwright.documentation import projects, setup
from hookwright.documentation.proof import Question, UnprovenError, prove_hook
from hookwright.documentation.registration import (
    build_server,
    find_resident,
    locate_settings,
    register,
)
from hookwright.project.change import apply_change, plan_change
from hookwright.project.current import NAME, find_project
from hookwright.project.reader import open_project
from hookwright_documentation.databases import find_root, list_names, open_database
from hookwright_documentation.index import DocumentationIndex
from hookwright_documentation.leann.program import Leann

from ...support.acme_documentation import PREFIX
from ...support.command_line import CommandLine, serve
from ...support.database_setup import set_up
from ...support.git_repository import git
from ...support.project import run_hook, search_event
from ...support.pseudo_terminal import CTRL_C, open_terminal

TOOL = "mcp__hookwright-docs__search_docs"
WORDS = ("--prefix", PREFIX, "--yes")
NEXT_STEP = "; then run the same command again: nothing is registered, and the pages of acme stay\n"


@pytest.fixture
def _unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", PREFIX))


def read(path: Path) -> Any:
    return json.loads(path.read_text())


@pytest.mark.long
def test_setup_and_removal_round_trip(line: CommandLine, config: Path) -> None:
    home = {path for path in Path.home().rglob("*") if ".local" not in path.parts}
    done = json.loads(
        line.output("setup", "acme", "rocket", "site", *WORDS, "--project", "my-hooks", "--json")
    )
    assert (done["pages"], done["registered"], done["tool"]) == (4, True, TOOL)
    assert done["proof"]["url"].startswith(PREFIX)
    assert TOOL in read(locate_settings())["permissions"]["allow"]
    entry = read(locate_main())["mcpServers"]["hookwright-docs"]
    assert (entry["args"][-1], entry["alwaysLoad"]) == ("docs-mcp", True)
    hook = line.folder / "my-hooks" / "hooks" / "docsearch.py"
    for event in (
        search_event("rocket sessions"),
        search_event("sessions", allowed_domains=["docs.acme.example"]),
    ):
        answer = run_hook(hook, event, config)
        assert answer.denied
        assert f'{TOOL} with {{"database": "acme"}}' in answer.stdout.replace('\\"', '"')
    assert "0 faults" in line.output("doctor", "--project", "my-hooks")
    line.output("remove", "acme", "--project", "my-hooks", "--yes")
    assert not find_root().exists()
    left = {path for path in Path.home().rglob("*") if ".local" not in path.parts}
    assert {path for path in left - home if path.is_file()} == set()


@pytest.mark.long
def test_command_to_try_is_answered_with_passages(line: CommandLine) -> None:
    output = line.output("setup", "acme", "site", *WORDS, "--project", "my-hooks")
    (command,) = (text for text in output.splitlines() if text.startswith("Try it: hookwright "))
    answer = line.output(*shlex.split(command)[3:])
    assert "Denied by docsearch" in answer
    assert f"\n{PREFIX}" in answer


@pytest.mark.long
def test_preformatted_manual_is_proven_and_answers(line: CommandLine) -> None:
    texts = {
        "timeouts": "  Set how long a client may be silent before its connection is closed.",
        "balance": "  Each server is used in turn, according to the weight that it was given.",
        "logging": "  Lines are sent to a syslog server over UDP, one for each finished request.",
    }
    folder = line.folder / "manual"
    folder.mkdir()
    for name, text in texts.items():
        page = f"<title>Acme {name}</title><h2 id={name}>{name}</h2><pre>{name} VALUE\n{text}</pre>"
        (folder / f"{name}.html").write_text(page)
    done = json.loads(
        line.output("setup", "acme", "manual", *WORDS, "--project", "my-hooks", "--json")
    )
    assert (done["pages"], done["registered"]) == (3, True)
    assert done["proof"]["url"].startswith(PREFIX)
    questions = {
        "how long may a client be silent": "timeouts",
        "use servers in turn by weight": "balance",
        "send lines to syslog": "logging",
    }
    index = DocumentationIndex(open_database("acme").index)
    assert {each: index.search(each, 1)[0].anchor for each in questions} == questions


def test_project_in_the_default_folder_is_reused(line: CommandLine, kept: Path) -> None:
    assert find_project(None) is None
    shutil.copytree(kept, Path.home() / NAME)
    project = find_project(None)
    assert project
    assert project.folder == Path.home() / NAME
    assert Path.cwd() == line.folder


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_record_is_added_to_a_project(line: CommandLine, kept: Path) -> None:
    line.output("setup", "acme", "site", *WORDS, "--project", kept)
    record = open_project(kept).databases[-1]
    assert record["keywords"] == ["acme"]
    assert (record["mcp_tool_name"], record["arguments"]) == (TOOL, {"database": "acme"})
    assert record["domains"] == ["docs.acme.example"]
    assert record["path"] == str(find_root() / "acme")
    commits = git(kept, "log", "--format=%s").splitlines()
    assert commits[0] == "Add the database acme"
    output = line.output("setup", "acme", "--project", kept, "--yes")
    assert "; hookwright refresh acme fetches what changed since" in output
    assert git(kept, "log", "--format=%s").splitlines() == commits


def test_folder_is_read_again(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "acme: 4 pages" in set_up(line, monkeypatch)
    assert "acme: nothing changed, 4 pages" in set_up(line, monkeypatch)
    page = (line.folder / "site" / "install.html").read_text()
    (line.folder / "site" / "logging.html").write_text(page.replace("install", "logging"))
    assert "acme: 5 pages" in set_up(line, monkeypatch)


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_tools_are_loaded_on_demand_when_configured(line: CommandLine, kept: Path) -> None:
    line.output("setup", "acme", "site", *WORDS, "--project", kept)
    assert "alwaysLoad" in read(locate_main())["mcpServers"]["hookwright-docs"]
    project = open_project(kept)
    apply_change(plan_change(project, {"always_load": False}), "Load on demand", commit=True)
    line.output("setup", "acme", "--project", kept, "--yes")
    assert "alwaysLoad" not in read(locate_main())["mcpServers"]["hookwright-docs"]
    assert "ToolSearch" in (kept / "hooks" / "docsearch.py").read_text()


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_custom_record_fields_are_kept(line: CommandLine, kept: Path) -> None:
    line.output("setup", "acme", "site", *WORDS, "--project", kept)
    path = kept / ".copier-answers.yml"
    line.output("add", "route", "x", "--pattern", "x", "--message", "y", "--project", kept, "--yes")
    before = path.read_text()
    line.output("setup", "acme", "site", *WORDS, "--max-pages", "9", "--project", kept)
    assert path.read_text() == before


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_keyword_of_another_record_is_reported(line: CommandLine, kept: Path) -> None:
    line.output("setup", "gitlab", "site", *WORDS, "--name", "md2", "--project", kept)
    completed = line.run("setup", "gl", "site", *WORDS, "--name", "md3", "--project", kept)
    assert "md3 has the keyword gl, which is also of gitlab\n" in completed.errors
    assert "md3 has the domain docs.acme.example, which is also of md2\n" in completed.errors


@pytest.mark.long
@pytest.mark.parametrize("step", ["prove_server", "prove_hook"])
def test_unproven_setup_is_undone(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    databases = open_project(kept).databases

    def fail(*_: object) -> Question:
        raise UnprovenError("it finds nothing: run claude mcp get hookwright-docs")

    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", PREFIX))
    monkeypatch.setattr(projects if step == "prove_hook" else setup, step, fail)
    completed = line.run("setup", "acme", "site", *WORDS, "--project", kept)
    assert completed.code == 1
    assert completed.errors == (
        f"hookwright: it finds nothing: run claude mcp get hookwright-docs{NEXT_STEP}"
    )
    assert open_project(kept).databases == databases
    assert not locate_main().exists()
    assert not locate_settings().exists()
    assert git(kept, "status", "--porcelain") == ""
    assert list_names() == ["acme"]


@pytest.mark.long
def test_new_project_is_undone(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise UnprovenError("the hook does not work")

    monkeypatch.setattr(setup, "prove_server", lambda *_: Question("a b c", PREFIX))
    monkeypatch.setattr(projects, "prove_hook", fail)
    line.error("setup", "acme", "site", *WORDS, "--project", "my-hooks")
    assert not (line.folder / "my-hooks").exists()
    assert not locate_settings().exists()


def test_server_without_results_is_unproven(
    line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"type": "stdio", "command": "/bin/sh", "args": ["-c", "echo no space >&2"]}
    monkeypatch.setattr("hookwright.documentation.registration.find_entry", lambda: entry)
    completed = line.run("setup", "acme", "site", *WORDS, "--project", kept)
    assert completed.code == 1
    assert completed.errors == (
        "hookwright: the server hookwright-docs exits before it answers; it says: no space: "
        f"run claude mcp get hookwright-docs{NEXT_STEP}"
    )
    assert not locate_main().exists()


def test_hook_without_the_record_is_unproven(kept: Path) -> None:
    record = {"keywords": ["gitlab"], "mcp_tool_name": TOOL, "arguments": {"database": "gitlab"}}
    with pytest.raises(UnprovenError, match="does not send 'how do I use gitlab' to mcp__"):
        prove_hook(open_project(kept), record)


@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        (["acme"], "use a keyword and a source, such as: hookwright setup flask https://", 2),
        (["acme", "ftp://x"], "expected a URL with https://, a folder, git+ ", 2),
        (["acme", "./nope"], "SOURCE: no folder ./nope: use a URL with https://, a folder", 2),
        (["", "site"], "a keyword is empty: enter one, such as: hookwright setup", 2),
        (["acme", "site", "--name", "A B"], "not a valid database name: 'A B': use lowercase", 2),
        (["a,b", "site", "--name", "ab"], "a keyword holds no comma", 1),
        (["acme", "site", "--engine", "lean"], "'lean' is not one of", 2),
        (["acme", "site", "--engine", "leann"], "leann is not on PATH: install LEANN", 1),
        (["acme", "site", "--project", "site"], "not a Hookwright project", 1),
        (
            ["acme", "empty", "--project", "new"],
            "no HTML, markdown or reStructuredText in it: use",
            1,
        ),
    ],
)
def test_mistakes_are_reported_first(
    line: CommandLine,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    told: str,
    code: int,
) -> None:
    (line.folder / "empty").mkdir()
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert told in line.error("setup", *words, "--yes", code=code)
    assert list_names() == []
    assert not locate_main().exists()
    assert not (line.folder / "new").exists()


def test_terminal_is_required_first(line: CommandLine) -> None:
    assert "add --yes" in line.error("setup", "acme", "site", code=2)
    assert not find_root().exists()


def test_duplicate_name_is_rejected_before_the_crawl(line: CommandLine, kept: Path) -> None:
    output = line.error("setup", "gitlab", "site", *WORDS, "--project", kept)
    assert output.endswith(
        "has another database gitlab: use another --name, or remove that one first"
    )
    assert not find_root().exists()


def test_duplicate_server_is_rejected_before_the_crawl(line: CommandLine) -> None:
    servers = {"mcpServers": {"hookwright-docs": {"command": "mine"}}}
    locate_main().write_text(json.dumps(servers))
    output = line.error("setup", "acme", "site", *WORDS)
    assert "has another server hookwright-docs: remove it" in output
    assert not find_root().exists()


def test_server_of_another_documentation_folder_is_kept(
    line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(build_server("builtin"))
    monkeypatch.setenv("HOOKWRIGHT_DOCS", str(line.folder / "other"))
    output = line.error("setup", "acme", "site", *WORDS)
    assert (
        "has hookwright-docs of another documentation folder, the default: unset HOOKWRIGHT_DOCS, "
        "or remove it with claude mcp remove" in output
    )


def test_uncommitted_changes_are_rejected_before_the_crawl(line: CommandLine, kept: Path) -> None:
    (kept / "README.md").write_text("mine")
    assert "uncommitted" in line.error("setup", "acme", "site", *WORDS, "--project", kept)
    assert not find_root().exists()


@pytest.mark.long
def test_resident_server_is_registered_over_http(
    line: CommandLine, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(tmp_path / "lessons") as url:
        resident = "hookwright.documentation.registration.find_resident"
        monkeypatch.setattr(resident, lambda: (url, False))
        line.output("setup", "acme", "site", *WORDS, "--project", kept)
    (entry,) = read(locate_main())["mcpServers"].values()
    assert entry == {"type": "http", "url": f"{url}/mcp", "alwaysLoad": True}


@pytest.mark.parametrize(
    ("state", "token", "expected"),
    [
        ("running", "", ("http://127.0.0.1:7731", False)),
        ("running", "LESSON_SEARCH_TOKEN=secret\n", ("http://127.0.0.1:7731", True)),
        ("not installed", "", None),
        ("failed", "", None),
    ],
)
def test_resident_server_counts_only_as_a_service(
    monkeypatch: pytest.MonkeyPatch, state: str, token: str, expected: tuple[str, bool] | None
) -> None:
    service = SimpleNamespace(read_state=lambda: state)
    monkeypatch.setattr("hookwright_console.system_service.find_service", lambda: service)
    address = ("http://127.0.0.1:7731", "1")
    monkeypatch.setattr("hookwright_console.network.server_address.read_address", lambda _: address)
    path = Path.home() / ".config" / "lesson-search" / "service.env"
    path.parent.mkdir(parents=True)
    path.write_text(token)
    assert find_resident() == expected


def test_existing_leann_server_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    leann = Leann("/bin/leann", "/bin/leann_mcp", "")
    monkeypatch.setattr("hookwright_documentation.leann.program.find_leann", lambda: leann)
    assert build_server("leann").entry["env"] == {"HF_HUB_OFFLINE": "1"}
    own = {"command": "/opt/leann_mcp", "args": ["--base-dir", "/docs"]}
    locate_main().write_text(json.dumps({"mcpServers": {"leann": own}}))
    assert build_server("leann").entry == own


@pytest.mark.usefixtures("_unasked")
def test_project_can_be_created_without_git_identity(line: CommandLine) -> None:
    (Path.home() / "gitconfig").write_text("[user]\nuseConfigOnly = true\n")
    words = ("setup", "acme", "site", *WORDS, "--project", "my-hooks")
    completed = line.run(*words)
    assert completed.code == 0
    assert "hookwright: the project is not committed: " in completed.errors
    place = line.folder / "my-hooks"
    assert f"; then run git add . && git commit in {place}\n" in completed.errors
    assert f"Made the project {place}, installed its hooks" in completed.output
    (Path.home() / "gitconfig").write_text("[user]\nname = me\nemail = me@acme.example\n")
    again = line.run("setup", "beta", "site", *WORDS, "--project", place)
    missing = f"the project is not committed yet: run git add . && git commit in {place}\n"
    assert missing in again.errors
    line.output("remove", "beta", "--yes", "--project", place)
    output = line.output("remove", "acme", "--yes", "--project", place)
    assert "deleted the database acme" in output
    assert "is uninstalled: delete " in output
    assert open_project(line.folder / "my-hooks").databases[0]["keywords"] == ["acme"]


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_removed_record_stays_removed_until_the_next_setup(line: CommandLine) -> None:
    place = line.folder / "my-hooks"
    line.output("setup", "acme", "site", *WORDS, "--project", place)
    output = line.output("remove", "acme", "--yes", "--project", place)
    assert (
        "keeps the record of acme, disabled, because a project needs at least one: the next "
        in output
    )
    completed = line.run("setup", "beta", "site", *WORDS, "--project", place)
    assert (
        "my-hooks: removed the record of acme, whose database no longer exists\n"
        in completed.errors
    )
    (record,) = open_project(place).databases
    assert record["keywords"] == ["beta"]


@pytest.mark.long
def test_stop_at_the_last_question_is_reported(line: CommandLine) -> None:
    with open_terminal("setup", "acme", "site", "--prefix", PREFIX, folder=line.folder) as terminal:
        terminal.see("Crawling acme")
        terminal.answer("Make the project ~/my-hooks with it, and install its hooks? [Y/n]")
        terminal.answer("without asking you?", CTRL_C)
        terminal.see("stopped, and undid what was created and registered: run the same command")
        assert terminal.end() == 130
    assert not (Path.home() / "my-hooks").exists()
    assert list_names() == ["acme"]


@pytest.mark.long
def test_repeated_setup_asks_nothing(line: CommandLine) -> None:
    line.output("setup", "acme", "site", *WORDS, "--project", "my-hooks")
    with open_terminal("setup", "acme", folder=line.folder) as terminal:
        terminal.see("acme is in my-hooks and in Claude Code already")
        assert terminal.end() == 0
    assert "?" not in terminal.output


@pytest.mark.long
def test_declining_keeps_the_database_and_prints_one_command(line: CommandLine) -> None:
    words = ("setup", "acme", "site", "--prefix", PREFIX)
    with open_terminal(*words, folder=line.folder) as terminal:
        terminal.answer("Make the project ~/my-hooks with it, and install its hooks? [Y/n]", "n\r")
        terminal.see("acme is set up, but no agent searches it: to change that, run")
        terminal.see(f"hookwright setup acme --project {Path.home() / 'my-hooks'}")
        assert terminal.end() == 0
    assert list_names() == ["acme"]
    assert not locate_main().exists()
    assert not (Path.home() / "my-hooks").exists()


@pytest.mark.long
@pytest.mark.usefixtures("_unasked")
def test_database_of_another_hook_is_kept(line: CommandLine, kept: Path) -> None:
    line.output("setup", "acme", "site", *WORDS, "--project", "others")
    line.output("setup", "acme", "--project", kept, "--yes")
    completed = line.run("remove", "acme", "--project", kept, "--yes")
    assert completed.code == 0
    assert "the database acme stays, the hooks of others use it" in completed.errors
    assert list_names() == ["acme"]
    assert "hookwright-docs" in read(locate_main())["mcpServers"]
