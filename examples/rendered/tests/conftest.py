"""What the tests of this project share: the answers it was rendered from, and its hooks."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

PROJECT = Path(__file__).resolve().parent.parent
ANSWERS_FILE = ".copier-answers.yml"

LoadHook = Callable[[str], ModuleType]
RunHook = Callable[[str, object], "subprocess.CompletedProcess[bytes]"]


@pytest.fixture(autouse=True)
def _isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the hooks' files out of the user's own configuration folder."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    monkeypatch.delenv("HOOKWRIGHT_DEBUG", raising=False)


@pytest.fixture(scope="session")
def answers() -> "dict[str, Any]":
    """Return the answers that the project was rendered from."""
    _, _, text = (PROJECT / ANSWERS_FILE).read_text("utf-8").partition("\n")
    try:
        answers: dict[str, Any] = json.loads(text)
    except ValueError as error:
        pytest.fail(
            f"{ANSWERS_FILE} was edited by hand ({error}): get it back by "
            f"`git checkout {ANSWERS_FILE}`, then run `copier update --defaults --ask databases`",
            pytrace=False,
        )
    return answers


@pytest.fixture(scope="session")
def load_hook() -> LoadHook:
    """Return what loads a hook of this project as a module."""

    def load(name: str) -> ModuleType:
        path = PROJECT / "hooks" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except SyntaxError as error:
            pytest.fail(
                f"hooks/{name}.py:{error.lineno} is no valid Python: mend it, or get it back by "
                f"`git checkout hooks/{name}.py`",
                pytrace=False,
            )
        return module

    return load


@pytest.fixture
def run_hook() -> RunHook:
    """Return what runs a hook as the client does, on an event or on bytes as they are."""

    def run(name: str, event: object) -> "subprocess.CompletedProcess[bytes]":
        return subprocess.run(
            [sys.executable, "-I", "-S", os.fspath(PROJECT / "hooks" / f"{name}.py")],
            input=event if isinstance(event, bytes) else json.dumps(event).encode(),
            capture_output=True,
            check=False,
        )

    return run
