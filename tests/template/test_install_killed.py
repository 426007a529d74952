"""An installation killed at any step is completed by the next run, and can be undone."""

import json
import os
import signal
from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from ..support.installer import Installer, run_here
from ..support.interrupted_install import KILL, run_to, survey

UNINSTALL = ("--uninstall",)
# The initial state: no files, the user's settings and hooks, or an installation whose settings
# another program has changed since.
STARTS = ["nothing", "files", "changed"]


@pytest.fixture
def install_both(both: Path, install: Installer) -> Installer:
    return replace(install, project=both)


def prepare(install: Installer, folder: Path, start: str, scope: str) -> Installer:
    case = replace(install, config=folder / "claude", folder=folder / "work")
    hooks = case.config / "hooks" / "PreToolUse"
    files = {case.settings_of(scope): 0o640, hooks / "docsearch.py": 0o600}
    files |= {hooks / "tool_routing.py": 0o700, hooks.parent / "docsearch-state-notes.md": 0o644}
    for path, mode in files.items() if start != "nothing" else ():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text('{"hooks": {} ,"a":"é"}')
        path.chmod(mode)
        if os.geteuid() == 0:
            os.chown(path, 1234, 2345)
    for path in (case.config, case.folder):
        path.mkdir(parents=True, exist_ok=True)
    if start == "changed":
        run_here(case, "--scope", scope)
        settings = json.loads(case.settings_of(scope).read_text())
        case.settings_of(scope).write_text(json.dumps({**settings, "b": 1}))
    return case


def check_killed(
    install: Installer,
    folder: Path,
    steps: Iterable[int],
    *,
    start: str,
    verb: tuple[str, ...],
    then: tuple[str, ...],
    scope: str = "user",
) -> int:
    """Kill runs at these steps; complete and undo each; return the number of runs that were killed.

    Args:
        install: The installer of two hooks.
        folder: The parent of the target folders.
        steps: The steps, in ascending order.
        start: The initial state.
        verb: The arguments of the killed run.
        then: The arguments of the next run.
        scope: The settings scope.

    """
    scoped = ("--scope", scope)
    undone = prepare(install, folder / "undone", start, scope)
    before = survey(folder / "undone")
    run_here(undone, *UNINSTALL, *scoped)
    expected = survey(folder / "undone")
    assert start == "changed" or expected == before
    killed = 0
    for number in steps:
        place = folder / str(number)
        case = prepare(install, place, start, scope)
        if verb:
            run_here(case, *scoped)
            (case.config / "hooks" / f"docsearch-state-my-hooks-a-{0:016x}.json").write_text("{}")
        ended = run_to(case, number, KILL, *verb, *scoped)
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL, ended.stderr
        killed += 1
        for following in dict.fromkeys([then, UNINSTALL]):
            completed = run_here(case, *following, *scoped)
            assert (completed.returncode, completed.stderr) == (0, ""), f"killed at step {number}"
            assert not list(place.rglob("*.hookwright")), f"killed at step {number}"
            if not following:
                assert run_here(case, "--check", *scoped).stdout == "all is well\n"
        assert survey(place) == expected, f"killed at step {number}"
    return killed


@pytest.mark.parametrize(("verb", "steps"), [((), [6, 22, 25]), (UNINSTALL, [3])])
def test_killed_installation_can_be_repeated(
    install_both: Installer, tmp_path: Path, verb: tuple[str, ...], steps: list[int]
) -> None:
    killed = check_killed(
        install_both, tmp_path / "cases", steps, start="files", verb=verb, then=()
    )
    assert killed == len(steps)


@pytest.mark.parametrize(("then", "scope"), [((), "user"), (UNINSTALL, "local")])
@pytest.mark.parametrize("verb", [(), UNINSTALL], ids=["install", "uninstall"])
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.long
def test_install_killed_at_any_step_can_be_repeated(
    install_both: Installer,
    tmp_path: Path,
    *,
    start: str,
    verb: tuple[str, ...],
    then: tuple[str, ...],
    scope: str,
) -> None:
    folder = tmp_path / "cases"
    killed = check_killed(
        install_both, folder, count(1), start=start, verb=verb, then=then, scope=scope
    )
    assert killed > 3
