"""Rendered projects work on every installed CPython from 3.9 on."""

import os
import subprocess
from pathlib import Path

import pytest

from ..support.fake_lesson_server import CONTEXT, StandIn, wait
from ..support.generated_tests import run_generated_tests
from ..support.interpreters import list_interpreters
from ..support.project import prompt_event, render, run_hook, search_event


@pytest.mark.parametrize("python", list_interpreters())
def test_hook_and_installer_work(project: Path, config: Path, tmp_path: Path, python: str) -> None:
    hook = project / "hooks" / "docsearch.py"
    for query in ("gitlab", "größe gitlab"):
        assert run_hook(hook, search_event(query), config, python=python).denied
        assert run_hook(hook, search_event(query), config, python=python).silent
    assert run_hook(hook, search_event("weather"), config, python=python).silent
    environment = {**os.environ, "CLAUDE_CONFIG_DIR": str(tmp_path / "installed")}
    for arguments in ([], ["--check"], ["--uninstall"]):
        command = [python, str(project / "install.py"), *arguments]
        completed = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment
        )
        assert (completed.returncode, completed.stderr) == (0, "")
    assert list((tmp_path / "installed").iterdir()) == []


@pytest.mark.parametrize("python", list_interpreters())
def test_lesson_hook_works(
    template: Path, config: Path, tmp_path: Path, stand_in: StandIn, python: str
) -> None:
    answers = {"lesson_server_url": stand_in.url, "lesson_time_limit": 1}
    hook = render(template, tmp_path / "project", **answers) / "hooks" / "lesson_search.py"
    event = prompt_event("How do I cache gems?")
    answer = run_hook(hook, event, config, python=python)
    assert answer.output["additionalContext"] == CONTEXT
    assert run_hook(hook, prompt_event("yes"), config, python=python).silent
    stand_in.reply = wait
    assert run_hook(hook, event, config, python=python).silent
    assert len(stand_in.asked) == 2


@pytest.mark.parametrize("rendered", ["project", "lessons"])
@pytest.mark.parametrize("python", list_interpreters())
def test_generated_tests_pass(request: pytest.FixtureRequest, rendered: str, python: str) -> None:
    command = [python, "-m", "pytest", "--version"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip(f"{python} has no pytest: {python} -m pip install pytest")
    done = run_generated_tests(request.getfixturevalue(rendered), python=python)
    assert done.returncode == 0, done.stdout
