"""A change is applied completely, as by Copier's own update, or not at all."""

import os
import shutil
from pathlib import Path

import pytest

import hookwright.template.store
from hookwright.project.change import commit_project, create_project
from hookwright.template.store import copy_template, find_kept_template, keep_template

from ...support.command_line import CommandLine, Ended, run_hookwright
from ...support.git_repository import call_copier, edit, git, git_save, start_project, update
from ...support.hypothesis_profiles import mark_long
from ...support.installer import run_installer, snapshot
from ...support.project import GITLAB, KUBERNETES, ROUTES, render
from ...support.rendered_project import assert_same, build_tables, read_answers, read_tables

REMOVE = ("remove", "kubernetes", "--yes", "--project")


def read_messages(folder: Path) -> list[str]:
    return git(folder, "log", "--format=%s").splitlines()


def forget_git(folder: Path) -> None:
    git(folder, "rev-parse")  # to be sure that it was a repository
    (folder / ".git").rename(folder.parent / "former-git")


def test_change_is_shown_applied_and_committed(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output(*REMOVE, kept)
    assert "\n-   - k8s\n" in output
    assert "Remove kubernetes: done, and committed" in output
    assert read_tables(kept) == build_tables([GITLAB])
    assert read_messages(kept) == ["Remove kubernetes", "Render my-hooks"]
    assert git(kept, "status", "--porcelain") == ""
    fresh = start_project(keep_template(), kept.parent / "fresh", databases=[GITLAB], routes=ROUTES)
    assert_same(kept, fresh)


def test_change_may_be_left_uncommitted(hookwright_line: CommandLine, kept: Path) -> None:
    output = hookwright_line.output(*REMOVE, kept, "--no-commit")
    assert "Remove kubernetes: done" in output.splitlines()
    assert read_messages(kept) == ["Render my-hooks"]
    assert read_tables(kept) == build_tables([GITLAB])


@pytest.mark.long
def test_changed_project_can_be_updated_by_copier(hookwright_line: CommandLine, kept: Path) -> None:
    hookwright_line.output(*REMOVE, kept)
    update(kept, "--defaults", "--data", "retry_window=60")
    assert read_tables(kept) == build_tables([GITLAB], 60)


def test_nothing_changes_without_confirmation(hookwright_line: CommandLine, kept: Path) -> None:
    before = snapshot(kept)
    line = hookwright_line.error("remove", "kubernetes", "--project", kept, code=2)
    assert line == "hookwright: cannot prompt without a terminal: add --yes"
    assert snapshot(kept) == before


def test_change_is_rejected_with_uncommitted_files(
    hookwright_line: CommandLine, kept: Path
) -> None:
    edit(kept / "README.md", "# my-hooks\n", "# Mine\n")
    before = snapshot(kept)
    line = hookwright_line.error(*REMOVE, kept)
    assert "has uncommitted changes (README.md): commit or stash" in line
    assert snapshot(kept) == before


def test_untracked_files_are_not_changes(hookwright_line: CommandLine, kept: Path) -> None:
    (kept / "acme.tar.bz2").write_text("mine")
    hookwright_line.output(*REMOVE, kept)
    assert git(kept, "status", "--porcelain") == "?? acme.tar.bz2\n"


def test_edits_elsewhere_are_kept(hookwright_line: CommandLine, kept: Path) -> None:
    edit(kept / "README.md", "# my-hooks\n", "# my-hooks\n\nMy own notes.\n")
    git_save(kept)
    hookwright_line.output(*REMOVE, kept)
    assert "My own notes." in (kept / "README.md").read_text("utf-8")
    assert read_tables(kept) == build_tables([GITLAB])


def test_removed_files_and_line_endings_are_preserved(
    hookwright_line: CommandLine, kept: Path
) -> None:
    git(kept, "rm", "--quiet", "README.md")
    git(kept, "commit", "--quiet", "-m", "Remove it")
    git(kept, "config", "core.autocrlf", "true")
    (kept / "hooks" / "docsearch.py").unlink()
    git(kept, "checkout", "--", "hooks")
    assert b"\r\n" in (kept / "hooks" / "docsearch.py").read_bytes()
    hookwright_line.output(*REMOVE, kept)
    assert read_tables(kept) == build_tables([GITLAB])
    assert not (kept / "README.md").exists()
    assert git(kept, "status", "--porcelain") == ""


def test_conflicting_edit_is_rejected(hookwright_line: CommandLine, kept: Path) -> None:
    edit(kept / "hooks" / "docsearch.py", "kubectl\n", "kubectl\nhelm\n")
    git_save(kept)
    before = snapshot(kept)
    line = hookwright_line.error(*REMOVE, kept)
    *_, fix = line.partition(", run hookwright ")
    assert line.startswith("hookwright: your edit of hooks/docsearch.py conflicts with the change")
    assert snapshot(kept) == before
    hookwright_line.output(*fix.split(), "--yes")
    hookwright_line.output(*REMOVE, kept)


@pytest.mark.long
def test_project_may_be_a_subfolder_of_a_repository(
    hookwright_line: CommandLine, tmp_path: Path
) -> None:
    top = tmp_path / "everything"
    project = top / "tools" / "my-hooks"
    render(keep_template(), project, databases=[GITLAB, KUBERNETES])
    (top / "other.txt").write_text("before")
    git_save(top)
    (top / "other.txt").write_text("after")
    git(top, "add", "other.txt")
    hookwright_line.output(*REMOVE, project)
    assert read_tables(project) == build_tables([GITLAB])
    assert git(top, "status", "--porcelain") == "M  other.txt\n"
    assert "other.txt" not in git(top, "show", "--stat")


def test_project_without_a_repository_is_rendered_afresh(
    hookwright_line: CommandLine, kept: Path
) -> None:
    forget_git(kept)
    output = hookwright_line.output(*REMOVE, kept)
    assert "Remove kubernetes: done" in output.splitlines()
    fresh = render(keep_template(), kept.parent / "fresh", databases=[GITLAB], routes=ROUTES)
    assert_same(kept, fresh)


@pytest.mark.long
def test_removed_hook_removes_its_files(hookwright_line: CommandLine, kept: Path) -> None:
    forget_git(kept)
    hookwright_line.output(*REMOVE, kept)
    hookwright_line.output("remove", "gitlab", "--yes", "--project", kept)
    fresh = render(keep_template(), kept.parent / "fresh", hooks=["tool_routing"], routes=ROUTES)
    assert set(snapshot(kept)) == set(snapshot(fresh))


@pytest.mark.long
@pytest.mark.parametrize("name", ["README.md", "hooks/docsearch.py", "settings.json"])
def test_edits_without_a_repository_are_kept(
    hookwright_line: CommandLine, kept: Path, name: str
) -> None:
    forget_git(kept)
    with (kept / name).open("a") as file:
        file.write("\n# mine\n")
    before = snapshot(kept)
    line = hookwright_line.error(*REMOVE, kept)
    assert f"your edit of {name} would be lost" in line
    assert snapshot(kept) == before


def test_project_can_be_changed_without_git(
    hookwright_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        project = tmp_path / "my-hooks"
        render(keep_template(), project, databases=[GITLAB, KUBERNETES])
        hookwright_line.output(*REMOVE, project)
    assert read_tables(project) == build_tables([GITLAB])
    git_save(project)  # git is back, and the unversioned project gets a version
    hookwright_line.output("update", "--yes", "--project", project)
    assert read_answers(project)["_commit"] == "v0.1.0"


def test_ctrl_c_during_a_change_changes_nothing(kept: Path, tmp_path: Path) -> None:
    before = snapshot(kept)
    # A stand-in for git that simulates Ctrl-C while the template is copied.
    stand_in = tmp_path / "bin" / "git"
    stand_in.parent.mkdir()
    stand_in.write_text(
        '#!/bin/sh\ncase "$*" in *clone*) kill -INT $PPID; exit 1;; esac\n'
        f'exec {shutil.which("git")} "$@"\n'
    )
    stand_in.chmod(0o755)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    path = f"{stand_in.parent}{os.pathsep}{os.environ['PATH']}"
    completed = run_hookwright(*REMOVE, kept, folder=tmp_path, PATH=path, TMPDIR=str(scratch))
    assert completed == Ended(130, "", "hookwright: stopped\n")
    assert snapshot(kept) == before
    assert list(scratch.iterdir()) == []


def test_rejected_commit_is_reported(hookwright_line: CommandLine, kept: Path) -> None:
    hook = kept / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no good >&2\nexit 1\n")
    hook.chmod(0o755)
    line = hookwright_line.error(*REMOVE, kept)
    assert line.startswith("hookwright: changed, but not committed: git commit in ")
    assert line.endswith("no good")
    assert read_tables(kept) == build_tables([GITLAB])


def test_files_changed_and_added_by_a_git_hook_are_committed(
    hookwright_line: CommandLine, kept: Path
) -> None:
    hook = kept / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho >> README.md\ndate > made\ngit add README.md made\n")
    hook.chmod(0o755)
    assert "done, and committed" in hookwright_line.output(*REMOVE, kept)
    assert git(kept, "status", "--porcelain") == ""
    assert "made" in git(kept, "ls-files")


def test_missing_git_is_reported(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(kept)
    monkeypatch.setenv("PATH", "/nowhere")
    told = "hookwright: git is missing, and changing a project requires it: install git"
    assert hookwright_line.error(*REMOVE, kept) == told
    assert snapshot(kept) == before
    words = ("new", "ours", "--data-file", kept / "x", "--template", "https://example.com/x.git")
    assert hookwright_line.error(*words) == (
        "hookwright: git is missing: install it to fetch a template"
    )


def test_missing_commit_identity_is_rejected_in_advance(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = snapshot(kept)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("EMAIL", "")
    git(kept, "config", "user.useConfigOnly", "true")
    before = snapshot(kept)
    line = hookwright_line.error(*REMOVE, kept)
    assert line.endswith(": set git config user.name and user.email, or add --no-commit")
    assert snapshot(kept) == before


def test_missing_template_is_replaced_by_the_bundled_one(
    hookwright_line: CommandLine, kept: Path
) -> None:
    elsewhere = find_kept_template().rename(kept.parent / "elsewhere")
    hookwright_line.output(*REMOVE, kept)
    assert read_tables(kept) == build_tables([GITLAB])
    assert read_answers(kept)["_src_path"] == str(find_kept_template())
    assert elsewhere.exists()


@pytest.mark.long
def test_update_uses_the_newest_version(
    hookwright_line: CommandLine, repository: Path, started: Path
) -> None:
    edit(repository / "generator" / "runtime" / "event.py", '"hookwright:"', '"hookwright 1.1:"')
    git_save(repository, "1.1.0")
    hookwright_line.output(*REMOVE, started)
    assert read_answers(started)["_commit"] == "1.0.0"
    hookwright_line.output("update", "--yes", "--project", started)
    assert read_answers(started)["_commit"] == "1.1.0"
    assert "hookwright 1.1:" in (started / "hooks" / "docsearch.py").read_text("utf-8")
    assert hookwright_line.output("update", "--yes", "--project", started) == "nothing changes\n"


@pytest.mark.long
def test_update_never_downgrades(
    hookwright_line: CommandLine, repository: Path, started: Path
) -> None:
    edit(repository / "generator" / "runtime" / "event.py", '"hookwright:"', '"hookwright 1.1:"')
    git_save(repository)
    call_copier(started, "update", "--defaults", "--vcs-ref", "HEAD")
    git_save(started)
    line = hookwright_line.error("update", "--yes", "--project", started)
    assert "after its newest version 1.0.0: give that commit a tag first" in line


@pytest.mark.long
def test_relative_template_path_is_stored_as_absolute(
    hookwright_line: CommandLine, repository: Path, started: Path
) -> None:
    edit(repository / "generator" / "runtime" / "event.py", '"hookwright:"', '"hookwright 1.1:"')
    git_save(repository, "1.1.0")
    template = os.path.relpath(repository)
    hookwright_line.output("update", "--template", template, "--yes", "--project", started)
    assert read_answers(started)["_src_path"] == str(repository)
    hookwright_line.output(*REMOVE, started)


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "-two [red]\nlines b\udcff\n",
        "tail ",
        *mark_long(["tail\n", "two\nlines", "b\udcff", "-x", "[red]"]),
    ],
)
def test_folder_may_have_any_name(hookwright_line: CommandLine, kept: Path, name: str) -> None:
    folder = kept.rename(kept.parent / name)
    hookwright_line.output("remove", "kubernetes", "--yes", f"--project={folder}")
    assert read_messages(folder) == ["Remove kubernetes", "Render my-hooks"]


def test_newer_hookwright_updates_an_older_project(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    packaged = copy_template(tmp_path / "packaged")
    edit(packaged / "generator" / "runtime" / "event.py", '"hookwright:"', '"hookwright 2:"')
    monkeypatch.setattr(hookwright.template.store, "PACKAGED", packaged)
    monkeypatch.setattr(hookwright.template.store, "__version__", "0.2.0")
    hookwright_line.output("update", "--yes", "--project", kept)
    assert read_answers(kept)["_commit"] == "v0.2.0"
    assert "hookwright 2:" in (kept / "hooks" / "docsearch.py").read_text("utf-8")
    assert read_messages(kept)[0] == "Update to the newest template"


@pytest.mark.long
@pytest.mark.parametrize("name", ["index.lock", "MERGE_HEAD"])
def test_busy_repository_is_rejected(hookwright_line: CommandLine, kept: Path, name: str) -> None:
    (kept / ".git" / name).write_text(git(kept, "rev-parse", "HEAD"))
    before = snapshot(kept)
    line = hookwright_line.error(*REMOVE, kept)
    assert f"git is busy: {kept / '.git' / name} exists: finish that first" in line
    assert snapshot(kept) == before


def test_missing_template_is_rejected(hookwright_line: CommandLine, kept: Path) -> None:
    line = hookwright_line.error("update", "--template", "/nope", "--project", kept)
    assert line == ("hookwright: no template at /nope: use a folder with copier.yml, or a git URL")


def test_missing_version_is_rejected(hookwright_line: CommandLine, kept: Path) -> None:
    edit(kept / ".copier-answers.yml", '"_commit": "', '"_commit": "x')
    git(kept, "commit", "--quiet", "--all", "-m", "Spoil")
    for words in (REMOVE[:-1], ("update", "--yes")):
        line = hookwright_line.error(*words, "--project", kept)
        assert f"template {find_kept_template()} has no version x" in line
        assert line.endswith("or choose another with hookwright update --template")


@pytest.mark.long
def test_project_in_an_ignored_folder_is_kept_complete(tmp_path: Path) -> None:
    top = tmp_path / "everything"
    top.mkdir()
    (top / ".gitignore").write_text("hooks/\n*.json\n")
    git_save(top)
    for name in ("hooks", "others"):
        project = top / name
        create_project(project, {"databases": [GITLAB]}, str(keep_template()))
        assert not commit_project(project)
        rendered = {path for path in snapshot(project) if not path.startswith(".git/")}
        assert set(git(project, "ls-files").split()) == rendered
    assert (top / "hooks" / ".git").exists()
    assert not (top / "others" / ".git").exists()


@pytest.mark.long
def test_home_folder_has_one_installation(
    hookwright_line: CommandLine, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_installer(kept).check_returncode()
    monkeypatch.chdir(Path.home())
    hookwright_line.output(*REMOVE, kept)
    completed = run_installer(kept, "--check")
    assert completed.stdout == "all is well\n"
