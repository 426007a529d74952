"""Tables of records."""

from typing import TYPE_CHECKING

from hookwright_console.terminal import build_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.table import Table

WIDEST_ID = 40  # characters: longer ids are folded where the terminal is narrow


def build_record_table(ids: "Iterable[str]", *columns: str) -> "Table":
    """Return an empty table that folds these ids last: users copy them into commands.

    Args:
        ids: The ids, as shown.
        columns: The headers, one of which is "id".

    """
    table = build_table(*columns)
    table.columns[columns.index("id")].min_width = min(max(map(len, ids), default=0), WIDEST_ID)
    return table
