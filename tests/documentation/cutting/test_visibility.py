"""A page's text contains exactly the parts that a browser displays."""

import re
from itertools import count

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hookwright_documentation.pages import FetchedPage

from ...support.converted_pages import convert_page
from . import CRAWLED, URL, convert_body

HIDING = (
    *("opacity:0", "opacity:0.001", "OPACITY : .05 !important", "opacity:1e-3", "opacity:0%"),
    *("o\\70 acity:0", "opacity/**/:/* x */0", "opacity:calc(0)", "opacity:0;opacity:banana"),
    *("opacity:var(--x)", "filter:opacity(0)", "filter:blur(0) opacity(1%)"),
    *("display:none", "DISPLAY : none !important", "display:/**/none", "d\\69splay:none"),
    *("display:var(--x)", "color:red;;display:none", "content-visibility:hidden"),
    *("visibility:hidden", "visibility:collapse"),
    *("font-size:0", "font-size:0.1px", "font-size:0.4pt", "font-size:1e-3em", "font-size:1%"),
    *("font-size:calc(0px)", "font:0/0 a", "font:italic 700 .5px/2 a", "font-size:9px;font:0 a"),
    *("color:transparent", "color:rgba(0,0,0,0)", "color:hsla(0, 0%, 0%, 0)", "color:#0000"),
    *("color:rgb(0 0 0 / 0%)", "color:hwb(0 0% 0% / 0)", "color:lab(0 0 0 / 0)", "color:white"),
    *("color:#fefefe", "color:red;background:red", "color:#F00;background-color:rgb(255,0,0)"),
    *("background:#000", "background:url(x.png) red;color:hsl(0 100% 50%)"),
    *("color:white!important;color:red", "-webkit-text-fill-color:transparent"),
    *("height:0;overflow:hidden", "max-height:0;overflow:hidden", "width:0;overflow:clip"),
    *("overflow-x:hidden;max-width:0px", "width:1px;height:1px;overflow:hidden"),
    *("line-height:0;overflow:hidden", "block-size:0;overflow:auto", "height:0;contain:strict"),
    *("text-indent:100%;overflow:hidden", "text-indent:-9999px", "text-indent:-999em"),
    *("clip:rect(0,0,0,0)", "clip:rect(1px 1px 1px 1px)", "clip:rect(9px,9px,9px,9px)"),
    *("clip-path:inset(50%)", "clip-path:circle(0)", "-webkit-clip-path:polygon(0 0)"),
    *("mask-image:linear-gradient(transparent,transparent)", "mask:url(x.svg)"),
    *("transform:scale(0)", "transform:scaleX(0)", "transform:matrix(0,0,0,0,0,0)", "scale:0"),
    *("transform:translateX(-9999px)", "translate:-9999px", "-webkit-transform:scale(.01)"),
    *("transform:rotateY(90deg)", "transform:matrix3d(0,0,0)", "zoom:0.01"),
    *("position:absolute;left:-9999px", "top:-100vh", "left:-100%", "right:9999px"),
    *("margin-left:-9999px", "inset:-9999px auto auto", "letter-spacing:-1em"),
    *("-webkit-text-security:disc",),
)
SHOWING = (
    *("color:red", "color:#333", "color:inherit", "color:currentColor", "color:var(--x)"),
    *("background:black;color:white", "background:url(x.png);color:white", "background:#fff"),
    *("background:rgba(0,0,0,.05)", "background:var(--x);color:white", "color:lab(100% 0 0)"),
    "background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent",
    *("opacity:.5", "opacity:1", "opacity:50%", "filter:invert(100%)", "filter:opacity(50%)"),
    *("font-size:12px", "font-size:.8em", "font:12px/0 serif", "font:bold large serif"),
    *("font:700 1em x", "font-size:0;font-size:12px", "font-size:x-small"),
    *("height:0", "max-height:0", "overflow:hidden", "height:10em;overflow:auto", "line-height:0"),
    *("width:50.0%", "clip:auto", "clip:rect(0,100px,100px,0)", "clip:rect(auto,auto,auto,auto)"),
    *("clip-path:none", "mask:none", "transform:none", "transform:translate(-50%,-50%)"),
    *("transform:scale(1.1)", "transform:rotate(90deg)", "transform:matrix(0,1,-1,0,0,0)"),
    *("visibility:visible", "display:block", "display:inline-flex", "contain:layout", "zoom:1"),
    *("text-indent:-2em", "left:0", "left:50%;margin-left:-500px", "margin:-1px"),
    *("letter-spacing:-.5px", "border-collapse:collapse", "--display:none", "content:none"),
    *("banana", "} display:none", "display", ":", "{display:none}", "background:url(display:none)"),
)
FORMS = (
    *("<p hidden>x", "<p hidden=until-found>x", "<b popover>x</b>", "<b popover=manual>x</b>"),
    *("<p class='x d-none'>x", "<b class=sr-only>x</b>", "<b class='d&#45;none'>x</b>"),
    *("<xmp>x</xmp>", "<comment>x</comment>", "<plaintext>x"),
    *("<noframes>x</noframes>", "<noembed>x</noembed>", "<template>x</template>"),
    *("<noscript>x</noscript>", "<datalist><option>x</datalist>", "<dialog>x</dialog>"),
    *("<select><option>x</select>", "<object>x</object>", "<iframe>x</iframe>"),
    *("<script>x</script>", "<style>x</style>", "<input type=hidden value=x>"),
    *("<svg><title>x</title><desc>x</desc><metadata>x</metadata></svg>", "<canvas>x</canvas>"),
    *("<div><noscript></div>x</noscript>", "<!-- <noscript> --><NOFRAMES></p>x</NOFRAMES>"),
    *(
        "<!-- x -->",
        "<?x y?>",
        "<button>x</button>",
        "<textarea>x</textarea>",
        "<div role=tabpanel hidden>x</div>",
    ),
    *("<img alt=x width=0 height=0>", "<img alt=x width=1 height=1px>", "<img alt=x hidden>"),
    *("<img alt=x style='width:0'>", "<p style='visibility:hidden'><img alt=x>"),
    *("<font color=white>x</font>", "<font color=fff>x</font>"),
    "<table bgcolor=red><tr><td><font color='#ff0000'>x</font></table>",
    "<i style='font-size:.2em'><i style='font-size:.2em'>x</i></i>",
    "<i style='opacity:.2'><i style='opacity:.2'>x</i></i>",
    "<i style='color:red'><i style='background:red'>x</i></i>",
    "<code style='background:red'><i style='color:red'>x</i></code>",
    "<style>.h, #i { display: none }</style><p class=h>x</p><p id=i>x</p>",
    "<style>@media print {.y {color: red}} .h{o\\70 acity:.01}</style><p><b class=h>x</b>",
    "&#8203;&#8238;&#65279;&#917569;",
    "<p style='color:re\\64'><b style='d\\isplay:none'>x</b>",
)
SHOWN = {
    "<ruby>a<rp>(</rp><rt>b</rt></ruby>": "ab",
    "<p aria-hidden=true>read by eyes alone": "read by eyes alone",
    "<details><summary>a</summary>b</details>": "a\n\nb",
    "<p class='d-none d-md-block'>a": "a",
    "<code><span style='color:white'>a</span></code>": "`a`",
    "<div style='font-size:0'>x<p style='margin:0'>x<p style='font-size:9px'>a</p>x</div>": "a",
    "<div style='visibility:hidden'>x<b>x<i style='visibility:visible'>a</i>x</b></div>": "a",
    "<style>@media print { .h { display: none } }</style><p class=h>a": "a",
    "<table><tr><td hidden>x<td>a<td>b</table>": "| a | b |",
    "<math><mi>x</mi><annotation encoding='application/x-tex'>x_1</annotation></math>": "$x$",
}
WHOLE = (
    *(
        "<body style='opacity:0'><h1>T</h1><p>x",
        "<html hidden><p>x",
        "<body bgcolor=red text=red>x",
    ),
    "<div style='display:none'><main><h1>T</h1><p>x, which is long enough</main></div>",
    "<frameset><frame src=a><noframes><body><p>x</body></noframes></frameset>",
)


def convert_whole(html: str) -> str:
    page = convert_page(FetchedPage(URL, "text/html", html.encode()), CRAWLED)
    return page.text if page else ""


def test_hiding_style_is_recognised() -> None:
    for tag in ["p", "span"]:
        for style in HIDING:
            hidden = f'<{tag} style="{style}">x <b>x</b></{tag}>'
            assert convert_body(f"<p>a</p>{hidden}<p>b</p>") == "a\n\nb"


def test_other_style_is_not_hiding() -> None:
    for style in SHOWING:
        assert convert_body(f'<p style="{style}">a <b>b</b>') == "a b"


def test_hidden_element_is_removed() -> None:
    for form in FORMS:
        assert convert_body(f"<p>a</p>{form}").strip() == "a"


def test_visible_element_is_kept() -> None:
    for form, text in SHOWN.items():
        assert text in convert_body(form)
        assert "x" not in convert_body(form).replace("$x$", "")


@pytest.mark.parametrize("html", WHOLE)
def test_hidden_page_has_no_text(html: str) -> None:
    assert "x" not in convert_whole(html)


ALONE = st.sampled_from([*HIDING[:12], "display:none", "clip-path:circle(0)", "hidden"])
HARMLESS = st.sampled_from(["", *SHOWING[:1], "opacity:.9", "font-size:.9em", "margin:1px"])
TREES = st.recursive(
    st.just(()),
    lambda inner: st.lists(
        st.tuples(st.sampled_from(["div", "section", "span", "em"]), ALONE | HARMLESS, inner),
        max_size=4,
    ),
    max_leaves=12,
)


@given(TREES)
@example([("div", "hidden", [("em", "color:red", ())]), ("span", "", ())])
def test_text_outside_hidden_elements_is_kept(tree: object) -> None:
    numbers = count()
    shown = set[str]()

    def write(inner: object, *, is_hidden: bool) -> str:
        word = f"word{next(numbers)}"
        if not is_hidden:
            shown.add(word)
        parts = [word]
        for tag, style, held in inner if isinstance(inner, list) else ():
            hides = is_hidden or style in (*HIDING, "hidden")
            attribute = style if style == "hidden" else f'style="{style}"'
            parts.append(f"<{tag} {attribute}>{write(held, is_hidden=hides)}</{tag}>")
        return " ".join(parts)

    html = f"<body><h1>T</h1><div>{write(tree, is_hidden=False)}</div>"
    assert set(re.findall(r"word\d+", convert_whole(html))) == shown
