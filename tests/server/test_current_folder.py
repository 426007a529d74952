"""Neither command line imports modules from the current folder."""

import subprocess
import sys
from pathlib import Path

import httpx2
import pytest

from ..support.acme_documentation import write_site
from ..support.command_line import COMMAND, start
from ..support.fake_documentation import ROUTING, write_database

ACCEPT = "application/json, text/event-stream"
READ = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "read_page", "arguments": {"url": ROUTING}},
}
PLANTED = (
    "anyio",
    "json",
    "multiprocessing",
    "pickle",
    "threading",
    "hookwright_console",
    "numpy",
    "safetensors",
    "tokenizers",
    "typer",
    "wordllama",
    "yaml",
)


@pytest.mark.long
@pytest.mark.parametrize("words", [("lesson_search", "query", "docker"), ("hookwright", "list")])
def test_modules_in_the_current_folder_are_not_imported(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    plant(tmp_path)
    completed = subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert completed.stderr.count("\n") == 1  # only one error, as there are no projects or lessons
    assert not (tmp_path / "ran").exists()


@pytest.mark.long
def test_setup_does_not_import_local_modules(tmp_path: Path) -> None:
    plant(tmp_path)
    words = ["setup", "acme", str(write_site(tmp_path / "site")), "--yes"]
    completed = subprocess.run(
        [sys.executable, "-m", "hookwright", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "Built acme" in completed.stdout + completed.stderr
    assert not (tmp_path / "ran").exists()


@pytest.mark.long
def test_search_processes_do_not_import_local_modules(tmp_path: Path) -> None:
    plant(tmp_path)
    write_database(tmp_path / "docs")
    command = [*COMMAND, "serve", "--port", "0", "--data", "lessons", "--search-processes", "1"]
    with start(command, folder=tmp_path, HOOKWRIGHT_DOCS="docs") as url:
        answer = httpx2.post(f"{url}/mcp", json=READ, headers={"Accept": ACCEPT}, timeout=60)
    assert answer.json()["result"]["content"][0]["text"].startswith("Part of a page of flask")
    assert not (tmp_path / "ran").exists()


def plant(folder: Path) -> None:
    for name in PLANTED:
        path = folder / f"{name}.py"
        path.write_text(f"open({str(folder / 'ran')!r}, 'w').close()\n")
