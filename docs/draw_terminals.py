"""Draw the pictures of the README: what hookwright prints in a terminal, as SVG."""

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

from hookwright.project.creation import create_project
from hookwright.project.template_store import keep_template

DOCS = Path(__file__).resolve().parent
EXAMPLE = DOCS.parent / "examples" / "devops.yml"
WIDTH = 96  # columns
PICTURES = {
    "try": ["try", "how do I cache gems in gitlab ci"],
    "corpus": ["try", "--corpus", "searches.txt"],
}


def main() -> int:
    """Draw each picture anew; return 0."""
    with tempfile.TemporaryDirectory() as name:
        os.environ.update(HOME=name, CLAUDE_CONFIG_DIR="", XDG_DATA_HOME="")
        project = Path(name, "my-hooks")
        create_project(project, yaml.safe_load(EXAMPLE.read_text("utf-8")), str(keep_template()))
        shutil.copy(DOCS / "searches.txt", project)
        for picture, words in PICTURES.items():
            draw(picture, words, project)
    return 0


def draw(picture: str, words: list[str], project: Path) -> None:
    """Run a command in a pseudo-terminal, and draw what it prints."""
    printed = pexpect.run(
        shlex.join([sys.executable, "-m", "hookwright", *words]),
        cwd=str(project),
        env={**os.environ, "TERM": "xterm-256color"},
        dimensions=(60, WIDTH),
        encoding="utf-8",
    )
    console = Console(record=True, width=WIDTH, file=io.StringIO())
    text = str(printed).replace("\r\n", "\n").rstrip()
    console.print(Text.from_ansi(f"$ {shlex.join(['hookwright', *words])}\n{text}"))
    console.save_svg(str(DOCS / f"{picture}.svg"), title="hookwright", unique_id=picture)


if __name__ == "__main__":
    sys.exit(main())
