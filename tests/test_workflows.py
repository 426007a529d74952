"""Workflows use pinned actions with minimal permissions, and release exactly the tagged version."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from hookwright import __version__

from .support.project import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# An action pinned to a commit, with a version comment, or a local workflow.
PINNED = re.compile(r"uses: (?:[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(?:\.\d+)+|\./\.github/\S+)")
SCRIPTS = sorted((ROOT / ".ci").iterdir())
FILE = re.compile(r"(?:\.ci|examples|tests)/[\w./-]*\w")
TARGET = re.compile(r"^\s*(?:- run: )?make ([\w./-]+)", re.MULTILINE)
BUILD = Path(".ci", "build_release")
TRY = Path(".ci", "try_release")
TAG = f"v{__version__}"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_actions_are_pinned(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        if "uses:" in line:
            assert PINNED.fullmatch(line.strip().removeprefix("- ")), line


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_read_only_permissions(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert "uses" in job or job["timeout-minutes"]
        for step in job.get("steps", ()):
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize("path", [*WORKFLOWS, *SCRIPTS], ids=lambda path: path.name)
def test_files_and_targets_of_commands_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    assert [name for name in FILE.findall(text) if not is_in_repository(name)] == []
    for target in TARGET.findall(text):
        command = ["make", "--dry-run", target]
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def is_in_repository(name: str) -> bool:
    return "node_modules" in name or (ROOT / name).exists()


def test_only_the_publish_workflow_may_write() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert [(name, job.get("needs")) for name, job in jobs.items()] == [
        ("check", None),
        ("build", "check"),
        ("try", "build"),
        ("publish", ["build", "try"]),
        ("announce", ["build", "publish"]),
    ]
    assert {name: job.get("permissions") for name, job in jobs.items()} == {
        "check": None,
        "build": None,
        "try": None,
        "publish": {"id-token": "write"},
        "announce": {"contents": "write"},
    }


def test_only_built_artifacts_are_published() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    for name in ("publish", "announce"):
        commands = [step.get("run", step.get("uses", "")) for step in jobs[name]["steps"]]
        check = next(n for n, line in enumerate(commands) if "sha256sum --check --strict" in line)
        assert "download-artifact" in commands[check - 1]
        assert jobs[name]["steps"][check]["env"] == {
            "CHECKSUMS": "${{ needs.build.outputs.checksums }}"
        }
    assert "pip install" not in (ROOT / BUILD).read_text("utf-8")
    assert "dist" not in " ".join(
        line for line in (ROOT / TRY).read_text("utf-8").splitlines()[6:] if "cp dist/" not in line
    )


@pytest.mark.parametrize(
    ("tag", "heading", "said"),
    [
        ("v99.0.0", f"{__version__} - 2026-01-31", f"has version {__version__}"),
        (TAG, f"{__version__} - unreleased", "CHANGELOG.md has no section"),
        (TAG, "0.0.1 - 2026-01-31", "CHANGELOG.md has no section"),
    ],
    ids=["other version", "no date", "no section"],
)
def test_invalid_tag_is_rejected(tmp_path: Path, tag: str, heading: str, said: str) -> None:
    done = build(tmp_path, tag, f"# Changelog\n\n## {heading}\n\n- A change.\n")
    assert (done.returncode, said in done.stderr) == (1, True)


def test_release_notes_come_from_the_changelog(tmp_path: Path) -> None:
    section = "### Hooks\n\n- A change.\n"
    changelog = (
        f"# Changelog\n\n## {__version__} - 2026-01-31\n\n{section}\n## 0.0.1 - 2025-01-01\n"
    )
    build(tmp_path, TAG, f"{changelog}\n- Older.\n")
    assert (tmp_path / "build" / "notes.md").read_text("utf-8").strip() == section.strip()


def read(path: Path) -> dict[str, Any]:
    workflow: dict[str, Any] = yaml.safe_load(path.read_text("utf-8"))
    return workflow


def build(folder: Path, tag: str, changelog: str) -> subprocess.CompletedProcess[str]:
    for name in (BUILD, Path("generator", "hookwright", "__init__.py")):
        (folder / name).parent.mkdir(parents=True)
        shutil.copyfile(ROOT / name, folder / name)
    (folder / "CHANGELOG.md").write_text(changelog, "utf-8")
    return subprocess.run(
        ["bash", str(folder / BUILD), tag],  # noqa: S607 - the system's
        capture_output=True,
        check=False,
        text=True,
    )


def test_missing_recipe_address_fails(tmp_path: Path) -> None:
    fake_curl = tmp_path / "curl"
    fake_curl.write_text('#!/bin/sh\nfor url; do :; done\necho "$url"\ntest "$url" != "$GONE"\n')
    fake_curl.chmod(0o755)
    variables = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    for gone, code in (("", 0), ("https://flask.palletsprojects.com/en/stable/", 123)):
        completed = subprocess.run(
            [str(shutil.which("bash")), ".ci/check_recipes"],
            cwd=ROOT,
            env={**variables, "GONE": gone},
            capture_output=True,
            text=True,
            check=False,
        )
        assert completed.returncode == code
        assert len(completed.stdout.splitlines()) == len(list((ROOT / "recipes").glob("*.yml")))
