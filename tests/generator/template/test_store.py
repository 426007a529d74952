"""The template is stored in a git repository with a tag for each version."""

import shutil
from pathlib import Path

import pytest

import hookwright.template.store
from hookwright.template.store import (
    find_kept_template,
    find_template,
    keep_template,
    read_template,
)
from hookwright_console.errors import RefusedError

from ...support.git_repository import edit, git


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packaged"
    for path in read_template(find_template()):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(find_template() / path, folder / path)
    monkeypatch.setattr(hookwright.template.store, "PACKAGED", folder)
    return folder


def list_tags() -> list[str]:
    return git(find_kept_template(), "tag", "--list", "--sort=creatordate").split()


def test_stored_template_matches_the_bundled_one(packaged: Path) -> None:
    stored = keep_template()
    assert stored == Path.home() / ".local" / "share" / "hookwright" / "template"
    assert read_template(stored) == read_template(packaged)
    assert git(stored, "status", "--porcelain") == ""
    assert list_tags() == ["v0.1.0"]


def test_repeated_storing_changes_nothing() -> None:
    before = git(keep_template(), "rev-parse", "HEAD")
    assert git(keep_template(), "rev-parse", "HEAD") == before


def test_new_version_gets_an_additional_tag(
    packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_template()
    edit(packaged / "copier.yml", "# The questions.", "# All the questions.")
    monkeypatch.setattr(hookwright.template.store, "__version__", "0.2.0")
    stored = keep_template()
    assert list_tags() == ["v0.1.0", "v0.2.0"]
    assert git(stored, "describe", "--tags").strip() == "v0.2.0"
    assert "# The questions." in git(stored, "show", "v0.1.0:copier.yml")


def test_corrected_version_has_a_separate_tag(packaged: Path) -> None:
    keep_template()
    edit(packaged / "copier.yml", "# The questions.", "# All the questions.")
    assert "# All the questions." in (keep_template() / "copier.yml").read_text("utf-8")
    assert list_tags() == ["v0.1.0", "v0.1.0.post1"]


def test_damaged_template_is_repaired() -> None:
    stored = keep_template()
    (stored / "copier.yml").write_text("nonsense")
    shutil.rmtree(stored / "template")
    assert read_template(keep_template()) == read_template(find_template())


def test_partially_stored_template_is_stored_again() -> None:
    stored = find_kept_template()
    stored.mkdir(parents=True)
    git(stored, "init", "--quiet")
    assert read_template(keep_template()) == read_template(find_template())
    assert list_tags() == ["v0.1.0"]


def test_template_without_git_is_a_plain_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        stored = keep_template()
        assert read_template(stored) == read_template(find_template())
        assert not (stored / ".git").exists()
    keep_template()
    assert list_tags() == ["v0.1.0"]


def test_unwritable_data_folder_is_reported_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    with pytest.raises(RefusedError, match=r"cannot be written .*: fix that, or set XDG_DATA_HOME"):
        keep_template()


def test_user_git_settings_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text(
        "[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = /nowhere\n"
        "[tag]\n\tgpgSign = true\n[gpg]\n\tprogram = /nowhere\n[init]\n\tdefaultBranch = odd\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert read_template(keep_template()) == read_template(find_template())
