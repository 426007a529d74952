"""Ingest, classify and search lessons and skills: the service behind the API.

Changes run one at a time; any number of threads may search meanwhile.
"""

import threading
import time
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from hookwright_console.errors import RefusedError, ReportedError
from hookwright_console.version import find_version
from hookwright_retrieval.embedders import EmbedderError
from lesson_search.capture.inbox import Inbox, read_inbox
from lesson_search.projects import name_project
from lesson_search.prompts.context import format_context
from lesson_search.prompts.filter import find_obstacle
from lesson_search.prompts.given_record import GivenRecord, SessionMemory
from lesson_search.records import (
    COLLECTIONS,
    UNKNOWN,
    CollectionName,
    Key,
    Lesson,
    Skill,
    check_categories,
    check_record,
    find_key,
    find_source,
    join_fields,
    suggest_ids,
)
from lesson_search.retrieval.collection import Collection, SearchResult
from lesson_search.service.edits import (
    CategoryChange,
    Change,
    ChangedRecordError,
    Deletion,
    IngestResult,
    UnknownRecordError,
    build_version,
    carry_over,
    explain_conflict,
    format_now,
    has_categories,
    has_ingestion,
    is_edited,
    is_same,
)
from lesson_search.service.review import (
    Finding,
    find_outdated,
    find_recurring,
    find_similar,
    keep,
    read_kept,
)
from lesson_search.storage.store import DeletedRecords
from lesson_search.taxonomy.categories import CurrentClassifier, count, under

HIDDEN = {"classified", "ingested"}  # fields that are left out of results
STARTED = time.monotonic()
MAX_DELETIONS = 200  # maximum number of restorable records
LESSONS: tuple[CollectionName, ...] = ("lessons",)
EXTRA = 20  # extra results to consider, since the session may already have the first ones


class LessonService:
    """All lessons and skills.

    `folder` contains the inbox and the review decisions. `given` logs what agents are given.
    """

    def __init__(
        self,
        lessons: Collection[Lesson],
        skills: Collection[Skill],
        deleted: DeletedRecords,
        classifier: CurrentClassifier,
        memory: SessionMemory,
        *,
        folder: Path,
        given: GivenRecord | None = None,
    ) -> None:
        self.lessons = lessons
        self.skills = skills
        self.embedder = lessons.embedder
        self.given_record = given
        self.roots: dict[str, str] = {}  # roots of projects with sessions on this machine, by name
        # Kept only in memory: a lesson may have been deleted because it contains a secret.
        self._deletions: dict[Key, Deletion] = {}  # the latest last
        self.store_is_up = True  # at the last check
        self._deleted = deleted
        self._classifier = classifier
        self.memory = memory
        self.folder = folder
        self._changing = threading.RLock()

    def get_collection(self, collection: CollectionName) -> Collection[Any]:
        return self.lessons if collection == "lessons" else self.skills

    def get(self, collection: CollectionName, identity: str) -> Lesson | Skill:
        if record := self.find((collection, identity)):
            return record
        raise UnknownRecordError(f"no {collection[:-1]} has the id '{identity}'")

    def find(self, key: Key) -> Lesson | Skill | None:
        collection, identity = key
        record: Lesson | Skill | None = self.get_collection(collection).get(identity)
        return record

    def list_records(
        self, collection: CollectionName, category: str | None = None, project: str | None = None
    ) -> list[Lesson | Skill]:
        records: list[Lesson | Skill] = self.get_collection(collection).list_records()
        if project and (name := name_project(project)):
            records = [record for record in records if getattr(record, "project", "") == name]
        if not category:
            return records
        check_categories([category.rstrip("/")])
        return [
            record for record in records if any(under(c, [category]) for c in record.categories)
        ]

    def read_health(self) -> dict[str, Any]:
        embedder, up = self.embedder, self.embedder.is_up
        reached = "connected" if up else "unreachable"
        return {
            "status": "healthy" if up and self.store_is_up else "degraded",
            "ollama": reached if embedder.name.startswith("ollama/") else "not used",
            "embedder": "up" if up else "down",
            "store": "up" if self.store_is_up else "down",
            "chromadb_collections": len(COLLECTIONS),
            "lesson_count": len(self.lessons),
            "skill_count": len(self.skills),
            "model": embedder.model,
            "threshold": self.lessons.threshold,
            "uptime_seconds": int(time.monotonic() - STARTED),
            "version": find_version(),
        }

    def count_categories(self, *, first: bool = False) -> dict[str, int]:
        """Return the number of lessons in or below each category; `first` counts each lesson once.

        With `first`, a lesson counts only in its first category, or under "" if it has none.
        """
        lessons = self.lessons.list_records()
        if first:
            return count(lesson.categories[:1] or ("",) for lesson in lessons)
        return count(lesson.categories for lesson in lessons)

    def list_findings(self) -> list[Finding]:
        """Return the lessons that need a decision, except those that were kept unchanged."""
        lessons = {lesson.id: lesson for lesson in self.lessons.list_records()}
        sessions = self.given_record.summarize().sessions if self.given_record else None
        try:
            inbox = read_inbox(self.folder)
        except ReportedError:  # the inbox itself reports this
            inbox = Inbox()
        found = [
            *find_recurring(lessons.values(), sessions, inbox),
            *find_outdated(lessons.values(), self.roots),
            *find_similar(lessons, self.lessons.list_duplicates()),
        ]
        kept = set(self.list_kept())
        return [finding for finding in found if finding.id not in kept]

    def list_kept(self) -> list[str]:
        """Return the IDs of findings that were kept unchanged."""
        return read_kept(self.folder)

    def keep(self, identity: str) -> None:
        """Keep a finding's lessons unchanged; raises ReportedError."""
        with self._changing:
            keep(self.folder, identity)

    def ingest(
        self,
        records: Sequence[Lesson | Skill],
        forced: Container[int] = (),
        restored: Container[int] = (),
    ) -> list[IngestResult]:
        """Add or replace records, but preserve records edited or deleted here.

        A record without an ID gets a new one, unless the same record is already stored for all
        projects or for its own project. A record without categories keeps manually chosen ones;
        otherwise it is classified, unless it already was. A record that appears to contain a secret
        is refused.

        `forced` contains the positions of records to accept despite a secret, and `restored` those
        to accept even if they were edited or deleted here. Raises EmbedderError or StoreError if no
        record was changed, or only records of the other kind; raises RefusedError if the taxonomy
        is invalid.
        """
        with self._changing:
            named = {find_key(record): record for record in records if record.id}
            deleted = self._deleted.find([key for key in named if self.find(key) is None])
            results: dict[int, IngestResult] = {}
            accepted: dict[int, Lesson | Skill] = {}
            latest: dict[Key, Lesson | Skill] = {}
            for number, incoming in enumerate(records):
                record = incoming if incoming.id else self._name(incoming, named)
                key = find_key(record)
                before = latest.get(key) or self.find(key)
                is_restored = number in restored
                if before and not is_restored and is_edited(before, record):
                    why = explain_conflict(before, record)
                    results[number] = IngestResult(record.id, before.categories, "kept", why)
                elif key in deleted and not before and not is_restored:
                    results[number] = IngestResult(record.id, (), "left_out")
                else:
                    accepted[number] = latest[key] = carry_over(record, before)
            unclassified = [n for n in accepted if not has_categories(accepted[n])]
            found = self._classify([accepted[number] for number in unclassified])
            results |= self._put(accepted | dict(zip(unclassified, found, strict=True)), forced)
            self._deleted.forget(key for key in deleted if self.find(key) is not None)
            return [results[number] for number in range(len(records))]

    def bring_back(self, record: Lesson | Skill) -> IngestResult:
        """Restore a deleted record; raises ChangedRecordError if its ID exists again."""
        with self._changing:
            if self.find(find_key(record)):
                raise ChangedRecordError(
                    "someone else has added a record with this id: it was kept"
                )
            return self.ingest([record], {0}, {0})[0]

    def change(
        self,
        collection: CollectionName,
        identity: str,
        *,
        version: str | None = None,
        force: bool = False,
        **changes: object,
    ) -> IngestResult:
        """Change some fields of a record, unless it now has another version than `version`.

        The record is classified again if its categories become empty, or if its text changes and
        its categories were not chosen manually. Raises UnknownRecordError, ChangedRecordError,
        RefusedError for an invalid value, EmbedderError or StoreError.
        """
        with self._changing:
            before = self._get_version(collection, identity, version)
            if "categories" in changes:
                changes["classified"] = False
            elif "text" in changes and before.classified:
                changes["categories"] = ()
            if not changes.get("trigger", "/"):
                raise RefusedError(
                    "the trigger is empty: write what calls the skill, e.g. /review-pr"
                )
            after = check_record(replace(before, **changes))  # type: ignore[arg-type]
            if not after.categories:
                [after] = self._classify([after])
            result = self._put({0: after}, {0} if force else ())[0]
            if result.change == "refused":
                raise RefusedError(result.reason)
            return result

    def remove(self, collection: CollectionName, identity: str, version: str | None = None) -> None:
        """Remove a record permanently; the arguments and errors are those of `change`."""
        with self._changing:
            record = self._get_version(collection, identity, version)
            if has_ingestion(record) or find_source(record):
                self._deleted.add([(collection, identity)])
            self.get_collection(collection).remove([identity])
            key = (collection, identity)
            self._deletions.pop(key, None)
            self._deletions[key] = Deletion(collection, format_now(), record)
            for oldest in list(self._deletions)[:-MAX_DELETIONS]:
                del self._deletions[oldest]

    def list_deletions(self) -> list[Deletion]:
        """Return the records deleted since the server started, latest first, unless they exist."""
        latest = [*self._deletions.items()][::-1]
        return [deletion for key, deletion in latest if self.find(key) is None]

    def list_deleted(self) -> list[Key]:
        """Return the deleted records that ingestion does not restore; raises StoreError."""
        return [key for key in self._deleted.list_all() if self.find(key) is None]

    def note_deleted(self, keys: Iterable[Key]) -> None:
        """Mark records as deleted, except existing ones; raises StoreError."""
        with self._changing:
            self._deleted.add(key for key in keys if self.find(key) is None)

    def recategorize(self, *, by_hand: bool = False, preview: bool = False) -> list[CategoryChange]:
        """Reclassify records with the current taxonomy; return those whose categories changed.

        With `by_hand`, records with manually chosen categories are included; with `preview`,
        nothing is changed. Raises RefusedError if the taxonomy is invalid.
        """
        with self._changing:
            self._classifier.forget()
            moved: list[tuple[Lesson | Skill, Lesson | Skill]] = []
            for collection in COLLECTIONS.values():
                records = [
                    record
                    for record in self.list_records(collection)
                    if record.classified or by_hand or not record.categories
                ]
                pairs = zip(records, self._classify(records), strict=True)
                moved += [pair for pair in pairs if pair[0].categories != pair[1].categories]
            if not preview:
                self._save([after for _, after in moved])
            return [
                CategoryChange(*find_key(after), before.categories, after.categories)
                for before, after in moved
            ]

    def search(
        self,
        collection: CollectionName,
        prompt: str,
        most: int,
        least_score: float | None = None,
        categories: Sequence[str] = (),
        *,
        projects: Sequence[str] | None = None,
    ) -> list[SearchResult[Any]]:
        """Search a collection; there are no results while the embedder is down."""
        searched = self.get_collection(collection)
        try:
            return searched.search(prompt, most, least_score, categories, projects=projects)
        except EmbedderError:
            return []

    def query(
        self,
        prompt: str,
        top_k: int = 5,
        min_score: float | None = None,
        categories: Sequence[str] | None = None,
        collections: Sequence[CollectionName] | None = None,
        *,
        projects: Sequence[str] | None = None,
        evidence: bool = False,
    ) -> dict[str, Any]:
        """Return the response to `/api/query`; the arguments are the request's fields."""
        check_categories([category.rstrip("/") for category in categories or ()])
        start = time.perf_counter()
        results: dict[str, Any] = {
            collection: [
                show_result(hit, evidence=evidence)
                for hit in self.search(
                    collection, prompt, top_k, min_score, categories or (), projects=projects
                )
            ]
            for collection in collections or LESSONS
        }
        answer = results if collections is None else {"results": results}
        milliseconds = round((time.perf_counter() - start) * 1000, 2)
        return {**answer, "query_time_ms": milliseconds, "model": self.embedder.model}

    def build_context(
        self,
        session: str | None,
        prompt: str,
        *,
        top_k: int,
        budget: int,
        min_score: float | None = None,
        projects: Sequence[str] = (),
        collections: Iterable[CollectionName] = tuple(COLLECTIONS.values()),
    ) -> str:
        """Return the context for a prompt, or "".

        Records that the session was given recently are left out. `top_k` limits the lessons and the
        skills, `budget` the characters. `min_score` is from 0 to 1; None is the threshold. The
        lessons of the session's project, given by its names, come first, and those of other
        projects are left out.
        """
        if find_obstacle(prompt):
            return ""
        found: dict[str, SearchResult[Any]] = {}
        for name in collections:
            hits = self.search(name, prompt, top_k + EXTRA, min_score, projects=projects)
            near = {f"{name} {hit.record.id}": hit for hit in hits}
            found |= {key: near[key] for key in self.memory.claim(session, near, top_k)}
        pairs = [(hit.record, hit.score) for hit in found.values()]
        context = format_context(pairs, budget)
        left_out = [key for key, hit in found.items() if hit.record not in context.records]
        self.memory.release(session, left_out)
        if self.given_record:
            chosen = [pair for pair in pairs if pair[0] in context.records]
            self.given_record.add(session, prompt, chosen)
        return context.text

    def _get_version(
        self, collection: CollectionName, identity: str, version: str | None
    ) -> Lesson | Skill:
        record = self.get(collection, identity)
        if version not in {None, build_version(record)}:
            raise ChangedRecordError(
                f"{identity} changed meanwhile: look at it, then repeat your change"
            )
        return record

    def _name(self, record: Lesson | Skill, named: dict[Key, Lesson | Skill]) -> Lesson | Skill:
        """Return the same record that is named or stored, or this one with a new ID."""
        for identity in suggest_ids(record.text):
            key = COLLECTIONS[type(record)], identity
            found = named.get(key) or self.find(key)
            if found is None or is_same(found, record):
                break
        return named.setdefault(key, found or replace(record, id=identity, ingested=UNKNOWN))

    def _classify(self, records: Sequence[Lesson | Skill]) -> list[Lesson | Skill]:
        if not records:
            return []
        texts = [record.text for record in records]
        found = self._classifier.classify(texts, self.lessons.list_records)
        return [
            replace(record, categories=categories, classified=True)
            for record, categories in zip(records, found, strict=True)
        ]

    def _put(
        self, records: Mapping[int, Lesson | Skill], forced: Container[int]
    ) -> dict[int, IngestResult]:
        """Save changed records without secrets; return the results by position."""
        from hookwright_secret_scan.credentials import (
            find_secret,  # its patterns take 30 ms to load
        )

        results: dict[int, IngestResult] = {}
        changed: dict[Key, Lesson | Skill] = {}
        for number, after in records.items():
            key = find_key(after)
            before = changed.get(key) or self.find(key)
            fields = join_fields(after)
            known = number in forced or (before and join_fields(before) == fields)
            change: Change = "updated" if before else "added"
            why = ""
            if secret := None if known else find_secret(fields):
                change, why = "refused", f"looks like it holds {secret}: remove it, or force it"
            elif before is None or vars(after) != vars(before):
                changed[key] = after
            if after == before:
                change = "unchanged"
            results[number] = IngestResult(after.id, after.categories, change, why)
        self._save(list(changed.values()))
        return results

    def _save(self, records: Sequence[Lesson | Skill]) -> None:
        for kind, collection in ((Lesson, self.lessons), (Skill, self.skills)):
            if chosen := [record for record in records if isinstance(record, kind)]:
                collection.ingest(chosen)  # type: ignore[arg-type]


def show_result(hit: SearchResult[Any], *, evidence: bool) -> dict[str, Any]:
    row = {**vars(hit.record), "score": round(hit.score, 4)}
    if evidence:
        row["evidence"] = asdict(hit.evidence)
    return {name: row[name] for name in row if name not in HIDDEN}
