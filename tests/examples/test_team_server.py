"""Tests of the files for running a team server."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "examples" / "team-server"
UNIT, CONTAINER = FILES / "hookwright.service", FILES / "Containerfile"


def read_commands() -> dict[str, list[str]]:
    (start,) = re.findall(r"^ExecStart=(.+)", UNIT.read_text(), re.MULTILINE)
    lists = re.findall(r"^(?:ENTRYPOINT|CMD) (.+)", CONTAINER.read_text(), re.MULTILINE)
    return {
        UNIT.name: shlex.split(start)[1:],
        CONTAINER.name: [word for words in lists for word in json.loads(words)][1:],
    }


@pytest.mark.long
@pytest.mark.parametrize("name", [UNIT.name, CONTAINER.name])
def test_command_exists_in_the_server(tmp_path: Path, name: str) -> None:
    words = read_commands()[name]
    for option, value in {"--host": "0.0.0.0", "--data": str(tmp_path)}.items():  # noqa: S104 - it is refused
        if option in words:
            words[words.index(option) + 1] = value
    completed = subprocess.run(
        [sys.executable, "-m", "lesson_search", *words],
        check=False,
        capture_output=True,
        text=True,
        env={"LESSON_SEARCH_DATA": str(tmp_path), "HOME": str(tmp_path)},
    )
    assert completed.returncode == 1
    assert completed.stderr == (
        "lesson-search: other machines can reach 0.0.0.0: set LESSON_SEARCH_TOKEN, or use --host "
        "127.0.0.1\n"
    )


@pytest.mark.long
def test_unit_is_valid(tmp_path: Path) -> None:
    program = shutil.which("systemd-analyze")
    if not program:
        pytest.skip("systemd is not installed")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("/opt/hookwright/bin/lesson-search", sys.executable))
    completed = subprocess.run(
        [program, "verify", "--man=no", str(unit)], check=False, capture_output=True, text=True
    )
    assert (completed.returncode, completed.stderr) == (0, "")


def test_image_contains_only_the_package() -> None:
    lines = CONTAINER.read_text().splitlines()
    copies = [line.split()[1:-1] for line in lines if line.startswith("COPY ")]
    copied = {name for names in copies for name in names if not name.startswith(("--", "/"))}
    tomllib = pytest.importorskip("tomllib")  # requires Python 3.11
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    wheel = hatch["targets"]["wheel"]
    named = ["pyproject.toml", "hatch_build.py", "uv.lock", "README.md", "LICENSE"]
    needed = [*named, *wheel["packages"], *wheel["force-include"]]
    assert copied == {name.partition("/")[0] for name in needed}
    assert all((ROOT / name).exists() for name in copied)


def test_image_user_owns_the_volume() -> None:
    words = [line.split() for line in CONTAINER.read_text().splitlines() if line]
    (volume,) = (word[1] for word in words if word[0] == "VOLUME")
    places = [part.partition("=")[2] for word in words if word[0] == "ENV" for part in word[1:]]
    assert places == [f"{volume}/docs", f"{volume}/lessons"]
    names = [word[0] for word in words]
    created = names.index("RUN", names.index("USER"))
    assert names.index("USER") < created < names.index("VOLUME") < names.index("ENTRYPOINT")
    assert names.count("USER") == 1
    assert f"{volume} " in (FILES / "README.md").read_text()


def test_documents_list_the_tokens() -> None:
    for path in (UNIT, CONTAINER, FILES / "README.md"):
        text = path.read_text()
        assert "LESSON_SEARCH_TOKEN" in text
        assert "LESSON_SEARCH_READ_TOKEN" in text
