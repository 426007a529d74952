"""Match a database by its domains when a search is restricted to certain domains."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from runtime.matching import Match

# --- rendered from here on ---


def add_restricted(
    found: "list[Match]",
    search: "dict[str, Any]",
    databases: "list[dict[str, Any]]",
    _: object,
) -> "list[Match]":
    """Return the databases matched by keyword, and those matched by a domain restriction.

    A match by domain contains the domain instead of a keyword.
    """
    matches = {match[0]: match for match in found}
    hosts = ["." + domain.casefold().partition("/")[0] for domain in search["allowed_domains"]]
    for number, database in enumerate(databases):
        own = {"." + domain.casefold(): domain for domain in database.get("domains", ())}
        if hosts and all(host.endswith(tuple(own)) for host in hosts):
            name = next(own[end] for end in own if hosts[0].endswith(end))
            matches.setdefault(number, (number, "named", name, 0))
    return sorted(matches.values())
