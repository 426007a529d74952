"""A project with an indexed database answers searches in the denial, using a companion file."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright_documentation.databases import INDEX_FILE

from ..documentation.index.passages import SITE
from ..support import dialects
from ..support.installer import Installer
from ..support.project import GITLAB, INDEXED, Answer, render, run_hook, search_event

FOUND, UNCOVERED = "acme: bake until the crust is brown", "acme jobs and salary in berlin"
PASSAGE = "Bake at 220 degrees until the crust is brown."

pytestmark = pytest.mark.usefixtures("docs")


@pytest.fixture
def hook(indexed: Path) -> Path:
    return indexed / "hooks" / "docsearch.py"


def test_passages_are_included_in_the_reason(hook: Path, config: Path) -> None:
    denied = run_hook(hook, search_event(FOUND), config)
    reason = denied.output["permissionDecisionReason"]
    assert reason.startswith("Query matches 'acme' - using RAG database instead\n\nAcme 1.2 doc")
    assert PASSAGE in reason
    assert "additionalContext" not in denied.output
    assert (denied.code, denied.stderr) == (2, f"{reason}\n")
    assert run_hook(hook, search_event(FOUND), config).code == 0


def test_search_without_an_index_answer_goes_through(hook: Path, config: Path) -> None:
    for query in (UNCOVERED, "acme 3.0: bake until the crust is brown"):
        assert run_hook(hook, search_event(query), config) == Answer(0, "", "")


def test_database_without_an_index_is_still_named(hook: Path, config: Path) -> None:
    output = run_hook(hook, search_event(f"{FOUND}, gitlab"), config).output
    assert PASSAGE in output["permissionDecisionReason"]
    assert output["additionalContext"].startswith("Call this MCP tool with your query: mcp__leann")
    assert INDEXED["mcp_tool_name"] not in output["additionalContext"]
    output = run_hook(hook, search_event(f"{UNCOVERED} gitlab"), config).output
    assert "'acme'" not in output["permissionDecisionReason"]


def test_missing_index_lets_the_search_through(hook: Path, config: Path, docs: Path) -> None:
    shutil.rmtree(docs)
    assert run_hook(hook, search_event(FOUND), config) == Answer(0, "", "")


OVERWRITE = """
import sys
path, whole = sys.argv[1], open(sys.argv[1], "rb").read()
print(flush=True)
while True:
    with open(path, "wb", 0) as file:
        for at in range(0, len(whole), 4096):
            file.write(whole[at : at + 4096])
"""


@pytest.mark.long
def test_index_overwritten_by_another_process_is_handled(
    hook: Path, config: Path, docs: Path
) -> None:
    command = [sys.executable, "-c", OVERWRITE, str(docs / "acme" / "1" / INDEX_FILE)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        try:
            answers = [run_hook(hook, search_event(f"{FOUND} {n}"), config) for n in range(100)]
        finally:
            process.kill()
    for answer in answers:
        assert answer.silent or (answer.denied and answer.reason.startswith("Query matches 'acme'"))
        assert "Traceback" not in answer.stderr


@pytest.mark.parametrize("content", [None, b"", b"def", b"\0"])
def test_hook_without_its_companion_names_the_tool(
    hook: Path, config: Path, tmp_path: Path, content: "bytes | None"
) -> None:
    alone = Path(shutil.copy(hook, tmp_path))
    if content is not None:
        (tmp_path / "docsearch_answer.py").write_bytes(content)
    for query in (FOUND, UNCOVERED):
        output = run_hook(alone, search_event(query), config).output
        assert output["additionalContext"].startswith("Call this MCP tool with your query:")
        assert PASSAGE not in output["permissionDecisionReason"]


def test_other_files_next_to_the_hook_are_not_loaded(
    hook: Path, config: Path, tmp_path: Path
) -> None:
    for script in hook.parent.glob("docsearch*.py"):
        shutil.copy(script, tmp_path)
    for name in ("json", "re", "sqlite3", "os", "unicodedata"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(1)")
    denied = run_hook(tmp_path / "docsearch.py", search_event(FOUND), config)
    assert PASSAGE in denied.output["permissionDecisionReason"]


@pytest.mark.parametrize("client", dialects.SEARCHING)
def test_other_clients_are_answered(indexed: Path, tmp_path: Path, client: str) -> None:
    def ask(query: str) -> str:
        event = dialects.search(client, query)
        return dialects.ask(indexed, client, "docsearch", event, tmp_path).stdout

    denied = ask(FOUND)
    assert PASSAGE in denied
    assert "mcp__" not in denied
    assert ask(UNCOVERED) == ""


@pytest.mark.parametrize(
    ("fields", "has_index", "has_points"),
    [
        ({}, True, False),
        ({"unless": ["snake"]}, True, True),
        ({"disabled": True}, False, False),
        ({"mcp_tool_name": "mcp__team-docs__search_docs"}, False, True),
        ({"arguments": {"database": "../x"}}, False, True),
    ],
)
def test_only_a_local_index_answers(
    template: Path, tmp_path: Path, fields: dict[str, object], *, has_index: bool, has_points: bool
) -> None:
    records = [{**INDEXED, "keywords": ["python"], **fields}, GITLAB]
    project = render(template, tmp_path / "project", databases=records)
    script = (project / "hooks" / "docsearch.py").read_text()
    assert ("INDEXES" in script, "PIECES" in script) == (has_index, has_points)
    assert (project / "hooks" / "docsearch_answer.py").exists() is has_index


def test_installer_copies_checks_and_removes_the_companion(
    indexed: Path, install: Installer
) -> None:
    install = Installer(indexed, install.config, install.folder)
    assert install().returncode == 0
    answers = install.hook.with_name(install.hook.name.replace("docsearch", "docsearch_answer"))
    assert answers.read_bytes() == (indexed / "hooks" / "docsearch_answer.py").read_bytes()
    denied = run_hook(install.hook, search_event(FOUND), install.config)
    assert PASSAGE in denied.output["permissionDecisionReason"]
    answers.write_bytes(answers.read_bytes() + b"# edited\n")
    assert f"{answers} is stale" in install("--check").stdout
    answers.unlink()
    assert f"{answers} is missing" in install("--check").stdout
    assert install().returncode == 0
    cache = answers.parent / "__pycache__"
    cache.mkdir(exist_ok=True)
    (cache / f"{answers.stem}.cpython-39.pyc").touch()
    assert install("--scope", "project").returncode == 0
    assert install("--uninstall", "--scope", "project").returncode == 0
    assert answers.exists()
    assert install("--uninstall").returncode == 0
    assert not install.hook.parent.exists()


def test_update_without_the_index_removes_the_companion(
    template: Path, indexed: Path, install: Installer, tmp_path: Path
) -> None:
    assert Installer(indexed, install.config, install.folder)().returncode == 0
    other = render(template, tmp_path / "my-hooks", databases=[GITLAB])
    done = Installer(other, install.config, install.folder)("--take-over")
    assert done.returncode == 0
    assert not list(install.config.rglob("docsearch_answer*"))
    assert SITE
