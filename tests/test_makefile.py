"""`make help` lists exactly the targets of the Makefile."""

import subprocess

from .support.project import ROOT


def test_help_lists_every_target() -> None:
    completed = subprocess.run(
        ["make", "--no-print-directory", "help"],  # noqa: S607 - the system's own
        cwd=ROOT,
        capture_output=True,
        check=True,
        text=True,
    )
    lines = completed.stdout.splitlines()
    (phony,) = (
        line.partition(":")[2].split()
        for line in (ROOT / "Makefile").read_text("utf-8").splitlines()
        if line.startswith(".PHONY:")
    )
    assert sorted(line.split()[1] for line in lines) == sorted(phony)
    assert all(len(line) <= 80 and len(line.split()) > 3 for line in lines)
