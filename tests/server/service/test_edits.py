"""Edits and deletions persist when the same files are ingested again."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hookwright_console.errors import RefusedError
from lesson_search.records import UNKNOWN, Lesson, Skill, build_record
from lesson_search.service.edits import build_fingerprint, is_edited
from lesson_search.service.lesson_service import LessonService
from lesson_search.service.settings import Settings
from lesson_search.service.startup import open_chroma
from lesson_search.service.startup import open_service as open_settings
from lesson_search.storage.store import DeletedRecords, reindex

from ...support.letter_embedder import LetterEmbedder

DOCKER = Lesson("docker", "A docker tag moves.", ("devops/docker",), "team.md")
REVIEW = Skill("review", "Reviews", ("workflow",), "/review", "skills/review")
NEWER = replace(DOCKER, text="A docker tag moves often.")

Change = Callable[[LessonService], object]


def ingest(service: LessonService, record: Lesson | Skill, *, restored: bool = False) -> str:
    [result] = service.ingest([record], (), {0} if restored else ())
    return result.change


def read_text(service: LessonService) -> str:
    return service.get("lessons", "docker").text


def edit(service: LessonService) -> None:
    service.change("lessons", "docker", text="A docker label moves.")


def test_edited_text_is_kept(service: LessonService) -> None:
    ingest(service, DOCKER)
    edit(service)
    [same] = service.ingest([DOCKER])
    [newer] = service.ingest([NEWER])
    assert (same.change, same.reason) == ("kept", "")
    assert (newer.change, newer.reason) == (
        "kept",
        "the stored record was edited, and this one was changed or moved",
    )
    assert read_text(service) == "A docker label moves."


@pytest.mark.parametrize("incoming", [DOCKER, NEWER])
def test_restore_replaces_an_edit(service: LessonService, incoming: Lesson) -> None:
    ingest(service, DOCKER)
    edit(service)
    assert ingest(service, incoming, restored=True) == "updated"
    assert read_text(service) == incoming.text
    assert ingest(service, replace(incoming, text="Newest")) == "updated"


def test_change_in_the_file_is_applied(service: LessonService) -> None:
    changes = [ingest(service, lesson) for lesson in (DOCKER, NEWER, NEWER, DOCKER)]
    assert changes == ["added", "updated", "unchanged", "updated"]


@pytest.mark.parametrize("changes", [{"categories": ("a/b",)}, {"source_file": "other.md"}])
def test_other_fields_can_be_edited(service: LessonService, changes: Any) -> None:
    ingest(service, DOCKER)
    service.change("lessons", "docker", **changes)
    before = service.get("lessons", "docker")
    assert ingest(service, DOCKER) == "kept"
    assert service.get("lessons", "docker") == before


def test_edited_skill_is_kept(service: LessonService) -> None:
    ingest(service, REVIEW)
    service.change("skills", "review", trigger="/check")
    assert ingest(service, REVIEW) == "kept"


def test_trigger_of_a_skill_cannot_be_emptied(service: LessonService) -> None:
    ingest(service, REVIEW)
    with pytest.raises(RefusedError, match="the trigger is empty"):
        service.change("skills", "review", trigger="")


def test_same_skill_under_another_id_is_unchanged(service: LessonService) -> None:
    unnamed = replace(REVIEW, id="")
    assert [ingest(service, unnamed) for _ in range(2)] == ["added", "unchanged"]


def test_classification_is_not_an_edit(service: LessonService) -> None:
    ingest(service, replace(DOCKER, categories=()))
    service.recategorize()
    assert ingest(service, replace(NEWER, categories=())) == "updated"
    assert ingest(service, NEWER) == "updated"
    assert service.get("lessons", "docker").categories == ("devops/docker",)


def test_reverted_edit_does_not_block_updates(service: LessonService) -> None:
    ingest(service, DOCKER)
    edit(service)
    service.change("lessons", "docker", text=DOCKER.text)
    assert ingest(service, NEWER) == "updated"


def test_identical_edit_on_both_sides_is_not_a_conflict(service: LessonService) -> None:
    ingest(service, DOCKER)
    edit(service)
    same = replace(DOCKER, text="A docker label moves.")
    assert ingest(service, same) == "unchanged"
    assert ingest(service, NEWER) == "updated"


@pytest.mark.parametrize("record", [DOCKER, REVIEW])
def test_deleted_record_does_not_return(service: LessonService, record: Lesson | Skill) -> None:
    collection = service.lessons if isinstance(record, Lesson) else service.skills
    name = "lessons" if isinstance(record, Lesson) else "skills"
    ingest(service, record)
    service.remove(name, record.id)  # type: ignore[arg-type]
    assert ingest(service, record) == "left_out"
    assert ingest(service, replace(record, text="Newer")) == "left_out"
    assert len(collection) == 0
    assert service.list_deleted() == [(name, record.id)]
    assert ingest(service, record, restored=True) == "added"
    assert service.list_deleted() == []
    assert ingest(service, record) == "unchanged"


def test_two_versions_in_one_request_are_applied_in_order(service: LessonService) -> None:
    assert [result.change for result in service.ingest([DOCKER, NEWER])] == ["added", "updated"]
    service.remove("lessons", "docker")
    assert [result.change for result in service.ingest([DOCKER, NEWER])] == ["left_out", "left_out"]


def test_manual_lesson_leaves_no_deletion_record(service: LessonService) -> None:
    ingest(service, replace(DOCKER, source_file="", ingested=UNKNOWN))
    service.remove("lessons", "docker")
    assert service.list_deleted() == []


def test_older_data_is_preserved(service: LessonService) -> None:
    service.lessons.ingest([replace(DOCKER, created_at="2025-11-15T10:30:00Z")])
    [result] = service.ingest([NEWER])
    assert (result.change, result.reason) == (
        "kept",
        "the stored record differs, and may have been edited",
    )
    assert ingest(service, DOCKER) == "unchanged"
    assert ingest(service, NEWER) == "updated"


def test_older_lesson_can_be_deleted(service: LessonService) -> None:
    service.lessons.ingest([DOCKER])
    service.remove("lessons", "docker")
    assert ingest(service, DOCKER) == "left_out"


def test_deletions_are_recorded(service: LessonService) -> None:
    ingest(service, DOCKER)
    service.note_deleted([("lessons", "docker"), ("lessons", "other")])
    assert service.list_deleted() == [("lessons", "other")]
    assert ingest(service, replace(DOCKER, id="other")) == "left_out"
    assert ingest(service, NEWER) == "updated"


def test_edits_survive_reindex_and_restart(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "data")
    with open_settings(settings) as service:
        service.ingest([DOCKER, replace(DOCKER, id="gone")])
        edit(service)
        service.remove("lessons", "gone")
    with open_chroma(settings) as client:
        reindex(client, LetterEmbedder(), lambda *_: None)
        assert DeletedRecords(client).list_all() == [("lessons", "gone")]
        reindex(client, service.embedder, lambda *_: None)
    with open_settings(settings) as service:
        assert ingest(service, DOCKER) == "kept"
        assert ingest(service, replace(DOCKER, id="gone")) == "left_out"


def test_fingerprint_is_validated() -> None:
    for record in (DOCKER, replace(DOCKER, categories=()), REVIEW):
        for ingested in (build_fingerprint(record), UNKNOWN):
            assert build_record({**vars(record), "ingested": ingested}).ingested == ingested
        with pytest.raises(Exception, match="got 'me': remove the field"):
            build_record({**vars(record), "ingested": "me"})


def test_moved_file_is_not_an_edit() -> None:
    stored = replace(DOCKER, ingested=build_fingerprint(DOCKER))
    assert not is_edited(stored, replace(DOCKER, source_file="docs/team.md"))
