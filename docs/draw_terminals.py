"""Draw the README's pictures: hookwright's terminal output, as SVG."""

import io
import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path

import pexpect
import yaml
from rich.console import Console
from rich.text import Text

from hookwright.project.change import create_project
from hookwright.template.store import keep_template

DOCS = Path(__file__).resolve().parent
EXAMPLE = DOCS.parent / "examples" / "devops.yml"
WIDTH = 96  # columns
IDENTITY = "[user]\nname = Me\nemail = me@example.invalid\n"
SETUP = "setup"  # drawn before any project exists
PICTURES = {
    SETUP: [["setup", "git", "man:git,git-*", "--yes"]],
    "try": [["try", "how do I cache gems in gitlab ci"]],
    "corpus": [["try", "--corpus", "searches.txt"]],
}


def main() -> int:
    """Draw all pictures; return 0."""
    with tempfile.TemporaryDirectory() as name:
        os.environ.update(HOME=name, CLAUDE_CONFIG_DIR="", XDG_DATA_HOME="")
        Path(name, ".gitconfig").write_text(IDENTITY)
        project = Path(name, "devops-hooks")
        create_project(project, yaml.safe_load(EXAMPLE.read_text("utf-8")), str(keep_template()))
        shutil.copy(DOCS / "searches.txt", project)
        for picture, commands in PICTURES.items():
            draw(picture, commands, Path(name) if picture == SETUP else project)
    return 0


def draw(picture: str, commands: list[list[str]], folder: Path) -> None:
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    for words in commands:
        printed = pexpect.run(
            shlex.join([sys.executable, "-m", "hookwright", *words]),
            cwd=str(folder),
            env={**os.environ, "TERM": "xterm-256color"},
            dimensions=(60, WIDTH),
            encoding="utf-8",
            timeout=600,
        )
        lines = str(printed).replace("\r\n", "\n").replace(os.environ["HOME"], "~").split("\n")
        # Each redraw of a progress bar ends with a carriage return.
        text = "\n".join(line.rpartition("\r")[2] for line in lines).rstrip()
        console.print(Text.from_ansi(f"$ {shlex.join(['hookwright', *words])}\n{text}"))
    console.save_svg(str(DOCS / f"{picture}.svg"), title="hookwright", unique_id=picture)


if __name__ == "__main__":
    sys.exit(main())
