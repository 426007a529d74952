"""Time the tool_routing hook against an empty interpreter and a hook that parses its routes."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from .reporting import report
from .timing import Case, build_table, read_options, time_cases
from .workload import ROOT, build_event, build_routes, read_ready_routes, render_project

PLAIN = str(ROOT / "benchmarks" / "config_parsing_routes.py")
# A route whose pattern contains no guaranteed literal.
VAGUE = {"pattern": "(?:wiki|intranet)[.](?:corp|local)", "message": "Ask the wiki's own search."}

FETCH = build_event("WebFetch", url="https://docs.python.org/3/library/re.html", prompt="Sum up")
NEAR = build_event("WebFetch", url="https://github.com/octo/hello/wiki", prompt="Sum up")
HIT = build_event("WebFetch", url="https://linear.app/acme/issue/ENG-123/login", prompt="Sum up")
BASH = build_event("Bash", command="git status && make test", description="Run the tests")
CURL = build_event("Bash", command="cd x && curl -s https://api.linear.app/graphql", description="")
ISSUE = build_event("WebFetch", url="https://service7.example.com/a/issue/7", prompt="Sum up")


def main() -> int:
    """Run the benchmark and print its table; return 1 if a limit is exceeded."""
    options = read_options(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["CLAUDE_CONFIG_DIR"] = str(folder / "claude")
        os.environ["CLAUDE_PLUGIN_ROOT"] = str(folder / "plugin")
        cases = list_cases(folder, options.python)
        table, exceeded = build_table("", cases, time_cases(cases, options.rounds))
        report("tool-routing", table, about=__doc__)
        return int(exceeded)


def list_cases(folder: Path, python: str) -> list[Case]:
    isolated = [python, "-I", "-S"]

    def render(name: str, routes: dict[str, Any], **answers: object) -> list[str]:
        project = render_project(folder / name, "tool_routing", routes=routes, **answers)
        return [*isolated, str(project)]

    def forget() -> None:
        shutil.rmtree(folder / "claude", ignore_errors=True)

    ready = read_ready_routes(25)
    whole = render("whole", ready, fatigue_limit=3, record_blocks=True)
    for route in ready.values():  # makes every route block in each round, on any machine
        route.pop("once", None)
        route.pop("requires", None)
    hook = render("ready", ready)
    vague = render("vague", {**dict(list(ready.items())[:24]), "vague": VAGUE})
    large = render("large", build_routes(1000))
    config = folder / "plugin" / "hooks" / "tool-routes.json"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"routes": ready}))
    return [
        Case("floor: python3 -I -S -c pass", [*isolated, "-c", "pass"]),
        Case("25 routes: no match, WebFetch", hook, FETCH, 0, 1.4),
        Case("25 routes: no match, Bash", hook, BASH, 0, 1.4),
        Case("25 routes, all that may be: no match", whole, FETCH, 0, 1.4),
        Case("25 routes, all that may be: block", whole, HIT, 2, 2.6, prepare=forget),
        Case("25 routes: a route's host, no match", hook, NEAR, 0),
        Case("25 routes: block, WebFetch", hook, HIT, 2, 2.6),
        Case("25 routes: block, Bash", hook, CURL, 2, 2.6),
        Case("25 routes, one without a literal: no match", vague, FETCH, 0, 2.3),
        Case("1,000 routes: no match", large, FETCH, 0, 1.8),
        Case("1,000 routes: block", large, ISSUE, 2),
        Case("plain hook, 25 routes: no match", [python, PLAIN], FETCH),
        Case("plain hook, 25 routes: block", [python, PLAIN], HIT, 2),
        Case("plain hook, -I -S: no match", [*isolated, PLAIN], FETCH),
        Case("plain hook, -I -S: block", [*isolated, PLAIN], HIT, 2),
    ]


if __name__ == "__main__":
    sys.exit(main())
