"""Take lessons and skills in, sort them, and find those that matter: what the API serves.

Changes are made one after another; any number of threads may search meanwhile.
"""

import threading
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any, Literal

from hookwright_console.errors import ReportedError
from lesson_search.embedders import EmbedderError
from lesson_search.prompts.context import format_context
from lesson_search.prompts.filter import is_worth_searching
from lesson_search.prompts.sessions import SessionMemory
from lesson_search.records import COLLECTIONS, CollectionName, Lesson, Skill
from lesson_search.retrieval.collection import Collection, SearchResult
from lesson_search.secret_scan.credentials import find_secret
from lesson_search.taxonomy.categories import count
from lesson_search.taxonomy.current_classifier import CurrentClassifier

BESIDES = 20  # that are looked at beyond those to give, as a session may have been given these

Change = Literal["added", "updated", "unchanged", "refused"]


class UnknownRecordError(ReportedError):
    """There is no record of an id; the message says so in one line."""


@dataclass(frozen=True)
class IngestResult:
    """What became of a record that was to be ingested.

    Args:
        id: The record's.
        categories: Those that it has now.
        change: What was done.
        why: Why it was refused, and the way out; else "".

    """

    id: str
    categories: tuple[str, ...]
    change: Change
    why: str = ""


@dataclass(frozen=True)
class CategoryChange:
    """A record that belongs into other categories than it was in."""

    collection: CollectionName
    id: str
    before: tuple[str, ...]
    after: tuple[str, ...]


class LessonService:
    """All lessons and skills, and what sorts and finds them."""

    def __init__(
        self,
        lessons: Collection[Lesson],
        skills: Collection[Skill],
        classifier: CurrentClassifier,
        memory: SessionMemory,
    ) -> None:
        """Start with what the libraries hold.

        Args:
            lessons: The lessons.
            skills: The skills.
            classifier: What finds the categories of those that have none.
            memory: Which session was given what.

        """
        self.lessons = lessons
        self.skills = skills
        self.embedder = lessons.embedder
        self.store_is_up = True  # as far as the last look at it told
        self._classifier = classifier
        self._memory = memory
        self._changing = threading.RLock()

    def get_collection(self, collection: CollectionName) -> Collection[Any]:
        """Return the library of a collection."""
        return self.lessons if collection == "lessons" else self.skills

    def get(self, collection: CollectionName, identity: str) -> Lesson | Skill:
        """Return a record, or raise UnknownRecordError."""
        record: Lesson | Skill | None = self.get_collection(collection).get(identity)
        if record is None:
            raise UnknownRecordError(f"there is no {collection[:-1]} of this id")
        return record

    def ingest(
        self, records: Sequence[Lesson | Skill], forced: Container[int] = ()
    ) -> list[IngestResult]:
        """Add records, each in the place of one of its kind that had its id.

        One without categories gets some: those that a hand gave what had its id, or else what the
        classifier finds, unless it was classified already. What seems to hold a secret is refused.

        Args:
            records: Lessons and skills, that have passed `limits`.
            forced: The numbers of those to take although they seem to hold a secret.

        Returns:
            What became of each, in their order.

        Raises:
            EmbedderError, StoreError: None was taken, or only those of the other kind.
            RefusedError: The taxonomy cannot be read.

        """
        with self._changing:
            results: list[IngestResult] = []
            changed: dict[tuple[CollectionName, str], Lesson | Skill] = {}
            for number, record in enumerate(self._classify(records)):
                collection = COLLECTIONS[type(record)]
                key = (collection, record.id)
                before = changed.get(key) or self.get_collection(collection).get(record.id)
                after = keep_creation_time(record, before)
                new = before is None or join_fields(before) != join_fields(after)
                if after == before:
                    results.append(IngestResult(after.id, after.categories, "unchanged"))
                elif new and number not in forced and (secret := find_secret(join_fields(after))):
                    why = f"it seems to hold {secret}: take it out, or force it"
                    results.append(IngestResult(after.id, after.categories, "refused", why))
                else:
                    changed[key] = after
                    change: Change = "updated" if before else "added"
                    results.append(IngestResult(after.id, after.categories, change))
            self._save(changed.values())
            return results

    def change(
        self,
        collection: CollectionName,
        identity: str,
        *,
        force: bool = False,
        **changes: object,
    ) -> IngestResult:
        """Change some fields of a record, which keeps the others.

        Args:
            collection: Where it is.
            identity: Its id.
            force: Take a secret, too.
            changes: New values by field. Where there are no categories they are found anew, as they
                are for another text, unless a hand gave them.

        Raises:
            UnknownRecordError: There is none.
            EmbedderError, StoreError: It was not changed.

        """
        with self._changing:
            before = self.get(collection, identity)
            if "categories" in changes:
                changes["classified"] = False
            elif "text" in changes and before.classified:
                changes["categories"] = ()
            after = replace(before, **changes)  # type: ignore[arg-type]
            if not after.categories:
                [categories] = self._classifier.classify([after.text], self.lessons.list_records)
                after = replace(after, categories=categories, classified=True)
            [result] = self.ingest([after], {0} if force else ())
            return result

    def remove(self, collection: CollectionName, identity: str) -> None:
        """Remove a record, or raise UnknownRecordError."""
        with self._changing:
            self.get(collection, identity)
            self.get_collection(collection).remove([identity])

    def recategorize(self, *, by_hand: bool = False, preview: bool = False) -> list[CategoryChange]:
        """Sort all records anew that the classifier has sorted, by the taxonomy as it is now.

        Args:
            by_hand: Those that were sorted by hand, too.
            preview: Change nothing.

        Returns:
            The records that belong elsewhere, in the order of their ids.

        Raises:
            RefusedError: The taxonomy cannot be read.

        """
        with self._changing:
            self._classifier.forget()
            changed_records: list[CategoryChange] = []
            for collection in COLLECTIONS.values():
                records = [
                    record
                    for record in self.get_collection(collection).list_records()
                    if record.classified or by_hand or not record.categories
                ]
                texts = [record.text for record in records]
                found = self._classifier.classify(texts, self.lessons.list_records)
                pairs = list(zip(records, found, strict=True))
                changed_records += [
                    CategoryChange(collection, record.id, record.categories, categories)
                    for record, categories in pairs
                    if categories != record.categories
                ]
                if not preview:
                    self._save(
                        replace(record, categories=categories, classified=True)
                        for record, categories in pairs
                        if categories != record.categories
                    )
            return changed_records

    def search(
        self,
        collection: CollectionName,
        prompt: str,
        most: int,
        least_score: float | None = None,
        categories: Sequence[str] = (),
    ) -> list[SearchResult[Any]]:
        """Return the records of a collection that matter to a prompt, as `Collection.search` does.

        While the embedder is down there are none.
        """
        try:
            return self.get_collection(collection).search(prompt, most, least_score, categories)
        except EmbedderError:
            return []

    def build_context(self, session: str | None, prompt: str, most: int, budget: int) -> str:
        """Return what to tell an agent with a prompt, or "".

        Args:
            session: Who is told; what it was told lately is left out. None to leave nothing out.
            prompt: What the user wrote.
            most: How many lessons to give at the most, and how many skills.
            budget: How many characters.

        """
        if not is_worth_searching(prompt):
            return ""
        found = {
            f"{collection} {each.record.id}": (each.record, each.score)
            for collection in COLLECTIONS.values()
            for each in self._claim(collection, session, prompt, most)
        }
        given = list(found.values())
        lessons = [one for one in given if isinstance(one[0], Lesson)]
        skills = [one for one in given if isinstance(one[0], Skill)]
        context = format_context(lessons, skills, budget)
        left_out = [key for key, (record, _) in found.items() if record not in context.records]
        self._memory.release(session, left_out)
        return context.text

    def count_categories(self) -> dict[str, int]:
        """Return how many lessons are in each category or below it."""
        return count(record.categories for record in self.lessons.list_records())

    def _claim(
        self, collection: CollectionName, session: str | None, prompt: str, most: int
    ) -> list[SearchResult[Any]]:
        """Return what to give a session now, which then has been given it."""
        found = self.search(collection, prompt, most + BESIDES)
        keys = [f"{collection} {each.record.id}" for each in found]
        claimed = set(self._memory.claim(session, keys, most))
        return [each for key, each in zip(keys, found, strict=True) if key in claimed]

    def _classify(self, records: Sequence[Lesson | Skill]) -> list[Lesson | Skill]:
        """Return the records with categories, where neither they nor what they replace had any."""
        ready: list[Lesson | Skill] = []
        latest: dict[tuple[CollectionName, str], int] = {}  # the numbers of those that are ready
        bare: list[int] = []
        for number, record in enumerate(records):
            key = (COLLECTIONS[type(record)], record.id)
            known = latest.get(key)
            before = self.get_collection(key[0]).get(record.id) if known is None else ready[known]
            by_hand = before and before.categories and not before.classified
            same = before and before.text == record.text and known not in bare
            if record.categories or record.classified:
                ready.append(record)
            elif before and (by_hand or same):
                kept = {"categories": before.categories, "classified": before.classified}
                ready.append(replace(record, **kept))  # type: ignore[arg-type]
            else:
                ready.append(record)
                bare.append(number)
            latest[key] = number
        if bare:
            texts = [records[number].text for number in bare]
            found = self._classifier.classify(texts, self.lessons.list_records)
            for number, categories in zip(bare, found, strict=True):
                ready[number] = replace(ready[number], categories=categories, classified=True)
        return ready

    def _save(self, records: Iterable[Lesson | Skill]) -> None:
        """Ingest records of both kinds."""
        records = list(records)
        for kind, library in ((Lesson, self.lessons), (Skill, self.skills)):
            if chosen := [record for record in records if isinstance(record, kind)]:
                library.ingest(chosen)  # type: ignore[arg-type]


def join_fields(record: Lesson | Skill) -> str:
    """Return all that a record may tell of."""
    if isinstance(record, Lesson):
        return f"{record.text}\n{record.id}\n{record.source_file}"
    return f"{record.text}\n{record.id}\n{record.source}\n{record.trigger}"


def keep_creation_time(record: Lesson | Skill, before: Lesson | Skill | None) -> Lesson | Skill:
    """Return a record with the moment at which it was first ingested: then, or now."""
    if isinstance(record, Skill) or record.created_at:
        return record
    known = before.created_at if isinstance(before, Lesson) else ""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(record, created_at=known or now)
