"""Check the installed hooks, their Python, and other hooks that handle the same calls."""

import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from hookwright.clients.claude.tool_names import BEFORE_CALL, covers, split_matcher
from hookwright.doctor.finding import Finding, Setup
from hookwright.installer.client import CLAUDE, Client, list_rendered
from hookwright.patterns.redos import Variant, build_example, read_pattern
from hookwright.project.installer import (
    ConfiguredHandler,
    explain_elsewhere,
    find_installed,
    find_packages,
    find_rivalry,
    find_scopes,
)
from hookwright.project.own_installer import check_installation, find_slowness
from hookwright.project.reader import Project
from hookwright.project.status import find_refusal, is_gone, open_projects
from hookwright_console.errors import RefusedError
from hookwright_console.programs import run_program
from hookwright_console.terminal import count

VS_CODE = "code"  # VS Code's command
MAX_COMMAND = 60  # characters per command
BRANCHES = 8  # maximum pattern branches to follow
INTERPRETER = "interpreter"
OLDEST = (3, 9)
RUNS = 5
TIME_LIMIT = 10  # seconds per run
SLOW = 1.5  # a Python is slow if it takes this many times as long as a plain one, and
SLOWER = 10.0  # at least this many milliseconds longer
VERSION = "import sys; print('%d.%d.%d' % sys.version_info[:3])"


def check_installed(setup: Setup, scope: str = "") -> Iterator[Finding]:
    """Yield the faults of the project's installed hooks in a scope, or in all scopes ("")."""
    project = setup.project
    if not project:
        yield from describe_installed(setup)
        return
    yield from check_places(CLAUDE, project, scope)


def check_places(client: Client, project: Project, scope: str) -> Iterator[Finding]:
    """Check a client's installation of a project in a scope, or in all scopes ("")."""
    check, of, option, hooks = client.name, f" of {client.title}", f" --client {client.name}", ""
    if client is CLAUDE:
        check, of, option, hooks = "installed", "", "", f"{', '.join(project.rendered_hooks)}: "
    scopes = [scope] if scope in client.settings else [] if scope else find_scopes(project, client)
    packages = find_packages(client, project)
    is_left_over = client not in list_rendered(project.folder)
    if not scopes and not scope and is_left_over and client.has_record(project.name):
        scopes = ["user"]  # scopes that can be checked
    if packages and not scopes:
        yield Finding.ok(check, f"as {' and '.join(packages)}{of}")
    elif not scopes and client is CLAUDE and (rivalry := find_rivalry(project)):
        yield Finding(check, "fault", rivalry)
    elif not scopes and client is CLAUDE and (elsewhere := explain_elsewhere(project, "doctor")):
        yield Finding(check, "warn", elsewhere)
    elif not scopes and not scope:
        where = of.replace("of", "in", 1)
        line = f"{project.name} is not installed{where}: run {project.name_command('install')}"
        yield Finding(check, "fault", find_refusal(project, client) or line + option)
    for name in scopes:
        faults = check_installation(project, name, client)
        for fault in faults:
            yield Finding(check, "fault", str(fault))
        if not faults:
            yield Finding.ok(check, f"{hooks}up to date in the {name} settings{of}")


def describe_installed(setup: Setup) -> Iterator[Finding]:
    if not setup.ours and all(client == CLAUDE.name for client, _ in find_installed()):
        problem = "no Hookwright hooks are installed, and this folder is not a project"
        fix = "name one with --project, or make one with hookwright new"
        yield Finding.fault("installed", problem, fix)
    hooks = dict.fromkeys((handler.hook, handler.of, handler.scope) for handler in setup.ours)
    for hook, project, scope in hooks:
        what = f"{hook}{f' of {project}' if project else ''}, in the {scope} settings"
        yield Finding.ok("installed", f"{what}; add --project DIR to see if it is up to date")


def check_unreadable(setup: Setup) -> Iterator[Finding]:
    """Yield a finding for each installed project that cannot be opened, such as a deleted one.

    The checked project is excluded, because its own check reports that it was moved.
    """
    own = setup.project.name if setup.project else ""
    for project, opened in open_projects():
        if project.project != own and project.folder and isinstance(opened, RefusedError):
            report = Finding.warn if is_gone(Path(project.folder)) else Finding.fault
            yield report("installed", project.project, str(opened))


def check_neighbours(setup: Setup) -> Iterator[Finding]:
    """Yield a finding for each other hook that handles the same calls.

    Claude Code 2.1.330 runs all hooks of a call concurrently, on the agent's original call. A
    denial takes precedence over hooks that allow, ask or change the input, regardless of order. If
    two hooks deny, the agent receives the reason from the hook that finishes last, and the context
    from both. The call waits for the slowest hook.
    """
    ours = [our for our in setup.ours if our.event == BEFORE_CALL]
    others = [
        handler
        for handler in setup.handlers
        if handler.event == BEFORE_CALL
        and handler not in ours
        and any(
            covers(handler.matcher, tool) and covers(own.matcher, tool)
            for own in ours
            for matcher in (handler.matcher, own.matcher)
            for tool in list_examples(matcher)
        )
    ]
    named: dict[str, dict[str, None]] = {}
    for other in others:
        named.setdefault(str(other.path), {})[name_handler(other)] = None
    if named:
        places = [f"{', '.join(names)} in {path}" for path, names in named.items()]
        yield Finding.ok(
            "other hooks",
            f"the same calls also go to {' and '.join(places)}: each hook can deny them; if "
            "several do, the agent gets the context of each, and the reason of the slowest",
        )
    elif ours:
        tools = dict.fromkeys(name for our in ours for name in name_tools(our.matcher))
        yield Finding.ok("other hooks", f"no other hook handles {', '.join(tools)}")


def check_vs_code(setup: Setup) -> Iterator[Finding]:
    """Report how many hooks VS Code runs, because its agent also reads Claude Code's settings."""
    entries = {
        (handler.scope, handler.matcher, handler.command)
        for handler in setup.ours
        if handler.event == BEFORE_CALL
    }
    if entries and shutil.which(VS_CODE):
        yield Finding.ok(
            "VS Code",
            "its agent runs the hooks of these settings and ignores their matchers, so that "
            f"{count(len(entries), 'Hookwright hook')} start Python at each call of a tool there: "
            "its setting chat.hookFilesLocations can exclude the file",
        )


def name_handler(handler: ConfiguredHandler) -> str:
    if handler.of:
        return f"{handler.hook} of {handler.of}"
    return f"`{(handler.command or handler.url)[:MAX_COMMAND]}`"


def name_tools(matcher: str) -> list[str]:
    return split_matcher(matcher) or [matcher.removeprefix("^(?:").removesuffix(")$")]


def list_examples(matcher: str) -> list[str]:
    names = [name for part in name_tools(matcher) for name in part.split("|")]
    try:
        nodes = read_pattern(matcher)
        return names + [build_example(nodes, Variant("", at), {}) for at in range(BRANCHES)]
    except Exception:  # noqa: BLE001 - Python's parser, on anything a user writes
        return names


def check_interpreter(setup: Setup) -> Iterator[Finding]:
    named: dict[str, ConfiguredHandler] = {}
    for handler in setup.ours:
        if handler.command:
            named.setdefault(handler.interpreter or "python3", handler)
    for python, handler in named.items():
        yield check_python(python, handler)


def check_python(python: str, handler: ConfiguredHandler) -> Finding:
    path = shutil.which(python)
    if not path and python != "python3":
        report = Finding.warn if shutil.which("python3") else Finding.fault
        problem = f"{handler.path} names {python}, which does not exist"
        return report(INTERPRETER, problem, "run hookwright install")
    if not path:
        problem = f"{handler.path} runs python3, which is not on PATH"
        return Finding.fault(INTERPRETER, problem, "install Python 3.9 or later")
    if handler.scope in {"project", "local"} and not is_users_python(path):
        problem = f"did not run {path}, because anyone may have written {handler.path}"
        return Finding.warn(INTERPRETER, problem, f"run hookwright install --scope {handler.scope}")
    return judge_python(path, is_shared=handler.scope == "project")


def judge_python(path: str, *, is_shared: bool) -> Finding:
    started = time_start(path)
    if not started:
        return Finding.fault(
            INTERPRETER, f"{path} does not start", "run install.py with another Python"
        )
    version, took = started
    line = f"{path} ({'.'.join(map(str, version))}) starts in {took:.0f} ms"
    if version < OLDEST:
        problem = f"{line}, but hooks need Python 3.9 or later"
        return Finding.fault(INTERPRETER, problem, "run install.py with a newer one")
    if is_shared:  # its commands never name an interpreter
        return Finding.ok(INTERPRETER, line)
    plain_path = find_plain_python()
    _, plain = started if plain_path == path else time_start(plain_path) or started
    line += f", {plain_path} in {plain:.0f} ms" if plain_path != path else ""
    slowness = find_slowness(Path(path))
    if slowness or (took > SLOW * plain and took > plain + SLOWER):
        line += f"; it {slowness}" if slowness else ""
        return Finding.warn(
            INTERPRETER, line, f"run install.py with {os.path.realpath(plain_path)}"
        )
    return Finding.ok(INTERPRETER, line)


def is_users_python(path: str) -> bool:
    """Return whether a Python is one that the user already runs."""
    known = [sys.executable, *filter(None, map(shutil.which, ("python3", "python")))]
    return os.path.realpath(path) in {os.path.realpath(path) for path in known}


def find_plain_python() -> str:
    """Return a Python that starts without overhead: python3 on PATH, or the one behind its shim."""
    path = shutil.which("python3") or sys.executable
    if find_slowness(Path(path)):
        # The Python that created this virtual environment.
        own = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
        return str(own) if own.exists() else os.path.realpath(sys.executable)
    return path


def time_start(path: str) -> tuple[tuple[int, ...], float] | None:
    """Return a Python's version and its startup time in milliseconds, or None if it fails."""
    times, parts = [], [""]
    for _ in range(RUNS):
        begun = time.perf_counter()
        ended = run_program([path, "-I", "-S", "-c", VERSION], TIME_LIMIT)
        parts = ended.stdout.strip().split(".") if ended and not ended.returncode else [""]
        if not all(map(str.isdigit, parts)):
            return None
        times.append((time.perf_counter() - begun) * 1000)
    return tuple(map(int, parts)), min(times)  # other processes can only slow it down
