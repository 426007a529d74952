"""Lessons that need a decision are found; a dismissed finding returns only after a change."""

from dataclasses import replace
from pathlib import Path

import pytest

from hookwright_console.errors import ReportedError
from lesson_search.capture.inbox import Inbox, open_inbox
from lesson_search.capture.rules import Candidate
from lesson_search.prompts.given_record import GivenRecord
from lesson_search.records import Lesson
from lesson_search.service.lesson_service import LessonService
from lesson_search.service.review import find_outdated

CACHE = Lesson("cache", "The docker build cache is lost when COPY comes first.", ("devops",))
SAME = replace(CACHE, id="same", text="The docker build cache is lost when the COPY comes first.")
PNPM = Lesson("pnpm", "npm ci fails here with EUSAGE: use pnpm install instead.")
SEEN = Candidate("fixed", PNPM.text, "s1", "", "2025-01-01T10:00:00Z", "")


@pytest.fixture
def given(service: LessonService, tmp_path: Path) -> GivenRecord:
    service.given_record = GivenRecord(tmp_path / "given.jsonl")
    return service.given_record


def list_kinds(service: LessonService) -> list[tuple[str, list[str]]]:
    findings = service.list_findings()
    return [(finding.kind, [lesson.id for lesson in finding.lessons]) for finding in findings]


def test_kept_duplicates_return_only_after_a_change(service: LessonService) -> None:
    service.ingest([CACHE, SAME, PNPM])
    [finding] = service.list_findings()
    assert (finding.kind, [lesson.id for lesson in finding.lessons]) == (
        "duplicate",
        ["cache", "same"],
    )
    assert finding.why.endswith("% similar")
    service.keep(finding.id)
    assert service.list_findings() == []
    service.change("lessons", "same", text=SAME.text + " Often.")
    assert list_kinds(service) == [("duplicate", ["cache", "same"])]


def test_lesson_with_and_without_a_title_is_a_duplicate(service: LessonService) -> None:
    titled = replace(CACHE, id="titled", text=f"Keep npm ci before the sources\n\n{CACHE.text}")
    service.ingest([CACHE, titled, replace(titled, id="other", text=f"{titled.text} Often.")])
    assert ("duplicate", ["cache", "titled"]) in list_kinds(service)


def test_copies_for_two_projects_are_not_duplicates(service: LessonService) -> None:
    service.ingest([replace(CACHE, project="h.example/a"), replace(SAME, project="h.example/b")])
    assert list_kinds(service) == []
    service.change("lessons", "same", project="h.example/a")
    assert list_kinds(service) == [("duplicate", ["cache", "same"])]


def test_error_repeated_after_its_lesson_is_reported(
    service: LessonService, given: GivenRecord
) -> None:
    service.ingest([PNPM])
    folder = service.folder
    for number in range(4):
        with open_inbox(folder) as inbox:
            inbox.add([replace(SEEN, session=f"s{number}", time=f"20{25 + number}-01-01")], 1.0)
            for item in [*inbox.items]:
                inbox.decide(item)
    assert list_kinds(service) == []
    for session in ("a", "b", "b", "c"):
        given.add(session, "", [(PNPM, 0.9)])
    [finding] = service.list_findings()
    assert finding.kind == "recurring"
    assert finding.why == "injected in 3 sessions, the same problem recurred in 2 sessions"


def test_rereading_transcripts_reports_nothing_new() -> None:
    inbox = Inbox()
    inbox.add([SEEN], 1.0)
    inbox.decide(inbox.items[0])
    inbox.add([SEEN, replace(SEEN, session="s2", time="")], 1.0)
    assert inbox.again == {}
    for _ in range(2):
        inbox.add([replace(SEEN, session="s2", time="2999-01-01T00:00:00Z")], 1.0)
    assert inbox.again == {SEEN.text: ["s2"]}


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("Run `scripts/deploy.sh --fast` after src/app.py changed.", ""),
        ("Run `./scripts/deploy.sh --slow`, not `--fast`.", "--slow"),
        ("Edit src/old.py and src/pkg/.", "src/old.py, src/pkg"),
        ("See `Makefile.in`, `app.py`, `old.toml` and old.toml.", "Makefile.in, old.toml"),
        ("Use and/or, https://src/old, /src/old, ~/src/old, ../src/x, `docker run --rm x`.", ""),
        ("Never `pytest --lf src/app.py`: app.py has no flags.", ""),
        ("Only `scripts/deploy.sh --fast`, not `make --slow scripts/deploy.sh`.", ""),
        (f"Edit src/{'long' * 100} first.", f"src/{'long' * 100}"),
        ("See `src/v1*`, src/v[12].md, src/<name>, src/v{1,2}, src/$NAME and src/v1....", ""),
        ("Never `./scripts/deploy.sh --slow*` or `./scripts/deploy.sh --<name>`.", ""),
    ],
)
def test_names_missing_from_the_project_are_reported(
    tmp_path: Path, text: str, missing: str
) -> None:
    for name, content in (("src/app.py", "x = 1"), ("scripts/deploy.sh", 'case "--fast"')):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    lessons = [
        Lesson("a", text, project="h/p"),
        Lesson("b", text, project="h/q"),
        Lesson("c", text),
    ]
    findings = [*find_outdated(lessons, {"h/p": str(tmp_path)})]
    wanted = [f"not in h/p: {missing}"] if missing else []
    assert [finding.why for finding in findings] == wanted
    other = Lesson("a", "`x.zip`", project=str(tmp_path))  # a project without sessions
    assert [*find_outdated([other], {})] == []


@pytest.mark.parametrize(
    "text",
    [
        "Run `{outside}/deploy.sh --slow`.",
        "Run `../outside/deploy.sh --slow`.",
        "Run `~/deploy.sh --slow`.",
        "Run `link/deploy.sh --slow`.",
        "Edit link/old.sh and link/deploy.sh.",
    ],
)
def test_files_outside_the_project_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    root, outside = tmp_path / "shop", tmp_path / "outside"
    monkeypatch.setenv("HOME", str(outside))
    for folder in (root, outside):
        folder.mkdir()
    (outside / "deploy.sh").write_text("--fast")
    (root / "link").symlink_to(outside)
    lesson = Lesson("a", text.format(outside=outside), project="h/p")
    assert [*find_outdated([lesson], {"h/p": str(root)})] == []


def test_damaged_inbox_hides_no_duplicates(service: LessonService) -> None:
    service.ingest([CACHE, SAME])
    for damage in (lambda path: path.write_text("{"), lambda path: (path.unlink(), path.mkdir())):
        damage(service.folder / "inbox.json")
        assert list_kinds(service) == [("duplicate", ["cache", "same"])]


@pytest.mark.parametrize("name", ["review.json", "inbox.json"])
def test_links_in_the_data_folder_are_not_followed(
    service: LessonService, tmp_path: Path, name: str
) -> None:
    private = tmp_path / "private.json"
    private.write_text('{"kept": ["secret"], "items": [], "decided": {}, "never": [], "again": {}}')
    before = private.read_text()
    (service.folder / name).symlink_to(private)
    assert service.list_kept() == []
    service.keep("abc")
    assert service.list_kept() == ["abc"]
    if name == "inbox.json":
        with pytest.raises(ReportedError, match="is a link"), open_inbox(service.folder):
            pass
    assert private.read_text() == before


@pytest.mark.parametrize("root", ["~nosuchuser/x", "/", "/.", "/../", "relative", "/" + "x" * 5000])
def test_unusable_root_is_skipped(root: str) -> None:
    lesson = Lesson("a", "`old-file.zip` in usr/old-file", project="h/p")
    assert [*find_outdated([lesson], {"h/p": root})] == []


def test_number_of_scripts_checked_per_lesson_is_limited(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"s{number}.sh").write_text("--fast")
    spans = " ".join(f"`s{number}.sh --slow{number}`" for number in range(30))
    lesson = Lesson("a", spans, project="h/p")
    [finding] = find_outdated([lesson], {"h/p": str(tmp_path)})
    assert finding.why.count("--slow") == 20
