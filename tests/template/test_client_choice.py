"""A project is rendered, installed and packaged for the chosen clients."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from hookwright.project.own_installer import list_left_out
from hookwright.project.reader import open_project

from ..support.client_installer import OTHERS, ClientInstaller, render_for
from ..support.installer import snapshot


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_installed_clients_are_detected(rendered: Path, tmp_path: Path) -> None:
    install = ClientInstaller(rendered, tmp_path, "codex")
    assert "this project is for Claude Code and Codex CLI and " in install.run().stderr
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".codex").mkdir()
    assert install.run().returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [".codex", ".gemini", "work"]
    assert install.run("--client", "all").stdout == "nothing to change\n"
    (tmp_path / ".qwen").mkdir()
    assert "qwen" in install.run("--check").stdout
    write(tmp_path / ".qwen" / "settings.json", "broken")  # nothing was installed for this client
    assert install.run("--uninstall").returncode == 0
    assert [*snapshot(tmp_path)] == [".qwen/settings.json"]


def choose(project: Path, *clients: str) -> None:
    answers = project / ".copier-answers.yml"
    text = answers.read_text()
    match = re.search(r'"clients": \[[^\]]*\]', text)
    assert match
    answers.write_text(text.replace(match[0], f'"clients": {json.dumps(clients)}'))
    for folder in (project / "clients").iterdir():
        if folder.name not in clients:
            shutil.rmtree(folder)


def test_client_removed_from_the_answers_is_reported(rendered: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(rendered, tmp_path / rendered.name))
    install = ClientInstaller(project, tmp_path / "home", "gemini")
    for client in ("gemini", "codex", "opencode"):
        assert install.run("--client", client).returncode == 0
    script = next((install.home / ".gemini").rglob("*.py"))
    script.write_text(f"{script.read_text()}# mine\n")
    choose(project, "codex")
    way_out = f"run hookwright uninstall --project {project} --client"
    messages = [
        f"{client}: no longer in the answers: {way_out} {client}"
        for client in ("gemini", "opencode")
    ]
    assert install.check_by_hookwright() == messages[:1]
    for options in ((), ("--dry-run",)):
        assert [*map(str, install.run_by_hookwright(*options).faults)] == messages
    for client in ("gemini", "opencode"):
        assert install.run("--uninstall", "--client", client).returncode == 0
    assert script.with_name(f"{script.name}.edited").read_text().endswith("# mine\n")
    assert install.run("--check").stdout == "all is well\n"


@pytest.mark.parametrize("first", ["codex", "qwen"])
def test_incompatible_client_is_reported(rendered: Path, tmp_path: Path, first: str) -> None:
    install = ClientInstaller(rendered, tmp_path / "home", "qwen")
    linked = replace(install, client=first).settings
    write(tmp_path / "real", "{}")
    linked.parent.mkdir(parents=True)
    linked.symlink_to(tmp_path / "real")
    write(install.home / ".gemini" / "settings.json", "broken")
    names = [word for client in ("codex", "gemini", "qwen") for word in ("--client", client)]
    good = "qwen" if first == "codex" else "codex"
    plan = install.run(*names, "--dry-run")
    assert (plan.returncode, len(plan.stderr.splitlines())) == (1, 2)
    assert f"{install.home}/.{good}/" in plan.stdout
    completed = install.run(*names)
    assert completed.returncode == 1
    lines = completed.stderr.splitlines()
    assert len(lines) == 2
    assert {line.rpartition(" (")[2] for line in lines} == {
        f"--client {first})",
        "--client gemini)",
    }
    assert any((install.home / f".{good}" / "hookwright").rglob("*.py"))
    assert (install.home / ".gemini" / "settings.json").read_text() == "broken"
    assert not (install.home / ".gemini" / "hookwright").exists()
    assert install.run("--client", good, "--check").stdout == "all is well\n"
    assert len(install.run(*names, "--check").stdout.splitlines()) >= 2
    assert install.run(*names, "--uninstall").returncode == 1
    assert not (install.home / f".{good}" / "hookwright").exists()


def test_program_on_path_is_sufficient(rendered: Path, tmp_path: Path) -> None:
    install = ClientInstaller(rendered, tmp_path / "home", "codex")
    write(tmp_path / "bin" / "opencode", "#!/bin/sh\n")
    (tmp_path / "bin" / "opencode").chmod(0o755)
    assert install.run(PATH=str(tmp_path / "bin")).returncode == 0
    assert {path.split("/")[0] for path in snapshot(install.home)} == {".config"}


def test_client_without_hooks_is_handled(template: Path, tmp_path: Path) -> None:
    project = render_for(template, tmp_path / "my-hooks", "claude")
    install = ClientInstaller(project, tmp_path / "home", "codex")
    completed = install()
    assert (completed.returncode, completed.stderr.count("\n")) == (1, 1)
    assert "has no hooks that Codex CLI can run" in completed.stderr
    assert install("--uninstall").stdout == "nothing to change\n"
    install.run()
    assert {path.split("/")[0] for path in snapshot(install.home)} == {".claude"}


def test_skipped_client_is_reported(template: Path, tmp_path: Path) -> None:
    project = render_for(template, tmp_path / "my-hooks", "gemini")
    install = ClientInstaller(project, tmp_path / "home", "gemini")
    names = ["gemini", "codex"]
    completed = install.run("--client", "gemini", "--client", "codex")
    assert completed.returncode == 0
    assert {path.split("/")[0] for path in snapshot(install.home)} == {".gemini"}
    with install.at_home():
        opened = open_project(project)
        [line] = list_left_out(opened, names, "user")
        assert line.startswith("Codex CLI gets nothing: the project has no hooks for it: run ")
        assert len(list_left_out(opened, ["all"], "user")) == 5


def test_invalid_folder_is_reported(rendered: Path, tmp_path: Path) -> None:
    (tmp_path / ".gemini").mkdir()
    install = ClientInstaller(rendered, tmp_path, "gemini")
    with install.at_home(CODEX_HOME="rel"):
        notes = list_left_out(open_project(rendered), ["all"], "user")
    (line,) = [line for line in notes if "Codex CLI" in line]
    assert line.endswith("CODEX_HOME is a relative path, rel: set it to an absolute one")


def test_claude_is_rejected_if_the_project_excludes_it(template: Path, tmp_path: Path) -> None:
    project = render_for(template, tmp_path / "my-hooks", "gemini")
    install = ClientInstaller(project, tmp_path / "home", "gemini")
    refused = install.run("--client", "claude")
    assert refused.returncode == 1
    assert (
        "has no hooks that Claude Code can run: run hookwright add client claude, or copier "
        in (refused.stderr)
    )
    assert refused.stderr.endswith("copier update -A -d 'clients=[gemini, claude]'\n")


def test_default_project_lists_the_installed_clients(template: Path, tmp_path: Path) -> None:
    install = ClientInstaller(render_for(template, tmp_path / "my-hooks", "claude"), tmp_path, "")
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".gemini").mkdir()
    output = install.run("--client", "all").stderr
    assert "is for Claude Code, not found here: run hookwright add client codex or gemini" in output


def test_claude_is_omitted_unless_chosen(template: Path, tmp_path: Path) -> None:
    project = render_for(template, tmp_path / "my-hooks", "qwen")
    install = ClientInstaller(project, tmp_path / "home", "qwen")
    install.run()
    assert {path.split("/")[0] for path in snapshot(install.home)} == {".qwen"}


@pytest.mark.parametrize("client", OTHERS)
def test_unsupported_scope_is_rejected(rendered: Path, tmp_path: Path, client: str) -> None:
    completed = ClientInstaller(rendered, tmp_path, client).run(
        "--client", client, "--scope", "local"
    )
    assert completed.returncode == 1
    assert "has no local settings: use --scope user or project" in completed.stderr


def test_second_copy_in_copilot_is_reported(rendered: Path, tmp_path: Path) -> None:
    install = ClientInstaller(rendered, tmp_path, "copilot")
    install()
    install.run("--client", "claude", "--scope", "project")
    output = "\n".join(install.check_by_hookwright())
    assert "docsearch is duplicated" in output
    assert str(install.work / ".claude" / "settings.json") in output


def test_each_client_has_a_manifest(rendered: Path) -> None:
    manifests = {
        "codex": ".codex-plugin/plugin.json",
        "copilot": ".github/plugin/plugin.json",
        "gemini": "gemini-extension.json",
        "qwen": "qwen-extension.json",
    }
    versions = {json.loads((rendered / ".claude-plugin/plugin.json").read_text())["version"]}
    for client, path in manifests.items():
        folder = rendered / "clients" / client
        manifest = json.loads((folder / path).read_text())
        assert manifest["name"] == rendered.name
        versions.add(manifest["version"])
        hooks = json.loads((folder / "hooks/hooks.json").read_text())["hooks"]
        entries = json.loads((folder / "hooks.json").read_text())["hooks"]
        assert hooks.keys() == entries.keys()
        text = (folder / "hooks/hooks.json").read_text()
        assert "HOOKWRIGHT_FOLDER" not in text
        for script in (folder / "hooks").glob("*.py"):
            is_run = not script.stem.endswith("_answer")
            assert (f'/hooks/{script.name}\\" plugin' in text) is is_run
    assert len(versions) == 1
    for path in ("codex/.agents/plugins", "copilot/.github/plugin"):
        marketplace = json.loads((rendered / "clients" / path / "marketplace.json").read_text())
        assert [plugin["name"] for plugin in marketplace["plugins"]] == [rendered.name]
