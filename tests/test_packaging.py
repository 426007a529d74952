"""What is installed is the lesson search server, and nothing else of the repository."""

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from project import ROOT

PARTS = ("LICENSE", "README.md", "pyproject.toml", "server", "template", "tests/project.py")


def test_wheel_has_the_server_alone(tmp_path: Path) -> None:
    """A wheel has the server with its files, its command, and nothing of the template."""
    source = tmp_path / "source"
    for part in PARTS:
        (source / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copyfile
        copy(ROOT / part, source / part)
    build = "import hatchling.build; print(hatchling.build.build_wheel('.'))"
    built = subprocess.run(
        [sys.executable, "-c", build], capture_output=True, check=True, cwd=source, text=True
    )
    with ZipFile(source / built.stdout.strip()) as wheel:
        names = wheel.namelist()
        (commands,) = (name for name in names if name.endswith("entry_points.txt"))
        assert "lesson-search = lesson_search.__main__:main" in wheel.read(commands).decode()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {
        "lesson_search",
        "hookwright",
    }
    labelled = [f"lesson_search/labelled/{kind}.jsonl" for kind in ("lessons", "questions")]
    assert {"lesson_search/taxonomy.yml", *labelled} <= set(names)
