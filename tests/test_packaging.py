"""The wheel contains only the two command lines, the server and the template."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from email import message_from_string
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from hookwright import __version__
from hookwright.template.store import find_kept_template, read_template

from .support.command_line import build_environment
from .support.git_repository import build_repository, call_copier, edit, git, git_save
from .support.project import ROOT
from .support.rendered_project import read_answers

PARTS = (
    *("LICENSE", "README.md", "copier.yml", "hatch_build.py", "pyproject.toml"),
    *("console", "examples", "generator", "recipes", "server", "template"),
    "tests/support/project.py",
)

VERSION = "generator/hookwright/__init__.py"
LINK = re.compile(r"""\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)\"""")
MAX_PATH = 150
RUN_ALL = """
import json, sys
from hookwright.cli.main import run
for words in json.loads(sys.argv[1]):
    sys.argv[1:] = words
    assert run() == 0, words
"""


def list_names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def run_all(installed: Path, commands: Sequence[Sequence[object]]) -> None:
    command = [sys.executable, "-c", RUN_ALL, json.dumps(commands, default=str)]
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    subprocess.run(command, check=True, cwd=installed, env=environment)


def check_installed(installed: Path, project: Path) -> None:
    template = find_kept_template()

    recipes = installed / "hookwright_documentation" / "recipes" / "bundled"
    route = ("--pattern", "example.com/x", "--message", "Ask there.")
    commands = [
        ("new", project, "--data-file", ROOT / "examples" / "devops.yml"),
        ("setup", "--list", "django"),
        ("share", "check", recipes / "django.yml"),
        ("add", "route", "x", *route, "--yes", "--project", project),
        ("install", "--yes", "--project", project),
    ]
    run_all(installed, commands)
    # Unlike pip, ZipFile ignores the executable bit.
    held, wanted = (
        {name: content for name, (content, _) in read_template(folder).items()}
        for folder in (template, ROOT)
    )
    assert held == wanted
    assert (project / "hooks" / "tool_routing.py").read_text("utf-8").count("Ask there.") == 1
    project.rename(project.with_name("moved"))
    run_all(installed, [("uninstall", "--yes", "--project", project), ("status", "--all")])


def copy_source(folder: Path) -> Path:
    for part in PARTS:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / part).is_dir() else shutil.copyfile
        copy(ROOT / part, folder / part)
    return folder


def build(source: Path, step: str, repository: str = "") -> str:
    program = f"import hatchling.build; print(hatchling.build.{step}('.'))"
    completed = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        cwd=source,
        env={**os.environ, "HOOKWRIGHT_REPOSITORY": repository},
        text=True,
    )
    return completed.stdout.strip()


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel whose repository is the folder `forge/hookwright`."""
    folder = tmp_path_factory.mktemp("release")
    source = copy_source(folder / "source")
    return source / build(source, "build_wheel", f"file://{folder}/forge/hookwright")


@pytest.mark.long
def test_wheel_contains_the_packages_and_the_template(release: Path, tmp_path: Path) -> None:
    with ZipFile(release) as wheel:
        names = wheel.namelist()
        (commands,) = (name for name in names if name.endswith("entry_points.txt"))
        scripts = wheel.read(commands).decode()
        wheel.extractall(tmp_path / "installed")
    assert [name for name in names if len(name) >= MAX_PATH] == []
    assert "hookwright = hookwright.cli.main:run" in scripts
    assert "lesson-search = lesson_search.__main__:main" in scripts
    version = f"hookwright-{__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {
        "hookwright",
        "hookwright_console",
        "hookwright_documentation",
        "hookwright_retrieval",
        "hookwright_secret_scan",
        "lesson_search",
        version,
    }
    labelled = [
        f"lesson_search/retrieval/labelled/{kind}.jsonl" for kind in ("lessons", "questions")
    ]
    ordinary = "hookwright/bundled/generator/ambiguous.json"
    words = "hookwright/discovery/ordinary_words.txt"
    assert {"lesson_search/taxonomy/taxonomy.yml", ordinary, words, *labelled} <= set(names)
    installed = tmp_path / "installed"
    for packaged, folder in (
        ("hookwright_documentation/recipes/bundled", "recipes"),
        ("hookwright/bundled/examples/routes", "examples/routes"),
    ):
        assert list_names(installed / packaged) == list_names(ROOT / folder)
    check_installed(installed, tmp_path / "my-hooks")


@pytest.mark.long
def test_release_states_its_repository_and_renders_offline(release: Path, tmp_path: Path) -> None:
    with ZipFile(release) as wheel:
        wheel.extractall(tmp_path / "installed")
    project, data = tmp_path / "my-hooks", ("--data-file", ROOT / "examples" / "devops.yml")
    route = ("x", "--pattern", "example.com/x", "--message", "Ask there.", "--yes")
    own = ("--project", project)
    run_all(tmp_path / "installed", [("new", project, *data), ("add", "route", *route, *own)])
    answers = read_answers(project)
    version = f"v{__version__}"
    forge = release.parents[1] / "forge"
    assert answers["_src_path"] == f"file://{forge}/hookwright.git"
    assert answers["_commit"] == version

    template = build_repository(tmp_path / "template", version)
    bare = forge / "hookwright.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(template), str(bare))
    theirs = tmp_path / "theirs"  # a clone by a colleague, CI or Renovate, who use Copier alone
    git(tmp_path, "clone", "--quiet", str(project), str(theirs))
    call_copier(theirs, "update", "--defaults", "--vcs-ref", ":current:")
    assert git(theirs, "status", "--porcelain") == ""
    edit(template / "generator" / "runtime" / "event.py", '"hookwright:"', '"hookwright 99:"')
    git_save(template, "v99.0.0")
    git(template, "push", "--quiet", str(bare), "HEAD", "v99.0.0")
    call_copier(theirs, "update", "--defaults")
    assert read_answers(theirs)["_commit"] == "v99.0.0"
    assert '"hookwright 99:"' in (theirs / "hooks" / "docsearch.py").read_text("utf-8")
    changed = git(theirs, "status", "--porcelain").splitlines()
    assert not any("<<<<<<< before" in (theirs / line[3:]).read_text("utf-8") for line in changed)


def read_metadata(folder: Path, repository: str) -> Message:
    for part in ("README.md", "hatch_build.py", "pyproject.toml", VERSION):
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / part, folder / part)
    described = build(folder, "prepare_metadata_for_build_wheel", repository)
    return message_from_string((folder / described / "METADATA").read_text("utf-8"))


def list_links(page: str) -> list[str]:
    return [link or source for link, source in LINK.findall(page)]


def test_release_links_point_to_its_tag(tmp_path: Path) -> None:
    metadata = read_metadata(tmp_path, "https://forge.example/acme/hookwright")
    page = str(metadata.get_payload())
    tagged = rf"https://forge\.example/acme/hookwright/(?:blob|raw)/v{__version__}/"
    shown, own = list_links(page), list_links((ROOT / "README.md").read_text("utf-8"))
    assert [re.sub(tagged, "", link) for link in shown] == own
    raw = [re.sub(tagged, "", link) for link in shown if "/raw/" in link]
    assert raw == [link for link in own if link.endswith((".svg", ".webp"))]
    assert metadata.get_all("Project-URL") == [
        "Repository, https://forge.example/acme/hookwright",
        f"Changelog, https://forge.example/acme/hookwright/blob/v{__version__}/CHANGELOG.md",
        "Issues, https://forge.example/acme/hookwright/issues",
    ]


@pytest.mark.parametrize(
    "address",
    [
        "https://me:s3cret@forge.example/a",
        "https://me@forge.example/a",
        "http://forge.example/a",
        "git@forge.example:a",
        "https://forge.example/a?token=s3cret",
        "https:///a",
    ],
)
def test_build_rejects_a_repository_that_others_cannot_use(tmp_path: Path, address: str) -> None:
    with pytest.raises(subprocess.CalledProcessError) as raised:
        read_metadata(tmp_path, address)
    assert "HOOKWRIGHT_REPOSITORY must be an https address" in raised.value.stderr
    assert "s3cret" not in raised.value.stderr


def test_links_of_other_builds_are_not_broken(tmp_path: Path) -> None:
    metadata = read_metadata(tmp_path, "")
    assert list_links(str(metadata.get_payload())) == []
    assert metadata.get_all("Project-URL") is None


def test_file_names_are_valid_on_every_system() -> None:
    for path in (ROOT / "template").rglob("*"):
        assert not set(path.name) & set('<>:"\\|?*'), path.name
        assert not path.name.endswith((".", " "))


def test_file_paths_are_valid_on_every_system() -> None:
    files = git(ROOT, "-c", "core.quotePath=false", "ls-files").splitlines()
    assert [path for path in files if len(path) >= MAX_PATH] == []


def test_command_line_imports_without_extras() -> None:
    tomllib = pytest.importorskip("tomllib")  # requires Python 3.11
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    extra, own = (
        {re.split(r"[>=;]", name)[0] for name in names}
        for names in (extras["docs"] + extras["server"], project["dependencies"])
    )
    # Modules whose names differ from their package's, or that a dependency provides; Copier
    # includes packaging.
    extra = (extra | {"griffe", "Stemmer", "w3lib"}) - {"packaging"}
    modules = [
        ".".join(path.relative_to(ROOT / "generator").with_suffix("").parts)
        for path in (ROOT / "generator" / "hookwright").rglob("*.py")
        # Importing the first two runs code; the last is imported only to read or change TOML.
        if path.stem not in {"__main__", "decider", "toml_tables"}
    ]
    program = (
        "import importlib, sys\n"
        f"sys.modules.update(dict.fromkeys({sorted(extra - own)}))\n"
        f"for name in {sorted(modules)}: importlib.import_module(name)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=build_environment())


@pytest.mark.parametrize("folder", ["e2e", "browser"])
def test_npm_packages_are_pinned_by_hash(folder: str) -> None:
    packages = json.loads((ROOT / "tests" / folder / "package-lock.json").read_text())["packages"]
    platform = {"os": "linux", "cpu": "x64", "libc": "glibc"}
    unpinned = [
        path
        for path, package in packages.items()
        if path and "integrity" not in package
        if all(value in package.get(kind, [value]) for kind, value in platform.items())
    ]
    assert unpinned == []
