"""Each link target starts a passage with its anchor, regardless of the page's generator."""

import pytest

from hookwright_documentation.cutting import split
from hookwright_documentation.pages import FetchedPage, Passage

from ...support.converted_pages import convert_pages
from . import CRAWLED, URL


def cut(body: str, *others: str) -> list[Passage]:
    pages = [FetchedPage(URL, "text/html", f"<main><h1>T</h1>{body}</main>".encode())]
    pages += [
        FetchedPage(f"{URL}{number}", "text/html", o.encode()) for number, o in enumerate(others)
    ]
    page, *_ = convert_pages(pages, CRAWLED)
    return split(page)


LINK = "<p>See <a href='page.html#{}'>it</a>, which is there."


@pytest.mark.parametrize(
    ("body", "anchor", "heading", "text"),
    [
        (
            "<div id=f.open>1.2 · src<a href='#f.open'>§</a><h4>fn open(path)</h4></div>Opens it.",
            "f.open",
            "fn open(path)",
            "1.2 · src\n\nOpens it.",
        ),
        (
            "<dl><div id='f,open'><dt><pre>open(path)</pre></dt><dd>Opens it.</dd></div></dl>",
            *[None] * 3,
        ),
        (
            (
                "<dl><div id=open-all><div id='f,open'><dt><pre>open(path)</pre></dt>"
                "<dd>Opens it.</dd></div></div></dl>"
            ),
            *[None] * 3,
        ),
        (
            (
                "<p>data <a id=t:Open>Open</a> a <a href='x'>Source</a> <a href='#t:Open'>#</a></p>"
                "<div>Opens it.</div>"
            ),
            "t:Open",
            "data Open a",
            "Opens it.",
        ),
        (
            "<h4 id=f>fn f() -> T<div>where<br> T: Copy,</div></h4><p>Opens it.",
            "f",
            "fn f() -> T where T: Copy,",
            "Opens it.",
        ),
        (
            (
                "<div><p class=src><a id='v:open'></a><a href='page.html#v:open'><i>\ue157</i></a>"
                "open :: Path</p><div>Opens it.</div></div>"
            ),
            "v:open",
            "open :: Path",
            "Opens it.",
        ),
        (
            "<div><div id=val-open><code>val open : path</code></div><div><p>Opens it.</div></div>",
            "val-open",
            "val open : path",
            "Opens it.",
        ),
        (
            "<pre><span id=VALopen>val open</span> : path</pre><div>Opens it.</div>",
            "VALopen",
            "val open : path",
            "Opens it.",
        ),
        (
            "<a name='open-1'></a><p><code>open(Path) -> File</code></p><p>Opens it.",
            "open-1",
            "open(Path) -> File",
            "Opens it.",
        ),
        (
            "<i id=f.open><a href='#f.open'>§</a><code>open: bool</code></i><div>Opens it.</div>",
            "f.open",
            "open: bool",
            "Opens it.",
        ),
        (
            "<p><a id=v.open></a>open :: Path <a href=x>Source</a> <a href=y>Edit</a></p>Opens it.",
            "v.open",
            "open :: Path",
            "Opens it.",
        ),
        (
            "<ol><li><a id='open(p:Path)'></a><i>def</i> <b>open(p: Path)</b><p>Opens it.</ol>",
            "open(p:Path)",
            "def open(p: Path)",
            "Opens it.",
        ),
    ],
)
def test_linked_definition_becomes_a_passage(
    body: str, anchor: str | None, heading: str | None, text: str | None
) -> None:
    anchor, heading, text = anchor or "f,open", heading or "open(path)", text or "Opens it."
    passages = cut(f"<p>Before.</p>{body}", LINK.format(anchor))
    parts = [(passage.anchor, passage.headings[-1], passage.text) for passage in passages]
    assert parts == [("", "T", "Before."), (anchor, heading, text)]


def test_method_named_by_its_anchor_needs_no_link() -> None:
    method = (
        "<div id=method-i-{0} class=method><div><span>{0}</span><span>(thing)</span></div>"
        "<div><p>About {0}.</div></div>"
    )
    passages = cut(f"<h2>Methods</h2>{method.format('push')}{method.format('pop')}")
    assert [(passage.anchor, passage.headings[1:], passage.text) for passage in passages] == [
        ("method-i-push", ("Methods", "push(thing)"), "About push."),
        ("method-i-pop", ("Methods", "pop(thing)"), "About pop."),
    ]


def test_operators_are_recognised_by_sibling_markup() -> None:
    method = "<div id={} class='{}'><div>{}</div><p>Computes.</div>"
    operator = method.format("m-25", "m alias", "<a href='#m-25'>%</a>(x)")
    passages = cut(operator + method.format("m-add", "m", "add(x)"), LINK.format("m-25"))
    titles = [(passage.anchor, passage.headings[-1]) for passage in passages]
    assert titles == [("m-25", "%(x)"), ("m-add", "add(x)")]


def test_definitions_end_at_the_next_one_or_their_container() -> None:
    body = (
        "<h2>Types</h2><section><a name=a1></a><p><code>a1: int</code><p>One.<a name=b2></a>"
        "<p><code>b2: int</code><p>Two.</section><p>Of both types.<h2>Rest</h2><p>End."
    )
    passages = cut(body, LINK.format("a1") + LINK.format("b2"))
    assert [(passage.anchor, passage.headings[1:], passage.text) for passage in passages] == [
        ("", ("Types",), "Of both types."),
        ("a1", ("Types", "a1: int"), "One."),
        ("b2", ("Types", "b2: int"), "Two."),
        ("", ("Rest",), "End."),
    ]


def test_definitions_directly_in_the_body_are_siblings() -> None:
    names = [f"run{number}" for number in range(8)]
    calls = "".join(f"<pre><span id=V{name}>val {name}</span></pre><p>Text." for name in names)
    passages = cut(f"</main>{calls}", "".join(LINK.format(f"V{name}") for name in names))
    assert [passage.headings for passage in passages] == [("T", f"val {name}") for name in names]


def test_nested_heading_without_an_anchor_labels_a_part_of_its_definition() -> None:
    body = (
        "<h3><a name=x>Exports</a></h3><div><a name=a1></a><p>a1(X)</p><div><h3>Types</h3>X = int()"
        "</div><div>One.</div><a name=b2></a><p>b2(X)</p><div>Two.</div></div>"
    )
    passages = cut(body, LINK.format("a1") + LINK.format("b2"))
    assert [(passage.anchor, passage.headings[1:], passage.text) for passage in passages] == [
        ("a1", ("Exports", "a1(X)"), "**Types**\n\nX = int()\n\nOne."),
        ("b2", ("Exports", "b2(X)"), "Two."),
    ]


def test_nested_definitions_belong_to_their_parent() -> None:
    inner = "<div id=m-run><div>run()</div><p>Runs.</div>"
    passages = cut(f"<div id=c-Job><div>class Job</div><p>A job.{inner}<p>More.</div><p>After.")
    assert [(passage.anchor, passage.headings[1:], passage.text) for passage in passages] == [
        ("", (), "After."),
        ("c-Job", ("class Job",), "A job.\n\nMore."),
        ("m-run", ("class Job", "run()"), "Runs."),
    ]


def test_heading_in_a_description_is_not_the_signature() -> None:
    body = (
        "<div id=m-run><div>run()</div>"
        "<p>Runs the job, and waits until all of its workers have ended."
        "<h4 id=m-run-example>Example</h4><p>Words.</div>"
    )
    passages = cut(body, LINK.format("m-run"))
    assert [(passage.anchor, passage.headings[1:]) for passage in passages] == [
        ("m-run", ("run()",)),
        ("m-run-example", ("run()", "Example")),
    ]


@pytest.mark.parametrize(
    "body",
    [
        "<p id=x>A sentence about x, and more.</p>",
        "<p>Text with <span id=x>x</span> in it.</p>",
        "<dl class=footnote><dt id=x>1</dt><dd>See x.</dd></dl>",
        "<pre><span id=x>x = 1</span>\n<span id=y>y = 2</span></pre>",
        "<ul><li id=x><a href='other.html#y'>x</a></ul>",
        "<table><tr><th>Name<th>Use<tr id=x><td>x<td>This<tr><td>y<td>That</table>",
        "<blockquote id=x><p>x</blockquote>",
        "<div id=x><p>Next: <a href=y rel=next>x</a>, Up: <a href=z rel=up>z</a></p>Text.</div>",
    ],
)
def test_other_link_targets_become_aliases(body: str) -> None:
    passages = cut(f"<h2 id=a>A</h2><p>Before.</p>{body}", LINK.format("x"))
    assert [(passage.anchor, passage.aliases) for passage in passages] == [("a", ("x",))]


def test_container_of_terms_is_not_the_anchor_of_the_first() -> None:
    assert cut("<div id=x><dl><dt>a<dd>A.<dt>b<dd>B.</dl></div>")[0].anchor == ""


def test_type_in_a_signature_is_not_its_anchor() -> None:
    body = "<section id=f><a href='#f'>§</a><h3>fn f() -> <a href='#T'>T</a></h3></section><p>Text."
    assert [(part.anchor, part.aliases) for part in cut(body)] == [("f", ())]


def test_empty_outer_heading_becomes_an_alias() -> None:
    (passage,) = cut("<h2 id=a>A</h2><h3 id=b>B</h3><p>Text.")
    assert (passage.anchor, passage.aliases) == ("b", ("a",))
