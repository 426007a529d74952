"""Run all checks in turn."""

from collections.abc import Callable, Iterator

from hookwright.doctor.clients import (
    check_client,
    check_other_clients,
    check_other_servers,
    check_settings,
)
from hookwright.doctor.documentation import check_documentation
from hookwright.doctor.finding import Finding, Setup
from hookwright.doctor.installation import (
    check_gone,
    check_installed,
    check_neighbours,
    check_vs_code,
)
from hookwright.doctor.interpreter import check_interpreter
from hookwright.doctor.lessons import check_lessons
from hookwright.doctor.project import (
    check_commands,
    check_examples,
    check_paths,
    check_patterns,
    check_rendered,
)
from hookwright.doctor.tools import check_tools


def run_checks(
    setup: Setup,
    scope: str,
    time_limit: float,
    progress: Callable[[int, int], object],
    *,
    starts: bool,
) -> Iterator[Finding]:
    """Yield each check's findings, in one scope or in all ("").

    An MCP server has `time_limit` seconds to answer; if `starts` is false, no server is queried.
    """
    if setup.is_for_claude:
        yield from check_installed(setup, scope)
    yield from check_gone(setup)
    if setup.is_for_claude:
        yield from check_neighbours(setup)
        yield from check_vs_code(setup)
    yield from check_rendered(setup)
    if setup.is_for_claude:
        yield from check_interpreter(setup)
        yield from check_settings(setup)
        yield from check_client(setup)
    yield from check_other_clients(setup, scope)
    if setup.is_for_claude:
        yield from check_tools(setup, time_limit, progress, starts=starts)
    yield from check_other_servers(setup)
    yield from check_paths(setup)
    yield from check_documentation(setup)
    yield from check_commands(setup.routes)
    yield from check_patterns(setup)
    yield from check_lessons(setup)
    yield from check_examples(setup)
