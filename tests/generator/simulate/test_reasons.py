"""The wizard says why a route decides about a call, or does not, as `hookwright try` says it."""

from pathlib import Path

import pytest

from hookwright.simulate.calls import Call
from hookwright.simulate.reasons import Reason, explain_call

from ...support.command_line import CommandLine
from ...support.project import PULL_REQUEST, URL, render

ROUTES = {
    "ours": {"pattern": "github[.]com/ours/", "action": "allow"},
    "gone": {**PULL_REQUEST, "requires": "no-such-command"},
    "shell": {**PULL_REQUEST, "tool": "Bash"},
    "all": {"pattern": "github[.]com", "message": "No."},
    "late": PULL_REQUEST,
}
OTHER, OURS = "https://example.com/", "https://github.com/ours/x"
DECIDES = "matches 'github.com' and decides: it denies"
ALLOWS = "matches 'github.com/ours/' and decides: it lets it through"
MISSING = "the command no-such-command is missing"


@pytest.fixture(scope="module")
def project(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(template, tmp_path_factory.mktemp("reasons") / "my-hooks", routes=ROUTES)


@pytest.mark.parametrize(
    ("route", "url", "reason"),
    [
        ("all", URL, Reason("all", f"all {DECIDES}")),
        ("all", OTHER, Reason("", "all does not match")),
        ("late", URL, Reason("all", f"all {DECIDES}")),
        ("gone", URL, Reason("all", f"gone matches, but is skipped: {MISSING}")),
        ("gone", OTHER, Reason("", "gone does not match")),
        ("shell", URL, Reason("all", "shell is for another tool")),
        ("all", OURS, Reason("ours", f"ours {ALLOWS}")),
    ],
)
def test_reason_is_that_of_try(
    hookwright_line: CommandLine, project: Path, route: str, url: str, reason: Reason
) -> None:
    script = (project / "hooks" / "tool_routing.py").read_bytes()
    assert explain_call(script, Call("WebFetch", {"url": url}), route) == reason
    shown = hookwright_line.tell("try", "--project", project, url)
    assert reason.line.replace(" ", ": ", 1) in shown
