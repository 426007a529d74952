"""A rendered project's own tests pass, and fail with the way out where it was edited by hand."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def run_tests(project: Path) -> "subprocess.CompletedProcess[str]":
    """Run the project's tests as its user does."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def edited(project: Path, tmp_path: Path) -> Path:
    """Return a copy of the rendered project to edit."""
    return shutil.copytree(project, tmp_path / "edited")


def test_generated_tests_pass(project: Path) -> None:
    """The tests of a project that was just rendered pass."""
    done = run_tests(project)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        (
            ".copier-answers.yml",
            '"kubectl"',
            '"kubectl", "helm"',
            "does not hold what the answers say",
        ),
        (".copier-answers.yml", '"retry_window": 300', '"retry_window": 60', "git checkout ."),
        (".copier-answers.yml", '"databases": [', "databases: [", "was edited by hand"),
        ("hooks/docsearch.py", "\nkubectl\n", "\nkubectl\nhelm\n", "copier update --defaults"),
        ("hooks/docsearch.py", "Kubernetes official", "Unofficial", "--ask databases"),
        ("hooks/docsearch.py", "RETRY_WINDOW = 300", "RETRY_WINDOW = 30", "git checkout ."),
        (
            "hooks/docsearch.py",
            "RETRY_WINDOW = 300\n",
            "<<<<<<< before updating\nRETRY_WINDOW = 3\n=======\nRETRY_WINDOW = 300\n>>>>>>> a\n",
            "git checkout hooks/docsearch.py",
        ),
        ("README.md", "## Test", "<<<<<<< before updating", "README.md:"),
        ("settings.json", "WebSearch", "WebFetch", "test_settings_run_each_hook"),
        ("hooks/hooks.json", '[ ! -f \\"$S\\" ] || ', "", "does not look for its script first"),
    ],
)
def test_edits_by_hand_are_found(
    edited: Path, file: str, old: str, new: str, complaint: str
) -> None:
    """An edit by hand of answers, tables or settings, or half a merge, fails with a way out."""
    text = (edited / file).read_text()
    assert old in text
    (edited / file).write_text(text.replace(old, new))
    done = run_tests(edited)
    assert done.returncode == 1
    assert complaint in done.stdout
