"""A project with an index answers fetches of indexed pages, unless a route decides."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ..documentation.index.passages import SITE
from ..support import dialects
from ..support.client_installer import OTHERS
from ..support.generated_tests import run_lean
from ..support.project import GITLAB, INDEXED, Answer, call_event, render, run_hook, search_event

BREAD = f"{SITE}bread.html"
PASSAGE = "Bake at 220 degrees until the crust is brown."
ROUTES: dict[str, dict[str, Any]] = {
    "allowed": {"pattern": "docs[.]example/tools", "action": "allow"},
    "blocked": {"pattern": "soup[.]html#broth", "message": "Use the library"},
    "warned": {"pattern": "bread", "message": "It is old", "action": "warn"},
    "missing": {"pattern": "oven", "message": "No", "requires": "no-such-command"},
}

pytestmark = pytest.mark.usefixtures("docs")


@pytest.fixture(scope="module")
def routed(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return render(
        template,
        tmp_path_factory.mktemp("routed") / "my-hooks",
        clients=["claude", *OTHERS],
        hooks=["docsearch", "tool_routing"],
        databases=[GITLAB, INDEXED],
        routes=ROUTES,
        record_blocks=True,
    )


def fetch(url: str, prompt: str = "how hot is the oven", **fields: object) -> dict[str, object]:
    return call_event("WebFetch", {"url": url, "prompt": prompt}, **fields)


def ask(project: Path, config: Path, event: object) -> Answer:
    return run_hook(project / "hooks" / "docsearch.py", event, config)


def test_page_is_answered_once(routed: Path, config: Path) -> None:
    denied = ask(routed, config, fetch(BREAD))
    assert denied.reason.startswith(
        "The page is in 'acme' - using RAG database instead\n\nAcme 1.2"
    )
    assert PASSAGE in denied.reason
    assert "additionalContext" not in denied.output
    assert (denied.code, denied.stderr) == (2, f"{denied.reason}\n")
    assert ask(routed, config, fetch(BREAD, agent_id="other")).denied
    assert ask(routed, config, fetch(BREAD)).silent
    assert ask(routed, config, fetch(BREAD, "knead the flour")).denied
    (record,) = config.rglob("docsearch-blocks.tsv")
    assert {tuple(line.split("\t")[1:]) for line in record.read_text().splitlines()} == {
        ("acme", "WebFetch")
    }


def test_unrelated_fetches_go_through(routed: Path, config: Path) -> None:
    for event in [
        fetch(BREAD, "salary in berlin"),
        fetch(f"{SITE}cake.html"),
        fetch("https://other.example/bread.html"),
        fetch("https://other.example/?docs.example/bread.html"),
        fetch(f"{SITE}tools.html"),
        fetch(f"{SITE}soup.html#broth", "boil bones"),
        call_event("WebFetch", {"url": BREAD, "prompt": "oven", "offset": 10_000}),
        call_event("WebFetch", {"url": [BREAD]}),
        call_event("WebFetch", {}),
        call_event("WebFetch", BREAD),
        call_event("Bash", {"command": f"curl {BREAD}"}),
        fetch(BREAD, hook_event_name="PostToolUse"),
    ]:
        assert ask(routed, config, event).silent


def test_non_deciding_routes_do_not_affect_fetches(
    routed: Path, config: Path, tmp_path: Path
) -> None:
    alone = Path(shutil.copytree(routed / "hooks", tmp_path / "alone" / "hooks")).parent
    (alone / "hooks" / "tool_routing.py").unlink()
    assert ask(routed, config, fetch(f"{SITE}soup.html", "boil bones")).denied
    assert ask(alone, config, fetch(f"{SITE}tools.html", "how hot is it")).denied


def test_hook_alone_lets_fetches_through(routed: Path, config: Path, tmp_path: Path) -> None:
    (tmp_path / "hooks").mkdir()
    shutil.copy(routed / "hooks" / "docsearch.py", tmp_path / "hooks")
    assert ask(tmp_path, config, fetch(BREAD)).silent


@pytest.mark.parametrize("client", dialects.FETCHING)
def test_other_clients_are_answered(routed: Path, tmp_path: Path, client: str) -> None:
    def ask_client(url: str) -> str:
        event = dialects.fetch(client, url)
        return dialects.ask(routed, client, "docsearch", event, tmp_path).stdout

    denied = ask_client(BREAD)
    assert "using RAG database" in denied
    assert "Knead flour" in denied
    assert "read_page" in denied
    assert ask_client(BREAD) == ""
    assert ask_client(f"{SITE}tools.html") == ask_client("https://other.example/") == ""


def test_gemini_fetches_several_pages(routed: Path, tmp_path: Path) -> None:
    event = dialects.fetch("gemini", f"{BREAD} and {SITE}tools.html")
    assert dialects.ask(routed, "gemini", "docsearch", event, tmp_path).silent


def read_matchers(project: Path) -> "list[str]":
    settings = json.loads((project / "settings.json").read_text())
    return [entry.get("matcher", "") for entry in settings["hooks"]["PreToolUse"]]


@pytest.mark.parametrize(
    ("fields", "answers", "is_asked"),
    [
        ({"disabled": "2099-12-31T18:00:00Z"}, {}, True),
        ({}, {"fetches": False}, False),
        ({"disabled": True}, {}, False),
        ({"mcp_tool_name": "mcp__team-docs__search_docs"}, {}, False),
        ({"domains": []}, {}, False),
    ],
)
def test_only_projects_with_pages_handle_fetches(
    template: Path,
    tmp_path: Path,
    config: Path,
    fields: "dict[str, object]",
    answers: "dict[str, object]",
    *,
    is_asked: bool,
) -> None:
    record = {key: value for key, value in {**INDEXED, **fields}.items() if value != []}
    answers = {"databases": [record, GITLAB], "clients": ["claude", "qwen"], **answers}
    project = render(template, tmp_path / "project", **answers)
    assert read_matchers(project) == ["WebSearch|WebFetch" if is_asked else "WebSearch"]
    assert (project / "clients" / "qwen" / "hooks" / "docsearch.py").exists() is is_asked
    denies = is_asked and "disabled" not in fields
    assert ask(project, config, fetch(BREAD)).denied is denies
    assert ask(project, config, search_event("gitlab")).denied


@pytest.mark.long
def test_project_passes_its_generated_tests(routed: Path) -> None:
    done = run_lean(routed)
    assert done.returncode == 0, done.stdout
