"""Find a record by its id in one or both collections."""

from collections.abc import Iterable

from hookwright_console.suggestions import suggest
from lesson_search.client import Answer, Client, ClientError
from lesson_search.records import COLLECTIONS, CollectionName


def find_record(
    client: Client, identity: str, collection: CollectionName | None
) -> tuple[CollectionName, Answer]:
    """Return a record and the collection it is in.

    Args:
        client: The client to ask with.
        identity: The record's id.
        collection: The collection to search; None for both.

    Raises:
        ClientError: No collection has the id, or both have it.

    """
    found = [
        (one, record)
        for one in ([collection] if collection else COLLECTIONS.values())
        if (record := client.get(one, identity)) is not None
    ]
    if not found:
        kind = collection[:-1] if collection else "lesson or skill"
        near = suggest_id(client, identity, [collection] if collection else COLLECTIONS.values())
        raise ClientError(f"no {kind} has the id '{identity}': {near or 'see lesson-search list'}")
    if len(found) > 1:
        raise ClientError(
            f"'{identity}' is the id of a lesson and a skill: choose with --collection"
        )
    return found[0]


def suggest_id(client: Client, identity: str, collections: Iterable[CollectionName]) -> str:
    """Return "did you mean ...?" with the ids in collections that are nearest to one, or ""."""
    pages = (page for one in collections for page in client.list_records(one))
    return suggest(identity, [record["id"] for page in pages for record in page])
