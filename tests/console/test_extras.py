"""Missing packages are reported with an install command for the origin of this Hookwright."""

import json
import shlex
import subprocess
import sys
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from hookwright_console import extras
from hookwright_console.extras import explain_missing, find_command
from hookwright_console.text import make_printable

SERVER = ("chromadb", "fastapi", "fastapi_offline", "onnxruntime", "squarify")
START = "from lesson_search.__main__ import main; sys.exit(main())"
PIP = f"{shlex.quote(sys.executable)} -m pip install "


class InstalledProject(Distribution):
    """A distribution with the given metadata files."""

    def __init__(self, **files: str) -> None:
        """Store the files by name, with underscores in place of dots."""
        self.files_by_name = files

    def read_text(self, filename: str) -> str | None:
        return self.files_by_name.get(filename.replace(".", "_"))

    def locate_file(self, path: object) -> Path:
        return Path(str(path))


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ({"url": "file:///src/a%20b", "dir_info": {}}, "'/src/a b[server]'"),
        (
            {"url": "file:///src/hookwright", "dir_info": {"editable": True}},
            "--editable '/src/hookwright[server]'",
        ),
        (
            {"url": "file:///w/hookwright-0.1.0-py3-none-any.whl", "archive_info": {}},
            "'/w/hookwright-0.1.0-py3-none-any.whl[server]'",
        ),
        (
            {"url": "https://git.example/h.git", "vcs_info": {"vcs": "git", "commit_id": "a"}},
            "'hookwright[server] @ git+https://git.example/h.git'",
        ),
        (
            {
                "url": "ssh://git@git.example/h.git",
                "vcs_info": {"vcs": "git", "requested_revision": "v1"},
                "subdirectory": "tools",
            },
            "'hookwright[server] @ git+ssh://git@git.example/h.git@v1#subdirectory=tools'",
        ),
        (
            {"url": "https://files.example/h.whl", "archive_info": {}},
            "'hookwright[server] @ https://files.example/h.whl'",
        ),
    ],
)
def test_command_includes_the_install_origin(origin: object, expected: str) -> None:
    assert (
        find_command(InstalledProject(direct_url_json=json.dumps(origin)), "server")
        == PIP + expected
    )


def test_package_index_needs_no_origin() -> None:
    assert find_command(InstalledProject(), "server") == PIP + "'hookwright[server]'"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"url": 3}', "{}", '{"url": "a", "vcs_info": 1}'])
def test_unknown_origin_yields_no_command(text: str) -> None:
    assert find_command(InstalledProject(direct_url_json=text), "server") == ""


@pytest.mark.parametrize(
    ("marker", "expected"),
    [
        ("pipx_metadata.json", "pipx install --force '/h[server]'"),
        ("uv-receipt.toml", "uv tool install --force '/h[server]'"),
        ("", f"uv pip install --python {shlex.quote(sys.executable)} '/h[server]'"),
    ],
)
def test_command_matches_the_installer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, marker: str, expected: str
) -> None:
    if marker:
        (tmp_path / marker).touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    origin = json.dumps({"url": "file:///h", "dir_info": {}})
    installed = InstalledProject(direct_url_json=origin, INSTALLER="uv\n")
    assert find_command(installed, "server") == expected


def test_uvx_gets_a_tool_install_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "archive-v0" / "cBP40kvJn1"))
    installed = InstalledProject(INSTALLER="uv\n")
    assert find_command(installed, "docs") == "uv tool install 'hookwright[docs]'"


def run_without_extra(*words: str) -> "subprocess.CompletedProcess[str]":
    blocked = f"import sys; sys.modules.update(dict.fromkeys({SERVER}))"
    script = f"{blocked}; sys.argv = ['lesson-search', *{words!r}]; {START}"
    return subprocess.run(
        [sys.executable, "-c", script], check=False, capture_output=True, text=True
    )


def test_missing_packages_are_reported() -> None:
    completed = run_without_extra("list")
    assert (completed.returncode, completed.stdout) == (1, "")
    assert completed.stderr.count("\n") == 1
    assert " is missing because the extra [server] is not installed: " in completed.stderr


@pytest.mark.parametrize(("option", "said"), [("--help", "Commands"), ("--version", "lesson-")])
def test_help_and_version_need_no_extra(option: str, said: str) -> None:
    completed = run_without_extra(option)
    assert (completed.returncode, completed.stderr) == (0, "")
    assert said in completed.stdout


def test_uninstalled_project_is_handled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "PROJECT", "no such project")
    line = explain_missing("fastapi", "server")
    assert line.endswith("install the checkout with its extra [server]")
    assert make_printable(line) == line
