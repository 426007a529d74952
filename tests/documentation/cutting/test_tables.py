"""Tables become markdown rows, with each cell below its column header."""

import pytest

from . import convert_body


def test_table_becomes_rows() -> None:
    for table, rows in [
        (
            "<thead><tr><th>A<th>B<tbody><tr><td>1<td>2",
            ["| A | B |", "|---|---|", "| 1 | 2 |"],
        ),
        ("<tr><td>1<td>2<tr><td>3<td>4", ["|  |  |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |"]),
        ("<tr><th>A<th>B<tr><th>1<td>2", ["| A | B |", "|---|---|", "| 1 | 2 |"]),
        (
            "<thead><tr><th colspan=2>A<th>B<tr><th>x<th>y<th>z</thead><tr><td>1<td>2<td>3",
            ["| A x | y | B z |", "|---|---|---|", "| 1 | 2 | 3 |"],
        ),
        (
            "<tr><th>A<th>B<th>C<tr><td rowspan=2>1<td>2<td rowspan=3>3<tr><td>4<tr><td>5<td>6",
            ["| A | B | C |", "|---|---|---|", "| 1 | 2 | 3 |", "| 1 | 4 | 3 |", "| 5 | 6 | 3 |"],
        ),
        ("<tr><th>A<th>B<tr><td colspan=2>1", ["| A | B |", "|---|---|", "| 1 |  |"]),
        (
            "<tr><th>A<th>B<tr><td>a|b<td><code>c|d</code>",
            ["| A | B |", "|---|---|", "| a\\|b | `c\\|d` |"],
        ),
        ("<tr><th>A<th>B<tr><td><p>a<p>b<td>c<br>d", ["| A | B |", "|---|---|", "| a b | c d |"]),
        (
            "<tr><th>A<th>B<tr><td>a<td><table><tr><td>b<td>c<tr><td>d<td>e</table>",
            ["| A | B |", "|---|---|", "| a | b, c; d, e |"],
        ),
        ("<tr><th>A<th>B<tr><td>1<tr><td><td>", ["| A | B |", "|---|---|", "| 1 |  |"]),
        (
            "<caption>About</caption><tr><th>A<th>B<tr><td>1<td>2",
            ["About", "", "| A | B |", "|---|---|", "| 1 | 2 |"],
        ),
        ("<tr><th>A<th>B<tr><td><h4 id=i>1</h4><td>2", ["| A | B |", "|---|---|", "| **1** | 2 |"]),
        ("<tr><th>A<th>B", ["| A | B |", "|---|---|"]),
    ]:
        assert convert_body(f"<table>{table}</table>") == "\n".join(rows)


@pytest.mark.parametrize(
    "table",
    [
        "<table role=presentation><tr><td><p>a<td><p>b</table>",
        "<table class=admonition><tr><td>a<td><p>b</table>",
        "<table><tr><td>a<tr><td>b</table>",
        "<table><tr><td><h2 id=x>a</h2></td></tr><tr><td>b</table>",
    ],
)
def test_layout_table_is_not_a_table(table: str) -> None:
    assert "|" not in convert_body(table)


@pytest.mark.parametrize("span", ["1000000", "-1", "x", "0", "²"])
def test_cell_spans_are_limited(span: str) -> None:
    row = f"<tr><td colspan={span} rowspan={span}>a<td>b" * 3
    assert len(convert_body(f"<table>{row}</table>")) < 10_000


def test_long_text_is_not_repeated_per_row() -> None:
    long = "long" * 100
    written = convert_body(f"<table><tr><td rowspan=3>{long}<td>a<tr><td>b<tr><td>c")
    assert written.count(long) == 1
    assert written.endswith("|  | b |\n|  | c |")


def test_repeated_cells_do_not_outgrow_the_page() -> None:
    top = f"<tr>{'<td rowspan=1000>' + 'x' * 190}" * 60
    html = f"<p>before<table>{(top + '<tr><td>' * 999) * 3}</table>"
    written = convert_body(html)
    assert written.startswith("before")
    assert len(written) < 11 * len(html)


def test_cells_beyond_the_last_column_are_kept() -> None:
    cells = " ".join(map(str, range(20_000)))
    written = convert_body(f"<table><tr><th>A<th>B<tr>{'<td>'.join(['', *cells.split()])}")
    assert cells.split()[-1] in written


def test_header_of_many_rows_is_parsed() -> None:
    rows = "".join(f"<tr><th>row{number}" for number in range(5_000))
    written = convert_body(f"<table><thead>{rows}</thead></table>")
    assert "row4999" in written
