"""A user's handler that contains our command is still treated as the user's."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ..support.installer import Installer, run_here

WRAPPINGS = [
    "logger before; (%s)",
    "%s; logger after",
    "MY=1; %s",
    "echo # %s",
    "%s\n",
    "%s user; id",
    'P=$(id); [ -x "$P" ] || P=python3; %s',
]  # fmt: skip


def add_handler(install: Installer, event: str, handler: dict[str, Any]) -> None:
    settings = json.loads(install.settings.read_text()) if install.settings.exists() else {}
    settings.setdefault("hooks", {}).setdefault(event, []).append({"hooks": [handler]})
    install.settings.write_text(json.dumps(settings))


def check_kept(install: Installer, event: str, handler: dict[str, Any]) -> None:
    run_here(install)
    add_handler(install, event, handler)
    for arguments in ([], ["--uninstall"]):
        assert run_here(install, *arguments).returncode == 0
    settings = json.loads(install.settings.read_text())
    assert settings == {"hooks": {event: [{"hooks": [handler]}]}}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
@pytest.mark.parametrize("scope", ["", "project"])
def test_command_containing_ours_is_kept(install: Installer, wrapping: str, scope: str) -> None:
    [entry, *_] = json.loads((install.project / "settings.json").read_text())["hooks"]["PreToolUse"]
    own = entry["hooks"][0]["command"].replace(".py", f"-{install.name}.py")
    command = wrapping % f"{own} {scope}".rstrip(" ")
    check_kept(install, "PreToolUse", {"type": "command", "command": command})


@pytest.mark.parametrize("url", ["http://a/b", "http://a/x?y=/hooks/user-prompt-submit", 5])
def test_request_to_another_path_is_kept(
    install: Installer, lessons_http: Path, url: object
) -> None:
    headers = {"Hookwright-Project": "my-hooks"}
    handler = {"type": "http", "url": url, "headers": headers}
    check_kept(replace(install, project=lessons_http), "UserPromptSubmit", handler)


@pytest.mark.parametrize("before", ["", 'P=/usr/bin/python3; [ -x "$P" ] || P=python3; '])
@pytest.mark.parametrize("scope", ["", " user"])
def test_command_of_an_older_version_is_replaced(
    install: Installer, before: str, scope: str
) -> None:
    python = '"$P"' if before else "python3"
    run_here(install)
    settings = json.loads(install.settings.read_text())
    wanted = json.dumps(settings)
    script = f"${{CLAUDE_CONFIG_DIR:-$HOME/.claude}}/hooks/PreToolUse/docsearch-{install.name}.py"
    for [entry] in settings["hooks"].values():
        command = f'{before}S="{script}"; [ ! -f "$S" ] || exec {python} -I -S "$S"{scope}'
        entry["hooks"][0]["command"] = command
    install.settings.write_text(json.dumps(settings))
    run_here(install)
    assert json.loads(install.settings.read_text()) == json.loads(wanted)
