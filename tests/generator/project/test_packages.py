"""Projects installed as a client package are found in the client's own files."""

import json
import os
from pathlib import Path

import pytest

from hookwright.installer import registry
from hookwright.project.own_installer import list_left_out
from hookwright.project.reader import open_project

from ...support.client_installer import OTHERS, ClientInstaller, render_for

ON, OFF = "on", "off"


@pytest.fixture(scope="session")
def rendered(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rendered")
    return render_for(template, folder / "my-hooks", "claude", *OTHERS)


def list_plugin_files(client: str) -> list[str]:
    return [*registry.CLIENTS[client].get("lists_plugins", {}).get("files", ())]


def package(install: ClientInstaller, state: str = ON) -> str:
    """Install the project with the client's own command; return the name that the client uses."""
    name, config = install.project.name, install.config
    plugin = f"{name}@{name}"
    config.mkdir(parents=True, exist_ok=True)
    if install.client == "codex":
        source = f'[marketplaces.{name}]\nsource_type = "local"\n\n[plugins."{plugin}"]\n'
        enabled = f"enabled = {json.dumps(state == ON)}\n\n[tui]\nenabled = false\n"
        (config / "config.toml").write_text(source + enabled)
    elif install.client == "copilot":
        enabled = json.dumps({"enabledPlugins": {plugin: state == ON}})
        (config / "settings.json").write_text(enabled)
    elif install.client == "opencode":
        file = install.facts.locate_snippet(install.project)
        named = f'"{file.as_uri()}"' if state == ON else ""
        (config / "opencode.json").write_text(f'{{"plugin": ["other", {named}]}} // mine')
        return f"the plugin {file}"
    else:
        extension = config / "extensions" / name
        extension.mkdir(parents=True, exist_ok=True)
        rules = [f"{install.home}/*", f"{'!' if state == OFF else ''}{install.work}/*"]
        (extension.parent / "extension-enablement.json").write_text(
            json.dumps({name: {"overrides": rules}})
        )
        return f"the extension in {extension}"
    return f"the plugin {plugin}"


@pytest.fixture(params=OTHERS)
def install(request: pytest.FixtureRequest, rendered: Path, tmp_path: Path) -> ClientInstaller:
    return ClientInstaller(rendered, tmp_path / "home", request.param)


def test_client_with_the_project_package_is_skipped(install: ClientInstaller) -> None:
    called = package(install)
    refused = install.run_by_hookwright("--client", install.client)
    assert refused.is_refused
    message = f" has {install.project.name} as {called}: nothing is left to do, or "
    assert message in str(refused.faults[0])
    assert install.check_by_hookwright() == []
    assert not install.settings.exists() or b"hooks" not in install.settings.read_bytes()


def test_other_clients_get_the_hooks(install: ClientInstaller) -> None:
    called = package(install)
    (install.home / ".claude").mkdir()
    with install.at_home():
        (line,) = list_left_out(open_project(install.project), [], "user")
    assert line.endswith(f"gets nothing: it has the project as {called}")
    assert not install.run_by_hookwright().faults
    assert (install.home / ".claude" / "settings.json").exists()
    assert install.check_by_hookwright() == []
    assert not (install.config / "hookwright").exists()


def test_disabled_package_is_ignored(install: ClientInstaller) -> None:
    package(install, OFF)
    assert not install.run_by_hookwright("--client", install.client).faults
    assert install.check_by_hookwright() == []


def test_package_and_settings_are_reported_as_duplicates(install: ClientInstaller) -> None:
    assert install().returncode == 0
    called = package(install)
    faults = install.check_by_hookwright()
    assert faults
    assert all(f"by {called}: keep one" in fault for fault in faults)
    assert install("--uninstall").returncode == 0
    assert install.check_by_hookwright() == []


OPENCODE_SETTINGS = (
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
    "work/opencode.json",
    "work/.opencode/opencode.jsonc",
)


@pytest.mark.parametrize(
    ("place", "form"),
    [
        *((place, "{uri}") for place in OPENCODE_SETTINGS),
        *((OPENCODE_SETTINGS[0], form) for form in ("{path}", "{relative}", ["{uri}", {"x": 1}])),
    ],
)
def test_plugin_file_listed_by_opencode_is_found(
    rendered: Path, tmp_path: Path, place: str, form: object
) -> None:
    install = ClientInstaller(rendered, tmp_path / "home", "opencode")
    file, settings = install.facts.locate_snippet(rendered), install.home / place
    settings.parent.mkdir(parents=True)
    ways = {"{uri}": file.as_uri(), "{path}": str(file)}
    ways["{relative}"] = os.path.relpath(file, settings.parent)
    text = json.dumps({"plugin": ["other", "./a\0b", [], 5, form]})
    for mark, way in ways.items():
        text = text.replace(mark, way)
    settings.write_text(text)
    refused = install.run_by_hookwright("--client", "opencode")
    assert f" has {rendered.name} as the plugin {file}: " in str(refused.faults[0])


@pytest.mark.parametrize("content", ["{", '{"plugin": 1, "enabledPlugins": []}'])
def test_broken_files_list_no_package(install: ClientInstaller, content: str) -> None:
    install.config.mkdir(parents=True)
    (install.config / "extensions").mkdir()
    for name in (*list_plugin_files(install.client), "extensions/extension-enablement.json"):
        if install.client != "copilot":  # Copilot's settings may contain hooks, which are rejected
            (install.config / name).write_text(content)
    assert not install.run_by_hookwright("--client", install.client).faults
    assert install.check_by_hookwright() == []
