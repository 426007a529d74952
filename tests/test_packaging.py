"""What is installed is the two command lines, the server and the template, and nothing else."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from hookwright import __version__
from hookwright.project.template_store import find_kept_template, read_template

from .support.command_line import build_environment
from .support.project import ROOT

PARTS = (
    *("LICENSE", "README.md", "copier.yml", "pyproject.toml"),
    *("console", "examples", "generator", "server", "template", "tests/support/project.py"),
)


def list_names(folder: Path) -> list[str]:
    """Return the names of what a folder holds, sorted."""
    return sorted(path.name for path in folder.iterdir())


def check_installed(installed: Path, project: Path) -> None:
    """Check that what a wheel installs makes a project, and changes it, without a checkout."""
    template = find_kept_template()

    def run(*words: str | Path) -> None:
        command = [sys.executable, "-m", "hookwright", *map(str, words)]
        environment = {**os.environ, "PYTHONPATH": str(installed)}
        subprocess.run(command, check=True, cwd=installed, env=environment)

    run("new", project, "--data-file", ROOT / "examples" / "devops.yml")
    route = ("--pattern", "example.com/x", "--message", "Ask there.")
    run("add", "route", "x", *route, "--yes", "--project", project)
    # ZipFile leaves out which can be run, unlike pip.
    held, wanted = (
        {name: content for name, (content, _) in read_template(folder).items()}
        for folder in (template, ROOT)
    )
    assert held == wanted
    assert (project / "hooks" / "tool_routing.py").read_text("utf-8").count("Ask there.") == 1


def test_wheel_has_the_packages_and_the_template(tmp_path: Path) -> None:
    """A wheel has its packages with their files, their commands, and the whole template."""
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
        scripts = wheel.read(commands).decode()
        wheel.extractall(tmp_path / "installed")
    assert "hookwright = hookwright.cli.main:run" in scripts
    assert "lesson-search = lesson_search.__main__:main" in scripts
    version = f"hookwright-{__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {
        "hookwright",
        "hookwright_console",
        "hookwright_documentation",
        "hookwright_retrieval",
        "lesson_search",
        version,
    }
    labelled = [
        f"lesson_search/retrieval/labelled/{kind}.jsonl" for kind in ("lessons", "questions")
    ]
    ordinary = "hookwright/bundled/generator/ambiguous.json"
    assert {"lesson_search/taxonomy/taxonomy.yml", ordinary, *labelled} <= set(names)
    packaged = tmp_path / "installed" / "hookwright" / "bundled"
    routes = Path("examples", "routes")
    assert list_names(packaged / routes) == list_names(ROOT / routes)
    check_installed(tmp_path / "installed", tmp_path / "my-hooks")


def test_command_line_needs_nothing_of_the_server() -> None:
    """Whoever has not installed the extra `server` can run every verb."""
    tomllib = pytest.importorskip("tomllib")  # of Python 3.11
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extra, own = (
        {re.split(r"[>=]", name)[0] for name in names}
        for names in (project["optional-dependencies"]["server"], project["dependencies"])
    )
    modules = [
        ".".join(path.relative_to(ROOT / "generator").with_suffix("").parts)
        for path in (ROOT / "generator" / "hookwright").rglob("*.py")
        if path.stem not in {"__main__", "decider"}  # which run something
    ]
    program = (
        "import importlib, sys\n"
        f"sys.modules.update(dict.fromkeys({sorted(extra - own)}))\n"
        f"for name in {sorted(modules)}: importlib.import_module(name)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=build_environment())
