"""A rendered project is complete, passes the linters and matches its answers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Hashable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ..support.dialects import OTHERS
from ..support.hypothesis_profiles import examples, mark_long
from ..support.printable_values import TEXT, VALUES, WORD, as_text
from ..support.project import GITLAB, KUBERNETES, ROOT, ROUTES, render, run_hook, search_event
from ..support.rendered_project import (
    FILES,
    ROUTING_FILES,
    SEARCH_FILES,
    TEXTS,
    build_database,
    build_tables,
    read_answers,
    read_files,
    read_hook,
    read_tables,
)

INCLUDED = sorted(
    [*(ROOT / "generator").glob("runtime/**/*.py"), *(ROOT / "generator").glob("hooks/**/*.py")]
)

# All rendered code runs on the oldest supported Python, unlike this repository's tests.
RUFF_CONFIG = [
    f"--config={ROOT / 'pyproject.toml'}",
    "--config=target-version = 'py39'",
]

PROJECTS = ["project", "routed", "both", "lessons", "lessons_http", "dialects", "indexed"]

RECORDS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {
        "keywords": st.lists(WORD, min_size=1, max_size=4),
        "path": TEXT.map("/{}".format),
        "mcp_tool_name": st.from_regex("[A-Za-z0-9_./-]+", fullmatch=True),
        "description": TEXT,
    },
    optional={
        "arguments": st.dictionaries(TEXT, VALUES, max_size=3),
        "name": TEXT,
        "with": st.lists(WORD, min_size=1, max_size=4),
    },
)


def identify(record: dict[str, Any]) -> Hashable:
    name: Hashable = record.get("name", id(record))
    return name


def run_tool(folder: Path, scripts: list[str], *arguments: str) -> str:
    completed = subprocess.run(
        [sys.executable, "-m", *arguments, *scripts],
        cwd=folder,
        capture_output=True,
        check=False,
        text=True,
    )
    return completed.stdout + completed.stderr if completed.returncode else ""


def list_scripts(project: Path) -> list[str]:
    return sorted(path for path in read_files(project) if path.endswith(".py"))


@pytest.fixture(scope="session")
def all_projects(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("all")
    for name in PROJECTS:
        shutil.copytree(request.getfixturevalue(name), folder / name)
    return folder


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def test_project_contains_no_other_files(project: Path) -> None:
    assert set(read_files(project)) == FILES


def test_project_contains_the_files_of_both_hooks(both: Path) -> None:
    assert set(read_files(both)) == FILES | ROUTING_FILES


def test_route_only_project_contains_its_files(routed: Path) -> None:
    assert set(read_files(routed)) == FILES - SEARCH_FILES | ROUTING_FILES


@pytest.mark.parametrize("script", ["hooks/docsearch.py", "hooks/tool_routing.py", "install.py"])
def test_script_is_executable(both: Path, script: str) -> None:
    path = both / script
    assert path.read_bytes().startswith(b"#!/usr/bin/env python3\n")
    assert os.access(path, os.X_OK)


def test_hook_is_small(project: Path) -> None:
    assert (project / "hooks" / "docsearch.py").stat().st_size < 24_000


def test_hook_with_three_routes_is_small(routed: Path) -> None:
    assert (routed / "hooks" / "tool_routing.py").stat().st_size < 36_000


def test_tables_match_the_code(project: Path) -> None:
    hook = read_hook(project)
    assert hook["KEYWORDS"] == "\ngitlab\ngl\ngitlab-ci\n\nkubernetes\nk8s\nkubectl\n"
    assert json.loads(hook["DATABASES"]) == build_tables([GITLAB, KUBERNETES]).databases
    assert hook["RETRY_WINDOW"] == 300


def test_tables_contain_every_field(template: Path, tmp_path: Path) -> None:
    fields = {"name": "gl", "arguments": {"index_name": "gl"}, "domains": ["docs.gitlab.com"]}
    database = {**GITLAB, **fields}
    rendered = render(template, tmp_path / "rendered", databases=[database], retry_window=60)
    assert read_tables(rendered) == build_tables([database], 60)


def test_included_files_contain_no_template_syntax() -> None:
    for module in INCLUDED:
        source = module.read_text("utf-8")
        assert [mark for mark in ("{{", "{%", "{#") if mark in source] == [], module


@pytest.mark.parametrize("tool", [["check"], ["format", "--check"]], ids=" ".join)
def test_code_passes_the_linter(all_projects: Path, tool: list[str]) -> None:
    scripts = [f"{name}/{path}" for name in PROJECTS for path in list_scripts(all_projects / name)]
    assert run_tool(all_projects, scripts, "ruff", *tool, "--no-cache", *RUFF_CONFIG) == ""


@pytest.mark.long
@pytest.mark.parametrize(
    "name", ["indexed", "dialects", "project", "routed", "both", "lessons", "lessons_http"]
)
def test_code_passes_the_type_checker(all_projects: Path, cache: Path, name: str) -> None:
    project = all_projects / name
    scripts = [path for path in list_scripts(project) if not path.startswith("clients/")]
    options = ["--strict", "--python-version=3.10", f"--cache-dir={cache}"]
    assert run_tool(project, scripts, "mypy", *options) == ""


@pytest.mark.long
@pytest.mark.parametrize("client", ["gemini", "codex", "copilot", "qwen", "opencode"])
def test_client_code_passes_the_type_checker(all_projects: Path, cache: Path, client: str) -> None:
    hooks = all_projects / "dialects" / "clients" / client / "hooks"
    options = ["--strict", "--python-version=3.10", f"--cache-dir={cache}"]
    assert run_tool(hooks, list_scripts(hooks), "mypy", *options) == ""


@pytest.mark.parametrize(
    "answers", [["claude", *OTHERS], *mark_long([["gemini", "claude"]])], ids=str
)
def test_additional_clients_do_not_change_the_project(
    template: Path, tmp_path: Path, both: Path, answers: list[str]
) -> None:
    chosen = {"databases": [GITLAB, KUBERNETES], "routes": ROUTES, "clients": answers}
    files = read_files(render(template, tmp_path / "my-hooks", **chosen))
    for path, content in read_files(both).items():
        if path not in {".copier-answers.yml", "README.md", "tests/conftest.py"}:
            assert files[path] == content, path
    added = {tuple(path.split("/")[:2]) for path in set(files) - set(read_files(both))}
    wanted = {("clients", client) for client in answers if client != "claude"}
    assert added == {*wanted, ("installer", "other_clients.py"), ("tests", "test_clients.py")}


def test_client_hooks_are_not_longer(dialects: Path) -> None:
    for script in sorted(dialects.glob("clients/*/hooks/*.py")):
        name, client = script.name, script.parents[1].name
        more = {"gemini": 1900, "qwen": 600}.get(client, 100) if name == "tool_routing.py" else 100
        assert script.stat().st_size <= (dialects / "hooks" / name).stat().st_size + more, script


@pytest.mark.parametrize("path", sorted(path for path in FILES if path.endswith(".json")))
def test_json_ends_with_a_newline(project: Path, path: str) -> None:
    text = (project / path).read_text("utf-8")
    assert isinstance(json.loads(text), dict)
    assert text.endswith("}\n")


@pytest.mark.parametrize(
    ("path", "keys", "value"),
    [
        ("settings.json", ["hooks", "PreToolUse", 0, "matcher"], "WebSearch"),
        ("hooks/hooks.json", ["hooks", "PreToolUse", 0, "matcher"], "WebSearch"),
        (".claude-plugin/plugin.json", ["name"], "my-hooks"),
        (".claude-plugin/marketplace.json", ["plugins", 0, "name"], "my-hooks"),
        ("mcp.json", ["mcpServers"], {"leann": {"command": "leann_mcp"}}),
    ],
)
def test_json_contains_the_answer(
    project: Path, path: str, keys: list[str | int], value: object
) -> None:
    inner: Any = json.loads((project / path).read_text("utf-8"))
    for key in keys:
        inner = inner[key]
    assert inner == value


@settings(max_examples=examples(25), phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(databases=st.lists(RECORDS, min_size=1, max_size=3, unique_by=identify))
def test_any_printable_text_survives(
    template: Path, tmp_path_factory: pytest.TempPathFactory, databases: list[dict[str, Any]]
) -> None:
    """Examples are not shrunk, because each attempt renders a project."""
    rendered = render(template, tmp_path_factory.mktemp("any") / "p", databases=databases)
    assert as_text(asdict(read_tables(rendered))) == as_text(asdict(build_tables(databases)))
    assert as_text(read_answers(rendered)["databases"]) == as_text(databases)


def test_special_text_survives(template: Path, tmp_path: Path) -> None:
    databases = [build_database(text) for text in TEXTS]
    servers = {"leann": {"command": '"', "args": TEXTS, "env": {text: text for text in TEXTS}}}
    answers = {"databases": databases, "mcp_servers": servers, "prompt_hints": True}
    rendered = render(template, tmp_path / "rendered", **answers)
    assert read_tables(rendered) == build_tables(databases)
    hints = read_hook(rendered, "prompt_hint")["HINTS"].strip("\n").split("\n")
    assert all(f" of {text} is " in hint for text, hint in zip(TEXTS, hints, strict=True))
    assert json.loads((rendered / "mcp.json").read_text("utf-8")) == {"mcpServers": servers}
    assert answers.items() <= read_answers(rendered).items()


def test_thousands_of_keywords_are_supported(template: Path, tmp_path: Path, config: Path) -> None:
    databases = [
        {**GITLAB, "keywords": [f"k{number}x{index}" for index in range(100)]}
        for number in range(30)
    ]
    project = render(template, tmp_path / "large", databases=databases)
    assert read_tables(project) == build_tables(databases)
    hook = project / "hooks" / "docsearch.py"
    assert run_hook(hook, search_event("how to K29x99"), config).denied
    assert run_hook(hook, search_event("how to k29x100"), config).silent
