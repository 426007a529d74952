"""Time the command line as a user experiences it."""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

import yaml

from hookwright.git import run_git
from hookwright.project.change import commit_project, create_project
from hookwright.template.store import keep_template

from .reporting import report
from .timing import Case, build_table, read_options, time_cases

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "devops.yml"
WORDS = (
    *("cache", "pods", "cargo", "gl", "rust", "gitlab", "ci", "runner", "helm", "chart"),
    *("how", "to", "fix", "slow", "build", "k8s"),
)
ADD = {
    "--name": "terraform",
    "--keyword": "terraform",
    "--path": "/docs/terraform",
    "--tool": "mcp__leann__leann_search",
    "--description": "the Terraform documentation",
}

COPIER = ("--quiet", "--defaults", "--skip-answered", "--vcs-ref=:current:")


def main() -> int:
    """Print the table; return 1 if a limit is missed."""
    options = read_options(__doc__)
    with tempfile.TemporaryDirectory() as name:
        prepare_home(Path(name))
        cases = build_cases(Path(name), options.python)
        timings = time_cases(cases, options.rounds)
    table, exceeded = build_table("", cases, timings)
    report("command-line", table, about=__doc__)
    return int(exceeded)


def prepare_home(home: Path) -> None:
    settings = home / "gitconfig"
    settings.write_text("[user]\n\tname = Bench\n\temail = bench@example.invalid\n")
    os.environ.update(
        HOME=str(home),
        CLAUDE_CONFIG_DIR=str(home / ".claude"),
        XDG_DATA_HOME=str(home / "data"),
        GIT_CONFIG_GLOBAL=str(settings),
    )
    project = home / "my-hooks"
    answers = yaml.safe_load(EXAMPLE.read_text("utf-8"))
    create_project(project, answers, str(keep_template()))
    commit_project(project)
    added = {
        "keywords": [ADD["--keyword"]],
        "name": ADD["--name"],
        "mcp_tool_name": ADD["--tool"],
        "path": ADD["--path"],
        "description": ADD["--description"],
    }
    text = json.dumps({"databases": [*answers["databases"], added]})
    (home / "answers.json").write_text(text)
    source = random.Random(0)  # noqa: S311 - no secret
    queries = (" ".join(source.sample(WORDS, 6)) for _ in range(10_000))
    (home / "queries.txt").write_text("\n".join(queries))


def build_cases(home: Path, python: str) -> list[Case]:
    project = home / "my-hooks"
    line = [python, "-m", "hookwright"]
    add = [word for pair in ADD.items() for word in pair]
    first = run_git(project, "rev-parse", "HEAD")

    def reset() -> None:
        run_git(project, "reset", "--hard", "--quiet", first)

    return [
        Case("python -c pass", [python, "-c", "pass"], folder=project),
        Case("--help", [*line, "--help"], limit=8, folder=project),
        Case("try", [*line, "try", "how do I cache gems in gitlab ci"], limit=45, folder=project),
        Case(
            "10,000 queries",
            [*line, "try", "--corpus", str(home / "queries.txt")],
            limit=450,
            folder=project,
        ),
        Case(
            "add",
            [*line, "add", "database", *add, "--yes"],
            limit=150,
            folder=project,
            prepare=reset,
        ),
        Case(
            "the same by copier update",
            [python, "-m", "copier", "update", *COPIER, "--data-file", str(home / "answers.json")],
            folder=project,
            prepare=reset,
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
