"""Print tables that fit the terminal: words stay whole, and wide rows go below each other."""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from hookwright_console.terminal import open_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

GAP = 2  # blanks between columns
MIN_WIDTH = 16  # characters of a column that is wrapped, unless a table says otherwise
INDENT = "  "


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    wrapped: Collection[str] = (),
    narrowest: Mapping[str, int] | None = None,
) -> None:
    """Print rows as a table, or each as a list if the table is wider than the terminal.

    Args:
        columns: The headings of the columns.
        rows: The texts of the rows, escaped.
        wrapped: The columns whose texts may be wrapped between words.
        narrowest: The least characters of wrapped columns whose words may be shortened.

    """
    from rich.cells import cell_len

    console = open_console()
    texts = {name: cells for name, *cells in zip(columns, *rows, strict=True)}
    wide = {name: max(map(cell_len, (name, *texts[name]))) for name in columns}
    least = dict(wide)
    for name in wrapped:
        longest = max(map(cell_len, " ".join(texts[name]).split()), default=0)
        limit = (narrowest or {}).get(name, max(MIN_WIDTH, longest))
        least[name] = min(wide[name], limit)
    spare = console.width - sum(least.values()) - GAP * (len(columns) - 1)
    if spare < 0:
        print_lists(columns, rows)
        return
    shares = share_width(spare, {name: wide[name] - least[name] for name in wrapped})
    table = build_table()
    for name in columns:
        width = least[name] + shares.get(name, 0)
        table.add_column(name, overflow="ellipsis", width=width, no_wrap=name not in wrapped)
    for row in rows:
        table.add_row(*row)
    show(console, table)


def build_table(*columns: str) -> "Table":
    """Return an empty table, with columns whose texts are wrapped anywhere."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, GAP, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def share_width(spare: int, missing: Mapping[str, int]) -> dict[str, int]:
    """Share the spare characters of a line among columns that miss some to show their texts.

    Rich's own shares may be more than the line has, and it cuts off what it wrapped for them.
    """
    shares = {}
    for done, name in enumerate(sorted(missing, key=missing.__getitem__)):
        shares[name] = min(missing[name], spare // (len(missing) - done))
        spare -= shares[name]
    return shares


def print_lists(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    console = open_console()
    for number, (title, *texts) in enumerate(rows):
        if number:
            print()
        console.print(title, style="bold", soft_wrap=True)  # whole, so that it can be copied
        grid = Table.grid(padding=(0, GAP, 0, 0))
        grid.add_column(no_wrap=True)
        grid.add_column(overflow="fold")
        for name, text in zip(columns[1:], texts, strict=True):
            if text:
                grid.add_row(f"{INDENT}{name}", text)
        show(console, grid)


def show(console: "Console", table: "Table") -> None:
    """Print a table; without blanks at the end of its lines where no person reads it."""
    if console.is_terminal:
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))
