"""A rendered project's own tests pass, and fail with the way out where it was edited by hand."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MARKER = "<<<<<<< before updating"


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
        (".copier-answers.yml", '"kubectl"', '"kubectl", "helm"', "copier recopy"),
        (".copier-answers.yml", '"retry_window": 300', '"retry_window": 60', "copier recopy"),
        (".copier-answers.yml", '"project_name": "my-hooks"', '"project_name": "x"', "plugin.json"),
        (".copier-answers.yml", '"leann_mcp"', '"other"', "mcp.json"),
        (".copier-answers.yml", '"databases": [', "databases: [", "git log .copier-answers.yml"),
        (".copier-answers.yml", '"databases": [', '"data": [', "copier recopy"),
        ("hooks/docsearch.py", "\nkubectl\n", "\nkubectl\nhelm\n", "copier recopy"),
        ("hooks/docsearch.py", "Kubernetes official", "Unofficial", "copier recopy"),
        ("hooks/docsearch.py", "RETRY_WINDOW = 300", "RETRY_WINDOW = 30", "copier recopy"),
        ("hooks/docsearch.py", 'DATABASES = r"""\n', 'DATABASES = r"""\n{', "copier recopy"),
        ("hooks/docsearch.py", "KEYWORDS = ", "WORDS = ", "copier recopy"),
        ("hooks/docsearch.py", "RETRY_WINDOW = 300\n", f"{MARKER}\n", "git add hooks/docsearch.py"),
        ("README.md", "## Test", MARKER, "git add README.md"),
        ("settings.json", "{", f"{MARKER}\n{{", "git add settings.json"),
        ("settings.json", "WebSearch", "WebFetch", "settings.json does not run the hooks"),
        ("hooks/hooks.json", '[ ! -f \\"$S\\" ] || ', "", "does not look for its script"),
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
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize("file", ["hooks/docsearch.py", ".copier-answers.yml", "mcp.json"])
def test_lost_files_are_found(edited: Path, file: str) -> None:
    """A file that is gone fails with its name and a way out."""
    (edited / file).unlink()
    done = run_tests(edited)
    assert done.returncode == 1
    assert "copier recopy" in done.stdout
    assert file in done.stdout
