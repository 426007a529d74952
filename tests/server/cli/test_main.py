"""Every command line succeeds or reports in one line why it failed."""

import importlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import lesson_search
from lesson_search import __main__
from lesson_search.cli import records
from lesson_search.cli.main import COMMANDS

from ...support.command_line import COMMAND, CommandLine, build_environment
from ...support.lesson_server_process import LessonServer

HEAVY = ("chromadb", "fastapi", "wordllama", "numpy", "uvicorn")
LESSONS = b"## Lesson: Pin the image\n\nA tag of a docker image moves.\n"


def list_heavy(*words: str) -> list[str]:
    completed = subprocess.run(
        [sys.executable, "-X", "importtime", *COMMAND[1:], *words],
        capture_output=True,
        check=True,
        text=True,
        env=build_environment(),
    )
    imported = {line.rpartition("|")[2].strip() for line in completed.stderr.splitlines()}
    return [name for name in HEAVY if name in imported]


def test_help_is_fast() -> None:
    assert list_heavy("--help") == list_heavy("ingest", "--help") == []


def test_help_starts_with_a_summary(command_line: CommandLine) -> None:
    for name in COMMANDS:
        shown = " ".join(command_line.output(name, "--help").split())
        assert f" {COMMANDS[name].summary} " in shown


@pytest.mark.long
def test_query_with_a_server_is_fast(served: LessonServer) -> None:
    assert list_heavy("query", "why is it slow", "--data", str(served.folder)) == []


def test_misuse_is_reported(command_line: CommandLine) -> None:
    for words, part in [
        (["quer"], "No such command 'quer'"),
        (["query"], "Missing argument 'PROMPT': see lesson-search query --help"),
        (["list", "nonsense"], "(nonsense): see lesson-search list --help"),
        (["query", "a", "--top-k"], "requires an argument: see lesson-search --help"),
        (["query", "a", "--top-k", "0"], "'--top-k'"),
        (["query", "a", "--min-score", "2"], "'--min-score'"),
        (["list", "--collection", "no\x1bne"], "'--collection'"),
        (["serve", "--port", "http"], "'--port'"),
        (["--nope", "list"], "unknown option"),
        (["add", "-----BEGIN KEY-----\nabc"], "needs -- before it: lesson-search add -- 'TEXT'"),
        (["query", "- an item"], "needs -- before it: lesson-search query -- 'TEXT'"),
        (["list", "--jsno"], "unknown option --jsno"),
        (["service", "start"], "No such command 'start'"),
        (["serve", "--url", "http://127.0.0.1:7731"], "unknown option --url"),
        (["service", "install", "--url", "http://127.0.0.1:7731"], "unknown option --url"),
        (["list", "--url", "ftp://a"], "got 'ftp://a'"),
        (["list", "--url", "http://[::1"], "expected a server address"),
        (["list", "--url", "http://a:99999"], "expected a server address"),
        (["list", "--url", "http://me:secret@127.0.0.1"], "the address holds a password"),
        (["inbox", "aprove", "x"], "did you mean approve?"),
        (["inbox", "approve"], "name a candidate: lesson-search inbox approve ID"),
        (["query", " "], "the prompt is empty"),
        (["add", " "], "the text is empty: write it in quotes after add"),
        (["list", "--embedder", "gpt"], "unknown embedder 'gpt'"),
    ]:
        assert part in command_line.error(*words, code=2)


def test_failure_is_reported(command_line: CommandLine) -> None:
    for words, part in [
        (["list", "--url", "http://127.0.0.1:1"], "no server answers at http://127.0.0.1:1"),
        (["list", "--category", "No Path"], "category"),
        (["show", "nobody"], "no lesson or skill has the id 'nobody'"),
        (["delete", "no\nbody"], "no lesson or skill has the id 'no\\nbody'"),
        (["edit", "nobody", "--collection", "skills"], "no skill has the id 'nobody'"),
        (["evaluate", "none.jsonl"], "none.jsonl: no such file"),
        (["import", "none.jsonl"], "none.jsonl: no such file"),
        (["reindex", "--url", "http://127.0.0.1:1"], "stop it, and run this on its machine"),
        (["categories", "--edit", "--url", "http://a"], "run this on its machine"),
    ]:
        assert part in command_line.error(*words)


def test_invalid_data_folder_is_reported(command_line: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    file = str(tmp_path / "file")
    assert f"{file} is a file, not a folder: choose" in command_line.error("list", "--data", file)


def test_internal_error_is_one_line(
    command_line: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing: dict[str, str] = {}
    monkeypatch.setattr(records, "count", lambda *_: nothing["a\nb"])
    line = command_line.error("list")
    assert "unexpected KeyError at test_main.py:" in line
    assert "please report this" in line


def test_options_may_appear_anywhere(
    command_line: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LESSON_SEARCH_URL", "http://127.0.0.1:1")
    assert "127.0.0.1:1:" in command_line.error("list")
    assert "127.0.0.1:2:" in command_line.error("--url", "http://127.0.0.1:2", "list")
    before = ("--url", "http://127.0.0.1:2")
    assert "127.0.0.1:3:" in command_line.error(*before, "list", "--url", "http://127.0.0.1:3")
    monkeypatch.delenv("LESSON_SEARCH_URL")
    command_line.output("ingest", "-", given=LESSONS)
    assert command_line.output("list", "--data", str(tmp_path / "other")) == ""
    assert "stdin:pin-the-image" in command_line.output("list")


def test_closed_output_is_handled(command_line: CommandLine, served: LessonServer) -> None:
    command_line.output("ingest", "-", "--data", served.folder, given=LESSONS)
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as output:
        completed = subprocess.run(
            [*COMMAND, "export", "--data", str(served.folder)],
            check=False,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=build_environment(),
        )
    assert (completed.returncode, completed.stderr) == (1, "")


def test_ctrl_c_is_one_line() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs may ignore SIGINT
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        with subprocess.Popen(
            [*COMMAND, "list", "--url", url],
            stderr=subprocess.PIPE,
            env=build_environment(),
        ) as waiting:
            connection, _ = silent.accept()
            with connection:
                connection.recv(1)
                waiting.send_signal(signal.SIGINT)
                assert waiting.stderr
                assert waiting.stderr.read() == b"lesson-search: stopped\n"
            assert waiting.wait() == 130
    signal.signal(signal.SIGINT, before)


def test_early_ctrl_c_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lesson_search.cli.main.run", interrupt)
    assert __main__.main() == 130
    assert capsys.readouterr().err == "lesson-search: stopped\n"


def test_unencodable_output_is_escaped(command_line: CommandLine, served: LessonServer) -> None:
    lesson = "## Lesson: Größe\n\n🦊\n".encode()
    command_line.output("ingest", "-", "--data", served.folder, given=lesson)
    completed = subprocess.run(
        [*COMMAND, "list", "--data", str(served.folder)],
        capture_output=True,
        check=True,
        env=build_environment(PYTHONIOENCODING="ascii"),
    )
    assert b"Gr\\xf6\\xdfe - \\U0001f98a" in completed.stdout


def test_server_computes_in_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    importlib.reload(lesson_search)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "4"
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    importlib.reload(lesson_search)
    assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
