"""The inbox: candidates that wait for a person, in a private file of this machine.

Nothing of it is embedded, stored in Chroma or served to agents. Candidates expire 30 days after
they were last seen.
"""

import hashlib
import json
import re
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from filelock import FileLock

from hookwright_console.atomic_files import write_whole
from hookwright_console.hidden_characters import remove_hidden
from hookwright_secret_scan.credentials import redact_secrets
from lesson_search.capture.rules import Candidate

FORMAT = 1
MAX_ITEMS = 500
MAX_EVIDENCE = 10  # of an item
MAX_FILE = 10_000_000  # bytes
KEPT = 30 * 24 * 3600  # seconds
SAME = 0.6  # share of words that two candidates have in common, to be one
NEVER = 0.5
WORD = re.compile(r"\w[\w.@/-]*")


@dataclass(frozen=True)
class Evidence:
    """Where a candidate was seen.

    Args:
        session: The session's id.
        time: When, in ISO 8601, or "".
        excerpt: The words or events that it comes from.

    """

    session: str
    time: str
    excerpt: str


@dataclass(frozen=True)
class Item:
    """A candidate in the inbox.

    Args:
        id: Eight hexadecimal digits.
        rule: The rule that found it.
        text: The proposed lesson.
        folder: The folder of its first session, with `~` for the home folder.
        seen: When it was last seen, in seconds since the epoch.
        evidence: Where it was seen, in distinct sessions.

    """

    id: str
    rule: str
    text: str
    folder: str
    seen: float
    evidence: tuple[Evidence, ...] = ()

    @property
    def sessions(self) -> int:
        """The number of sessions that it was seen in."""
        return len({each.session for each in self.evidence})


@dataclass
class Inbox:
    """The items, and the texts of those that were decided and must not come back.

    Args:
        items: What waits.
        decided: The texts of items that were approved or dropped.
        never: The texts of items that nothing like them is wanted.

    """

    items: list[Item] = field(default_factory=list)
    decided: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)

    def add(self, candidates: Iterable[Candidate], home: Path, now: float | None = None) -> int:
        """Add candidates, without secrets; merge those that say the same.

        Args:
            candidates: What was found.
            home: The user's home folder, which becomes `~`.
            now: The time, in seconds since the epoch; None for now.

        Returns:
            The number of new items.

        """
        now = time.time() if now is None else now
        new = 0
        for candidate in candidates:
            text = clean(candidate.text, home)
            words = read_words(text)
            if any(overlap(words, read_words(other)) >= NEVER for other in self.never):
                continue
            if any(overlap(words, read_words(other)) >= SAME for other in self.decided):
                continue
            evidence = Evidence(candidate.session, candidate.time, clean(candidate.excerpt, home))
            place = self.find_same(words)
            if place is None:
                identity = hashlib.sha256(text.encode()).hexdigest()[:8]
                folder = clean(candidate.folder, home)
                self.items.append(Item(identity, candidate.rule, text, folder, now, (evidence,)))
                new += 1
            else:
                item = self.items[place]
                known = {(each.session, each.time) for each in item.evidence}
                if (evidence.session, evidence.time) not in known:
                    kept = (*item.evidence, evidence)[:MAX_EVIDENCE]
                    self.items[place] = replace(item, seen=now, evidence=kept)
        self.items = [item for item in self.items if now - item.seen < KEPT]
        self.items.sort(key=lambda item: (-item.sessions, -item.seen, item.id))
        del self.items[MAX_ITEMS:]
        return new

    def find_same(self, words: frozenset[str]) -> int | None:
        """Return the place of the item that has most of these words, or None."""
        shares = [overlap(words, read_words(item.text)) for item in self.items]
        best = max(range(len(shares)), key=shares.__getitem__, default=None)
        return best if best is not None and shares[best] >= SAME else None

    def take(self, identity: str, *, never: bool = False) -> Item | None:
        """Remove an item, which will not come back, and return it; None if there is none.

        Args:
            identity: The item's id.
            never: Whether nothing like it is wanted either.

        """
        for place, item in enumerate(self.items):
            if item.id == identity:
                (self.never if never else self.decided).append(item.text)
                return self.items.pop(place)
        return None


def clean(text: str, home: Path) -> str:
    """Return a text without secrets and invisible characters, and with `~` for the home folder."""
    return redact_secrets(remove_hidden(text)).replace(str(home), "~")


def read_words(text: str) -> frozenset[str]:
    return frozenset(word.lower().strip(".") for word in WORD.findall(text))


def overlap(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the share of their words that two texts have in common (Jaccard)."""
    return len(first & second) / max(len(first | second), 1)


def open_inbox(path: Path) -> Inbox:
    """Return what a file holds; an empty inbox if it is missing or damaged."""
    try:
        if path.stat().st_size > MAX_FILE:
            return Inbox()
        return parse(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Inbox()


def parse(data: Any) -> Inbox:
    items = [
        Item(
            *(str(item[name]) for name in ("id", "rule", "text", "folder")),
            float(item["seen"]),
            tuple(
                Evidence(*(str(each[name]) for name in ("session", "time", "excerpt")))
                for each in item["evidence"]
            ),
        )
        for item in data["items"]
    ]
    return Inbox(items, [*map(str, data["decided"])], [*map(str, data["never"])])


def save_inbox(path: Path, inbox: Inbox) -> None:
    """Write an inbox to a file that only the user can read.

    Raises:
        RefusedError: It cannot be written.

    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    data = {"format": FORMAT, **asdict(inbox)}
    write_whole(path, [json.dumps(data, indent=1, ensure_ascii=False), "\n"], 0o600)
