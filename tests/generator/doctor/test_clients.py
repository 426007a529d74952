"""doctor checks every other client in which the project is installed."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hookwright.cli.doctor import run_checks
from hookwright.clients.dialects import FORMS
from hookwright.doctor.clients import (
    FoundHooks,
    ask_codex,
    check_other_clients,
    check_other_servers,
    is_trusted,
    parse_answer,
)
from hookwright.doctor.finding import find_setup
from hookwright.doctor.installation import check_installed, check_places
from hookwright.installer import client
from hookwright.project.own_installer import run_own_installer
from hookwright.project.reader import open_project

from ...support.client_installer import render_for
from ...support.interpreters import BASE_PYTHON

CODEX = """#!{python}
import json, sys
if "--version" in sys.argv:
    print("codex-cli 0.169.0")
    sys.exit()
hooks = {hooks}
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "hooks/list":
        [folder] = message["params"]["cwds"]
        data = [{{"cwd": folder, "hooks": hooks, "errors": {errors}}}]
        print("noise")
        print(json.dumps({{"id": message["id"], "result": {{"data": data}}}}), flush=True)
"""


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def make_codex(folder: Path, hooks: list[dict[str, Any]], errors: Sequence[object] = ()) -> Path:
    path = folder / "codex"
    path.write_text(CODEX.format(python=BASE_PYTHON, hooks=hooks, errors=[*errors]))
    path.chmod(0o755)
    return path


def build_hook(path: str, **fields: object) -> dict[str, Any]:
    own = {
        "eventName": "preToolUse",
        "command": f"exec python3 {path}",
        "sourcePath": "/x/hooks.json",
    }
    return {**own, "trustStatus": "trusted", "enabled": True, **fields}


def check(project: Path) -> dict[str, list[str]]:
    lines: dict[str, list[str]] = {"ok": [], "warn": [], "fault": []}
    for finding in check_other_clients(find_setup(project)):
        lines[finding.status].append(finding.line)
    return lines


def install(template: Path, folder: Path, client: str) -> Path:
    project = render_for(template, folder / "my-hooks", client)
    assert not run_own_installer(open_project(project), "--client", client).faults
    return project


PLUGIN = "/c/plugins/my-hooks/1.0/hooks/tool_routing.py"
OURS = "/home/me/.codex/hookwright/hooks/PreToolUse/tool_routing-my-hooks.py"


@pytest.mark.usefixtures("bin_folder")
def test_missing_client_is_reported(template: Path, tmp_path: Path) -> None:
    lines = check(install(template, tmp_path, "qwen"))
    assert lines["warn"] == ["qwen is not on PATH: install Qwen Code"]
    assert lines["ok"] == ["up to date in the user settings of Qwen Code"]


@pytest.mark.usefixtures("bin_folder")
def test_clients_are_checked_outside_a_project(
    template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(template, tmp_path, "qwen")
    monkeypatch.chdir(tmp_path / "bin")
    setup = find_setup(None)
    assert [finding for finding in check_installed(setup) if finding.status == "fault"] == []
    lines = [client.line for client in check_other_clients(setup)]
    assert lines[0] == "qwen is not on PATH: install Qwen Code"
    assert lines[1].startswith("action_lessons of my-hooks, installed in Qwen Code; add --project")


def test_relative_folder_is_accepted(
    template: Path, tmp_path: Path, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = install(template, tmp_path, "codex")
    make_codex(bin_folder, [])
    monkeypatch.setenv("CODEX_HOME", "somewhere")
    line = "CODEX_HOME is a relative path, somewhere: set it to an absolute one"
    for folder in (project, None):
        findings = [*run_checks(find_setup(folder), "", 1, lambda *_: None, starts=False)]
        assert [finding.line for finding in findings if finding.check == "codex"] == [line]


@pytest.mark.usefixtures("bin_folder")
def test_dangling_plugin_file_is_reported(template: Path, tmp_path: Path) -> None:
    project = install(template, tmp_path, "opencode")
    (plugin,) = (Path.home() / ".config" / "opencode" / "plugin").iterdir()
    plugin.unlink()
    plugin.symlink_to(tmp_path / "gone.js")
    line = f"{plugin} is a broken link: remove it, then try again"
    assert check(project)["fault"] == [line]
    faults = run_own_installer(open_project(project), "--client", "opencode").faults
    assert list(map(str, faults)) == [line]


@pytest.mark.usefixtures("bin_folder")
def test_extension_and_settings_are_reported_as_duplicates(template: Path, tmp_path: Path) -> None:
    project = install(template, tmp_path, "qwen")
    extension = Path.home() / ".qwen" / "extensions" / "my-hooks"
    extension.mkdir(parents=True)
    faults = check(project)["fault"]
    assert faults
    assert all(fault.endswith(f"and by the extension in {extension}: keep one") for fault in faults)
    assert not run_own_installer(open_project(project), "--client", "qwen", "--uninstall").faults
    [finding] = check_places(client.CLIENTS["qwen"], open_project(project), "")
    assert finding.line == f"as the extension in {extension} of Qwen Code"


@pytest.mark.usefixtures("bin_folder")
def test_plugin_and_settings_are_reported_as_duplicates(template: Path, tmp_path: Path) -> None:
    project = install(template, tmp_path, "copilot")
    enabled = {"enabledPlugins": {"my-hooks@my-hooks": True}}
    (Path.home() / ".copilot" / "settings.json").write_text(json.dumps(enabled))
    faults = check(project)["fault"]
    assert faults
    assert all("by the plugin my-hooks@my-hooks: keep one" in fault for fault in faults)


@pytest.mark.usefixtures("bin_folder")
@pytest.mark.parametrize("name", ["codex", "copilot", "gemini", "qwen", "opencode"])
def test_unreadable_files_are_reported(template: Path, tmp_path: Path, name: str) -> None:
    project = install(template, tmp_path, name)
    agent = client.CLIENTS[name]
    settings = agent.locate_settings(agent.find_config_folder(), "user", project.name)
    servers = FORMS[name].locate(agent)
    for path in {settings, servers}:
        path.unlink(missing_ok=True)
        path.symlink_to(path.name)
    setup = find_setup(project)
    findings = [*check_other_clients(setup), *check_other_servers(setup)]
    for path in {settings, servers}:
        lines = [
            finding.line
            for finding in findings
            if str(path) in finding.line and finding.status == "fault"
        ]
        assert any("cannot be used (Too many levels of symbolic links)" in line for line in lines)


@pytest.mark.usefixtures("bin_folder")
def test_stale_script_is_reported(template: Path, tmp_path: Path) -> None:
    project = install(template, tmp_path, "copilot")
    script = next((Path.home() / ".copilot").rglob("docsearch-*.py"))
    script.write_text(script.read_text() + "# old\n")
    [fault] = check(project)["fault"]
    assert fault.startswith(f"{script} is stale: run hookwright install")
    assert fault.endswith("--client copilot")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([[build_hook(OURS)]], ("ok", "Codex trusts the hooks")),
        ([[build_hook(OURS, trustStatus="untrusted")]], ("warn", "run /hooks in codex")),
        ([[build_hook(OURS), build_hook(OURS)]], ("fault", "tool_routing runs twice")),
        ([[build_hook(OURS), build_hook(PLUGIN)]], ("fault", "tool_routing runs twice")),
        ([[], [{"path": "/x/h.json", "message": "bad\nkey"}]], ("fault", "/x/h.json: bad key")),
    ],
)
def test_codex_answer_is_checked(
    template: Path, tmp_path: Path, bin_folder: Path, said: Any, told: tuple[str, str]
) -> None:
    make_codex(bin_folder, *said)
    lines = check(install(template, tmp_path, "codex"))
    assert any(told[1] in finding for finding in lines[told[0]])
    assert "Codex CLI 0.169.0" in lines["ok"]


def test_unresponsive_codex_is_reported(tmp_path: Path) -> None:
    for text in ("#!/bin/sh\n", "#!/bin/sh\necho '[1]'; echo '{'\n", "#!/bin/sh\nexec sleep 60\n"):
        path = tmp_path / "codex"
        path.write_text(text)
        path.chmod(0o755)
        assert ask_codex(str(path), tmp_path, 0.2) is None
    assert ask_codex(str(tmp_path / "gone"), tmp_path, 1) is None


@pytest.mark.parametrize(
    "answer", [{}, {"error": {"code": 1}}, {"result": []}, {"result": {"data": 5}}]
)
def test_invalid_answer_is_reported(answer: dict[str, Any]) -> None:
    assert parse_answer(answer) is None


def test_malformed_answer_is_parsed_as_far_as_possible() -> None:
    data = [5, {"hooks": [5, {}], "errors": ["a\nb"]}]
    answer = parse_answer({"result": {"data": data}})
    assert isinstance(answer, FoundHooks)
    assert len(answer.hooks) == 1
    assert answer.faults == ("a b",)


def ask_gemini(folder: Path, answers: dict[str, str], settings: dict[str, Any]) -> bool:
    trusted = {path.replace("HERE", str(folder)): answer for path, answer in answers.items()}
    (folder / "trustedFolders.json").write_text(json.dumps(trusted))
    (folder / "settings.json").write_text(json.dumps(settings))
    return is_trusted(folder, "trustedFolders.json", folder / "work")


def test_folder_trusted_by_gemini_is_recognised(tmp_path: Path) -> None:
    assert ask_gemini(tmp_path, {"HERE": "TRUST_FOLDER"}, {})
    assert ask_gemini(tmp_path, {"HERE/x": "TRUST_PARENT"}, {})
    assert ask_gemini(tmp_path, {}, {"security": {"folderTrust": {"enabled": False}}})
    assert not ask_gemini(tmp_path, {}, {})
    assert not ask_gemini(tmp_path, {"HERE": "DO_NOT_TRUST", "HERE/x": "TRUST_FOLDER"}, {})


SWITCHES = {
    "gemini": (
        "settings.json",
        '{"hooksConfig": {"enabled": false}}',
        "hooksConfig.enabled",
    ),
    "qwen": ("settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    "codex": ("config.toml", "[features]\nhooks = false\n", "features.hooks"),
    "copilot": ("settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
}


@pytest.mark.usefixtures("bin_folder")
@pytest.mark.parametrize("name", SWITCHES)
def test_disabled_hooks_are_reported(template: Path, tmp_path: Path, name: str) -> None:
    file, text, switch = SWITCHES[name]
    project = install(template, tmp_path, name)
    assert check(project)["fault"] == []
    config = client.CLIENTS[name].find_config_folder()
    path = config / file
    if path.exists():
        settings = {**json.loads(path.read_text()), **json.loads(text)}
        text = f"{json.dumps(settings)} // mine"
    path.write_text(text)
    assert check(project)["fault"] == [f"{path} turns all hooks off: remove {switch}"]
    path.write_text("broken [{" if name == "copilot" else "")
    assert not any("turns all" in line for line in check(project)["fault"])


@pytest.mark.usefixtures("bin_folder")
def test_client_removed_from_the_answers_is_reported(template: Path, tmp_path: Path) -> None:
    project = install(template, tmp_path, "gemini")
    assert not any("trust" in line for line in check(project)["warn"])  # trust is not stored there
    shutil.rmtree(project / "clients")
    answers = project / ".copier-answers.yml"
    answers.write_text(answers.read_text().replace('"gemini"', '"claude"'))
    [fault] = check(project)["fault"]
    assert fault.startswith("gemini: no longer in the answers: run hookwright uninstall")
