"""`hookwright install`, `uninstall` and `status` agree with a project's install.py."""

import json
import shutil
from pathlib import Path

import pytest

from hookwright_console.text import shorten_home

from ...support.client_settings import furnish_config
from ...support.command_line import CommandLine
from ...support.installer import snapshot
from ...support.project import ROUTES, URL, fetch_event, render, run_hook
from ...support.pseudo_terminal import ENTER, open_terminal

SETTINGS = '{"model":"a"}\n'


@pytest.fixture
def config() -> Path:
    return furnish_config(SETTINGS)


def test_install_and_uninstall_round_trip(
    hookwright_line: CommandLine, both: Path, config: Path, tmp_path: Path
) -> None:
    *wrote, done, _ = hookwright_line.output("install", "--project", both, "--yes").splitlines()
    settings = config / "settings.json"
    backup = config / "settings.json.before-hookwright"
    files = [find_record(config), *find_hooks(config), backup, settings]
    assert wrote == [f"wrote {shorten_home(str(path))}" for path in files]
    assert done == "Installed my-hooks: new sessions have its hooks"
    assert run_hook(find_hooks(config)[1], fetch_event(URL), tmp_path / "memory").denied
    again = hookwright_line.output("install", "--project", both)
    assert again == "my-hooks is installed and up to date\n"
    hookwright_line.output("uninstall", "--project", both, "--yes")
    assert snapshot(config) == {"settings.json": SETTINGS.encode()}


def find_record(config: Path) -> Path:
    return config / "hooks" / "hookwright-my-hooks.json"


def find_hooks(config: Path) -> list[Path]:
    return sorted((config / "hooks").glob("*/*.py"))


def test_disabled_hooks_are_reported(hookwright_line: CommandLine, both: Path) -> None:
    config = furnish_config('{"disableAllHooks": true}')
    completed = hookwright_line.run("install", "--project", both, "--yes")
    line = f"{config / 'settings.json'} turns all hooks off: remove disableAllHooks"
    assert (completed.code, line in completed.errors) == (0, True)


@pytest.mark.usefixtures("config")
def test_single_client_is_installed(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    clients = ["claude", "copilot", "qwen"]
    project = render(template, tmp_path / "my-hooks", routes=ROUTES, clients=clients)
    words = ("--project", project, "--client")
    hookwright_line.output("install", *words, "qwen", "--yes")
    assert read_clients(hookwright_line, project) == {"qwen": "current"}
    hookwright_line.output("install", *words, "claude", "--client", "copilot", "--yes")
    everywhere = dict.fromkeys(clients, "current")
    assert read_clients(hookwright_line, project) == everywhere
    shown = hookwright_line.output("status", "--project", project)
    assert all(name in shown for name in ("client", *clients))
    removed = hookwright_line.output("uninstall", *words, "qwen", "--yes")
    assert ".qwen" in removed
    assert ".claude" not in removed
    assert read_clients(hookwright_line, project) == {"claude": "current", "copilot": "current"}
    hookwright_line.output("uninstall", *words, "all", "--yes")
    assert not [path for path in Path.home().rglob("*.py") if "tool_routing" in path.name]


def read_clients(line: CommandLine, project: Path) -> dict[str, str]:
    status = json.loads(line.run("status", "--project", project, "--json").output)
    return {hook["client"]: hook["state"] for hook in status["hooks"] if hook["state"] != "missing"}


def test_skipped_client_is_reported(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    words = ("install", "--project", both, "--client", "claude", "--client", "codex")
    completed = hookwright_line.run(*words, "--dry-run", "--json")
    (line,) = completed.errors.splitlines()
    assert json.loads(completed.output)[-1]["reason"] == line.removeprefix("hookwright: ")
    completed = hookwright_line.run(*words, "--yes")
    assert (completed.code, completed.errors.splitlines()[0]) == (0, line)
    assert "gets nothing" not in completed.output
    assert find_hooks(config)


@pytest.mark.parametrize("verb", ["install", "uninstall"])
def test_nothing_happens_without_confirmation(
    hookwright_line: CommandLine, both: Path, config: Path, verb: str
) -> None:
    if verb == "uninstall":
        hookwright_line.output("install", "--project", both, "--yes")
    before = snapshot(config)
    completed = hookwright_line.run(verb, "--project", both)
    assert completed.code == 2
    assert completed.errors == "hookwright: cannot prompt without a terminal: add --yes\n"
    does = "add" if verb == "install" else "remove"
    assert f"{does:6}  ~/.claude/hooks/PreToolUse/docsearch" in completed.output
    assert "change  ~/.claude/settings.json" in completed.output
    assert snapshot(config) == before


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1)])
def test_terminal_user_is_asked(both: Path, tmp_path: Path, answer: str, code: int) -> None:
    with open_terminal("install", "--project", both, folder=tmp_path) as terminal:
        terminal.answer("Install my-hooks? [Y/n]", answer + ENTER)
        assert terminal.end() == code
    assert (Path.home() / ".claude/settings.json").exists() is not code


def test_dry_run_changes_nothing(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    lines = hookwright_line.output("install", "--project", both, "--dry-run").splitlines()
    assert lines[-2:] == [
        "add     ~/.claude/settings.json.before-hookwright",
        "change  ~/.claude/settings.json",
    ]
    diff = hookwright_line.output("install", "--project", both, "--dry-run", "--diff")
    assert '-{"model":"a"}\n' in diff
    assert "+KEYWORDS = " in diff
    assert snapshot(config) == {"settings.json": SETTINGS.encode()}


def test_changes_are_printed_as_json(
    hookwright_line: CommandLine, both: Path, config: Path
) -> None:
    planned = json.loads(
        hookwright_line.output("install", "--project", both, "--dry-run", "--json")
    )
    assert [step["does"] for step in planned] == ["add", "add", "add", "add", "change"]
    assert planned[-1]["file"] == str(config / "settings.json")
    assert planned[-2]["file"] == str(config / "settings.json.before-hookwright")
    output = json.loads(hookwright_line.output("install", "--project", both, "--yes", "--json"))
    assert output == planned
    assert json.loads(hookwright_line.output("install", "--project", both, "--yes", "--json")) == []


def test_json_output_asks_nothing(hookwright_line: CommandLine, both: Path, config: Path) -> None:
    line = hookwright_line.error("install", "--project", both, "--json", code=2)
    assert line == "hookwright: --json never prompts: add --yes or --dry-run"
    assert not find_hooks(config)


@pytest.mark.parametrize("verb", ["install", "uninstall", "status"])
def test_unreadable_settings_are_reported(
    hookwright_line: CommandLine, both: Path, config: Path, verb: str
) -> None:
    (config / "settings.json").write_text("{,}")
    line = hookwright_line.error(verb, "--project", both)
    assert line.startswith(f"hookwright: {config / 'settings.json'} is not valid JSON (")
    assert not find_hooks(config)


def test_edited_project_is_rejected(hookwright_line: CommandLine, kept: Path, config: Path) -> None:
    hook = kept / "hooks" / "docsearch.py"
    content = hook.read_bytes()
    hook.unlink()
    line = hookwright_line.error("install", "--project", kept, "--yes")
    assert line == f"hookwright: {hook} is missing: restore it from git"
    assert not find_hooks(config)
    hook.write_bytes(content)
    hookwright_line.output("install", "--project", kept, "--yes")
    entry = {"type": "command", "command": "echo mine"}
    settings = kept / "settings.json"
    for hooks in ({}, {"Stop": [{"hooks": [entry]}], **json.loads(settings.read_text())["hooks"]}):
        settings.write_text(json.dumps({"hooks": hooks}))
        line = hookwright_line.error("install", "--project", kept, "--yes")
        assert line == f"hookwright: {settings} differs from what was rendered: restore it from git"


def test_untrusted_folder_code_is_not_run(
    hookwright_line: CommandLine, kept: Path, config: Path
) -> None:
    for script in kept.glob("*.py"):
        script.write_text("raise SystemExit('run')\n")
    hookwright_line.output("install", "--project", kept, "--yes")
    assert len(find_hooks(config)) == 2


def test_other_scopes_are_listed(hookwright_line: CommandLine, both: Path) -> None:
    for scope in ("user", "local"):
        hookwright_line.output("install", "--project", both, "--yes", "--scope", scope)
    completed = hookwright_line.run("uninstall", "--project", both, "--yes")
    assert (
        completed.errors
        == "hookwright: my-hooks is also in the local settings: use --scope local\n"
    )
    completed = hookwright_line.run("uninstall", "--project", both, "--yes", "--scope", "local")
    assert (completed.code, completed.errors) == (0, "")
    assert not find_hooks(Path.home() / ".claude")


def test_take_over_option_is_passed_on(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    hookwright_line.output("install", "--project", both, "--yes")
    copied = shutil.copytree(both, tmp_path / "copied")
    options = ("--project", copied, "--yes")
    line = hookwright_line.error("install", *options)
    assert "is installed from another folder" in line
    hookwright_line.output("install", "--take-over", *options)
    assert hookwright_line.output("install", *options) == "my-hooks is installed and up to date\n"


def test_deleted_project_is_handled(hookwright_line: CommandLine, tmp_path: Path) -> None:
    line = hookwright_line.error("uninstall", "--project", tmp_path / "gone", "--yes")
    assert line.startswith(f"hookwright: nothing of {tmp_path / 'gone'} is installed, and it has")
