"""Render examples/rendered/, the project that devops.yml produces, for readers."""

import shutil
import sys
import tempfile
from pathlib import Path

import copier
import yaml

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "devops.yml"
RENDERED = ROOT / "examples" / "rendered"
PRIVATE = ('"_commit":', '"_src_path":')  # origin of the render, which varies


def render_example(destination: Path, **others: object) -> Path:
    """Render the example from this checkout, without its origin.

    Args:
        destination: The folder to write.
        others: Answers that replace the example's.

    """
    with tempfile.TemporaryDirectory() as name:
        template = Path(name)  # not a repository, so that our version does not appear in the files
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copy(ROOT / "copier.yml", template)
        for part in ("template", "generator"):
            shutil.copytree(ROOT / part, template / part, ignore=ignored)
        answers = {**yaml.safe_load(EXAMPLE.read_text("utf-8")), **others}
        copier.run_copy(name, destination, data=answers, defaults=True, quiet=True)
    path = destination / ".copier-answers.yml"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.strip().startswith(PRIVATE)))
    return destination


def main() -> int:
    """Replace the rendered example; return 0."""
    shutil.rmtree(RENDERED, ignore_errors=True)
    render_example(RENDERED)
    return 0


if __name__ == "__main__":
    sys.exit(main())
