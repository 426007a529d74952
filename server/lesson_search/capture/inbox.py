"""The inbox: lesson candidates that await a decision, in a private local file.

Candidates are not embedded, stored in Chroma or served to agents. They expire 30 days after they
were last seen.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timezone
from functools import cache, cached_property
from pathlib import Path

from filelock import FileLock, Timeout

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.files.atomic import replacing
from hookwright_console.text import shorten
from hookwright_secret_scan.credentials import redact_secrets
from lesson_search.capture.rules import Candidate
from lesson_search.projects import find_project
from lesson_search.records import Lesson
from lesson_search.storage.data_folder import make_private, read_own

FILE, LOCK = "inbox.json", "inbox.lock"
FORMAT = 1
MAX_ITEMS = 500
MAX_EVIDENCE = 10  # sightings per item
MAX_TEXT = 500  # characters of a candidate
MAX_EXCERPT = 300  # characters
MAX_DECIDED = 5_000
MAX_RECENT = 50  # decisions that can be undone
PATIENCE = 5  # seconds that a change waits for the lock
KEPT = 30 * 24 * 3600  # seconds that a candidate is kept after its last sighting
SAME = 0.6  # share of common words above which two candidates count as the same
NEVER = 0.5
WORD = re.compile(r"\w[\w.@/-]*")


@dataclass(frozen=True)
class Evidence:
    """A sighting of a candidate: session ID, time (ISO 8601, or ""), excerpt."""

    session: str
    time: str
    excerpt: str


@dataclass(frozen=True)
class Item:
    """A candidate in the inbox."""

    id: str  # eight hexadecimal digits
    rule: str  # the rule that matched
    text: str  # the proposed lesson
    folder: str  # folder of its first session, with ~ for the home folder
    seen: float  # last seen, in seconds since the epoch
    evidence: tuple[Evidence, ...]  # at least one, oldest first
    project: str = ""  # project of that folder, as returned by `find_project`

    def __post_init__(self) -> None:
        if not self.evidence:
            raise ValueError("no evidence")

    @cached_property
    def words(self) -> frozenset[str]:
        """The distinct words of the text."""
        return read_words(self.text)

    @property
    def lesson(self) -> Lesson:
        """The proposed lesson, without an ID."""
        source = f"session:{self.evidence[0].session}"
        return Lesson("", self.text, source_file=source, project=self.project)

    @property
    def sessions(self) -> int:
        """The number of sessions in which the candidate was seen."""
        return len({each.session for each in self.evidence})


@dataclass
class Inbox:
    """Pending candidates, and candidates that must not be proposed again."""

    items: list[Item] = field(default_factory=list)  # most frequent first
    # when each approved or dropped item was decided, in ISO 8601, by its text
    decided: dict[str, str] = field(default_factory=dict)
    never: list[str] = field(default_factory=list)  # texts that block similar candidates
    again: dict[str, list[str]] = field(default_factory=dict)  # IDs of later sessions, by item text
    recent: list[Item] = field(default_factory=list)  # the most recently decided items

    def add(self, candidates: Iterable[Candidate], now: float) -> int:
        """Add candidates with secrets removed, merging similar ones; return how many are new."""
        known = {item.id for item in self.items}
        find = cache(find_project)
        for candidate in candidates:
            if len(self.items) < 2 * MAX_ITEMS:
                self._add(candidate, now, find)
        self._expire(now)
        return len({item.id for item in self.items} - known)

    def find(self, identity: str) -> Item:
        """Return the item whose ID has a given prefix; raises RefusedError."""
        return find_item(self.items, identity, "no candidate '{}': see lesson-search inbox")

    def decide(self, item: Item, *, never: bool = False) -> None:
        """Remove an item; with `never`, also block similar candidates."""
        self.items.remove(item)
        self.recent = [*(each for each in self.recent if each.id != item.id), item]
        if never:
            self.never.append(item.text)
        else:
            self.decided[item.text] = datetime.now(timezone.utc).isoformat()

    def undo(self, identity: str) -> Item:
        """Undo the decision on the item whose ID has a given prefix; raises RefusedError."""
        item = find_item(self.recent, identity, "no recent decision on '{}': nothing changed")
        self.recent.remove(item)
        self.items.insert(0, item)
        self.decided.pop(item.text, None)
        self.never = [text for text in self.never if text != item.text]
        return item

    def _add(
        self, candidate: Candidate, now: float, find: Callable[[Path], tuple[str, ...]]
    ) -> None:
        text = redact(candidate.text, MAX_TEXT)
        words = read_words(text)
        if find_like(words, self.never, NEVER) is not None:
            return
        if (before := find_like(words, self.decided, SAME)) is not None:
            later = self.again.get(before, [])
            if candidate.time > self.decided[before] and candidate.session not in later:
                self.again[before] = [*later, candidate.session][:MAX_EVIDENCE]
            return
        evidence = Evidence(
            candidate.session, candidate.time, redact(candidate.excerpt, MAX_EXCERPT)
        )
        shares = [compare(words, item.words) for item in self.items]
        if max(shares, default=0) < SAME:
            identity = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
            folder = redact(candidate.folder, MAX_EXCERPT)
            project = redact(next(iter(find(Path(candidate.folder))), ""), MAX_EXCERPT)
            item = Item(identity, candidate.rule, text, folder, now, (evidence,), project)
            self.items.append(item)
            return
        place = shares.index(max(shares))
        seen = self.items[place].evidence
        if (evidence.session, evidence.time) not in {(each.session, each.time) for each in seen}:
            kept = (*seen, evidence)[:MAX_EVIDENCE]
            self.items[place] = replace(self.items[place], seen=now, evidence=kept)

    def _expire(self, now: float) -> None:
        kept = [item for item in self.items if now - item.seen < KEPT]
        kept.sort(key=lambda item: (item.sessions, item.evidence[-1].time), reverse=True)
        self.items = kept[:MAX_ITEMS]
        self.recent = [item for item in self.recent if now - item.seen < KEPT][-MAX_RECENT:]
        del self.never[:-MAX_DECIDED]
        self.decided = dict([*self.decided.items()][-MAX_DECIDED:])
        self.again = {text: self.again[text] for text in self.again if text in self.decided}


def find_item(items: Iterable[Item], identity: str, refusal: str) -> Item:
    found = [item for item in items if identity and item.id.startswith(identity)]
    if len(found) != 1:
        raise RefusedError(refusal.format(shorten(identity)))
    return found[0]


def redact(text: str, most: int) -> str:
    """Return the start of a text, with secrets removed and the home folder replaced by ~.

    The whole text is scanned for secrets, since a truncated secret would not be recognised.
    """
    cleaned = redact_secrets(text).replace(str(Path.home()), "~")
    return cleaned if len(cleaned) <= most else f"{cleaned[: most - 1]}\u2026"


def read_words(text: str) -> frozenset[str]:
    return frozenset(word.lower().strip(".") for word in WORD.findall(text))


def find_like(words: frozenset[str], texts: Iterable[str], least: float) -> str | None:
    return next((text for text in texts if compare(words, read_words(text)) >= least), None)


def compare(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of words common to two texts (Jaccard index)."""
    return len(first & second) / max(len(first | second), 1)


@contextmanager
def open_inbox(folder: Path) -> Iterator[Inbox]:
    """Yield a data folder's inbox, locked, and save it; raises ReportedError."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_private(folder)
        with FileLock(folder / LOCK, timeout=PATIENCE):
            inbox = read_inbox(folder)
            yield inbox
            with replacing(folder / FILE) as file:
                json.dump({"format": FORMAT, **asdict(inbox)}, file, indent=1)
    except Timeout:
        raise ReportedError(f"another program is changing {folder / FILE}: try again") from None
    except OSError as error:
        raise ReportedError(f"cannot use {folder / FILE}: {error.strerror}") from None


def read_inbox(folder: Path) -> Inbox:
    """Return a data folder's saved inbox; raises ReportedError if it cannot be read."""
    from pydantic import TypeAdapter  # slower to import than most commands are to run

    path = folder / FILE
    try:
        return TypeAdapter(Inbox).validate_json(read_own(path))
    except FileNotFoundError:
        return Inbox()
    except OSError as error:
        raise ReportedError(f"cannot use {path}: {error.strerror}") from None
    except ValueError:
        raise ReportedError(f"{path} is damaged: move it away, and capture again") from None
