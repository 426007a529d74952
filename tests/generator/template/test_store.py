"""The template is kept in a git repository, tagged by version."""

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


def test_kept_template_is_what_comes_along(packaged: Path) -> None:
    kept = keep_template()
    assert kept == Path.home() / ".local" / "share" / "hookwright" / "template"
    assert read_template(kept) == read_template(packaged)
    assert git(kept, "status", "--porcelain") == ""
    assert list_tags() == ["v0.1.0"]


def test_keeping_it_again_changes_nothing() -> None:
    before = git(keep_template(), "rev-parse", "HEAD")
    assert git(keep_template(), "rev-parse", "HEAD") == before


def test_new_version_is_tagged_beside_the_old(
    packaged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_template()
    edit(packaged / "copier.yml", "# The questions.", "# All the questions.")
    monkeypatch.setattr(hookwright.template.store, "__version__", "0.2.0")
    kept = keep_template()
    assert list_tags() == ["v0.1.0", "v0.2.0"]
    assert git(kept, "describe", "--tags").strip() == "v0.2.0"
    assert "# The questions." in git(kept, "show", "v0.1.0:copier.yml")


def test_mended_version_has_a_tag_of_its_own(packaged: Path) -> None:
    keep_template()
    edit(packaged / "copier.yml", "# The questions.", "# All the questions.")
    assert "# All the questions." in (keep_template() / "copier.yml").read_text("utf-8")
    assert list_tags() == ["v0.1.0", "v0.1.0.post1"]


def test_damaged_template_is_mended() -> None:
    kept = keep_template()
    (kept / "copier.yml").write_text("nonsense")
    shutil.rmtree(kept / "template")
    assert read_template(keep_template()) == read_template(find_template())


def test_half_kept_template_is_kept_anew() -> None:
    kept = find_kept_template()
    kept.mkdir(parents=True)
    git(kept, "init", "--quiet")
    assert read_template(keep_template()) == read_template(find_template())
    assert list_tags() == ["v0.1.0"]


def test_without_git_the_template_is_a_plain_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        kept = keep_template()
        assert read_template(kept) == read_template(find_template())
        assert not (kept / ".git").exists()
    keep_template()
    assert list_tags() == ["v0.1.0"]


def test_unwritable_data_folder_is_told_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file" / "data"))
    with pytest.raises(RefusedError, match=r"cannot be written .*: fix that, or set XDG_DATA_HOME"):
        keep_template()


def test_users_git_settings_do_not_matter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = tmp_path / "gitconfig"
    settings.write_text(
        "[commit]\n\tgpgSign = true\n[core]\n\tautocrlf = true\n\thooksPath = /nowhere\n"
        "[tag]\n\tgpgSign = true\n[gpg]\n\tprogram = /nowhere\n[init]\n\tdefaultBranch = odd\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    assert read_template(keep_template()) == read_template(find_template())
