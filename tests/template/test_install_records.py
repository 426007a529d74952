"""The record of an installation says where it came from and went to, and may hold anything."""

import json
from pathlib import Path

import pytest

from ..support.installer import Installer, run_here, snapshot

ODD = ["/x\0y", "/\ud800", "x", 10**400]


@pytest.fixture
def loop(tmp_path: Path) -> Path:
    """Return a link to itself."""
    path = tmp_path / "loop"
    path.symlink_to(path)
    return path


@pytest.mark.parametrize("number", range(len(ODD) + 1))
@pytest.mark.parametrize("name", ["other", "my-hooks"])
@pytest.mark.parametrize("arguments", [[], ["--check"], ["--uninstall"]])
def test_record_of_an_impossible_folder(
    install: Installer, loop: Path, name: str, number: int, arguments: list[str]
) -> None:
    """A record with a folder that cannot be is as good as none, of this or another project."""
    run_here(install)
    before = snapshot(install.config)
    record = install.record.with_name(f"hookwright-{name}.json")
    record.write_text(json.dumps({"folder": [*ODD, str(loop)][number]}))
    done = run_here(install, *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    if name == "my-hooks" and not arguments:
        assert snapshot(install.config) == before
