"""Embed all lessons and skills anew, from the store itself, so that another embedder finds them.

The new vectors come into a collection of their own, which takes the old one's place once it is
complete. Wherever that is cut off, the old one or the new one is there whole: what a Store opens.
"""

import logging
import uuid
from collections.abc import Callable
from typing import TYPE_CHECKING

from lesson_search.embedders import Embedder
from lesson_search.records import COLLECTIONS, Lesson, Record, Skill
from lesson_search.storage.store import (
    BATCH,
    REPLACEMENT,
    Store,
    as_store_error,
    find_collection,
    finish_replacement,
)

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

LOG = logging.getLogger(__name__)
ASIDE = "{}.replaced-{}"  # what an old collection is called that has more than records

# Told the name of a collection, how many of its records are done, and of how many.
Progress = Callable[[str, int, int], object]


def reindex(client: "ClientAPI", embedder: Embedder, progress: Progress) -> dict[str, int]:
    """Embed all records anew.

    Args:
        client: The Chroma that they are in.
        embedder: What embeds them from now on.
        progress: Called after each batch.

    Returns:
        How many records each collection has, by its name.

    Raises:
        EmbedderError: They cannot be embedded; the store is as it was.
        StoreError: Chroma fails; whatever is whole by then is used.

    """
    return {
        COLLECTIONS[Lesson]: replace_collection(client, Lesson, embedder, progress),
        COLLECTIONS[Skill]: replace_collection(client, Skill, embedder, progress),
    }


def replace_collection(
    client: "ClientAPI", kind: type[Record], embedder: Embedder, progress: Progress
) -> int:
    """Embed the records of a kind anew; return how many there are."""
    name = COLLECTIONS[kind]
    replacement = REPLACEMENT.format(name)
    with as_store_error(f"the {name}", "replaced", "run this again"):
        if find_collection(client, name) is None:
            finish_replacement(client, name)
        if find_collection(client, name) is None:
            return 0
        if find_collection(client, replacement) is not None:
            client.delete_collection(replacement)
    source: Store[Record] = Store(client, kind, None)
    target = Store(client, kind, embedder.name, replacement)
    number = copy_records(source, target, embedder, lambda *done: progress(name, *done))
    target.complete()
    with as_store_error(f"the {name}", "replaced", "run this again"):
        if source.has_unfit:
            old = client.get_collection(name, embedding_function=None)
            aside = ASIDE.format(name, uuid.uuid4().hex[:8])
            old.modify(name=aside)
            LOG.warning("%s: what is no record stays in the collection %s", name, aside)
        else:
            client.delete_collection(name)
        finish_replacement(client, name)
    return number


def copy_records(
    source: Store[Record],
    target: Store[Record],
    embedder: Embedder,
    progress: Callable[[int, int], object],
) -> int:
    """Copy all records with new vectors, until no other server writes any; return how many."""
    copied: dict[str, str] = {}
    while (written := source.list_versions()) != copied:
        ids = [one for one in written if copied.get(one) != written[one]]
        target.remove([one for one in copied if one not in written])
        copied = {one: copied[one] for one in copied if one in written}
        for start in range(0, len(ids), BATCH):
            stored = source.read(ids[start : start + BATCH])
            records = [one.record for one in stored]
            target.save(records, embedder.embed_documents([record.text for record in records]))
            copied.update({one.record.id: one.written for one in stored})
            progress(len(copied), len(written))
    return len(copied)
