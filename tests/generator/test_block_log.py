"""Blocks are counted from the hooks' records, even if some are damaged."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hookwright.block_log import count_blocks, read_blocks

from ..support import dialects
from ..support.command_line import CommandLine
from ..support.dialects import FOLDERS
from ..support.project import (
    GITLAB,
    PULL_REQUEST,
    ROUTES,
    bash_event,
    fetch_event,
    render,
    run_hook,
)
from ..support.project import search_event as search
from ..support.pseudo_terminal import open_terminal

NOW = datetime(2026, 3, 10, 12, tzinfo=timezone.utc).astimezone()


@pytest.fixture
def hooks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    folder = tmp_path / "config" / "hooks"
    folder.mkdir(parents=True)
    return folder


def stamp(days: int) -> str:
    return f"{NOW.astimezone(timezone.utc) - timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"


def test_blocks_are_counted_by_record_and_day(hooks: Path) -> None:
    route = [f"{stamp(days)}\tpull\tWebFetch\n" for days in (0, 0, 2, 9)]
    (hooks / "tool_routing-blocks.tsv").write_text("".join(route))
    (hooks / "tool_routing-blocks.tsv.old").write_text(f"{stamp(1)}\tpull\tBash\n")
    (hooks / "docsearch-blocks.tsv").write_text(f"{stamp(1)}\tgitlab\tWebSearch\n")
    known = [("docsearch", "gitlab"), ("tool_routing", "api")]
    counts = count_blocks(read_blocks([hooks]), known, NOW.date(), 3)
    assert [(count.hook, count.record, count.days) for count in counts] == [
        ("tool_routing", "pull", (1, 1, 2)),
        ("docsearch", "gitlab", (0, 1, 0)),
        ("tool_routing", "api", (0, 0, 0)),
    ]
    assert counts[0].last == NOW
    assert counts[2].last is None


@example("not a time\tpull\tWebFetch\n")
@given(st.binary() | st.lists(st.text("0123456789-T:Z\t\n\0x"), max_size=9).map("".join))
def test_record_may_contain_anything(hooks: Path, content: bytes | str) -> None:
    raw = content.encode() if isinstance(content, str) else content
    line = f"\n{stamp(0)}\tpull\tWebFetch\n".encode()
    (hooks / "tool_routing-blocks.tsv").write_bytes(raw + line)
    blocks = read_blocks([hooks])
    assert blocks[-1].record == "pull"
    count_blocks(blocks, [], NOW.date(), 30)


def test_special_files_are_skipped(hooks: Path) -> None:
    (hooks / "docsearch-blocks.tsv").mkdir()
    assert read_blocks([hooks]) == []


@pytest.fixture
def recording(template: Path, tmp_path: Path, hooks: Path) -> Path:
    routes = {
        "pull": PULL_REQUEST,
        "push": {"tool": "Bash", "pattern": "git push", "message": "No."},
        "linear": ROUTES["linear"],
        "fine": {"pattern": "x", "action": "allow"},
    }
    project = render(
        template, tmp_path / "p", databases=[GITLAB], routes=routes, record_blocks=True
    )
    for hook, event in (
        ("docsearch", search("gitlab")),
        ("docsearch", search("gitlab")),
        ("tool_routing", fetch_event("https://github.com/a/b/pull/1")),
        ("tool_routing", bash_event("git push")),
        ("tool_routing", bash_event("git push")),
    ):
        run_hook(project / "hooks" / f"{hook}.py", event, hooks.parent)
    return project


def test_blocks_are_shown_as_a_table(hookwright_line: CommandLine, recording: Path) -> None:
    lines = hookwright_line.output("stats", "--project", recording).splitlines()
    assert lines[0].split()[:5] == ["record", "hook", "blocks", "share", "last"]
    rows = [line.split() for line in lines[1:4]]
    assert [row[:3] for row in rows] == [
        ["push", "tool_routing", "2"],
        ["gitlab", "docsearch", "1"],
        ["pull", "tool_routing", "1"],
    ]
    assert lines[-2:] == ["4 blocks in 30 days", "never: linear"]


def test_blocks_are_printed_as_json(hookwright_line: CommandLine, recording: Path) -> None:
    output = json.loads(
        hookwright_line.output("stats", "--json", "--days", "2", "--project", recording)
    )
    assert [(row["record"], row["per_day"]) for row in output["records"]] == [
        ("push", [0, 2]),
        ("gitlab", [0, 1]),
        ("pull", [0, 1]),
        ("linear", [0, 0]),
    ]
    assert output["records"][-1]["last"] is None


NO_BLOCKS = "0 blocks in 30 days\n"


def test_table_without_rows_is_not_shown(
    hookwright_line: CommandLine, template: Path, tmp_path: Path
) -> None:
    project = render(template, tmp_path / "p", databases=[GITLAB], record_blocks=True)
    assert hookwright_line.output("stats", "--project", project) == NO_BLOCKS


def test_empty_record_is_reported(hookwright_line: CommandLine, project: Path) -> None:
    completed = hookwright_line.run("stats", "--project", project)
    run = f"run hookwright stats --record --project {project}"
    assert (completed.code, completed.output) == (0, NO_BLOCKS)
    assert completed.errors == f"hookwright: nothing is recorded for my-hooks: {run}\n"
    output = json.loads(hookwright_line.output("stats", "--json", "--project", project))
    assert output["projects"] == [{"project": "my-hooks", "records_blocks": False}]
    assert [row["blocks"] for row in output["records"]] == [0] * len(output["records"])


def test_recording_is_switched_without_a_terminal(kept: Path, hookwright_line: CommandLine) -> None:
    words = ("stats", "--project", kept)
    assert "--yes" in hookwright_line.error(*words, "--record", code=2)
    assert "dry run, nothing changed" in hookwright_line.output(*words, "--record", "--dry-run")
    output = json.loads(
        hookwright_line.output(*words, "--record", "--yes", "--no-commit", "--json")
    )
    assert (output["applied"], output["committed"]) == (True, False)
    assert hookwright_line.run(*words).errors == ""


@pytest.mark.long
def test_recording_is_switched_on(kept: Path, hookwright_line: CommandLine) -> None:
    with open_terminal("stats", "--record", folder=kept) as terminal:
        terminal.answer("Turn recording of blocked calls on, as above?")
        assert terminal.end() == 0
    assert hookwright_line.run("stats", "--project", kept).errors == ""


def test_lesson_search_blocks_nothing(hookwright_line: CommandLine, lessons: Path) -> None:
    completed = hookwright_line.run("stats", "--project", lessons)
    line = "my-hooks blocks nothing: it only adds lessons to prompts"
    assert (completed.code, completed.errors) == (0, f"hookwright: {line}\n")


def test_other_recording_projects_are_listed(
    hookwright_line: CommandLine, recording: Path, template: Path, tmp_path: Path
) -> None:
    for name, records in (("other", True), ("silent", False)):
        answers = {"project_name": name, "databases": [GITLAB], "record_blocks": records}
        project = render(template, tmp_path / name, **answers)
        hookwright_line.output("install", "--project", project, "--yes")
    output = hookwright_line.output("stats", "--project", recording)
    assert "counted together with the other installed projects: other\n" in output


def test_all_installed_projects_are_shown(hookwright_line: CommandLine, recording: Path) -> None:
    assert json.loads(hookwright_line.output("stats", "--all", "--json"))["projects"] == []
    hookwright_line.output("install", "--project", recording, "--yes")
    output = json.loads(hookwright_line.output("stats", "--all", "--json"))
    assert output["projects"] == [{"project": "my-hooks", "records_blocks": True}]
    assert [row["record"] for row in output["records"]] == ["push", "gitlab", "pull", "linear"]
    assert "4 blocks in 30 days" in hookwright_line.output("stats", "--all")


def test_projects_that_could_record_are_listed(
    hookwright_line: CommandLine, project: Path, template: Path, tmp_path: Path
) -> None:
    answers = {"project_name": "lessons", "hooks": ["lesson_search"]}
    for character in (project, render(template, tmp_path / "lessons", **answers)):
        hookwright_line.output("install", "--project", character, "--yes")
    run = f"run hookwright stats --record --project {project}"
    line = f"nothing is recorded for my-hooks: {run}"
    assert hookwright_line.run("stats", "--all").errors == f"hookwright: {line}\n"


def test_names_in_a_record_are_not_interpreted(
    hookwright_line: CommandLine, recording: Path, hooks: Path
) -> None:
    line = f"{datetime.now(timezone.utc):%Y-%m-%dT%H:%M:%SZ}\t[red]\x1b[2J\tx\n"
    (hooks / "docsearch-blocks.tsv").write_text(line)
    assert "[red]\\u001b[2J" in hookwright_line.output("stats", "--project", recording)


def test_blocks_of_every_client_are_counted(
    template: Path,
    hookwright_line: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = {"databases": [GITLAB], "routes": ROUTES, "record_blocks": True}
    clients = ["codex", "gemini", "copilot"]
    project = render(template, tmp_path / "my-hooks", clients=clients, **answers)
    for client in ("gemini", "copilot"):
        folder = tmp_path / client
        monkeypatch.setenv(FOLDERS[client][0], str(folder))
        (folder / FOLDERS[client][1]).mkdir(parents=True)
        dialects.ask(project, client, "docsearch", dialects.search(client, "gitlab ci"), folder)
    output = json.loads(hookwright_line.output("stats", "--project", project, "--json"))
    assert {record["record"]: record["blocks"] for record in output["records"]}["gitlab"] == 2
    output = json.loads(hookwright_line.output("stats", "--all", "--json"))
    assert [record["blocks"] for record in output["records"]] == [2]
