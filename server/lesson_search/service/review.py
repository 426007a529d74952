"""Find lessons that need a decision: near duplicates, unhelpful ones, and outdated ones.

A finding that the user keeps is not reported again until its lessons change.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from hookwright_console.errors import ReportedError
from hookwright_console.files.atomic import replacing
from hookwright_console.files.regular import read_start, walk
from hookwright_console.terminal import count
from lesson_search.capture.inbox import Inbox, compare, read_words
from lesson_search.records import Lesson
from lesson_search.service.edits import build_version, hash_texts
from lesson_search.storage.data_folder import read_own

if TYPE_CHECKING:
    from lesson_search.retrieval.collection import Duplicate

FILE = "review.json"
ALIKE = 0.9  # minimum cosine of two nearly identical lessons
SAME = 0.6  # minimum share of common words of a lesson and a candidate about the same topic
OFTEN = 3  # sessions in which an unhelpful lesson was given
MAX_KEPT = 10_000
MAX_TIME = 10.0  # seconds for all projects; lessons after that are not checked
MAX_NAMES = 50_000  # of files; in a larger project, bare names are not checked
MAX_SCRIPT = 1_000_000  # bytes
MAX_SCRIPTS = 20  # per lesson
SKIPPED = {".git", ".venv", "node_modules", "venv", "target", "build", "dist"}
SPAN = re.compile(r"`([^`\n]{1,300})`")
NAME = re.compile(r"[\w.@+-]+(?:/[\w.@+-]+)*")
FILE_NAME = re.compile(r"[\w-][\w.-]*\.(?:[a-z]{2,4}|[chr])")
FLAG = re.compile(r"(?<!\S)--[a-z][\w-]*(?![\w*?<{\[-])")
PATTERN = {*"*?<{[$"}  # characters of patterns and placeholders

Kind = Literal["duplicate", "recurring", "outdated"]


@dataclass(frozen=True)
class Finding:
    """Lessons that need a decision."""

    id: str  # changes with the lessons and with the kind of finding
    kind: Kind
    lessons: tuple[Lesson, ...]  # one lesson, or two nearly identical ones
    why: str  # the reason, in one line
    versions: tuple[str, ...]  # versions of the lessons


def build_finding(kind: Kind, lessons: Sequence[Lesson], why: str, about: str = "") -> Finding:
    versions = tuple(map(build_version, lessons))
    return Finding(hash_texts([kind, about, *versions])[:12], kind, tuple(lessons), why, versions)


def find_similar(lessons: Mapping[str, Lesson], pairs: "Iterable[Duplicate]") -> Iterator[Finding]:
    """Yield pairs of nearly identical lessons, except copies for two projects.

    Lessons that differ only in a title may have less similar vectors.
    """
    alike = {
        (pair.first, pair.second): f"{pair.cosine:.0%} similar"
        for pair in pairs
        if pair.cosine >= ALIKE
    }
    by_text = {lesson.text: identity for identity, lesson in lessons.items()}
    for identity, lesson in lessons.items():
        title, _, text = lesson.text.partition("\n\n")
        is_title = "\n" not in title and not title.endswith((".", "!", "?", ":"))
        if is_title and (other := by_text.get(text)):
            alike.setdefault((min(identity, other), max(identity, other)), "differ only in a title")
    for ids, why in alike.items():
        first, second = map(lessons.get, ids)
        if first and second and len({first.project, second.project} - {""}) <= 1:
            yield build_finding("duplicate", [first, second], why)


def find_recurring(
    lessons: Iterable[Lesson], sessions: Mapping[str, int] | None, inbox: Inbox
) -> Iterator[Finding]:
    """Yield lessons that were given often, although their error recurred.

    `sessions` contains the number of sessions that were given each lesson, by ID, or is None if
    that is not recorded.
    """
    again = [(read_words(text), len(those)) for text, those in inbox.again.items()]
    for lesson in lessons if again else ():
        words = read_words(lesson.text)
        times = max((many for other, many in again if compare(words, other) >= SAME), default=0)
        given = OFTEN if sessions is None else sessions.get(lesson.id, 0)
        if times and given >= OFTEN:
            past = "" if sessions is None else f"injected in {count(given, 'session')}, "
            yield build_finding(
                "recurring",
                [lesson],
                f"{past}the same problem recurred in {count(times, 'session')}",
            )


def find_outdated(lessons: Iterable[Lesson], roots: Mapping[str, str]) -> Iterator[Finding]:
    """Yield lessons that name files or flags missing from the root of their project."""
    deadline = monotonic() + MAX_TIME
    open_project = cache(lambda root: open_root(root, deadline))
    for lesson in lessons:
        files = open_project(roots.get(lesson.project, ""))
        if monotonic() > deadline:
            return
        if files and (missing := sorted(set(find_missing(lesson.text, files)))):
            gone = ", ".join(missing)
            yield build_finding("outdated", [lesson], f"not in {lesson.project}: {gone}", gone)


@dataclass(frozen=True)
class ProjectFiles:
    """The files of a project; nothing outside its root is read."""

    root: Path
    names: set[str]  # of all files; empty if there are too many

    def find(self, path: str) -> Path | None:
        """Return a path below the root, or None if it leads outside, also through a link."""
        found = self.root / path
        return found if Path(os.path.realpath(found)).is_relative_to(self.root) else None

    def read_flags(self, path: str) -> set[str]:
        script = read_start(found, MAX_SCRIPT) if (found := self.find(path)) else ""
        return set(FLAG.findall(script.replace('"', " ").replace("'", " ")))


def open_root(root: str, deadline: float) -> ProjectFiles | None:
    """Return the files below a project's root; None if it is / or not a folder on this machine."""
    path = os.path.expanduser(root)  # noqa: PTH111 - does not raise, like the others here
    if not Path(path).is_absolute() or not os.path.isdir(path):  # noqa: PTH112
        return None
    resolved = Path(os.path.realpath(path))
    if resolved == resolved.parent:
        return None
    names: set[str] = set()
    for _, folders, found in walk(resolved):
        folders[:] = [name for name in folders if name not in SKIPPED]
        names.update(found)
        if len(names) > MAX_NAMES or monotonic() > deadline:
            return ProjectFiles(resolved, set())
    return ProjectFiles(resolved, names)


def find_missing(text: str, files: ProjectFiles) -> Iterator[str]:
    """Yield files and flags in a text that are missing from a project.

    A path counts if its first folder exists, a bare name only within backticks, and a flag only
    after a script of the project that has other flags, but not this one.
    """
    for found in NAME.finditer(text):
        path = found[0].rstrip("./")
        first, slash, rest = path.partition("/")
        is_relative = text[found.start() - 1 : found.start()] not in {"/", "~", ":", "\\"}
        is_pattern = text[found.end() : found.end() + 1] in PATTERN or ".." in found[0]
        is_inside = slash and rest and is_relative and not is_pattern
        if is_inside and os.path.isdir(files.root / first):  # noqa: PTH112
            place = files.find(path)
            if place and not os.path.lexists(place):
                yield path
    spans = SPAN.findall(text)
    for word in " ".join(spans).split() if files.names else ():
        if FILE_NAME.fullmatch(word) and word not in files.names:
            yield word
    calls = [
        (word.removeprefix("./"), flags)
        for span in spans
        if (flags := FLAG.findall(span))
        for word in FLAG.split(span, maxsplit=1)[0].split()
        if NAME.fullmatch(word)
    ]
    for script, flags in calls[:MAX_SCRIPTS]:
        known = files.read_flags(script)
        yield from (flag for flag in flags if known and flag not in known)


def read_kept(folder: Path) -> list[str]:
    """Return the IDs of kept findings; none if the file is damaged."""
    with suppress(OSError, ValueError, LookupError, TypeError, RecursionError):
        return [*map(str, json.loads(read_own(folder / FILE))["kept"])]
    return []


def keep(folder: Path, identity: str) -> None:
    """Keep a finding, given its ID; raises ReportedError if the decision cannot be saved."""
    kept = [*dict.fromkeys([*read_kept(folder), identity])][-MAX_KEPT:]
    try:
        with replacing(folder / FILE) as file:  # a link is replaced, not followed
            json.dump({"kept": kept}, file)
    except OSError as error:
        raise ReportedError(f"cannot write {folder / FILE}: {error.strerror}") from None
