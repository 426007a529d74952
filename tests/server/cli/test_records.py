"""Lessons and skills are ingested, found, shown, changed and removed from the command line."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from ...support.command_line import COMMAND, CommandLine, Ended, build_environment
from ...support.lesson_server_process import LessonServer

TEAM = """## Lesson: Pin the base image
Categories: devops/docker
Id: pin-base

A tag of a docker base image moves: pin its digest.

## Lesson: Raise the heap

When the frontend CI build fails with ENOMEM, raise the heap of Node by NODE_OPTIONS.
"""
SKILL = "---\nname: review-pr\ndescription: Review a GitHub pull request\n---\n"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
PROMPT = "why does the tag of our docker base image move"


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "team.md").write_text(TEAM)
    (tmp_path / "skills" / "review").mkdir(parents=True)
    (tmp_path / "skills" / "review" / "SKILL.md").write_text(SKILL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("prepared") / "data"


@pytest.fixture
def filled(command_line: CommandLine, prepared: Path, team: Path) -> CommandLine:
    assert team == Path.cwd()
    if not prepared.exists():
        command_line.output("ingest", "team.md", "skills")
        shutil.copytree(command_line.folder, prepared)
    else:
        shutil.copytree(prepared, command_line.folder)
    return command_line


def test_queries_need_no_quotes(command_line: CommandLine) -> None:
    command_line.output("add", "The", "build", "cache", "is", "lost")
    assert "The build cache is lost" in command_line.output(
        "query", "why", "lost", "build", "cache"
    )


def test_commands_behave_the_same_with_and_without_a_server(
    command_line: CommandLine, served: LessonServer, team: Path
) -> None:
    assert team == Path.cwd()
    commands = [
        ("ingest", "team.md", "skills"),
        ("query", PROMPT, "--collection", "both", "--json", "--min-score", "0"),
        ("list",),
        ("show", "pin-base"),
        ("delete", "team:raise-the-heap", "nobody", "--yes"),
        ("categories",),
        ("recategorize", "--by-hand"),
        ("export",),
    ]
    for words in commands:
        with_server = hide_times(command_line.run(*words, "--data", served.folder))
        assert with_server == hide_times(command_line.run(*words)), words
    assert served.ask("/api/health")["lesson_count"] == 1  # proves that the server was queried


def hide_times(ended: Ended) -> Ended:
    shown = re.sub(r"20\d\d-[-\d]{5}T[:\d]{8}Z", "MOMENT", ended.output)
    shown = re.sub(r'"query_time_ms": [\d.]+', '"query_time_ms": 0', shown)
    return replace(ended, output=shown)


def test_server_and_command_cannot_share_a_store(
    command_line: CommandLine, served: LessonServer
) -> None:
    completed = command_line.run("reindex", "--data", served.folder)
    assert (completed.code, completed.output) == (1, "")
    assert completed.errors.count("\n") == 1


def test_repeated_ingest_reports_no_changes(command_line: CommandLine, team: Path) -> None:
    words = ("ingest", "team.md", "skills")
    assert command_line.output(*words) == "3 added, 0 updated, 0 unchanged, 0 refused\n"
    before = command_line.output("export")
    assert command_line.output(*words) == "0 added, 0 updated, 3 unchanged, 0 refused\n"
    assert command_line.output("export") == before
    (team / "team.md").write_text(TEAM.replace("moves", "wanders"))
    assert command_line.output(*words) == "0 added, 1 updated, 2 unchanged, 0 refused\n"
    assert "wanders" in command_line.output("show", "pin-base")


def test_ingest_reports_the_location_of_rejected_lessons(
    command_line: CommandLine, team: Path
) -> None:
    (team / "bad.md").write_text(
        f"## Lesson: Bad\nCategories: A b\n\nText\n\n## Lesson: Secret\n\nThe token is {SECRET}\n"
        "\n## Lesson: Pin\nId: pin-base\n\nAgain\n"
    )
    completed = command_line.run("ingest", "team.md", "bad.md", "none.md", "team.md")
    assert (completed.code, completed.output) == (1, "2 added, 0 updated, 0 unchanged, 4 refused\n")
    bad, secret, twice, none = completed.errors.splitlines()
    assert bad.startswith("bad.md:1: refused: expected a category")
    assert none == "none.md: no such file"
    assert twice.startswith("bad.md:10: refused: the id 'pin-base' is already used in team.md:1")
    assert secret.startswith(
        "bad.md:6: refused: looks like it holds a GitHub token: remove it, or ad"
    )
    assert SECRET not in completed.errors


def test_identical_titles_in_two_folders_are_kept_apart(
    command_line: CommandLine, team: Path
) -> None:
    for folder in ("a", "b"):
        (team / folder).mkdir()
        (team / folder / "team.md").write_text(f"## Lesson: Setup\n\nAs {folder} does.\n")
    words = ("ingest", "b/team.md")
    assert command_line.output("ingest", "a/team.md").startswith("1 added")
    completed = command_line.run(*words)
    assert (completed.code, completed.output) == (1, "0 added, 0 updated, 0 unchanged, 1 refused\n")
    (line,) = completed.errors.splitlines()
    assert line.startswith(
        "b/team.md:1: refused: the id 'team:setup' belongs to a lesson from a/team.md:"
    )
    assert "As a does." in command_line.output("show", "team:setup")
    (team / "b" / "team.md").write_text("## Lesson: Setup\nid: team:setup\n\nAs b does.\n")
    assert command_line.output(*words).startswith("0 added, 1 updated")
    (team / "b").rename(team / "c")
    (team / "c" / "team.md").write_text("## Lesson: Setup\n\nAs b does.\n")
    assert command_line.output("ingest", "c/team.md").startswith("0 added, 1 updated")


def test_secret_can_be_forced(command_line: CommandLine, team: Path) -> None:
    (team / "secret.md").write_text(f"## Lesson: Secret\n\nThe token is {SECRET}\n")
    assert command_line.run("ingest", "secret.md").code == 1
    assert command_line.output("list") == ""
    assert command_line.output("ingest", "secret.md", "--force").startswith("1 added")


def test_report_is_available_as_json(filled: CommandLine, team: Path) -> None:
    (team / "new.md").write_text("## Lesson: New\n\nText\n\n## Lesson: Empty\n")
    completed = filled.run("ingest", "new.md", "team.md", "empty.jsonl", "--json")
    assert json.loads(completed.output) == {
        "added": ["new:new", "new:empty"],
        "updated": [],
        "unchanged": ["pin-base", "team:raise-the-heap"],
        "kept": [],
        "left_out": [],
        "refused": [{"where": "empty.jsonl", "why": "no such file"}],
        "notes": [
            {
                "where": "new.md:5",
                "what": "no text below the heading: the lesson is its title alone",
            }
        ],
    }


def test_lesson_folder_is_ingested(command_line: CommandLine, team: Path) -> None:
    folder = team / "lessons" / "deep" / "er"
    folder.mkdir(parents=True)
    (folder / "team.md").write_text(TEAM)
    (team / "lessons" / "one.md").write_text("---\ntitle: One\n---\nText\n")
    (team / "lessons" / "README.md").write_text("# Our lessons\n")
    (team / "lessons" / "outside.md").symlink_to(team / "team.md")
    (team / "lessons" / "windows.md").write_text(TEAM, "utf-16")
    completed = command_line.run("ingest", "lessons")
    assert (completed.code, completed.output) == (1, "3 added, 0 updated, 0 unchanged, 2 refused\n")
    outside, windows = completed.errors.splitlines()
    assert outside.startswith("lessons/outside.md: links out of the folder")
    assert windows == "lessons/windows.md: UTF-16, not UTF-8: save it as UTF-8"
    shown = command_line.output("show", "team:raise-the-heap")
    assert "source_file: lessons/deep/er/team.md\n" in shown


def test_empty_folder_is_rejected(command_line: CommandLine, team: Path) -> None:
    (team / "skills" / "review" / "SKILL.md").write_text("")
    (team / "skills" / "review" / "SKILL.md").rename(team / "skills" / "README.md")
    line = command_line.error("ingest", "skills")
    assert line == (
        "skills: has no skill, command or lesson: begin each lesson with a line `## Lesson: TITLE`"
    )


def test_unknown_category_is_reported(filled: CommandLine) -> None:
    message = "lesson-search: no {} has the category '{}': see lesson-search categories\n"
    nothing = filled.run("list", "--category", "zzz")
    assert (nothing.code, nothing.output, nothing.errors) == (
        0,
        "",
        message.format("lesson", "zzz"),
    )
    assert "no skill has the category 'devops/docker'" in (
        filled.run("list", "--collection", "skills", "--category", "devops/docker").errors
    )
    words = ("query", PROMPT, "--category", "nope")
    assert filled.run(*words).errors == message.format("lesson or skill", "nope")
    both = filled.run(*words, "--category", "devops")
    assert "pin-base" in both.output
    assert both.errors == message.format("lesson or skill", "nope")


def test_query_prints_matching_records(filled: CommandLine) -> None:
    header, line = filled.output("query", PROMPT).splitlines()
    assert header.split() == ["id", "score", "kind", "categories", "text"]
    assert re.match(r"pin-base +\d+% +lesson +devops/docker +Pin the base image A tag", line)
    nothing = filled.run("query", "tell me a joke about penguins")
    assert (nothing.code, nothing.output) == (0, "")
    assert "closest matches with --min-score 0" in nothing.errors


def test_query_can_be_filtered(filled: CommandLine) -> None:
    def find(*words: str) -> object:
        answer = json.loads(filled.output("query", PROMPT, "--json", "--min-score", "0", *words))
        results = answer.get("results", answer)
        return {
            name: [row["id"] for row in rows]
            for name, rows in results.items()
            if isinstance(rows, list)
        }

    matches = find("--category", "devops/docker")
    assert matches == {"lessons": ["pin-base"], "skills": []}
    assert find("--top-k", "1") == {"lessons": ["pin-base"], "skills": ["skill-review-pr"]}
    assert find("--collection", "lessons", "--top-k", "1") == {"lessons": ["pin-base"]}
    assert find("--collection", "skills") == {"skills": ["skill-review-pr"]}
    assert set(find("--collection", "both")) == {"lessons", "skills"}  # type: ignore[call-overload]
    assert find("--min-score", "1") == {"lessons": [], "skills": []}


def test_empty_query_is_rejected(command_line: CommandLine) -> None:
    assert "the prompt is empty" in command_line.error("query", " ", code=2)
    for words in (["query", PROMPT], ["categories"]):
        completed = command_line.run(*words)
        assert (completed.code, completed.output) == (0, "")
        assert completed.errors.startswith("lesson-search: no lessons yet: add some with ")


@pytest.mark.parametrize("title", ["of-it", "of-it-" * 20 + "end"])
def test_ids_and_words_are_not_wrapped(
    filled: CommandLine, monkeypatch: pytest.MonkeyPatch, title: str
) -> None:
    identity = f"a-file-name:a-rather-long-title-{title}"
    row = {"id": identity, "text": PROMPT, "categories": ["devops/docker", "python/pandas"]}
    filled.output("ingest", "-", given=json.dumps(row).encode())
    monkeypatch.setattr("tests.support.command_line.COLUMNS", "80")
    for words in (["list"], ["query", PROMPT], ["recategorize", "--by-hand", "--dry-run"]):
        lines = filled.output(*words).splitlines()
        assert max(len(line) for line in lines if line != identity) <= 80
        assert sum(f"{identity} " in f"{line} " for line in lines) == 1
        shown = " ".join(lines).split()
        assert "devops/docker," in shown
        assert words[0] == "recategorize" or set(PROMPT.split()) <= set(shown)


def test_query_labels_record_kinds(filled: CommandLine) -> None:
    words = ("query", "review a GitHub pull request", "--min-score", "0")
    best, *others = filled.output(*words).splitlines()[1:]
    assert re.match(r"skill-review-pr +\d+% +skill ", best)
    assert all(" lesson " in line for line in others)
    answer = json.loads(filled.output(*words, "--json"))
    assert [row["kind"] for row in answer["skills"]] == ["skill"]
    assert {row["kind"] for row in answer["lessons"]} == {"lesson"}
    assert answer["model"] == "wordllama"


def test_records_can_be_listed_and_shown(filled: CommandLine) -> None:
    assert "pin-base" in filled.output("list", "--category", "devops")
    assert "team:raise-the-heap" not in filled.output("list", "--category", "devops/docker")
    assert "skill-review-pr" in filled.output("list", "--collection", "skills")
    assert filled.output("show", "skill-review-pr").startswith("id: skill-review-pr\ncategories: ")
    shown = json.loads(filled.output("show", "pin-base", "--json"))
    assert (shown["categories"], shown["classified"]) == (["devops/docker"], False)


def test_nearest_id_is_suggested(filled: CommandLine) -> None:
    output = filled.error("show", "raise-the-heap")
    assert output.endswith("'raise-the-heap': did you mean team:raise-the-heap?")
    assert "see lesson-search list" in filled.error("show", "zzz")


def test_id_in_both_collections_needs_an_option(filled: CommandLine) -> None:
    filled.output("ingest", "-", given=b'{"id": "skill-review-pr", "text": "A lesson"}')
    assert "choose with --collection" in filled.error("show", "skill-review-pr")
    assert "A lesson" in filled.output("show", "skill-review-pr", "--collection", "lessons")


def test_deletion_needs_confirmation(filled: CommandLine) -> None:
    completed = filled.run("delete", "pin-base")
    assert (completed.code, completed.output) == (2, "")
    assert "add --yes" in completed.errors
    assert filled.output("delete", "pin-base", "skill-review-pr", "--yes") == "deleted 2 records\n"
    assert "no lesson or skill has the id" in filled.error("show", "pin-base")


def test_confirmation_is_read_from_the_terminal(
    command_line: CommandLine, served: LessonServer, team: Path
) -> None:
    command_line.output("ingest", team / "team.md", "--data", served.folder)
    words = [*COMMAND[1:], "delete", "pin-base", "--data", str(served.folder)]
    for answer, code, message in (("n", 1, "nothing changed"), ("y", 0, "deleted 1 record")):
        terminal = pexpect.spawn(
            COMMAND[0], words, encoding="utf-8", env=dict(build_environment()), timeout=60
        )
        terminal.expect_exact("pin-base: Pin the base image A tag")
        terminal.expect_exact("Permanently delete 1 record? [y/N]")
        terminal.sendline(answer)
        terminal.expect_exact(message)
        terminal.expect(pexpect.EOF)
        terminal.close()
        assert terminal.exitstatus == code


def test_unknown_id_among_several_is_reported(filled: CommandLine) -> None:
    completed = filled.run("delete", "nobody", "pin-base", "-y")
    assert (completed.code, completed.output) == (1, "deleted 1 record\n")
    assert completed.errors.count("nobody") == 1
    assert filled.run("delete", "nobody", "--yes").output == ""


def test_recategorize_lists_the_moves(filled: CommandLine) -> None:
    taxonomy = filled.folder / "taxonomy.yml"
    taxonomy.write_text("ours/heap: [heap, NODE_OPTIONS]\nours/image: [image, docker]\n")
    dry = filled.output("recategorize", "--dry-run")
    assert re.search(r"team:raise-the-heap .* ours/heap\s", dry)
    assert "pin-base" not in dry
    assert "ours" not in filled.output("categories")
    assert filled.output("recategorize") == dry.replace("would change", "changed")
    assert re.search(
        r"pin-base +devops/docker +ours/image\s", filled.output("recategorize", "--by-hand")
    )
    assert json.loads(filled.output("categories", "--json"))["ours"] == 2


def test_categories_are_shown_as_bars(filled: CommandLine) -> None:
    lines = [line.rstrip() for line in filled.output("categories").splitlines()]
    assert any(re.fullmatch(r"devops +2  █{24}", line) for line in lines)
    assert any(re.fullmatch(r"  docker +1  █{12}", line) for line in lines)


def test_control_characters_never_reach_the_terminal(command_line: CommandLine) -> None:
    text = "[red]not red[/red] [link=x]here[/link] :smile: \u202egnp.exe"
    row = {"id": "[bold]id[/bold]", "text": text, "source_file": "[/]"}
    command_line.output("ingest", "-", given=json.dumps(row).encode())
    for words in (["list"], ["query", text, "--min-score", "0"], ["show", "[bold]id[/bold]"]):
        output = command_line.output(*words)
        assert "[bold]id[/bold]" in output
        assert "[red]not red[/red] [link=x]here[/link] :smile: \\u202egnp.exe" in output
        assert "\x1b" not in output
    shown = command_line.output("show", "[bold]id[/bold]", "--json")
    assert "\u202e" not in shown
    assert json.loads(shown)["text"] == text
