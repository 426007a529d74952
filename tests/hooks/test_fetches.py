"""A fetch of a documented page is answered from the index; all other fetches go through."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hooks.docsearch import fetches
from hookwright_documentation.databases import CURRENT, INDEX_FILE
from hookwright_documentation.index import build_index

from ..documentation.index.passages import COOKING, SITE, make_passage
from ..support.project import fetch_event, search_event

TOOL = "mcp__hookwright-docs__search_docs"
READ = "mcp__hookwright-docs__read_page"
HOST = "docs.example"
BREAD = f"{SITE}bread.html"
FOLDERS = ("guide/", "guide/deep/", "v/3.11/start.html", "v/stable/", "v/api/", "find?page=2", "")
PAGES = (*COOKING, *(make_passage(page, "", f"Knead {page} and rest.") for page in FOLDERS))
URLS = {passage.url for passage in PAGES}


@pytest.fixture(scope="module")
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("indexes")


@pytest.fixture(autouse=True)
def root(indexes: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOOKWRIGHT_DOCS", str(indexes))
    return indexes


def index_pages(root: Path, version: str) -> str:
    """Index the pages as one version of the documentation and return the database name."""
    name = f"cooking-{version or 'unknown'}"
    folder = root / name / "first"
    if not folder.exists():
        folder.mkdir(parents=True)
        about = {"name": name, "version": version, "heading": f"Cooking {version} documentation"}
        build_index(PAGES, [], folder / INDEX_FILE, about)
        (root / name / CURRENT).write_text("first\n")
        for path in (root / name / CURRENT, folder / INDEX_FILE):
            path.chmod(0o600)
    return name


def fetch(
    root: Path,
    url: str,
    prompt: str = "",
    version: str = "3.11.2",
    budget: int = 2500,
    **fields: object,
) -> "tuple[str, str, list[Any]]":
    """Return the page that answers a fetch, the message for the agent, and the trace."""
    name = index_pages(root, version)
    record: dict[str, Any] = {
        "mcp_tool_name": TOOL,
        "arguments": {"database": name},
        "domains": [HOST],
        **fields,
    }
    trace: list[Any] = []
    settings = ({0: name}, "\ncooking\n", budget, "WebFetch", "%s is to be loaded.")
    matches, reason = fetches.ask_pages(url, prompt, [record], trace, settings)
    assert [match[:2] for match in matches] == [(0, "named")] * bool(reason)
    return matches[0][2] if matches else "", reason, trace


def test_unfetchable_address_is_not_another_version(root: Path) -> None:
    index = root / index_pages(root, "7.7.1") / "first" / INDEX_FILE
    with closing(sqlite3.connect(index)) as connection, connection:
        connection.execute("UPDATE pages SET url = 'man://' || id")
    assert fetch(root, f"{SITE}v/7.7.1/start.html", version="7.7.1") == ("", "", [])


def test_page_is_answered_with_relevant_passages(root: Path) -> None:
    page, reason, _ = fetch(root, BREAD, "How hot is the oven until the crust is brown?")
    assert page == BREAD
    lines = reason.split("\n")
    mark = lines[3]
    assert lines[:2] == ["The page is in 'cooking' - using RAG database instead", ""]
    assert lines[3:8] == [
        mark,
        f"{BREAD}#oven",
        "bread.html > oven",
        "",
        "Bake at 220 degrees until the crust is brown.",
    ]
    assert "soup.html" not in reason
    more = f'More: {READ} with {{"url": "{BREAD}"}}. {READ} is to be loaded.'
    assert lines[-2:] == [f"{mark} end", f"{more} The identical WebFetch again reaches the web."]


@pytest.mark.parametrize("prompt", ["", "Summarise this page", "Extract all the code examples"])
def test_question_about_the_whole_page_gets_its_beginning(root: Path, prompt: str) -> None:
    reason = fetch(root, BREAD, prompt)[1]
    assert reason.index("Knead flour") < reason.index("Bake at 220")


def test_anchor_section_comes_first(root: Path) -> None:
    reason = fetch(root, f"{BREAD}#oven", "Knead flour, and bake")[1]
    assert reason.index("Bake at 220") < reason.index("Knead flour")
    assert "Knead flour" not in fetch(root, f"{BREAD}#oven")[1]


def test_page_without_an_answer_is_fetched(root: Path) -> None:
    assert fetch(root, BREAD, "salary of bakers in berlin") == (
        "",
        "",
        [(0, "uncovered", BREAD, "the page lacks 'salary', 'bakers', 'berlin'")],
    )
    assert "read_page" in fetch(root, BREAD, "salary of bakers in berlin", coverage=False)[1]


def test_only_the_tool_is_named_without_a_budget(root: Path) -> None:
    page, reason, _ = fetch(root, BREAD, "crust", budget=0)
    assert page
    assert "220" not in reason
    assert f'read_page with {{"url": "{BREAD}"}}' in reason


FORMS = st.tuples(
    st.sampled_from(["http", "https", "HTTPS"]),
    st.sampled_from(["", "www.", "WWW."]),
    st.sampled_from([HOST, HOST.upper()]),
    st.sampled_from(sorted(URLS)),
    st.sampled_from(["", "#oven", "#:~:text=x", "#"]),
    st.booleans(),
)


@given(form=FORMS, ends=st.sampled_from(["", "/", "/index.html", "/index.htm"]))
def test_equivalent_addresses_are_one_page(
    indexes: Path, form: "tuple[str, str, str, str, str, bool]", ends: str
) -> None:
    scheme, www, host, url, fragment, has_port = form
    parts = urlsplit(url)
    port = {"http": ":80", "https": ":443"}[scheme.lower()] if has_port else ""
    query = f"?{parts.query}" if parts.query else ""
    path = f"{parts.path.rstrip('/')}{ends}"
    assert fetch(indexes, f"{scheme}://{www}{host}{port}{path}{query}{fragment}")[0] == url


def test_unrelated_addresses_are_fetched(root: Path) -> None:
    for url in [
        f"{SITE}bread",
        f"{SITE}bread.html.md",
        f"{SITE}Bread.html",
        f"{SITE}guide/../bread.html",
        f"{SITE}/bread.html",
        f"{SITE}bread.html?x=1",
        f"{SITE}find",
        f"{SITE}find?page=3",
        f"{SITE}%62read.html",
        f"{SITE}bread.html%00",
        f"{SITE}bread.html\x00",
        f"{SITE}bread.html\n",
        f" {SITE}bread.html",
        f"{SITE}bre ad.html",
        f"https://{HOST}:8443/bread.html",
        f"http://{HOST}:443/bread.html",
        f"https://{HOST}@evil.example/bread.html",
        f"https://evil.example\\@{HOST}/bread.html",
        f"https://me:secret@{HOST}/bread.html",
        f"https://{HOST}.evil.example/bread.html",
        f"https://evil{HOST}/bread.html",
        f"https://evil.example/{HOST}/bread.html",
        f"https://evil.example/?{BREAD}",
        f"https://evil.example/#{BREAD}",
        f"https://{HOST}./bread.html",
        f"https://{HOST}:/bread.html",
        f"https://{HOST}:99999999/bread.html",
        "https://docs.ex\u00e4mple/bread.html",
        "https://docs\u3002example/bread.html",
        "https://doc\u017f.example/bread.html",
        f"ftp://{HOST}/bread.html",
        f"https:/{HOST}/bread.html",
        "bread.html",
        "",
        "https://",
        f"{BREAD}{'/a' * 50_000}",
        f"https://{'a-' * 50_000}.example/",
        f"{SITE}{'%' * 3_900}",
    ]:
        assert fetch(root, url)[0] == ""


@given(
    url=st.text(max_size=60)
    | st.lists(
        st.sampled_from(
            [*"/:@?#.%\\ \x00\u202e", HOST, "https://", "www.", "bread.html", "evil.example", "443"]
        ),
        max_size=12,
    ).map("".join)
)
@example("https://www.www.docs.example/bread.html")
def test_any_url_matches_only_its_own_page(indexes: Path, url: str) -> None:
    page = fetch(indexes, url)[0]
    if page:
        parts = urlsplit(url)
        assert (parts.hostname or "").removeprefix("www.") == HOST
        assert parts.username is None
        known = urlsplit(page)
        for end in ("index.html", "index.htm", "/"):
            parts = parts._replace(path=parts.path.removesuffix(end))
            known = known._replace(path=known.path.removesuffix(end))
        assert (parts.path.rstrip("/"), parts.query) == (known.path.rstrip("/"), known.query)


def test_other_version_counts_if_it_is_documented(root: Path) -> None:
    for path, version, page in [
        ("v/3.11/", "3.11.2", "v/stable/"),
        ("v/3.11", "3.11", "v/stable/"),
        ("v/3.11.2/index.html", "3.11.2", "v/stable/"),
        ("v/v3.11.x/", "3.11.2", "v/stable/"),
        ("v/stable/start.html", "3.11", ""),
        ("v/3.11.2/start.html", "3.11", "v/3.11/start.html"),
        ("v/3.12/start.html", "3.11", ""),
        ("v/3.12/", "3.11.2", ""),
        ("v/3/", "3.11.2", ""),
        ("v/3/", "3", ""),
        ("v/15/", "15.2", "v/stable/"),
        ("v/3.11.1/", "3.11.2", ""),
        ("v/latest/", "3.11.2", ""),
        ("v/3.11/", "", ""),
        ("v/3.11/", "stable", ""),
        ("3.11/stable/", "3.11", ""),
        ("x/3.11/", "3.11", ""),
        ("v/3.11/stable/", "3.11", ""),
    ]:
        assert fetch(root, SITE + path, version=version)[0] == (SITE + page if page else "")


def test_page_on_another_host_is_not_looked_up(root: Path) -> None:
    assert fetch(root, BREAD, domains=["other.example"])[0] == ""
    assert fetch(root, BREAD, domains=["www.docs.example"])[0] == BREAD
    assert fetch(root, BREAD, domains=["other.example", "example"])[0] == BREAD


def test_damaged_index_lets_the_fetch_through(root: Path) -> None:
    path = root / index_pages(root, "9.9") / "first" / INDEX_FILE
    whole = path.read_bytes()
    try:
        for content in (b"", whole[:100] + bytes(20_000), whole[:-9_000]):
            path.write_bytes(content)
            page, reason, trace = fetch(root, BREAD, version="9.9")
            assert (page, reason) == ("", "") or trace == []
    finally:
        path.write_bytes(whole)
        shutil.rmtree(path.parent.parent)


@pytest.fixture
def exact_fetches(monkeypatch: pytest.MonkeyPatch) -> "list[str]":
    """Return a list that records each fetch decided by the exact matcher."""
    seen: list[str] = []
    monkeypatch.setattr(fetches, "HOSTS", (HOST.encode(),))
    answer = SimpleNamespace(decide_fetch=lambda *_: seen.append("fetch"))
    monkeypatch.setattr(fetches, "load_neighbour", lambda _: answer)
    return seen


ESCAPES = st.sampled_from(["plain", "unicode", "slashes"])
NOISE = st.text(max_size=10) | st.sampled_from(["C:\\users\\docs", '"query"', '"SessionStart"'])


@given(form=FORMS, escapes=ESCAPES, noise=NOISE, spaced=st.booleans())
def test_prefilter_never_drops_a_page(
    form: "tuple[str, str, str, str, str, bool]", escapes: str, noise: str, *, spaced: bool
) -> None:
    scheme, www, host, url, fragment, _ = form
    address = f"{scheme}://{www}{host}{urlsplit(url).path}{fragment}"
    event = fetch_event(address, cwd=noise)
    separators = None if spaced else (",", ":")
    text = json.dumps(event, ensure_ascii=escapes == "unicode", separators=separators)
    text = text.replace("/", "\\/") if escapes == "slashes" else text
    if escapes == "unicode":
        text = text.replace("docs", "\\u0064ocs")
    seen: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetches, "HOSTS", (HOST.encode(),))
        answer = SimpleNamespace(decide_fetch=lambda *_: seen.append("fetch"))
        patch.setattr(fetches, "load_neighbour", lambda _: answer)
        fetches.add_fetches(lambda *_: None)(text.encode("utf-8", "surrogatepass"), [])
    assert seen == ["fetch"]


@pytest.mark.parametrize(
    ("event", "what"),
    [
        (fetch_event(BREAD), ["fetch"]),
        (fetch_event(f"https://evil.example/?{quote(BREAD)}"), ["fetch"]),
        (fetch_event("https://evil.example/bread.html"), []),
        (search_event("bread docs.example"), ["search"]),
        (search_event("bread"), ["search"]),
        ({"hook_event_name": "SessionStart"}, ["search"]),
        ({**fetch_event(BREAD), "hook_event_name": "PostToolUse"}, ["search"]),
    ],
)
def test_only_possible_pages_are_parsed(
    exact_fetches: "list[str]", event: "dict[str, Any]", what: "list[str]"
) -> None:
    decide = fetches.add_fetches(lambda *_: exact_fetches.append("search"))
    decide(json.dumps(event, ensure_ascii=False).encode(), [])
    assert exact_fetches == what
