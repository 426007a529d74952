"""Look whether the hooks are installed, and what else is asked about the same calls."""

import shlex
from collections.abc import Iterator

from hookwright.clients.claude.configuration import pick
from hookwright.clients.claude.matchers import covers, list_tools
from hookwright.doctor.finding import Finding
from hookwright.doctor.setup import Handler, Setup
from hookwright.patterns.redos import Variant, build_example, read_pattern
from hookwright.project.installer import find_scopes
from hookwright.project.own_installer import run_own_installer

SHOWN = 60  # characters of a command
BRANCHES = 8  # of a pattern that are followed
WELL = "all is well"  # what install.py --check prints then


def check_installed(setup: Setup, scope: str = "") -> Iterator[Finding]:
    """Yield what install.py --check finds, in the scopes that the project is installed in.

    Args:
        setup: What there is.
        scope: The only scope to look at; "" for all of them.

    """
    project = setup.project
    if not project:
        yield from describe_installed(setup)
        return
    install = f"python3 {shlex.quote(str(project.folder / 'install.py'))}"
    scopes = [scope] if scope else find_scopes(project)
    plugins = list_plugins(setup, project.name)
    if not scopes and plugins:
        yield Finding("installed", "ok", f"as the plugin {' and '.join(plugins)}")
    elif not scopes:
        yield Finding("installed", "fault", f"{project.name} is not installed: run {install}")
    for one in scopes:
        ran = run_own_installer(project, "--check", "--scope", one)
        lines = [line for line in ran.lines if line != WELL]
        if not lines and ran.code == 0:
            hooks = ", ".join(project.hooks)
            yield Finding("installed", "ok", f"{hooks}: fresh, once, in the {one} settings")
        for line in lines or ([f"install.py fails ({ran.code})"] if ran.code else []):
            full = line.replace("run install.py", f"run {install} --scope {one}")
            yield Finding("installed", "fault", full)


def describe_installed(setup: Setup) -> Iterator[Finding]:
    """Yield what is installed of projects that nobody named."""
    if not setup.ours:
        yield Finding(
            "installed",
            "fault",
            "no hooks of ours are installed, and this folder is no project: name one with "
            "--project, or make one with hookwright new",
        )
    for handler in unique(setup.ours):
        what = f"{handler.hook} of {handler.of}, in the {handler.scope} settings"
        yield Finding("installed", "ok", f"{what}; whether it is fresh, --project DIR tells")


def unique(handlers: list[Handler]) -> list[Handler]:
    """Return the first of the handlers of each hook in each scope."""
    found: dict[tuple[str, str, str], Handler] = {}
    for one in handlers:
        found.setdefault((one.scope, one.of, one.hook), one)
    return list(found.values())


def list_plugins(setup: Setup, name: str) -> list[str]:
    """Return the plugins of this name that the settings enable."""
    return [
        plugin
        for settings in setup.settings.values()
        for plugin, enabled in pick(settings, "enabledPlugins").items()
        if plugin.startswith(f"{name}@") and enabled is True
    ]


def check_line(setup: Setup) -> Iterator[Finding]:
    """Yield which other hooks are asked about the calls that ours are.

    What was seen with Claude Code 2.1.330: all hooks of a call are run at once, on the call as the
    agent made it. One that denies wins over any that allow, ask or change the input, in whatever
    order they stand. Of two that deny, the agent is told the reason of the one that ends last, and
    the context of both. The call waits for the slowest.
    """
    ours = [one for one in setup.ours if one.event == "PreToolUse"]
    others = [
        one
        for one in setup.handlers
        if one.event == "PreToolUse" and not one.of and any(meet(one, own) for own in ours)
    ]
    named = dict.fromkeys(f"`{(one.command or one.url)[:SHOWN]}` in {one.path}" for one in others)
    if named:
        yield Finding(
            "first in line",
            "ok",
            f"asked at the same time as {' and '.join(named)}: a denial stands, whatever another "
            "says; where both deny, the agent reads the reason of the slower one",
        )
    elif ours:
        tools = dict.fromkeys(name for one in ours for name in list_names(one.matcher))
        line = f"no other hook of the settings is asked about {', '.join(tools)}"
        yield Finding("first in line", "ok", line)


def meet(one: Handler, other: Handler) -> bool:
    """Tell whether the client asks two hooks about the same tool, of those that they name."""
    tools = [*list_examples(one.matcher), *list_examples(other.matcher)]
    return any(covers(one.matcher, tool) and covers(other.matcher, tool) for tool in tools)


def list_names(matcher: str) -> list[str]:
    """Return the tools of a matcher; of a pattern, the pattern as the records have it."""
    return list_tools(matcher) or [matcher.removeprefix("^(?:").removesuffix(")$")]


def list_examples(matcher: str) -> list[str]:
    """Return names of tools that a matcher may be for."""
    names = [name for part in list_names(matcher) for name in part.split("|")]
    try:
        nodes = read_pattern(matcher)
        return names + [
            build_example(nodes, Variant(branch=number), {}) for number in range(BRANCHES)
        ]
    except Exception:  # noqa: BLE001 - Python's own parser, of whatever a user writes
        return names
