"""Find a record by its id, in whichever collection it is."""

from lesson_search.client import Answer, Client, ClientError
from lesson_search.records import COLLECTIONS, CollectionName


def find_record(
    client: Client, identity: str, collection: CollectionName | None
) -> tuple[CollectionName, Answer]:
    """Return the collection that a record is in, and the record.

    Args:
        client: What to ask.
        identity: The record's id.
        collection: Where to look; None for everywhere.

    Raises:
        ClientError: There is none, or one in each collection.

    """
    found = [
        (one, record)
        for one in ([collection] if collection else COLLECTIONS.values())
        if (record := client.get(one, identity)) is not None
    ]
    if not found:
        kind = collection[:-1] if collection else "lesson or skill"
        raise ClientError(f"there is no {kind} '{identity}': lesson-search list shows the ids")
    if len(found) > 1:
        raise ClientError(f"'{identity}' is a lesson and a skill: say which by --collection")
    return found[0]
