"""Each client's transcripts can be read: tested with recorded sessions of the real clients."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lesson_search.capture.sessions import MAX_TEXT
from lesson_search.capture.transcripts import FORMATS, read_sessions

from ...support.command_line import CommandLine

RECORDED = Path(__file__).parent / "recorded"  # one folder per client, laid out like a home folder
SAID = "Always call the report with RATES set."
FIXED = "`sh report.sh --month May` fails with: report: no exchange rates were loaded"
DATABASE = Path(".local", "share", "opencode", "opencode.db")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for each in FORMATS:
        monkeypatch.delenv(each.variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in RECORDED.iterdir():
        shutil.copytree(folder, tmp_path / f".{folder.name}", copy_function=shutil.copyfile)
    (tmp_path / DATABASE).parent.mkdir(parents=True)
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.executescript((RECORDED / "opencode" / "opencode.sql").read_text())
    return tmp_path


@pytest.mark.usefixtures("home")
def test_sessions_of_all_clients_are_read(command_line: CommandLine) -> None:
    """Each session states a rule and fixes a failing command; subagents' sessions are left out."""
    summary = json.loads(command_line.output("capture", "--since", "9999w", "--json"))
    assert summary == {"sessions": 6, "new": 2, "waiting": 2}
    items = {item["rule"]: item for item in json.loads(command_line.output("inbox", "--json"))}
    assert items["said"]["text"] == SAID
    assert items["fixed"]["text"].startswith(f"{FIXED}\n")
    assert {item["folder"] for item in items.values()} == {"/home/me/work"}
    assert len({each["session"] for each in items["said"]["evidence"]}) == 6


@pytest.mark.parametrize(
    "place",
    [
        ".claude/projects/*/*.jsonl",
        ".codex/sessions/*/*/*/*743acd.jsonl",
        ".copilot/session-state/*/events.jsonl",
        ".gemini/tmp/*/chats/session-*.jsonl",
        ".qwen/projects/*/chats/*.jsonl",
        str(DATABASE),
    ],
)
def test_each_client_tells_the_same_story(home: Path, place: str) -> None:
    [path] = home.glob(place)
    [session] = read_sessions(path)
    assert session.folder == "/home/me/work"
    assert [(event.kind, event.tool, event.error) for event in session.events[:5]] == [
        ("prompt", "", False),
        ("call", "Bash", False),
        ("result", "Bash", True),
        ("call", "Bash", False),
        ("result", "Bash", False),
    ]
    assert all(event.time.startswith("2026-11-27T07:1") for event in session.events)
    assert "report: no exchange rates were loaded" in session.events[2].text.splitlines()


def test_database_is_not_changed(home: Path) -> None:
    before = (home / DATABASE).read_bytes()
    assert [session.id for session in read_sessions(home / DATABASE)] == [
        "ses_de4280b59ffeRBoaAIpLULC8vZ"
    ]
    assert [*read_sessions(home / DATABASE, since=4e9)] == []
    assert (home / DATABASE).read_bytes() == before
    (home / DATABASE).write_bytes(before[:100] + b"garbage" * 99)
    with pytest.raises(OSError, match=r"malformed|not a database"):
        next(read_sessions(home / DATABASE))


@pytest.mark.parametrize("table", ["session", "message", "part"])
def test_view_in_place_of_a_table_is_not_read(home: Path, table: str) -> None:
    """A view can compute without end, and return texts of any length."""
    with closing(sqlite3.connect(home / DATABASE)) as database:
        database.execute(f"ALTER TABLE {table} RENAME TO other")
        view = f"CREATE VIEW {table} AS SELECT * FROM other"  # noqa: S608 - a name from this test
        database.execute(view)
        database.commit()
    assert [*read_sessions(home / DATABASE)] == []


def test_reading_leaves_no_log_next_to_the_database(home: Path) -> None:
    with closing(sqlite3.connect(home / DATABASE)) as database:
        database.execute("PRAGMA journal_mode = WAL")
    assert [*read_sessions(home / DATABASE)]
    assert [path.name for path in (home / DATABASE).parent.iterdir()] == [DATABASE.name]


def test_cut_text_ends_before_the_cut_word(tmp_path: Path) -> None:
    text = f"remember: {'x' * (MAX_TEXT - 26)}\nAKIAQ3EGRI7XZ2WPLQ9T"
    message = {"role": "user", "content": text}
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"type": "user", "message": message}))
    [session] = read_sessions(path)
    assert "AKIA" not in session.events[0].text


def read_events(folder: Path, *records: object) -> list[tuple[str, str]]:
    path = folder / "session-a.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return [
        (event.kind, event.text or event.tool)
        for session in read_sessions(path)
        for event in session.events
    ]


def test_prompts_of_older_codex_versions_are_read(tmp_path: Path) -> None:
    payload = {"type": "user_message", "message": "Use pnpm."}
    assert read_events(tmp_path, {"payload": payload}) == [("prompt", "Use pnpm.")]


def test_gemini_call_that_is_written_again_counts_once(tmp_path: Path) -> None:
    call = {"id": "1", "name": "run_shell_command", "args": {"command": "make"}}
    record = {"type": "gemini", "toolCalls": [call]}
    assert read_events(tmp_path, record, record) == [("call", "Bash")]


def test_sessions_of_gemini_subagents_are_skipped(tmp_path: Path) -> None:
    prompt = {"type": "user", "content": "Use pnpm."}
    assert read_events(tmp_path, prompt) == [("prompt", "Use pnpm.")]
    assert read_events(tmp_path, {"kind": "subagent"}, prompt) == []


def test_values_of_another_kind_are_skipped(tmp_path: Path) -> None:
    records = [
        {"type": "user.message", "data": {"content": ["Use pnpm."]}},
        {"type": "tool.execution_start", "data": {"toolName": 1, "toolCallId": []}},
        {"type": "user", "message": 3},
        "text",
    ]
    assert read_events(tmp_path, *records) == []
