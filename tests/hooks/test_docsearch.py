"""Keywords in a query select databases; most queries are decided without parsing the event."""

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hooks.docsearch import docsearch
from runtime import matching

from ..support.project import search_event

WORDS = ["gitlab", "gl", "gitlab-ci", "c++", "c#", ".net", "GitLab Runner", "配置", "größe", "r"]


@pytest.fixture(autouse=True)
def _table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "KEYWORDS", "\n" + "\n\n".join(WORDS) + "\n")


def named(query: str) -> list[str]:
    return [keyword for _, _, keyword, _ in matching.match_keywords(query, [])]


def test_whole_words_match_in_any_case() -> None:
    for query, keywords in [
        ("how to configure GITLAB", ["gitlab"]),
        ("gitlab-ci cache", ["gitlab", "gitlab-ci"]),
        ("my-gitlab, (gl)?", ["gitlab", "gl"]),
        ("gitlab runner tags", ["gitlab", "GitLab Runner"]),
        ("c++ vs c# vs .NET", ["c++", "c#", ".net"]),
        ("ASP.NET routing", []),
        ("c++17", []),
        ("ungitlabbed gitla gitlab_ci 2gl", []),
        ("google global english", []),
        ("如何配置gitlab的缓存", ["gitlab", "配置"]),
        ("gitlabのキャッシュ", ["gitlab"]),
        ("gitlab을 설정", ["gitlab"]),
        ("配置gitlab", ["gitlab", "配置"]),
        ("gitlabé égitlab", []),
        ("für fu\u0308r", []),
        ("GRÖSSE", ["größe"]),
        ("xgl gl", ["gl"]),
        ("", []),
    ]:
        assert named(query) == keywords


def test_very_long_query_is_truncated() -> None:
    assert named("gitlab " + "go " * 50_000) == ["gitlab"]
    assert named("go " * 50_000 + "gitlab") == []


def test_each_database_is_matched_by_one_keyword(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matching, "KEYWORDS", "\ngitlab\ngl\n\nk8s\nGL\n")
    assert named("gl gitlab") == ["gitlab", "GL"]


def regex_names(keyword: str, query: str) -> bool:
    pattern = rf"(?<!\w){re.escape(keyword.casefold())}(?!\w)"
    return bool(re.search(pattern, query.casefold()))


@given(
    st.text("abz-_+.# 0éß", max_size=20),
    st.text("abz-_+.# 0éß", min_size=1, max_size=4),
)
@example("a-a-a", "a-a")
def test_matching_agrees_with_lookarounds(query: str, keyword: str) -> None:
    folded = keyword.casefold()
    matches = matching.find_end(folded, query.casefold()) > 0
    assert matches == regex_names(keyword, query)


EVENT = st.sampled_from(
    [
        '{"tool_input":{"query":%s},"cwd":"/src"}',
        '{"tool_input": {"allowed_domains": [], "query" : %s}}',
        '{"query":"gitlab","tool_input":{"query":%s}}',
        '{"tool_input":{"query":%s,"x":{"query":"other"}}}',
        '{"tool_input":{"x\\"query":"other","query":%s}}',
        '{"tool_input":{"qu\\u0065ry":%s,"y":{"query":"other"}}}',
        '{"cwd":"C:\\\\users","tool_input":{"query":%s}}',
        '{"x":"query","tool_input":{"query":%s}}',
        '{"tool_input":{"query":%s',
    ]
)
QUERY = st.one_of(st.text(max_size=30), st.lists(st.sampled_from([*WORDS, "a", '"', "\\", "\n"])))


@given(form=EVENT, query=QUERY, escaped=st.booleans())
def test_peeked_query_equals_the_parsed_one(form: str, query: object, *, escaped: bool) -> None:
    text = " ".join(query) if isinstance(query, list) else str(query)
    raw = (form % json.dumps(text, ensure_ascii=escaped)).encode("utf-8", "surrogatepass")
    peeked = docsearch.peek_query(raw)
    if peeked is None:
        return
    try:
        parsed = json.loads(raw.decode())["tool_input"]["query"]
    except (ValueError, KeyError):
        return
    assert peeked == parsed


@given(st.binary(max_size=60), st.binary(max_size=60))
def test_peeking_never_fails(before: bytes, after: bytes) -> None:
    peeked = docsearch.peek_query(before + b'"query":"' + after)
    assert peeked is None or peeked.isascii()


@pytest.mark.parametrize("cwd", ["/src/gitlab-ci", "C:\\users\\me", "/home/münchen"])
def test_only_the_query_is_matched(cwd: str) -> None:
    raw = json.dumps(search_event("weather", cwd=cwd), ensure_ascii=False).encode()
    assert docsearch.peek_query(raw) == "weather"


@pytest.mark.parametrize("query", ["größe", 'the "gitlab" way', "a\nb", 5, None])
def test_unusual_query_requires_the_parser(query: object) -> None:
    raw = json.dumps(search_event(query), ensure_ascii=False).encode()
    assert docsearch.peek_query(raw) is None
