"""`hookwright install`, `uninstall` and `status` do what a project's install.py does."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import hookwright.project.own_installer

from ...support.command_line import CommandLine
from ...support.installer import snapshot
from ...support.project import ROUTES, URL, fetch_event, render, run_hook
from ...support.pseudo_terminal import ENTER, open_terminal

SETTINGS = '{"model":"a"}\n'


@pytest.fixture
def config() -> Path:
    """Return the client's folder, with settings in it."""
    config = Path.home() / ".claude"
    config.mkdir()
    (config / "settings.json").write_text(SETTINGS)
    return config


@pytest.fixture
def other(template: Path, tmp_path: Path) -> Path:
    """Return a project of another name."""
    return render(template, tmp_path / "other", project_name="other", routes=ROUTES)


def test_installs_and_uninstalls(
    hookwright_line: CommandLine, both: Path, config: Path, tmp_path: Path
) -> None:
    """The hooks work once they are installed, and afterwards all is as it was."""
    wrote = hookwright_line.tell("install", "--project", both, "--yes").splitlines()
    files = [find_record(config), *find_hooks(config), config / "settings.json"]
    assert wrote == [f"wrote {path}" for path in files]
    assert run_hook(find_hooks(config)[1], fetch_event(URL), tmp_path / "memory").denied
    again = hookwright_line.tell("install", "--project", both)
    assert again == "nothing to change\n"
    hookwright_line.tell("uninstall", "--project", both, "--yes")
    assert snapshot(config) == {"settings.json": SETTINGS.encode()}


def find_record(config: Path) -> Path:
    """Return the file that says which folder installed the project."""
    return config / "hooks" / "hookwright-my-hooks.json"


def find_hooks(config: Path) -> list[Path]:
    """Return the installed hooks."""
    return sorted((config / "hooks").glob("*/*.py"))


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_nothing_is_done_unasked(
    hookwright_line: CommandLine, both: Path, config: Path, verb: str
) -> None:
    """Without a terminal the files are listed, and one line names --yes."""
    if verb == "uninstall":
        hookwright_line.tell("install", "--project", both, "--yes")
    before = snapshot(config)
    ended = hookwright_line.run(verb, "--project", both)
    assert ended.code == 2
    assert ended.errors == "hookwright: there is no terminal to ask at: give --yes\n"
    does = "add" if verb == "install" else "remove"
    assert f"{does:6}  ~/.claude/hooks/PreToolUse/docsearch" in ended.output
    assert "change  ~/.claude/settings.json" in ended.output
    assert snapshot(config) == before


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1)])
def test_terminal_is_asked(both: Path, tmp_path: Path, answer: str, code: int) -> None:
    """At a terminal a question is asked, and only a yes installs."""
    with open_terminal("install", "--project", both, folder=tmp_path) as terminal:
        terminal.answer("Install my-hooks? [y/N]", answer + ENTER)
        assert terminal.end() == code
    assert (Path.home() / ".claude/settings.json").exists() is not code


def test_dry_run_only_shows(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    """A dry run names each file and its backup, or shows all lines, and changes nothing."""
    lines = hookwright_line.tell("install", "--project", both, "--dry-run").splitlines()
    assert lines[-1] == "change  ~/.claude/settings.json, kept as settings.json.before-hookwright"
    diff = hookwright_line.tell("install", "--project", both, "--dry-run", "--diff")
    assert '-{"model":"a"}\n' in diff
    assert "+KEYWORDS = " in diff
    assert snapshot(config) == {"settings.json": SETTINGS.encode()}


def test_changes_as_json(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    """The changes are printed as data, planned or made."""
    planned = json.loads(hookwright_line.tell("install", "--project", both, "--dry-run", "--json"))
    assert [one["does"] for one in planned] == ["add", "add", "add", "change"]
    assert planned[-1]["file"] == str(config / "settings.json")
    assert planned[-1]["backup"] == str(config / "settings.json.before-hookwright")
    made = json.loads(hookwright_line.tell("install", "--project", both, "--yes", "--json"))
    assert made == planned
    assert json.loads(hookwright_line.tell("install", "--project", both, "--yes", "--json")) == []


def test_json_asks_nothing(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    """For JSON the answer is given beforehand."""
    line = hookwright_line.complain("install", "--project", both, "--json", code=2)
    assert line == "hookwright: --json does not ask: add --yes or --dry-run"
    assert not find_hooks(config)


@pytest.mark.parametrize("verb", ["install", "uninstall", "status"])
def test_settings_that_cannot_be_read(
    hookwright_line: CommandLine, both: Path, config: Path, verb: str
) -> None:
    """Settings that are broken are refused in one line, which names them."""
    (config / "settings.json").write_text("{,}")
    line = hookwright_line.complain(verb, "--project", both)
    assert line.startswith(f"hookwright: {config / 'settings.json'} is not valid JSON (")
    assert not find_hooks(config)


def test_project_that_is_not_as_rendered(
    hookwright_line: CommandLine, kept: Path, config: Path
) -> None:
    """A project without one of its hooks, or with other entries, is refused in one line."""
    hook = kept / "hooks" / "docsearch.py"
    content = hook.read_bytes()
    hook.unlink()
    line = hookwright_line.complain("install", "--project", kept, "--yes")
    assert line == f"hookwright: {hook} is missing: restore it from git"
    assert not find_hooks(config)
    hook.write_bytes(content)
    hookwright_line.tell("install", "--project", kept, "--yes")
    entry = {"type": "command", "command": "echo mine"}
    settings = kept / "settings.json"
    for hooks in ({}, {"Stop": [{"hooks": [entry]}], **json.loads(settings.read_text())["hooks"]}):
        settings.write_text(json.dumps({"hooks": hooks}))
        line = hookwright_line.complain("install", "--project", kept, "--yes")
        assert line == f"hookwright: {settings} is not as it was rendered: restore it from git"


def test_failure_is_not_blamed_on_the_project(
    hookwright_line: CommandLine, both: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the installer fails by itself, the line says how, and nothing of the project."""
    monkeypatch.setattr(hookwright.project.own_installer, "CODE", "raise KeyError('x')")
    line = hookwright_line.complain("install", "--project", both)
    assert line == "hookwright: install.py failed (KeyError: 'x'): please report this"


def test_folders_own_code_is_not_run(
    hookwright_line: CommandLine, kept: Path, config: Path
) -> None:
    """Hooks are installed by Hookwright's own code, whatever the folder's install.py does."""
    for script in kept.glob("*.py"):
        script.write_text("raise SystemExit('run')\n")
    hookwright_line.tell("install", "--project", kept, "--yes")
    assert len(find_hooks(config)) == 2


def test_other_scopes_are_named(hookwright_line: CommandLine, both: Path) -> None:
    """Where other settings have the hooks as well, uninstalling says so."""
    for scope in ("user", "local"):
        hookwright_line.tell("install", "--project", both, "--yes", "--scope", scope)
    ended = hookwright_line.run("uninstall", "--project", both, "--yes")
    assert ended.errors == "hookwright: my-hooks is also in the local settings: use --scope local\n"
    ended = hookwright_line.run("uninstall", "--project", both, "--yes", "--scope", "local")
    assert (ended.code, ended.errors) == (0, "")
    assert not find_hooks(Path.home() / ".claude")


def test_take_over_is_passed_on(
    hookwright_line: CommandLine, both: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The installer decides about the hooks of another folder."""
    given: list[tuple[str, ...]] = []

    def run(_: object, *options: str) -> "subprocess.CompletedProcess[str]":
        given.append(options)
        return subprocess.CompletedProcess(options, 0, "[]", "")

    monkeypatch.setattr(hookwright.project.own_installer, "start_installer", run)
    hookwright_line.tell("install", "--project", both, "--take-over")
    assert given == [("--dry-run", "--json", "--scope", "user", "--take-over")]


def read_status(line: CommandLine, *words: str | Path, code: int = 0) -> dict[str, Any]:
    """Return what `status --json` prints."""
    ended = line.run("status", "--json", *words)
    assert ended.code == code, ended
    value: dict[str, Any] = json.loads(ended.output)
    return value


def test_status_of_each_hook(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    """A hook is missing, current or stale, by its script and by its entry."""
    states = [read_states(hookwright_line, both, code=1)]
    hookwright_line.tell("install", "--project", both, "--yes")
    states.append(read_states(hookwright_line, both))
    routing = find_hooks(config)[1]
    routing.write_bytes(routing.read_bytes() + b"#")
    settings = config / "settings.json"
    settings.write_text(settings.read_text().replace('"WebSearch"', '"Web"'))
    states.append(read_states(hookwright_line, both, code=1))
    routing.unlink()
    settings.write_text("{}")
    states.append(read_states(hookwright_line, both, code=1))
    assert states == [[one] * 2 for one in ("missing", "current", "stale", "missing")]


def read_states(line: CommandLine, project: Path, code: int = 0) -> list[str]:
    """Return the state of each hook of a project."""
    return [one["state"] for one in read_status(line, "--project", project, code=code)["hooks"]]


def test_status_of_each_scope(hookwright_line: CommandLine, both: Path) -> None:
    """The settings of all scopes are looked at, or only those that are named."""
    hookwright_line.tell("install", "--project", both, "--yes", "--scope", "local")
    hooks = read_status(hookwright_line, "--project", both)["hooks"]
    assert [one["scope"] for one in hooks] == ["local"] * 2
    missing = read_status(hookwright_line, "--project", both, "--scope", "project", code=1)
    assert {(one["scope"], one["state"]) for one in missing["hooks"]} == {("project", "missing")}


def test_status_of_a_request(hookwright_line: CommandLine, lessons_http: Path) -> None:
    """A lesson server that the client asks itself is looked for in the settings."""
    assert read_states(hookwright_line, lessons_http, code=1) == ["missing"]
    hookwright_line.tell("install", "--project", lessons_http, "--yes")
    (hook,) = read_status(hookwright_line, "--project", lessons_http)["hooks"]
    settings = Path.home() / ".claude" / "settings.json"
    assert (hook["state"], hook["file"]) == ("current", str(settings))


def test_status_names_folders_and_other_projects(
    hookwright_line: CommandLine, both: Path, other: Path, config: Path
) -> None:
    """The folder that hooks were installed from is shown, and which other projects there are."""
    hookwright_line.tell("install", "--project", both, "--yes")
    (config / "hooks" / "hookwright-my-hooks.json").write_text('{"folder": "/gone\\u001b[2J"}')
    ended = hookwright_line.run("status", "--project", both)
    assert ended.code == 1
    assert "installed from /gone\\x1b[2J\n" in ended.output
    assert ended.errors == (
        "hookwright: another folder installed my-hooks: to replace it, run "
        f"hookwright install --project {both} --take-over\n"
    )
    output = hookwright_line.run("status", "--project", other).output
    assert "also installed: my-hooks, from /gone\\x1b[2J\n" in output
    value = read_status(hookwright_line, "--project", other, code=1)
    assert value["others"] == [{"project": "my-hooks", "folder": "/gone\x1b[2J"}]


def test_status_in_the_project(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The advice names the project unless that is the current folder."""
    monkeypatch.chdir(kept)
    line = hookwright_line.complain("status")
    assert line == "hookwright: my-hooks is not installed: run hookwright install"
    hookwright_line.tell("install", "--yes", "--scope", "local")
    find_hooks(Path.home() / ".claude")[0].unlink()
    line = hookwright_line.complain("status")
    assert line == "hookwright: my-hooks is not current: run hookwright install --scope local"


def test_status_of_a_plugin(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    """A plugin is as good as an installation, unless a part of that is there as well."""
    settings = {"enabledPlugins": {"my-hooks@my-hooks": True}}
    (config / "settings.json").write_text(json.dumps(settings))
    output = hookwright_line.tell("status", "--project", both)
    assert output == "installed as the plugin my-hooks@my-hooks\n"
    value = read_status(hookwright_line, "--project", both)
    assert (value["plugins"], value["hooks"]) == (["my-hooks@my-hooks"], [])
    hookwright_line.tell("install", "--project", both, "--yes")
    find_hooks(config)[0].unlink()
    assert read_states(hookwright_line, both, code=1) == ["missing", "current"]


def test_hooks_of_another_folder_are_uninstalled(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    """What another folder installed is taken out with --take-over, which the refusal names."""
    hookwright_line.tell("install", "--project", both, "--yes")
    copy = shutil.copytree(both, tmp_path / "copy")
    line = hookwright_line.complain("uninstall", "--project", copy, "--yes")
    assert line.endswith(": uninstall it there, or add --take-over")
    hookwright_line.tell("uninstall", "--project", copy, "--yes", "--take-over")
    assert not (Path.home() / ".claude" / "settings.json").exists()


@pytest.mark.parametrize("options", [["--yes"], ["--yes", "--take-over"], ["--dry-run"]])
def test_hook_that_was_edited_is_named(
    hookwright_line: CommandLine, kept: Path, options: list[str]
) -> None:
    """A hook that is not as rendered is installed with a warning, once."""
    hook = kept / "hooks" / "docsearch.py"
    hook.write_bytes(hook.read_bytes() + b"print()\n")
    warning = f"hookwright: {hook} is not as this version renders it: read it before you trust it\n"
    ended = hookwright_line.run("install", "--project", kept, *options)
    assert (ended.code, ended.errors) == (0, warning)
    again = hookwright_line.run("install", "--project", kept, *options)
    assert again.errors == ("" if "--yes" in options else warning)


def test_status_where_nothing_can_be(
    hookwright_line: CommandLine, both: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A configuration folder that is a link to itself is named in a line."""
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(loop))
    line = hookwright_line.complain("status", "--project", both)
    assert line.startswith("hookwright: /")
    assert "Too many levels of symbolic links" in line


def test_status_of_large_settings(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    """Settings that can be installed into have a status as well."""
    (config / "settings.json").write_text(json.dumps({"history": "x" * 52_000_000}))
    assert read_states(hookwright_line, both, code=1) == ["missing"] * 2
