"""The documentation of a project's dependencies is set up from its manifests."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright.cli import setup_stack
from hookwright.clients.claude.settings import locate_main
from hookwright.documentation import setup
from hookwright.documentation.proof import Question
from hookwright.project.reader import open_project
from hookwright_console.errors import RefusedError
from hookwright_documentation.databases import find_root, list_names
from hookwright_documentation.recipes.recipe import CopyFigures, ReadyRecipe, Recipe
from hookwright_documentation.setup import Choice

from ...support.command_line import CommandLine
from ...support.documentation_site import Site, page, serving
from ...support.git_repository import git
from ...support.pseudo_terminal import CTRL_C, ENTER, open_terminal

MANIFESTS = {
    "pyproject.toml": '[project]\ndependencies = ["acme==2.1", "rocket", "attrs"]',
    "package.json": '{"dependencies": {"acme-web": "1.0.0", "left-pad": "1.3.0"}}',
    "Dockerfile": "FROM python:3.12",
}


def build_recipe(name: str, source: str, **packages: tuple[str, ...]) -> ReadyRecipe:
    return ReadyRecipe(
        name,
        (name,),
        source,
        description=f"{name}, a tool",
        domains=(f"{name}.example",),
        packages=packages,
        verified=True,
        tested_copy=CopyFigures("2.0", pages=73, seconds=110, megabytes=3),
    )


@pytest.fixture
def site() -> Iterator[Site]:
    answers = {}
    for tool in ("acme", "rocket"):
        names = ("install", "session", "deploy")
        links = tuple(f"/{tool}/{name}.html" for name in names)
        answers[f"/{tool}/"] = page(f"The {tool} manual", *links)
        answers |= {
            f"/{tool}/{name}.html": page(f"How to {name} with {tool}", f"/{tool}/")
            for name in names
        }
    with serving(Site(answers)) as served:
        yield served


@pytest.fixture
def line(hookwright_line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    for name, text in MANIFESTS.items():
        (hookwright_line.folder / name).write_text(text)
    offer_recipes(monkeypatch, "https://acme.example/", "https://rocket.example/")
    return hookwright_line


def offer_recipes(monkeypatch: pytest.MonkeyPatch, acme: str, rocket: str) -> None:
    recipes = [
        build_recipe("acme", acme, pypi=("acme",), npm=("acme-web",)),
        build_recipe("rocket", rocket, pypi=("rocket",)),
        build_recipe("unused", acme, pypi=("unused",)),
    ]
    named = {recipe.name: recipe for recipe in recipes}
    monkeypatch.setattr("hookwright.cli.setup_stack.load_ready_recipes", lambda: recipes)
    monkeypatch.setattr("hookwright_documentation.setup.find_ready_recipe", named.get)


@pytest.fixture
def set_up_recipes(monkeypatch: pytest.MonkeyPatch) -> list[Recipe]:
    recipes: list[Recipe] = []

    def set_up(choice: Choice, *_: object, **__: object) -> dict[str, object]:
        recipe = choice.recipe
        recipes.append(recipe)
        if recipe.name == "rocket":
            raise RefusedError("the site has no pages: use another address")
        return {"name": recipe.name, "pages": 4, "passages": 8, "version": "2.1"}

    monkeypatch.setattr(setup_stack, "set_up", set_up)
    return recipes


def test_untested_recipes_are_reported_once(
    line: CommandLine, set_up_recipes: list[Recipe], monkeypatch: pytest.MonkeyPatch
) -> None:
    acme = build_recipe("acme", "https://acme.example/", pypi=("acme",))
    known = replace(acme, verified=False, tested_copy=None)
    untried = [
        replace(known, name=name, packages={"pypi": (name,)}, ambiguous=True)
        for name in ("acme", "attrs")
    ]
    monkeypatch.setattr("hookwright.cli.setup_stack.load_ready_recipes", lambda: untried)
    completed = line.run("setup", "--stack", "--yes")
    output = completed.output + completed.errors
    assert "recipes that were not tried: acme, attrs" in output
    assert output.count("tried") == 1
    assert [dependency.ambiguous for dependency in set_up_recipes] == [True, True]


def test_dry_run_lists_the_stack(line: CommandLine) -> None:
    output = line.output("setup", "--stack", "--dry-run")
    assert [" ".join(row.split()) for row in output.splitlines()] == [
        "6 dependencies in 3 manifests",
        "recipe takes size time disk for",
        "acme newest (in use 2.1) 73 pages 2 min 3 MB acme-web, acme",
        "rocket newest 73 pages 2 min 3 MB rocket",
        "no recipe for 3:",
        "dependency from in use manifests",
        "python images 3.12 1",
        "left-pad npm 1.3.0 1",
        "attrs pypi 1",
    ]
    assert not find_root().exists()


def test_dry_run_as_json_is_complete(line: CommandLine) -> None:
    (line.folder / "Gemfile").write_text("\n".join(f"gem 'g{number}'" for number in range(40)))
    row = json.loads(line.output("setup", "--stack", line.folder, "--dry-run", "--json"))
    assert [proposal["name"] for proposal in row["proposals"]] == ["acme", "rocket"]
    assert row["proposals"][1] == {
        "name": "rocket",
        "state": "new",
        "version": "",
        "limits": "",
        "takes": "",
        "source": "https://rocket.example/",
        "verified": True,
        "tested_copy": {"version": "2.0", "pages": 73, "seconds": 110, "megabytes": 3},
        "dependencies": [
            {
                "ecosystem": "pypi",
                "name": "rocket",
                "version": "",
                "limits": "",
                "files": ["pyproject.toml"],
            }
        ],
    }
    assert len(row["without_recipe"]) == 43
    assert "and 28 more: --json lists all" in line.output("setup", "--stack", "--dry-run")


def test_list_fits_the_terminal(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.command_line.COLUMNS", "80")
    output = line.output("setup", "--stack", "--dry-run")
    assert max(map(len, output.splitlines())) <= 80
    assert len(output.splitlines()) == 9  # one line per item


def test_nothing_is_preselected(line: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = []

    class Enter:
        def ask_several(
            self, question: str, choices: Mapping[str, str], chosen: Sequence[str]
        ) -> list[str]:
            questions.append((question, [*choices.values()], [*chosen]))
            return [*chosen]

    monkeypatch.setattr(setup_stack, "can_ask", lambda: True)
    monkeypatch.setattr(setup_stack, "Dialogue", Enter)
    assert "nothing chosen" in line.output("setup", "--stack")
    (_, (acme, rocket), chosen) = questions[0]
    assert " ".join(acme.split()) == "acme newest (in use 2.1) 73 pages 2 min 3 MB acme-web, acme"
    assert rocket.startswith("rocket")
    assert chosen == []


@pytest.mark.parametrize(
    ("words", "told", "code"),
    [
        (["--stack"], "cannot prompt without a terminal: add --yes or --dry-run", 2),
        (["--stack", "a", "b"], "--stack takes one folder, got 2: a b", 2),
        (
            ["--stack", "--name", "x"],
            "--name: cannot be combined with --stack: its recipes set it",
            2,
        ),
        (["--stack", "nowhere"], "no folder nowhere: use the folder of a project", 2),
        (["--stack", "empty"], "no manifest in empty, such as pyproject.toml or package.json", 1),
        (["acme", "--dry-run"], "--dry-run: requires --stack", 2),
    ],
)
def test_mistakes_are_reported_in_one_line(
    line: CommandLine, words: list[str], told: str, code: int
) -> None:
    (line.folder / "empty").mkdir()
    assert told in line.error("setup", *words, code=code)
    assert not find_root().exists()


def test_one_failure_does_not_stop_the_rest(
    line: CommandLine, set_up_recipes: list[Recipe]
) -> None:
    completed = line.run("setup", "--stack", "--yes")
    assert completed.code == 1
    assert [dependency.name for dependency in set_up_recipes] == ["acme", "rocket"]
    for message in (
        "1 of 2: acme: 4 pages, 8 passages",
        "2 of 2: rocket: the site has no pages: use another address",
        "1 of 2 failed: run the same command to try again",
    ):
        assert message in completed.output.splitlines()
    row = json.loads(line.run("setup", "--stack", "--yes", "--json").output)
    assert [database.get("error", "") for database in row["databases"]] == [
        "",
        "the site has no pages: use another address",
    ]


@pytest.mark.usefixtures("set_up_recipes")
def test_warnings_do_not_stop_the_setup(line: CommandLine) -> None:
    (line.folder / "package.json").write_text("{")
    completed = line.run("setup", "--stack", "--dry-run")
    assert completed.errors == "hookwright: package.json: line 1 is not JSON\n"
    assert "rocket" in completed.output


@pytest.mark.long
def test_selection_is_remembered(hookwright_line: CommandLine) -> None:
    folder = hookwright_line.folder
    (folder / "requirements.txt").write_text("django==4.2\nflask\n")
    words = ("setup", "--stack")
    with open_terminal(*words, folder=folder) as terminal:
        terminal.answer("Which databases do you want?", "2" + ENTER)
        terminal.answer("Set up 1 database, add it to ~/my-hooks", CTRL_C)
        terminal.see("stopped: run the same command again to continue")
        assert terminal.end() == 130
    with open_terminal(*words, folder=folder) as terminal:
        terminal.answer("Default: 2")
        terminal.answer("Set up 1 database, add it to ~/my-hooks", "n" + ENTER)
        assert terminal.end() == 1
    assert not find_root().exists()


@pytest.mark.long
def test_stack_setup_is_resumed(
    line: CommandLine, kept: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer_recipes(monkeypatch, f"{site.url}acme/", f"{site.url}rocket/")
    prove: list[Callable[[], None]] = [lambda: None, stop, lambda: None]

    def prove_server(*_: Any) -> Question:
        prove.pop(0)()
        return Question("a b c", site.url)

    monkeypatch.setattr(setup, "prove_server", prove_server)
    words = ("setup", "--stack", "--project", kept, "--yes")
    completed = line.run(*words)
    assert (completed.code, list_names()) == (130, ["acme", "rocket"])
    assert "stopped: run the same command again to continue" in completed.errors
    assert "1 of 2: acme: 4 pages" in completed.output
    requests = len(site.asked)
    output = line.output(*words)
    assert "set up already: acme" in output
    assert "rocket (built)" in output
    assert "1 of 1: rocket: 4 pages" in output
    assert len(site.asked) == requests  # no new requests: the pages were already stored
    names = [database["keywords"][0] for database in open_project(kept).databases]
    assert names[-2:] == ["acme", "rocket"]
    assert git(kept, "log", "--format=%s").splitlines()[:2] == [
        "Add the database rocket",
        "Add the database acme",
    ]
    assert "nothing left to set up" in line.output(*words)


def stop() -> None:
    raise KeyboardInterrupt


@pytest.mark.long
def test_failed_crawl_does_not_stop_the_rest(
    line: CommandLine, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer_recipes(monkeypatch, f"{site.url}gone/", f"{site.url}rocket/")
    completed = line.run("setup", "--stack", "--project", "my-hooks", "--yes", "--json")
    assert completed.code == 1
    gone, rocket = json.loads(completed.output)["databases"]
    assert f"{site.url}gone/" in gone["error"]
    assert rocket["registered"]
    assert list_names() == ["rocket"]
    assert "hookwright-docs" in json.loads(locate_main().read_text())["mcpServers"]


@pytest.mark.long
def test_installed_package_is_set_up_from_its_sources(
    hookwright_line: CommandLine, kept: Path
) -> None:
    folder = hookwright_line.folder
    (folder / "requirements.txt").write_text("my-tool\n")
    site = folder / ".venv" / "lib" / "python3.11" / "site-packages"
    (site / "my_tool-1.2.3.dist-info").mkdir(parents=True)
    (site / "my_tool-1.2.3.dist-info" / "METADATA").write_text("Name: my-tool\nVersion: 1.2.3\n")
    (site / "my_tool-1.2.3.dist-info" / "RECORD").write_text("my_tool.py,,\n")
    (site / "my_tool.py").write_text(
        '"""Turn the wheels of a mill."""\n\n\ndef grind(corn: str) -> bytes:\n'
        '    """Return the flour that a sack of corn gives, ground between two stones."""\n'
    )
    (folder / ".venv" / "pyvenv.cfg").touch()
    with open_terminal("setup", "--stack", "--project", kept, folder=folder) as terminal:
        terminal.see("3  my-tool (its sources)  1.2.3")
        terminal.answer("my-tool", "3" + ENTER)
        terminal.answer("Set up 1 database")
        terminal.see("1 of 1: my-tool: 1 page")
        assert terminal.end() == 0
    assert open_project(kept).databases[-1]["keywords"] == ["my-tool"]
