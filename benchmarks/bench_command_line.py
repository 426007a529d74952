"""Time the command line as a user waits for it, in seconds."""

import os
import random
import sys
import tempfile
from pathlib import Path

import yaml
from rich.console import Console
from rich.table import Table

from hookwright.project.change import keep_in_git, start
from hookwright.project.git import run_git
from hookwright.project.template_store import keep_template
from timing import Case, read_options, time_cases

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
LIMITS = {"--help": 0.3, "try": 0.5, "10,000 queries": 5.0, "add": 5.0}  # seconds


def main() -> int:
    """Print the table; return 1 where a limit is missed."""
    options = read_options(__doc__)
    with tempfile.TemporaryDirectory() as name:
        prepare_home(Path(name))
        timings = time_cases(build_cases(Path(name), options.python), options.rounds)
    table = Table("case", "median s", "at most", title=options.title)
    missed = False
    for (case, limit), timing in zip(LIMITS.items(), timings, strict=True):
        seconds = timing.milliseconds / 1000
        missed |= seconds > limit
        table.add_row(case, f"{seconds:.2f}", f"{limit}{' exceeded' if seconds > limit else ''}")
    Console().print(table)
    return int(missed)


def prepare_home(home: Path) -> None:
    """Have every process keep to a folder, and make a project and a file of queries there."""
    settings = home / "gitconfig"
    settings.write_text("[user]\n\tname = Bench\n\temail = bench@example.invalid\n")
    os.environ.update(
        HOME=str(home),
        CLAUDE_CONFIG_DIR=str(home / ".claude"),
        XDG_DATA_HOME=str(home / "data"),
        GIT_CONFIG_GLOBAL=str(settings),
    )
    project = home / "my-hooks"
    start(project, yaml.safe_load(EXAMPLE.read_text("utf-8")), str(keep_template()))
    keep_in_git(project, "Render my hooks")
    source = random.Random(0)  # noqa: S311 - no secret
    queries = (" ".join(source.sample(WORDS, 6)) for _ in range(10_000))
    (home / "queries.txt").write_text("\n".join(queries))


def build_cases(home: Path, python: str) -> list[Case]:
    """Return the commands to time, in the order of their limits."""
    project = home / "my-hooks"
    line = [python, "-m", "hookwright"]
    add = [word for pair in ADD.items() for word in pair]
    first = run_git(project, "rev-parse", "HEAD")
    return [
        Case("--help", [*line, "--help"], folder=project),
        Case("try", [*line, "try", "how do I cache gems in gitlab ci"], folder=project),
        Case(
            "10,000 queries",
            [*line, "try", "--corpus", str(home / "queries.txt")],
            folder=project,
        ),
        Case(
            "add",
            [*line, "add", "database", *add, "--yes"],
            folder=project,
            prepare=lambda: run_git(project, "reset", "--hard", "--quiet", first),
        ),
    ]


if __name__ == "__main__":
    sys.exit(main())
