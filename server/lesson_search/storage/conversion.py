"""Convert an embedded Chroma of before version 0.2, whose rows have all fields in one.

The folder is copied, the copy is converted and takes its place, and the old folder is kept.
"""

import logging
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from lesson_search.records import Lesson, Skill
from lesson_search.storage.rows import Reader, build_columns

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.config import Settings

LOG = logging.getLogger(__name__)
FORMAT = "format"  # the file that says how rows are stored
FIELDS = "fields\n"  # its content
CONVERTED, OLD = "{}.converted", "{}.old"
PAGE = 500  # rows that are converted at once


def finish_conversion(folder: Path) -> None:
    """Put a converted copy in place, if the process ended just before."""
    copy = folder.with_name(CONVERTED.format(folder.name))
    if not folder.exists() and is_marked(copy):
        copy.rename(folder)


def convert(folder: Path, indexes: str, settings: "Settings") -> None:
    """Convert the Chroma in a folder that nobody else uses; if it fails, nothing has changed."""
    import chromadb

    copy, old = (folder.with_name(form.format(folder.name)) for form in (CONVERTED, OLD))
    shutil.rmtree(copy, ignore_errors=True)
    try:
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns(indexes))
        client = chromadb.PersistentClient(copy, settings)
        try:
            number = sum(convert_rows(client, one.name) for one in client.list_collections())
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
        LOG.warning("converted %d records; as they were, they stay in %s", number, old)


def is_marked(folder: Path) -> bool:
    return (folder / FORMAT).exists()


def mark(folder: Path) -> None:
    (folder / FORMAT).write_text(FIELDS, "utf-8")


def convert_rows(client: "ClientAPI", name: str) -> int:
    collection = client.get_collection(name, embedding_function=None)
    reader: Reader[Lesson] | Reader[Skill]
    reader = Reader(Skill, name) if name.startswith("skills") else Reader(Lesson, name)
    ids, number = collection.get(include=[])["ids"], 0
    for start in range(0, len(ids), PAGE):
        page = collection.get(ids=ids[start : start + PAGE], include=["documents", "metadatas"])
        stored = [one for one, _ in reader.read([page])]
        if stored:
            metadatas = build_columns(stored, shared=False, replacing=True)["metadatas"]
            collection.update(ids=[one.record.id for one in stored], metadatas=metadatas)
        number += len(stored)
    return number
