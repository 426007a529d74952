"""Embed all lessons and skills again, to change the embedder.

The new vectors go into a second collection, which replaces the old one once it is complete. If this
is interrupted at any point, a Store still opens a complete collection: the old or the new one.
"""

import logging
import uuid
from collections.abc import Callable

from hookwright_retrieval.embedders import Embedder
from lesson_search.records import COLLECTIONS, Lesson, Record, Skill
from lesson_search.storage.chroma import as_store_error
from lesson_search.storage.chroma_server import AnyChroma
from lesson_search.storage.store import REPLACEMENT, Store, finish_replacement

LOG = logging.getLogger(__name__)
BATCH = 200  # records that are embedded at once
ASIDE = "{}.replaced-{}"  # the new name of an old collection with invalid rows

# Called with the name of a collection, and the number of its records done and in total.
Progress = Callable[[str, int, int], object]


def reindex(chroma: AnyChroma, embedder: Embedder, progress: Progress) -> dict[str, int]:
    """Embed all records again; return the number of records by collection.

    Args:
        chroma: The Chroma.
        embedder: The new embedder.
        progress: Called after each batch.

    Raises:
        EmbedderError: The records cannot be embedded; the store is unchanged.
        StoreError: Chroma failed; collections that were complete by then are used.

    """
    return {
        COLLECTIONS[Lesson]: replace_collection(chroma, Lesson, embedder, progress),
        COLLECTIONS[Skill]: replace_collection(chroma, Skill, embedder, progress),
    }


def replace_collection(
    chroma: AnyChroma, kind: type[Record], embedder: Embedder, progress: Progress
) -> int:
    name = COLLECTIONS[kind]
    replacement = REPLACEMENT.format(name)
    with as_store_error(f"the {name}", "replace", "run this again"):
        if chroma.find(name) is None:
            finish_replacement(chroma, name)
        if chroma.find(name) is None:
            return 0
        if chroma.find(replacement):
            chroma.delete(replacement)
    source: Store[Record] = Store(chroma, kind, None)
    target = Store(chroma, kind, embedder.name, replacement)
    number = copy_records(source, target, embedder, lambda *done: progress(name, *done))
    target.complete()
    with as_store_error(f"the {name}", "replace", "run this again"):
        if source.has_unfit:
            aside = ASIDE.format(name, uuid.uuid4().hex[:8])
            chroma.call(name, "modify", name=aside)
            LOG.warning("%s: invalid records stay in the collection %s", name, aside)
        else:
            chroma.delete(name)
        finish_replacement(chroma, name)
    return number


def copy_records(
    source: Store[Record],
    target: Store[Record],
    embedder: Embedder,
    progress: Callable[[int, int], object],
) -> int:
    """Copy all records with new vectors, until nobody writes more; return how many."""
    copied: dict[str, str] = {}
    while (versions := source.list_versions()) != copied:
        ids = [one for one in versions if copied.get(one) != versions[one]]
        target.remove([one for one in copied if one not in versions])
        copied = {one: copied[one] for one in copied if one in versions}
        for start in range(0, len(ids), BATCH):
            stored = source.read(ids[start : start + BATCH])
            records = [one.record for one in stored]
            target.save(records, embedder.embed_documents([record.text for record in records]))
            copied.update({one.record.id: one.version for one in stored})
            progress(len(copied), len(versions))
    return len(copied)
