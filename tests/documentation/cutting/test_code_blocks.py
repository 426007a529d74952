"""Each code block is fenced and whole, wherever it stands and whatever marks its words."""

import pytest

from . import convert_body

PYTHON = "```python\nx = 1\n```"


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
def test_language_and_marks(body: str) -> None:
    """The fence names the language; line numbers, spans and buttons are no code."""
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
def test_lines_stay_lines(code: str) -> None:
    assert convert_body(f"<pre>{code}</pre>") == "```\na\nb\n```"


@pytest.mark.parametrize(
    ("code", "marks"), [("```", "````"), ("a ```` b\n~~~", "`````"), ("# x {#y}\n---", "```")]
)
def test_nothing_in_code_ends_its_fence(code: str, marks: str) -> None:
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
def test_code_within_other_blocks(body: str, markdown: str) -> None:
    assert convert_body(body) == markdown


def test_empty_block_is_left_out() -> None:
    assert convert_body("<p>a</p><pre> \n</pre>") == "a"


def test_invisible_characters_of_code_are_removed() -> None:
    assert convert_body("<pre>a&#8203;&#8238;b&nbsp;c</pre>") == "```\nab c\n```"
