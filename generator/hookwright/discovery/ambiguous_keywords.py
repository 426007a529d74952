"""Find keywords that are also everyday words, such as go or next, with a list of them."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hookwright.answers.records import name_database

LIST = "examples/ambiguous.yml"
PACKAGED = Path(__file__).parents[1] / "bundled" / LIST
CHECKOUT = Path(__file__).parents[3] / LIST
SHORT = 2  # characters; a keyword this short abbreviates many things
FIELDS = ("with", "unless")  # the fields that fix a record
SHOWN = 3  # words to name in a message


@dataclass(frozen=True)
class Ambiguous:
    """A keyword that means something else, too.

    Args:
        number: The number of the database that has it.
        database: The name of that database.
        keyword: The keyword.
        ready: The ready record for it, or None if the keyword is merely short.

    """

    number: int
    database: str
    keyword: str
    ready: Mapping[str, Any] | None

    @property
    def mending(self) -> dict[str, list[str]]:
        """The fields that would fix its database; without words for a short keyword."""
        if not self.ready:
            return {"with": []}
        return {field: list(self.ready[field]) for field in FIELDS if field in self.ready}

    @property
    def advice(self) -> str:
        """What is wrong, and the way out."""
        what = "is also an everyday word" if self.ready else "is short for other things too"
        words = ", ".join([*self.mending["with"][:SHOWN], "..."])
        name = f" {shlex.quote(self.database)}, which lists more words," if self.ready else ""
        return (
            f"{self.database}: {self.keyword!r} {what}: run hookwright edit{name} and add "
            f"with: [{words}], so that it counts only beside one of these words"
        )

    @property
    def advice_to_add(self) -> str:
        """The advice for a database that is being added, with the options that do it at once."""
        options = " ".join(f"--with {shlex.quote(word)}" for word in self.mending["with"][:SHOWN])
        return f"{self.advice}, or add it with {options}"


def find_ambiguous(databases: Iterable[Mapping[str, Any]]) -> list[Ambiguous]:
    """Return the ambiguous keywords of databases that have no `with`.

    Args:
        databases: The records.

    """
    found = []
    ready = index_ready(read_ready_databases())
    for number, database in enumerate(databases):
        for keyword in () if "with" in database else database["keywords"]:
            record = ready.get(keyword.casefold())
            if record or len(keyword) <= SHORT:
                found.append(Ambiguous(number, name_database(database), keyword, record))
    return found


def read_ready_databases() -> list[dict[str, Any]]:
    """Return the ready records of common technologies with ambiguous names."""
    import yaml  # many calls to try out are not searches, and do without it

    text = (PACKAGED if PACKAGED.exists() else CHECKOUT).read_text("utf-8")
    # The C loader, if it is there, is ten times as fast.
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    records: list[dict[str, Any]] = yaml.load(text, loader)["databases"]  # noqa: S506 - a safe one
    return records


def index_ready(records: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the ready records by their ambiguous keywords, which do not count alone."""
    return {
        keyword.casefold(): record
        for record in records
        for keyword in record["keywords"]
        if keyword not in record["with"]
    }
