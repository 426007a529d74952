"""A project created from the template's git URL gets the newest release and follows later ones."""

from pathlib import Path

import pytest

from ..support.git_repository import (
    build_repository,
    call_copier,
    edit,
    git,
    git_save,
    update,
    write_data,
)
from ..support.project import GITLAB
from ..support.rendered_project import read_answers

HOOK = Path("hooks", "docsearch.py")


def change(template: Path, before: str, after: str, tag: str | None = None) -> None:
    """Change a line in the hooks and commit it, optionally as a release."""
    edit(template / "generator" / "runtime" / "event.py", f'"{before}:"', f'"{after}:"')
    git_save(template, tag)


@pytest.mark.long
def test_copy_and_update_follow_releases(tmp_path: Path) -> None:
    template = build_repository(tmp_path / "template", "v0.9.0")
    change(template, "hookwright", "hookwright 0.10", tag="v0.10.0")
    change(template, "hookwright 0.10", "unreleased")
    bare = tmp_path / "hookwright.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(template), str(bare))
    project = tmp_path / "my-hooks"
    answers = write_data(tmp_path, databases=[GITLAB])
    call_copier(
        tmp_path, "copy", "--defaults", "--data-file", answers, f"git+file://{bare}", project
    )
    assert read_answers(project)["_commit"] == "v0.10.0"
    assert '"hookwright 0.10:"' in (project / HOOK).read_text("utf-8")

    git_save(project)
    update(project, "--defaults")
    assert git(project, "status", "--porcelain") == ""
    change(template, "unreleased", "hookwright 1.0", tag="v1.0.0")
    git(template, "push", "--quiet", str(bare), "HEAD", "v1.0.0")
    update(project, "--defaults")
    assert read_answers(project)["_commit"] == "v1.0.0"
    assert '"hookwright 1.0:"' in (project / HOOK).read_text("utf-8")
