"""Convert an embedded Chroma of before version 0.2, which packed a record's fields into one."""

import logging
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright_console.errors import RefusedError
from lesson_search.records import Lesson, Skill
from lesson_search.storage.rows import (
    StoredRecord,
    build_columns,
    read_fields,
    read_record,
    read_version,
)

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection
    from chromadb.config import Settings

LOG = logging.getLogger(__name__)
FORMAT = "format"  # the file that identifies the storage format of rows
FIELDS = "fields\n"  # contents of that file
CONVERTED, OLD = "{}.converted", "{}.old"
PAGE = 500  # rows converted at a time


def finish_conversion(folder: Path) -> None:
    """Move a converted copy into place, in case the process was killed just before doing so."""
    copy = folder.with_name(CONVERTED.format(folder.name))
    if not folder.exists() and is_marked(copy):
        copy.rename(folder)


def convert(folder: Path, indexes: str, settings: "Settings") -> None:
    """Convert the Chroma in a folder that nobody else is using; a failure leaves it unchanged."""
    import chromadb

    copy, old = (folder.with_name(form.format(folder.name)) for form in (CONVERTED, OLD))
    shutil.rmtree(copy, ignore_errors=True)
    try:
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(indexes))
        client = chromadb.PersistentClient(copy, settings)
        try:
            number = sum(map(convert_rows, client.list_collections()))
        finally:
            client.close()  # type: ignore[attr-defined] # all clients have it
        mark(copy)
    except BaseException:
        shutil.rmtree(copy, ignore_errors=True)
        raise
    if old.exists():
        shutil.rmtree(old)
    folder.rename(old)
    copy.rename(folder)
    if number:
        LOG.warning("converted %d records; the originals stay in %s", number, old)


def is_marked(folder: Path) -> bool:
    return (folder / FORMAT).exists()


def mark(folder: Path) -> None:
    (folder / FORMAT).write_text(FIELDS, "utf-8")


def convert_rows(collection: "Collection") -> int:
    kind: Any = Skill if collection.name.startswith("skills") else Lesson
    number = 0
    for start in range(0, collection.count(), PAGE):
        page = collection.get(limit=PAGE, offset=start, include=["documents", "metadatas"])
        columns = (page["ids"], page["documents"] or (), page["metadatas"] or ())
        stored = []
        for identity, document, metadata in zip(*columns, strict=True):
            with suppress(RefusedError):
                fields = read_fields(metadata)
                record = read_record(kind, identity, document or fields.get("text"), fields)
                stored.append(StoredRecord(record, read_version(metadata)))
        if stored:
            metadatas = build_columns(stored, shared=False, replacing=True)["metadatas"]
            collection.update(ids=[entry.record.id for entry in stored], metadatas=metadatas)
        number += len(stored)
    return number
