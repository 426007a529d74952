"""Fixtures for this project's tests: the answers it was rendered from, and its hooks."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

import pytest

PROJECT = Path(__file__).resolve().parent.parent
ANSWERS_FILE = ".copier-answers.yml"


@pytest.fixture(autouse=True)
def _isolated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    for variable in ("HOOKWRIGHT_DEBUG", "LESSON_SEARCH_TOKEN", "TOOL_ROUTING_DEBUG"):
        monkeypatch.delenv(variable, raising=False)


def fail_for(what: str) -> NoReturn:
    pytest.fail(
        f"{what}. Copier ignores such edits: `copier recopy --defaults --overwrite` renders "
        "everything again from the answers, and `git diff` shows which of your edits to restore",
        pytrace=False,
    )


def read_merged(name: str) -> str:
    try:
        text = (PROJECT / name).read_text("utf-8")
    except FileNotFoundError:
        fail_for(f"{name} is missing")
    if "\n<<<<<<< before updating" in f"\n{text}":  # test_project.py reports it
        pytest.skip(f"the merge of {name} is not finished")
    return text


def read_json(name: str) -> Any:
    try:
        return json.loads(read_merged(name))
    except ValueError:
        fail_for(f"{name} is not valid JSON")


@pytest.fixture(scope="session", name="fail_for")
def _fail_for() -> Any:
    return fail_for


@pytest.fixture(scope="session", name="read_json")
def _read_json() -> Any:
    return read_json


@pytest.fixture(scope="session")
def answers() -> Any:
    try:
        return json.loads(read_merged(ANSWERS_FILE).partition("\n")[2])
    except ValueError as error:
        pytest.fail(
            f"{ANSWERS_FILE} is not as Copier wrote it ({error}): restore it from git; "
            f"`git log {ANSWERS_FILE}` lists its versions",
            pytrace=False,
        )


def locate_hook(name: str, client: str) -> str:
    return f"clients/{client}/hooks/{name}.py" if client else f"hooks/{name}.py"


@pytest.fixture(scope="session")
def load_hook() -> Any:
    def load(name: str, client: str = "") -> ModuleType:
        file = locate_hook(name, client)
        module = ModuleType(name)
        try:
            exec(compile(read_merged(file), file, "exec"), module.__dict__)  # noqa: S102 - ours
        except SyntaxError as error:
            fail_for(f"{file}:{error.lineno} is not valid Python")
        return module

    return load


@pytest.fixture
def run_hook(tmp_path: Path) -> Any:
    def run(
        name: str, event: object, client: str = "", loaded: str = ""
    ) -> "subprocess.CompletedProcess[bytes]":
        # Copy it to an empty folder: docsearch_answer would depend on the machine's databases.
        for file in filter(None, (loaded, name)):
            read_merged(locate_hook(file, client))
            hook = shutil.copy(PROJECT / locate_hook(file, client), tmp_path)
        words, text = [sys.executable, "-I", "-S", hook], json.dumps(event).encode()
        return subprocess.run(words, input=text, capture_output=True, check=False)

    return run
