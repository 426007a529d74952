"""Test that the docsearch hook follows the answers."""

import json
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import FailFor, LoadHook, RunHook


@pytest.fixture(scope="session")
def docsearch(load_hook: "LoadHook") -> ModuleType:
    return load_hook("docsearch")


@pytest.fixture(scope="session")
def rendered(answers: "dict[str, Any]") -> "list[dict[str, Any]]":
    records = answers.get("databases", ())
    return [record for record in records if record.get("disabled") is not True]


@pytest.fixture(scope="session")
def databases(rendered: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
    return [record for record in rendered if "disabled" not in record]


@pytest.fixture
def database(databases: "list[dict[str, Any]]") -> "dict[str, Any]":
    if not databases:
        pytest.skip("every database is disabled")
    return databases[0]


def search(query: object, **fields: object) -> "dict[str, object]":
    return {
        "session_id": "test",
        "hook_event_name": "PreToolUse",
        "tool_name": "WebSearch",
        "tool_input": {"query": query},
        **fields,
    }


def fetch(url: str) -> bytes:
    tool_input = {"url": url, "prompt": "Read it"}
    return json.dumps(search("", tool_name="WebFetch", tool_input=tool_input)).encode()


def list_hosts(docsearch: ModuleType) -> "list[str]":
    return [host.decode() for host in getattr(docsearch, "HOSTS", ())]


def build_query(docsearch: ModuleType, database: "dict[str, Any]", keyword: str) -> str:
    """Return a query with the keyword and with words that support its meaning as the database.

    It contains a line break, which no `unless` phrase can match.
    """
    beside = database.get("with", ())[:1] or list_technical(docsearch)
    return "\n".join([keyword, *beside])


def list_technical(docsearch: ModuleType) -> "list[str]":
    pieces: str = getattr(docsearch, "PIECES", "")
    return pieces.rstrip("\t").rpartition("\t\t")[2].split("\t")[1:15]


def read_rows(docsearch: ModuleType, number: int) -> "dict[str, str]":
    rows = getattr(docsearch, "AMBIGUOUS", "").split("\n")
    found = [row.partition("\t\t") for row in rows if row.startswith(f"{number} ")]
    return {name.partition(" ")[2]: points for name, _, points in found}


def find_databases(docsearch: ModuleType, query: str) -> "list[int]":
    return [match[0] for match in docsearch.match_keywords(query, [])]


def occurs(docsearch: ModuleType, words: "list[str]", query: str) -> bool:
    folded = query.casefold()
    return any(docsearch.find_end(word.casefold(), folded) for word in words)


def test_answers_and_tables_agree(
    docsearch: ModuleType,
    answers: "dict[str, Any]",
    rendered: "list[dict[str, Any]]",
    fail_for: "FailFor",
) -> None:
    try:
        blocks = docsearch.KEYWORDS[1:-1].split("\n\n")
        table = [block.split("\n") for block in blocks if block]
        records = [dict(record) for record in rendered]
        keywords = [record.pop("keywords") for record in records]
        by_hand = [[*record.pop("with", ()), *record.pop("unless", ())] for record in records]
        for record in records:
            record.pop("ambiguous", None)
        recorded = hasattr(docsearch, "RECORD_SIZE")
        domains = {name.lower() for record in records for name in record.get("domains", ())}
        hosts = [host for host in list_hosts(docsearch) if not {host, f"www.{host}"} & domains]
        hosts = hosts if answers.get("fetches", True) else list_hosts(docsearch)
        told = (table, json.loads(docsearch.DATABASES), docsearch.RETRY_WINDOW, recorded, hosts)
        agree = told == (
            keywords,
            records,
            answers["retry_window"],
            bool(answers.get("record_blocks")),
            [],
        ) and all(
            {word.casefold() for word in words} <= list_words(docsearch, number)
            for number, words in enumerate(by_hand)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        agree = False
    if not agree:
        fail_for("hooks/docsearch.py differs from the answers")


def list_words(docsearch: ModuleType, number: int) -> "set[str]":
    lists = [set(points.split("\t")) for points in read_rows(docsearch, number).values()]
    return set.intersection(*lists) if lists else set()


@pytest.fixture
def each_database(
    docsearch: ModuleType, rendered: "list[dict[str, Any]]", monkeypatch: pytest.MonkeyPatch
) -> "Iterator[dict[str, Any]]":
    tables = [
        "".join(f"\n0 {keyword}\t\t{points}" for keyword, points in rows.items())
        for rows in (read_rows(docsearch, number) for number in range(len(rendered)))
    ]

    def yield_databases() -> "Iterator[dict[str, Any]]":
        for number, database in enumerate(rendered):
            keywords = "\n".join(["", *database["keywords"], ""])
            monkeypatch.setattr(docsearch, "KEYWORDS", keywords)
            monkeypatch.setattr(docsearch, "AMBIGUOUS", tables[number], raising=False)
            if "disabled" not in database:
                yield database

    return yield_databases()


def test_every_keyword_is_found(
    docsearch: ModuleType, each_database: "Iterator[dict[str, Any]]"
) -> None:
    for database in each_database:
        for keyword in database["keywords"]:
            loud = keyword.upper() if keyword.isascii() else keyword
            for word in (keyword, f"zzyzx {loud}, qwfpgj", f"({keyword})"):
                query = build_query(docsearch, database, word)
                found = find_databases(docsearch, query)
                vetoed = occurs(docsearch, database.get("unless", []), query)
                assert found or vetoed, f"{query!r} names no database"


def test_near_misses_are_not_found(
    docsearch: ModuleType, each_database: "Iterator[dict[str, Any]]"
) -> None:
    for database in each_database:
        for keyword in filter(str.isascii, database["keywords"]):
            for query in (f"x{keyword}", f"{keyword}x", f"{keyword}_1", f"2{keyword}"):
                found = [match[2] for match in docsearch.match_keywords(query, [])]
                assert keyword not in found, f"{query!r} names {keyword!r}"


def test_ambiguous_keyword_needs_a_word_beside_it(
    docsearch: ModuleType, each_database: "Iterator[dict[str, Any]]"
) -> None:
    for database in each_database:
        for query in database["keywords"] if "with" in database else ():
            if query.casefold() in read_rows(docsearch, 0):
                found = find_databases(docsearch, query) != []
                assert found == occurs(docsearch, database["with"], query), query


def test_each_word_of_unless_vetoes(
    docsearch: ModuleType, each_database: "Iterator[dict[str, Any]]"
) -> None:
    for database in each_database:
        ambiguous = [*read_rows(docsearch, 0)]
        for word in database.get("unless", ()):
            query = "\n".join([ambiguous[0], *database.get("with", ())[:1], word])
            others = [
                keyword for keyword in database["keywords"] if keyword.casefold() not in ambiguous
            ]
            if not occurs(docsearch, others, query):
                assert find_databases(docsearch, query) == [], query


def test_all_databases_are_named_in_order(
    docsearch: ModuleType, rendered: "list[dict[str, Any]]"
) -> None:
    words = [
        build_query(docsearch, database, database["keywords"][0]) for database in reversed(rendered)
    ]
    query = "\n".join(words)
    found = find_databases(docsearch, query)
    assert found == sorted(found)
    for number, database in enumerate(rendered):
        vetoed = occurs(docsearch, database.get("unless", []), query)
        assert vetoed or number in found, f"{query!r} does not name {database['keywords'][0]!r}"


def test_denial_states_the_call(
    run_hook: "RunHook", docsearch: ModuleType, databases: "list[dict[str, Any]]"
) -> None:
    for number, database in enumerate(databases[:20]):
        keyword = database["keywords"][0]
        # Each database gets its own session, because two databases may have the same keyword.
        event = search(build_query(docsearch, database, keyword), session_id=f"test-{number}")
        answer = run_hook("docsearch", event)
        assert answer.returncode == 2
        decision = json.loads(answer.stdout)["hookSpecificOutput"]
        assert decision["permissionDecision"] == "deny"
        assert f"'{keyword}'" in decision["permissionDecisionReason"]
        context = decision["additionalContext"]
        assert database["mcp_tool_name"] in context
        assert database["description"] in context
        assert database["path"] in context or database.get("arguments")
        for value in database.get("arguments", {}).values():
            assert json.dumps(value, ensure_ascii=False) in context
        assert answer.stderr.count(b"\n") == context.count("\n") + 2


def test_restricted_search_is_found(run_hook: "RunHook", databases: "list[dict[str, Any]]") -> None:
    for number, database in enumerate(databases[:20]):
        for place, domain in enumerate(database.get("domains", ())):
            query = f"zzyzx {number} {place}"  # unique, because a repeated search is allowed
            tool_input = {"query": query, "allowed_domains": [f"www.{domain}"]}
            answer = run_hook("docsearch", search("", tool_input=tool_input))
            context = json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"]
            assert f"for {database['description']}" in context


def test_identical_search_goes_through_once(
    run_hook: "RunHook", docsearch: ModuleType, database: "dict[str, Any]"
) -> None:
    query = build_query(docsearch, database, database["keywords"][0])
    codes = [run_hook("docsearch", search(query)).returncode for _ in range(3)]
    assert codes == [2, 0, 2]


def test_identical_fetch_of_a_page_goes_through_once(
    load_hook: "LoadHook", docsearch: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    for host in list_hosts(docsearch):
        answer = load_hook("docsearch_answer")
        monkeypatch.setattr(answer, "ask_pages", lambda *_: ([(0, "named", "", 0)], "it is here"))
        monkeypatch.setattr(docsearch, "load_neighbour", lambda _, answer=answer: answer)
        allow = docsearch.allow_repeated_search
        told = [docsearch.decide(fetch(f"https://{host}/"), [], allow) for _ in range(3)]
        assert told == [("it is here", ""), ("", ""), ("it is here", "")]
        assert docsearch.decide(fetch("https://zzyzx.example/"), [], allow) is None
