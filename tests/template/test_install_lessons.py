"""install.py installs the lesson_search hook over both transports, and removes only its entries."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ..support.fake_lesson_server import StandIn, write_frame
from ..support.installer import Installer, check_by_hookwright, snapshot
from ..support.project import prompt_event, render, run_hook
from ..support.rendered_project import read_answers

QUERY = "/hooks/user-prompt-submit?top_k=3&budget=2000"
# Foreign entries for the same event, one of which sends the same request to the same server.
OTHERS = [
    {"hooks": [{"type": "command", "command": "echo other"}]},
    {"hooks": [{"type": "http", "url": f"http://127.0.0.1:7731{QUERY}", "timeout": 9}]},
    {"hooks": [{"type": "http", "url": "http://a/b", "headers": {"X": "y"}}, {"type": "prompt"}]},
]


@pytest.fixture
def install_command(install: Installer, lessons: Path) -> Installer:
    return replace(install, project=lessons)


@pytest.fixture
def install_http(install: Installer, lessons_http: Path) -> Installer:
    return replace(install, project=lessons_http)


@pytest.fixture(params=["install_command", "install_http"])
def install_lessons(request: pytest.FixtureRequest) -> Installer:
    installer: Installer = request.getfixturevalue(request.param)
    return installer


def list_entries(install: Installer, scope: str = "user") -> list[Any]:
    settings = json.loads(install.settings_of(scope).read_text())
    entries: list[Any] = settings["hooks"]["UserPromptSubmit"]
    return entries


def test_installed_command_queries_the_server(
    install: Installer, template: Path, tmp_path: Path, stand_in: StandIn
) -> None:
    project = render(template, tmp_path / "asking" / "my-hooks", lesson_server_url=stand_in.url)
    installer = replace(install, project=project)
    assert installer().returncode == 0
    [entry] = list_entries(installer)
    assert set(entry) == {"hooks"}
    script = installer.config / "hooks" / "UserPromptSubmit" / "lesson_search-my-hooks.py"
    assert script.read_bytes() == (project / "hooks" / "lesson_search.py").read_bytes()

    def run() -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            ["/bin/sh", "-c", entry["hooks"][0]["command"]],
            input=json.dumps(prompt_event("How do I cache gems?")).encode(),
            capture_output=True,
            check=False,
            env={"CLAUDE_CONFIG_DIR": str(installer.config), "PATH": os.environ["PATH"]},
        )

    assert run().stdout == write_frame()
    script.unlink()
    gone = run()
    assert (gone.returncode, gone.stdout, gone.stderr) == (0, b"", b"")


def test_request_needs_no_script(install_http: Installer) -> None:
    assert install_http().returncode == 0
    rendered = json.loads((install_http.project / "settings.json").read_text())
    assert json.loads(install_http.settings.read_text()) == rendered
    record = "hooks/hookwright-my-hooks.json"
    assert set(snapshot(install_http.config)) == {"settings.json", record}


def test_check_passes_after_installation(install_lessons: Installer) -> None:
    install_lessons()
    before = snapshot(install_lessons.config)
    assert install_lessons("--check").stdout == "all is well\n"
    assert install_lessons().stdout == "nothing to change\n"
    assert snapshot(install_lessons.config) == before


def test_dry_run_writes_nothing(install_lessons: Installer) -> None:
    done = install_lessons("--dry-run")
    assert '"UserPromptSubmit": [' in done.stdout
    assert snapshot(install_lessons.config) == {}


@pytest.mark.parametrize("scope", ["user", "project", "local"])
def test_uninstall_leaves_nothing(install_lessons: Installer, scope: str) -> None:
    install_lessons("--scope", scope)
    assert len(list_entries(install_lessons, scope)) == 1
    install_lessons("--uninstall", "--scope", scope)
    assert snapshot(install_lessons.config) == snapshot(install_lessons.folder) == {}


def test_foreign_entries_are_kept(install_lessons: Installer) -> None:
    text = json.dumps({"hooks": {"UserPromptSubmit": OTHERS}}, indent=4)
    install_lessons.settings.write_text(text)
    install_lessons()
    assert list_entries(install_lessons)[:-1] == OTHERS
    changed = json.loads(install_lessons.settings.read_text()) | {"model": "b"}
    install_lessons.settings.write_text(json.dumps(changed))
    install_lessons("--uninstall")
    rest = {"hooks": {"UserPromptSubmit": OTHERS}, "model": "b"}
    assert json.loads(install_lessons.settings.read_text()) == rest


def test_settings_are_restored(install_lessons: Installer) -> None:
    install_lessons.settings.write_text('{"a":1,  "hooks":{"UserPromptSubmit":[]}}')
    before = snapshot(install_lessons.config)
    install_lessons()
    install_lessons("--uninstall")
    assert snapshot(install_lessons.config) == before


def test_transport_is_changed(install_command: Installer, install_http: Installer) -> None:
    install_command()
    first, settings = snapshot(install_command.config), install_command.settings
    before = json.loads(settings.read_text())
    assert install_http("--take-over").returncode == 0
    assert [
        handler["type"] for entry in list_entries(install_http) for handler in entry["hooks"]
    ] == ["http"]
    assert not list(install_http.config.rglob("*.py"))
    assert install_http("--check").stdout == "all is well\n"
    install_command("--take-over")
    assert json.loads(settings.read_text()) == before
    settings.write_bytes(first["settings.json"])  # because the order of events may differ
    assert snapshot(install_command.config) == first


@pytest.mark.long
@pytest.mark.parametrize(
    "changed",
    [
        {"lesson_server_url": "http://10.0.0.1"},
        {"top_k": 7, "context_budget": 300},
        {"lesson_time_limit": 9},
    ],
)
def test_answers_are_changed(
    install_lessons: Installer, template: Path, tmp_path: Path, changed: dict[str, Any]
) -> None:
    transport = read_answers(install_lessons.project)["transport"]
    new = tmp_path / "new" / "my-hooks"
    render(template, new, transport=transport)
    later = replace(install_lessons, project=new)
    later()
    shutil.rmtree(new)
    render(template, new, transport=transport, **changed)
    assert f"run python3 {new}/install.py" in later("--check").stdout
    later()
    assert len(list_entries(later)) == 1
    assert later("--check").stdout == "all is well\n"
    later("--uninstall")
    assert snapshot(later.config) == {}


def test_dropped_hook_is_removed(install_lessons: Installer, project: Path) -> None:
    install_lessons()
    later = replace(install_lessons, project=project)
    later("--take-over")
    assert "UserPromptSubmit" not in json.loads(later.settings.read_text())["hooks"]
    assert list((later.config / "hooks").rglob("*.py")) == [later.hook]
    assert later("--check").stdout == "all is well\n"


@pytest.mark.long
@pytest.mark.parametrize("transport", ["command", "http"])
def test_entry_of_another_project_is_left_alone(
    install_lessons: Installer, template: Path, tmp_path: Path, transport: str
) -> None:
    other = render(template, tmp_path / "o", project_name="other", transport=transport)
    installer = replace(install_lessons, project=other)
    installer()
    before = snapshot(install_lessons.config)
    assert install_lessons().returncode == 0
    assert len(list_entries(install_lessons)) == 2
    for install in (installer, install_lessons):
        assert install("--check").stdout == "all is well\n"
    assert install_lessons("--uninstall").returncode == 0
    assert snapshot(install_lessons.config) == before


def test_second_installation_is_a_duplicate(
    install_command: Installer, install_http: Installer
) -> None:
    install_command()
    install_http("--scope", "local", "--take-over")
    [fault] = check_by_hookwright(install_http, "local")
    assert fault.startswith("lesson_search is duplicated, run by `")
    assert fault.endswith(f"in {install_command.settings_of('local')}: keep one")
    install_http("--scope", "local", "--uninstall")
    install_command("--take-over")
    local = install_command.settings_of("local")
    local.parent.mkdir(exist_ok=True)
    local.write_text(json.dumps({"hooks": {"UserPromptSubmit": OTHERS}}))
    assert "lesson_search is duplicated" in check_by_hookwright(install_command)[0]


def test_script_at_the_hook_path_is_restored(install_command: Installer, stand_in: StandIn) -> None:
    script = install_command.config / "hooks" / "UserPromptSubmit" / "lesson_search-my-hooks.py"
    script.parent.mkdir(parents=True)
    script.write_text("# mine\n")
    install_command()
    assert run_hook(script, prompt_event("yes"), install_command.config).silent
    install_command("--uninstall")
    assert script.read_text() == "# mine\n"
    assert stand_in.asked == []
