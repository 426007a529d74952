"""Each code block is fenced once, with only its lines and language."""

import pytest

from . import convert_body

NUMBER = "<span style='user-select:none'>{}</span>"


def test_language_is_detected_in_generator_markup() -> None:
    for code in [
        "<pre class='rust example'><code>a = 1</code></pre>",
        "<pre><code class='hljs rust' translate=no>a = 1</code></pre>",
        "<pre><code class=rust>a = 1</code><button>Copy</button></pre>",
        "<pre class='code rust literal-block'><span>a = 1</span></pre>",
        "<pre class='src src-rust'>a = 1</pre>",
        "<pre><code data-lang=rust>a = 1</code></pre>",
        "<div id=c1><pre class='sourceCode rust'><code><i id=c1-1>a = 1</i></code></pre></div>",
        "<div class='x-highlight mw-highlight-lang-rust'><pre>a = 1</pre></div>",
        "<div class='highlight highlight-source-rust'><pre>a = 1</pre></div>",
        "<pre class=rust><code>a = 1</code><a class=test-arrow href='play'>Run</a></pre>",
        "<div class=language-rust><button>Copy</button><span>rust</span><pre>a = 1</pre></div>",
        "<div class=rustcode><code><span class=html>a</span> = 1<br /></code></div>",
    ]:
        assert convert_body(code) == "```rust\na = 1\n```"


@pytest.mark.parametrize(
    "code",
    [
        "<pre class=note>a = 1</pre>",
        "<pre class='text code'>a = 1</pre>",
        "<section class='rust c'><pre>a = 1</pre></section>",
        "<pre><span class=go>a</span> = 1</pre>",
    ],
)
def test_unrelated_classes_are_not_languages(code: str) -> None:
    assert convert_body(code) == "```\na = 1\n```"


@pytest.mark.parametrize(
    "code",
    [
        "<div class=fragment><div class=line>if (a) {</div><div class=line>  b();</div></div>",
        (
            "<div class=lines><div class='line n1'><code>if</code> (a) {</div>"
            "<div class='line n2'><code>&nbsp;&nbsp;</code>b();</div></div>"
        ),
        "<p><code>\n<span>if (a) {<br />&nbsp;&nbsp;</span>\n<span>b();<br /></span>\n</code></p>",
        f"<pre>{NUMBER.format(1)}<i>if (a) {{\n</i>{NUMBER.format(2)}<i>  b();</i></pre>",
        "<pre><b><i>9</i></b>if (a) {\n<b><i>10</i></b>  b();</pre>",
        (
            "<table><tr><td><pre><i>1\n</i><i>2\n</i></pre></td>"
            "<td><pre>if (a) {\n  b();</pre></td></tr></table>"
        ),
    ],
)
def test_line_numbers_are_removed(code: str) -> None:
    assert convert_body(code) == "```\nif (a) {\n  b();\n```"


@pytest.mark.parametrize(
    "code", ["1 one\n2 two", "<b>1</b>\n<b>3</b>", "1. one\n2. two", "<b>1</b> + <b>2</b>"]
)
def test_numbers_in_the_text_are_kept(code: str) -> None:
    plain = code.replace("<b>", "").replace("</b>", "")
    assert convert_body(f"<pre>{code}</pre>") == f"```\n{plain}\n```"


@pytest.mark.parametrize(
    "body",
    [
        "<div class=line-block><div class=line>a</div><div class=line>b</div></div>",
        "<div><div class=line><p>a</p></div><div class=line><p>b</p></div></div>",
    ],
)
def test_plain_text_lines_are_not_fenced(body: str) -> None:
    assert convert_body(body) == "a\n\nb"
