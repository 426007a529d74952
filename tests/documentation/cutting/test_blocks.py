"""HTML blocks become the equivalent markdown blocks, and no text can imitate a block."""

import pytest

from hookwright_documentation.cutting import split

from . import convert_body, convert_html

PYTHON = "```python\nx = 1\n```"


def test_blocks_are_converted() -> None:
    for body, markdown in [
        ("<p>a <em>b</em> <b>c</b>\n d", "a b c d"),
        ("a<br>b", "a\nb"),
        ("<p>x<sup>2</sup> and<sup><a href='#n'>1</a></sup>", "x^2 and[1](#n)"),
        ("<p><code>a`b</code> <tt>c</tt> <code></code>", "``a`b`` `c`"),
        ("<p><a href='../x.html#y'>x</a>", "[x](../x.html#y)"),
        ("<p><a href='x(1).html'>x</a>", "[x](x%281%29.html)"),
        (
            "<p>a<a href=x#y>#-</a>, <a href=#z>#^</a><code><a href=x>b</a> </code>c",
            "a[#-](x#y), [#^](#z)[`b`](x) c",
        ),
        ("<p><a href=x>A</a><span role=presentation></span>b", "[A](x) b"),
        ("<p><code>[a] </code><b>b</b><code> c</code>", "`[a]` b `c`"),
        ("<p><code><a href='x'>X</a></code>", "[`X`](x)"),
        ("<p><a href='javascript:x()'>x</a> <a href='mailto:a@b'>y</a> <a>z</a>", "x y z"),
        ("<p><img alt='A plan' src='x.png'><img src='y.png'>", "(image: A plan)"),
        ("<p>a<img alt='&lt;-'><img alt='The Rust logo'>", "a"),
        ("<p><img class='math' alt='x^2'>", "$x^2$"),
        ("<p><math><msup><mi>x</mi><mn>12</mn></msup><mo>+</mo><mi>y</mi></math>", "$x^{12}+y$"),
        (
            "<p><math><mfrac><mn>1</mn><msqrt><mi>n</mi></msqrt></mfrac></math>",
            r"$\frac{1}{\sqrt{n}}$",
        ),
        ("<p><script type='math/tex'>a+b</script>", "$a+b$"),
        ("<ul><li>a<ul><li>b</ul><li><p>c<p>d</ul>", "- a\n  - b\n- c\n\n  d"),
        ("<ol start=3><li>a<li>b</ol>", "3. a\n4. b"),
        ("<ul><li>a<ul></ul></li><ul><li>b</ul></ul>", "- a\n  - b"),
        ("<dl><dt>a</dt><dt><code>b</code></dt><dd>c<dd>d<dt>e</dl>", "- a, `b`: c\n\n  d\n- e"),
        ("<dl><div><dt>a</dt><dd>b</dd></div></dl>", "- a: b"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"),
        ("<div class=admonition><p class=admonition-title>Note<p>a</div>", "**Note**\n\na"),
        ("<div class=note><h3>Note</h3><p>a</div>", "**Note**\n\na"),
        ("<details><summary>More</summary><p>a</details>", "More\n\na"),
        ("<a href=x><div><p>a</div></a>", "a"),
        ("<figure><figcaption>a</figcaption></figure><hr><p>b", "a\n\nb"),
    ]:
        assert convert_body(body) == markdown


def test_text_is_escaped() -> None:
    for body, markdown in [
        ("<p># x {#y}", "\\# x {#y}"),
        ("<p>--- a", "\\--- a"),
        ("<p>``` python", "\\`\\`\\` python"),
        ("<p>~~~ a", "\\~~~ a"),
        ("<p>| a |", "\\| a |"),
        ("<p>a<br># b", "a\n\\# b"),
        ("<p>[x](#y)", "[x\\](#y)"),
        ("<p>[x<b>]</b>(#y)", "[x\\](#y)"),
        ("<p>&lt;script> 1 &lt; 2", "\\<script> 1 < 2"),
        ("<p>&lt;!-- x -->", "\\<!-- x -->"),
        ("<p>\\* C:\\dir", "\\\\* C:\\dir"),
        ("<p>&#8203;# x", "\\# x"),
        ("<h2>x {#y}</h2>", "## x {\\#y}"),
        ("<h2 id='a} {#b'>x</h2>", "## x {#a%7D%20%7B%23b}"),
        ("<dl><dt># x<dd>a<dl><dt id=i># y<dd>b</dl></dl>", "\\# x\n\na\n\n## `# y` {#i}\n\nb"),
    ]:
        assert convert_body(body) == markdown


def test_heading_keeps_its_anchors() -> None:
    for heading, markdown in [
        ("<h2 id=a>A</h2>", "## A {#a}"),
        ("<section id=a><h2>A</h2></section>", "## A {#a}"),
        (
            "<span id=b></span><section id=a><h2>A<a class=headerlink href='#a'>¶</a></h2>",
            "## A {#a #b}",
        ),
        (
            "<h2>A<span><a href='#a' id=a>#</a></span><a aria-hidden=true id=b></a></h2>",
            "## A {#a #b}",
        ),
        ("<h2 id=a><a class=header href='#a'>A</a></h2>", "## A {#a}"),
        ("<a name=a></a><h2>A</h2>", "## A {#a}"),
        (
            "<div class=sect1 id=a><div class=titlepage><div><h2>A</h2></div></div></div>",
            "## A {#a}",
        ),
        ("<div id=wrapper><div><h2>A</h2></div></div>", "## A"),
        ("<h2 id=a></h2><h2>A</h2>", "## A {#a}"),
        ("<p id=a>x</p><h2>A</h2>", "x\n\n## A"),
        ("<h2 id=é>A</h2>", "## A {#%C3%A9}"),
        ("<ul><li><h2 id=a>A</h2>x</ul>", "## A {#a}\n\nx"),
    ]:
        assert convert_body(heading) == markdown


FUNCTION = (
    "<dl class='py function'><dt class='sig sig-object py' id='re.{0}'>re.{0}(<em>x</em>)"
    "<a class='headerlink' href='#re.{0}'>¶</a></dt><dd><p>About {0}.</p>{1}</dd></dl>"
)


def test_api_definition_becomes_a_section() -> None:
    body = f"<h2>Functions</h2>{FUNCTION.format('sub', '')}<p>Both raise.</p>"
    assert convert_body(body) == (
        "## Functions\n\n### `re.sub(x)` {#re.sub}\n\nAbout sub.\n\n---\n\nBoth raise."
    )


def test_definitions_nest() -> None:
    method = FUNCTION.format("split", "<p>More.</p>")
    body = FUNCTION.format("Pattern", f"{method}<p>Of the class.</p>") + "<p>Outside.</p>"
    page = convert_html(f"<main><h1>T</h1>{body}</main>")
    assert [(word.anchor, word.headings[1:], word.text) for word in split(page)] == [
        ("", (), "Outside."),
        ("re.Pattern", ("re.Pattern(x)",), "About Pattern.\n\nOf the class."),
        ("re.split", ("re.Pattern(x)", "re.split(x)"), "About split.\n\nMore."),
    ]


def test_definitions_deeper_than_headings_stay_text() -> None:
    """Markdown has six heading levels; deeper definitions remain plain text."""
    body = ""
    for name in "hgfedcba":
        body = FUNCTION.format(name, body + f"<p>After {name}.</p>")
    page = convert_html(f"<main><h1>T</h1>{body}<p>End.</p></main>")
    passages = split(page)
    assert [passage.anchor for passage in passages] == ["", "re.a", "re.b", "re.c", "re.d", "re.e"]
    assert passages[0].text == "End."
    assert "**`re.h(x)`**" in passages[-1].text


def test_shared_definition_names_become_aliases() -> None:
    page = convert_html("<h1>T</h1><dl><dt id=a>A</dt><dt id=b>B</dt><dd>Both.</dd></dl>")
    (passage,) = split(page)
    assert (passage.anchor, passage.aliases, passage.headings) == ("a", ("b",), ("T", "A, B"))


def test_footnotes_are_not_definitions() -> None:
    assert convert_body("<dl class=footnote><dt id=i1>1</dt><dd>See x.</dd></dl>") == "- 1: See x."


LABELS = (
    "<div role=tablist><button role=tab id=t1>pip</button><button role=tab id=t2>uv</button></div>"
)


@pytest.mark.parametrize(
    "body",
    [
        (
            "<div class=tabbed-set><input type=radio><div class=tabbed-labels><label>pip</label>"
            "<label>uv</label></div><div class=tabbed-content><div class=tabbed-block><p>a</div>"
            "<div class=tabbed-block><p>b</div></div></div>"
        ),
        (
            "<div><ul role=tablist><li role=tab>pip<li role=tab>uv</ul><div>"
            "<div role=tabpanel>a</div><div role=tabpanel hidden>b</div></div></div>"
        ),
        (
            f"{LABELS}<div role=tabpanel aria-labelledby=t1>a</div>"
            "<div role=tabpanel aria-labelledby=t2 style='display:none'>b</div>"
        ),
    ],
)
def test_tabs_follow_their_labels(body: str) -> None:
    assert convert_body(body) == "**pip**\n\na\n\n**uv**\n\nb"


@pytest.mark.parametrize("depth", [50, 200, 500, 10_000])
def test_deeply_nested_pages_are_parsed(depth: int) -> None:
    nested = f"{'<div>' * depth}deep{'</div>' * depth}{'<p><font size=2><b>open ' * depth}"
    page = convert_html(f"<h1>T</h1><p>before</p>{nested}<p>after")
    assert all(word in page.text for word in ("before", "deep", "open", "after"))


def test_links_are_resolved_against_the_base_url() -> None:
    page = convert_html("<base href='https://b.example/x/'><body><p><a href=y>z</a>")
    assert "[z](https://b.example/x/y)" in page.text


@pytest.mark.parametrize(
    "body",
    [
        "<pre class='language-python'>x = 1</pre>",
        "<pre><code class='language-python'>x = 1\n</code></pre>",
        (
            "<div class='highlight-python notranslate'><div class=highlight><pre><span></span>"
            "<span class=n>x</span> <span>=</span> <span class=mi>1</span>\n</pre></div></div>"
        ),
        "<pre class='brush: python'>\n\nx = 1  \n\n</pre>",
        (
            "<div class='highlight-python'><table class=highlighttable><tr><td class=linenos><div>"
            "<pre>1</pre></div></td><td class=code><div><pre>x = 1</pre></div></table></div>"
        ),
        "<pre class='language-python'><span class=lineno>1 </span>x = 1<button>Copy</button></pre>",
        "<span><a><pre class='language-python'>x = 1</pre></a></span>",
    ],
)
def test_fence_has_language_and_only_code(body: str) -> None:
    """The fence states the language; line numbers, spans and buttons are removed."""
    assert convert_body(body) == PYTHON


@pytest.mark.parametrize(
    "code",
    [
        "a<br>b",
        "<span class=token-line>a<br></span><span class=token-line>b<br></span>",
        "<div class=line>a</div><div class=line>b</div>",
        "<code>a</code>\n<code>b</code>",
        "<ol><li>a</li><li>b</li></ol>",
        "a\r\nb",
        "<span class=line>a</span>\n<span class=line>b</span>\n",
    ],
)
def test_line_breaks_are_kept(code: str) -> None:
    assert convert_body(f"<pre>{code}</pre>") == "```\na\nb\n```"


@pytest.mark.parametrize(
    ("code", "marks"), [("```", "````"), ("a ```` b\n~~~", "`````"), ("# x {#y}\n---", "```")]
)
def test_code_cannot_close_its_fence(code: str, marks: str) -> None:
    assert convert_body(f"<pre>{code}</pre>") == f"{marks}\n{code}\n{marks}"


@pytest.mark.parametrize(
    ("body", "markdown"),
    [
        ("<ul><li><p>a<pre>b\n  c</pre><p>d</ul>", "- a\n\n  ```\n  b\n    c\n  ```\n\n  d"),
        ("<ul><li><pre>b</pre></ul>", "-\n  ```\n  b\n  ```"),
        ("<ol><li>a<ul><li><pre>b</pre></ul></ol>", "1. a\n   -\n     ```\n     b\n     ```"),
        ("<dl><dt>a<dd><pre>b</pre></dl>", "- a\n\n  ```\n  b\n  ```"),
        ("<blockquote><p>a<pre>b</pre></blockquote>", "a\n\n```\nb\n```"),
        (
            "<table><tr><th>A<th>B<tr><td>a<td>b <pre>c</pre><tr><td>d<td>e</table>",
            (
                "| A | B |\n|---|---|\n| a | b (code below) |\n\n```\nc\n```\n\n"
                "| A | B |\n|---|---|\n| d | e |"
            ),
        ),
        (
            "<table><tr><th>A<th>B<tr><td>a<td><ul><li>b<pre>c</pre></ul></table>",
            "| A | B |\n|---|---|\n| a | - b (code below) |\n\n```\nc\n```",
        ),
    ],
)
def test_code_is_kept_within_other_blocks(body: str, markdown: str) -> None:
    assert convert_body(body) == markdown


def test_empty_block_is_skipped() -> None:
    assert convert_body("<p>a</p><pre> \n</pre>") == "a"


def test_invisible_characters_are_removed_from_code() -> None:
    assert convert_body("<pre>a&#8203;&#8238;b&nbsp;c</pre>") == "```\nab c\n```"
