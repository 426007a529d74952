"""`hookwright add --from` imports records from a shared catalogue, showing each one first."""

import contextlib
import hashlib
import json
import shutil
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pexpect
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hookwright.catalogues.catalogue
import hookwright.patterns.check
from hookwright.catalogues.catalogue import PINS, hash_record, open_catalogue
from hookwright.project.reader import Project
from hookwright_console.errors import RefusedError

from ...support.command_line import CommandLine, build_environment
from ...support.git_repository import git
from ...support.hypothesis_profiles import examples
from ...support.installer import snapshot
from ...support.loopback_server import LoopbackServer
from ...support.project import GITLAB, KUBERNETES, ROUTES, fetch_event, run_hook
from ...support.rendered_project import build_tables, read_answers, read_tables

REDIS = {
    "name": "redis",
    "keywords": ["redis"],
    "path": "/docs/redis",
    "mcp_tool_name": "mcp__leann__leann_search",
    "description": "Redis documentation",
}
GIST = {"pattern": r"gist\.github\.com/(?P<id>\w+)", "message": "Run: gh gist view {id}"}
PASTE = {"pattern": "pastebin", "message": "Ask the user for the text.", "requires": "xclip"}
RECORDS = {"databases": [REDIS], "routes": {"gist": GIST, "paste": PASTE}}
PROJECT = Project(Path("/p"), {"project_name": "p", "hooks": ["docsearch"]}, "", "")


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    return write(tmp_path / "shared.yml", RECORDS)


def write(path: Path, value: object) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


def take(line: CommandLine, folder: Path, source: object, *words: str) -> str:
    return line.output("add", "--from", str(source), "--yes", "--project", folder, *words)


def test_all_records_are_added(hookwright_line: CommandLine, kept: Path, shared: Path) -> None:
    output = take(hookwright_line, kept, shared)
    assert "route gist, new\n+ pattern: 'gist\\.github\\.com/(?P<id>\\w+)'" in output
    assert "\nImport redis, gist, paste from " in output
    assert read_tables(kept) == build_tables([GITLAB, KUBERNETES, REDIS])
    answers = read_answers(kept)
    assert answers["databases"] == [GITLAB, KUBERNETES, REDIS]
    assert answers["routes"] == {**ROUTES, "gist": GIST, "paste": PASTE}
    pin = json.loads((kept / PINS).read_text("utf-8"))[str(shared)]
    assert pin["sha256"] == hashlib.sha256(shared.read_bytes()).hexdigest()
    assert pin["routes"] == {"gist": hash_record(GIST), "paste": hash_record(PASTE)}
    assert git(kept, "status", "--porcelain") == ""
    assert PINS in git(kept, "show", "--stat", "--format=")


@pytest.mark.long
def test_single_record_is_added(
    hookwright_line: CommandLine, kept: Path, shared: Path, config: Path
) -> None:
    take(hookwright_line, kept, shared, "--only", "gist")
    assert list(read_answers(kept)["routes"]) == [*ROUTES, "gist"]
    event = fetch_event("https://gist.github.com/ab12")
    assert (
        run_hook(kept / "hooks/tool_routing.py", event, config).reason == "Run: gh gist view ab12"
    )


def test_text_with_control_characters_is_rejected(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    source = write(tmp_path / "odd.yml", {"routes": {"a": {**GIST, "message": "a\u202eb"}}})
    line = hookwright_line.error("add", "--from", source, "--yes", "--project", kept)
    assert "which cannot be printed" in line


def test_records_are_fetched_by_url(hookwright_line: CommandLine, kept: Path) -> None:
    with serve(json.dumps(RECORDS).encode()) as url:
        take(hookwright_line, kept, url, "--only", "redis")
    assert list(json.loads((kept / PINS).read_text("utf-8"))) == [url]
    assert read_answers(kept)["databases"][-1] == REDIS


@contextlib.contextmanager
def serve(content: bytes) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        """Serves the catalogue file."""

        def do_GET(self) -> None:  # name required by http.server
            self.send_response(200)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as above
            """Suppress logging."""

    with LoopbackServer(Handler) as server:
        yield f"{server.url}/shared.yml"


@pytest.mark.long
def test_unshareable_records_are_skipped(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path
) -> None:
    evil = {"leann": {"command": "evil"}}
    source = write(tmp_path / "more.yml", {**RECORDS, "mcp_servers": evil, "retry_window": 5})
    before = read_answers(kept)
    completed = hookwright_line.run("add", "--from", str(source), "--yes", "--project", kept)
    assert f"not imported from {source}: mcp_servers, retry_window" in completed.errors
    after = read_answers(kept)
    assert (after["mcp_servers"], after["retry_window"]) == (
        before["mcp_servers"],
        before["retry_window"],
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"routes": {"a": {"pattern": "x"}}}, "routes.a has no message: add it"),
        ({"routes": {"a": {**PASTE, "pattern": "(a"}}}, "routes.a: pattern is"),
        ({"databases": [{**REDIS, "run": "x"}]}, "databases[0] has the unknown field"),
        ({"databases": [REDIS, {**REDIS, "name": "b"}], "tasks": []}, "tasks is unknown"),
        ({"databases": [{**REDIS, "keywords": ["b"]}] * 2}, "name is"),
        ({"databases": []}, "databases is an empty list"),
        ([REDIS], "has no records"),
        ({"routes": {"linear": GIST}}, "route linear exists already, not from"),
    ],
)
@pytest.mark.usefixtures("impatient")
def test_invalid_catalogue_is_rejected(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path, value: object, words: str
) -> None:
    before = snapshot(kept)
    source = write(tmp_path / "wrong.yml", value)
    line = hookwright_line.error("add", "--from", str(source), "--yes", "--project", kept)
    assert words in line
    assert str(source) in line
    assert snapshot(kept) == before


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"routes: {a: \xff}", "is not UTF-8: save it as UTF-8"),
        (b"routes:\n  a: [", "line 2: this is not YAML"),
        (b"routes: &a {a: 1}\ndatabases: *a", "line 1: aliases (*name)"),
        (b"", "has no records"),
        (b"#" * 1_000_001, "is too large: a catalogue has at most 1,000,000 bytes"),
        (b"<!DOCTYPE html><p>: not: a catalogue</p>", "this is not YAML"),
    ],
)
def test_unrelated_file_is_rejected(
    hookwright_line: CommandLine, kept: Path, tmp_path: Path, content: bytes, words: str
) -> None:
    source = tmp_path / "wrong.yml"
    source.write_bytes(content)
    line = hookwright_line.error("add", "--from", str(source), "--yes", "--project", kept)
    assert words in line


def test_invalid_requests_are_rejected(
    hookwright_line: CommandLine, kept: Path, shared: Path
) -> None:
    from_shared = ("add", "--from", str(shared), "--project", kept)
    line = hookwright_line.error(*from_shared, "--yes", "--only", "nobody")
    assert "has no record nobody: it has redis, gist, paste" in line
    assert "cannot prompt without a terminal" in hookwright_line.error(*from_shared, code=2)
    (kept / "README.md").write_text("mine")
    assert "has uncommitted changes" in hookwright_line.error(*from_shared, "--yes")
    assert not (kept / PINS).exists()


def test_records_are_added_without_git(
    hookwright_line: CommandLine, kept: Path, shared: Path
) -> None:
    shutil.rmtree(kept / ".git")
    take(hookwright_line, kept, shared, "--only", "gist")
    assert "gist" in read_answers(kept)["routes"]
    assert (kept / PINS).exists()


@pytest.mark.long
def test_each_record_is_confirmed(kept: Path, shared: Path) -> None:
    with pexpect.spawn(
        sys.executable,
        ["-m", "hookwright", "add", "--from", str(shared), "--project", str(kept)],
        encoding="utf-8",
        env=build_environment(TERM="xterm"),
        dimensions=(60, 120),
        timeout=60,
    ) as terminal:
        terminal.expect_exact("Import the database redis?")
        terminal.send("n\r")
        terminal.expect_exact("Import the route gist?")
        terminal.send("y\r")
        terminal.expect_exact("Import the route paste?")
        terminal.send("s\r")
        terminal.expect_exact("as above? [y/N]")
        terminal.send("y\r")
        terminal.expect(pexpect.EOF)
    assert terminal.exitstatus == 0, terminal.before
    assert list(read_answers(kept)["routes"]) == [*ROUTES, "gist"]
    assert read_answers(kept)["databases"] == [GITLAB, KUBERNETES]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
FIELDS = st.dictionaries(st.sampled_from([*REDIS, *GIST, "tests", "tool"]), JSON)


@settings(max_examples=examples(100))
@given(
    st.binary()
    | st.text().map(str.encode)
    | st.builds(
        lambda databases, routes: json.dumps({"databases": databases, "routes": routes}).encode(),
        JSON | st.lists(FIELDS.map(lambda fields: {**REDIS, **fields})),
        JSON | st.dictionaries(st.text(), FIELDS.map(lambda fields: {**GIST, **fields})),
    )
)
def test_any_catalogue_is_accepted_or_rejected(content: bytes) -> None:
    def fetch(source: str) -> bytes:
        return content if source else b""

    with pytest.MonkeyPatch.context() as patch, contextlib.suppress(RefusedError):
        patch.setattr(hookwright.catalogues.catalogue, "fetch", fetch)
        patch.setattr(hookwright.patterns.check, "check_routes", lambda _: [])  # already checked
        records, *_ = open_catalogue("/a", PROJECT)
        assert records
