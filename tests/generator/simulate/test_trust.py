"""`hookwright try` runs no code from an untrusted project and sends no secret to a server."""

import marshal
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any

import pytest

from hookwright.project.reader import open_project
from hookwright.project.rendered_hooks import render_hook
from hookwright.simulate.run import copy_script, find_handlers
from hookwright.template.store import find_checks
from hookwright.wizard.form import Form
from hookwright_console.errors import RefusedError

from ...support.command_line import CommandLine
from ...support.fake_lesson_server import StandIn, set_server, write_answer, write_frame
from ...support.git_repository import git, git_save
from ...support.installer import pretend_installed
from ...support.loopback_server import LoopbackServer
from ...support.project import GITLAB, PULL_REQUEST

EVIL = "open({!r}, 'w').close()\n"


@pytest.fixture
def secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LESSON_SEARCH_TOKEN", "SECRET"):
        monkeypatch.setenv(name, "confidential")


@pytest.mark.parametrize("words", [["gitlab"], ["--corpus", "corpus"]])
def test_edited_hook_is_not_run(
    hookwright_line: CommandLine, both: Path, tmp_path: Path, words: list[str]
) -> None:
    folder = Path(shutil.copytree(both, tmp_path / "strange"))
    with (folder / "hooks" / "docsearch.py").open("a") as hook:
        hook.write(EVIL.format(str(tmp_path / "run")))
    (hookwright_line.folder / "corpus").write_text("gitlab\n")
    line = hookwright_line.error("try", *words, "--project", folder)
    assert "docsearch.py, because this version renders it differently" in line
    assert not (tmp_path / "run").exists()
    pretend_installed(folder)
    hookwright_line.run("try", *words, "--project", folder)
    assert (tmp_path / "run").exists()


def test_only_rendered_scripts_are_imported(
    hookwright_line: CommandLine, both: Path, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(both, tmp_path / "strange"))
    code = compile(EVIL.format(str(tmp_path / "run")), "hook", "exec")
    for script in (folder / "hooks").glob("*.py"):
        cached = Path(cache_from_source(str(script)))
        cached.parent.mkdir(exist_ok=True)
        unchecked = MAGIC_NUMBER + b"\1\0\0\0" + bytes(8)  # a hash that need not match (PEP 552)
        cached.write_bytes(unchecked + marshal.dumps(code))
    assert "Denied by" in hookwright_line.output("try", "gitlab", "--project", folder)
    assert not (tmp_path / "run").exists()


def test_module_of_a_hook_cannot_be_replaced_by_a_folder(both: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(both, tmp_path / "strange"))
    (folder / "hooks" / "docsearch_answer").mkdir()
    (tmp_path / "copy").mkdir()
    copy_script(folder / "hooks" / "docsearch.py", str(tmp_path / "copy"))
    assert {path.name for path in (tmp_path / "copy").iterdir()} >= {"docsearch.py"}
    assert all(path.is_file() for path in (tmp_path / "copy").iterdir())


def test_committed_edit_can_be_reverted(hookwright_line: CommandLine, kept: Path) -> None:
    hook = kept / "hooks" / "docsearch.py"
    rendered = hook.read_bytes()
    hook.write_bytes(rendered + b"# mine\n")
    (kept / "README.md").write_text("mine")
    git_save(kept)
    line = hookwright_line.error("try", "gitlab", "--project", kept)
    assert "docsearch.py, because it was edited by hand: to undo that, run " in line
    completed = hookwright_line.run("update", "--yes", "--project", kept)
    assert (completed.code, completed.output) == (0, "nothing changes\n")
    assert "hooks/docsearch.py was edited by hand and is kept: --restore undoes" in completed.errors
    shown = hookwright_line.output("update", "--restore", "--yes", "--project", kept)
    assert "\n-# mine\n" in shown
    assert "Restore the rendered hooks: done, and committed\n" in shown
    assert hook.read_bytes() == rendered
    assert (kept / "README.md").read_text() == "mine"
    assert "Denied by docsearch" in hookwright_line.output("try", "gitlab", "--project", kept)


def test_uncommitted_edit_can_be_reverted(hookwright_line: CommandLine, kept: Path) -> None:
    hook = kept / "hooks" / "docsearch.py"
    rendered = hook.read_bytes()
    hook.write_bytes(rendered + b"# mine\n")
    (kept / "README.md").write_text("mine")
    commits = git(kept, "log", "--format=%h")
    line = hookwright_line.error("update", "--restore", "--project", kept, code=2)
    assert line.endswith("add --yes")
    assert hook.read_bytes() == rendered + b"# mine\n"
    shown = hookwright_line.output("update", "--restore", "--yes", "--project", kept)
    assert "\n-# mine\n" in shown
    assert "Restore the rendered hooks: done\n" in shown
    assert hook.read_bytes() == rendered
    assert git(kept, "status", "--porcelain") == " M README.md\n"
    assert git(kept, "log", "--format=%h") == commits


@pytest.mark.parametrize(
    ("name", "hook", "bad"),
    [
        ("lessons", "lesson_search", {"top_k": "3\n{}"}),
        ("lessons", "lesson_search", {"context_budget": "2000\n{}"}),
        ("lessons", "lesson_search", {"lesson_time_limit": "2\n{}"}),
        ("lessons", "lesson_search", {"project_name": 'my-hooks"""\n{}"""'}),
        ("lessons", "lesson_search", {"lesson_server_url": 'http://127.0.0.1:80"\n{}#:80'}),
        ("both", "docsearch", {"retry_window": "300\n{}"}),
        ("both", "tool_routing", {"fatigue_limit": "3\n{}"}),
        ("both", "docsearch", {"databases": [{**GITLAB, "path": '"""\n{}"""'}]}),
    ],
)
def test_answers_are_not_code(
    request: pytest.FixtureRequest, name: str, hook: str, bad: dict[str, Any]
) -> None:
    answers = open_project(request.getfixturevalue(name)).answers
    content = request.getfixturevalue(name) / "hooks" / f"{hook}.py"
    assert render_hook(hook, answers) == content.read_bytes()
    assert render_hook(hook, {**answers, **bad}) is None


def test_hook_with_an_unknown_name_is_not_run(both: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(both, tmp_path / "strange"))
    settings = folder / "hooks" / "hooks.json"
    settings.write_text(settings.read_text().replace("docsearch.py", "evil.py"))
    (folder / "hooks" / "evil.py").write_text("")
    with pytest.raises(RefusedError, match=r"did not run .*evil\.py"):
        find_handlers(open_project(folder), "PreToolUse")


def test_preview_contains_no_code_of_the_project(kept: Path, tmp_path: Path) -> None:
    with (kept / "hooks" / "tool_routing.py").open("a") as hook:
        hook.write(EVIL.format(str(tmp_path / "run")))
    git_save(kept)
    project = open_project(kept)
    form = Form(find_checks(project.source), {}, project.answers)
    preview = form.build("tool_routing", {"routes": {**project.routes, "new": PULL_REQUEST}})
    assert b"'w').close()" not in preview


@pytest.mark.usefixtures("secrets")
@pytest.mark.parametrize("kind", ["lessons", "lessons_http"])
@pytest.mark.parametrize("own", [True, False])
def test_token_is_not_sent_to_strangers(
    hookwright_line: CommandLine,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    *,
    own: bool,
) -> None:
    monkeypatch.setattr("hookwright.simulate.run.is_loopback", lambda _: own)
    with StandIn(write_answer(write_frame())) as server:
        folder = set_server(request.getfixturevalue(kind), server.url, tmp_path)
        settings = folder / "hooks" / "hooks.json"
        text = settings.read_text()
        text = text.replace(
            '"headers": {', '"headers": {"A": "Bearer $LESSON_SEARCH_TOKEN $SECRET", '
        )
        settings.write_text(text.replace('"headers"', '"allowedEnvVars": ["SECRET"], "headers"'))
        hookwright_line.output("try", "--prompt", "how to cache", "--project", folder)
    (received,) = server.asked
    head = str(vars(received))
    assert ("Bearer confidential" in head) is own
    assert head.count("confidential") == own


@pytest.fixture
def leading() -> Iterator[tuple[str, list[str]]]:
    paths: list[str] = []

    class Leading(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            paths.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()

        def do_GET(self) -> None:  # name required by http.server
            paths.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
            """Suppress logging."""

    with LoopbackServer(Leading) as server:
        yield server.url, paths


def test_redirect_to_another_server_is_not_followed(
    hookwright_line: CommandLine,
    lessons_http: Path,
    tmp_path: Path,
    leading: tuple[str, list[str]],
) -> None:
    url, paths = leading
    folder = set_server(lessons_http, url, tmp_path)
    output = hookwright_line.output("try", "--prompt", "how to cache", "--project", folder)
    assert "answers 302" in output
    assert paths == ["/hooks/user-prompt-submit?top_k=3&budget=2000", "/api/explain"]
