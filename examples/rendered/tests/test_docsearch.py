"""The docsearch hook does what the answers say."""

import json
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import FailFor, LoadHook, RunHook


@pytest.fixture(scope="session")
def docsearch(load_hook: "LoadHook") -> ModuleType:
    """Return the hook as a module."""
    return load_hook("docsearch")


@pytest.fixture(scope="session")
def rendered(answers: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Return the records of the answers that are not disabled for good."""
    records = answers.get("databases", ())
    return [record for record in records if record.get("disabled") is not True]


@pytest.fixture(scope="session")
def databases(rendered: "list[dict[str, Any]]") -> "list[dict[str, Any]]":
    """Return the records that are not disabled, not even for a time."""
    return [record for record in rendered if "disabled" not in record]


@pytest.fixture
def database(databases: "list[dict[str, Any]]") -> "dict[str, Any]":
    """Return the first database."""
    if not databases:
        pytest.skip("every database is disabled")
    return databases[0]


def search(query: object, **fields: object) -> "dict[str, object]":
    """Return the event of a web search."""
    return {
        "session_id": "test",
        "hook_event_name": "PreToolUse",
        "tool_name": "WebSearch",
        "tool_input": {"query": query},
        **fields,
    }


def build_query(docsearch: ModuleType, database: "dict[str, Any]", keyword: str) -> str:
    """Return a query that means the database by the keyword, beside words that speak for it.

    No word of its `unless` can stand across the line break.
    """
    beside = database.get("with", ())[:1] or list_technical(docsearch)
    return "\n".join([keyword, *beside])


def list_technical(docsearch: ModuleType) -> "list[str]":
    """Return what speaks for any technology; nothing where no keyword is an ordinary word."""
    pieces: str = getattr(docsearch, "PIECES", "")
    return pieces.rstrip("\t").rpartition("\t\t")[2].split("\t")[1:15]


def read_rows(docsearch: ModuleType, number: int) -> "dict[str, str]":
    """Return the points of the words beside each ambiguous keyword of a database."""
    rows = getattr(docsearch, "AMBIGUOUS", "").split("\n")
    found = [row.partition("\t\t") for row in rows if row.startswith(f"{number} ")]
    return {name.partition(" ")[2]: points for name, _, points in found}


def find_databases(docsearch: ModuleType, query: str) -> "list[int]":
    """Return the number of each database that the hook finds the query to mean."""
    return [match[0] for match in docsearch.match_keywords(query, [])]


def occurs(docsearch: ModuleType, words: "list[str]", query: str) -> bool:
    """Tell whether one of the words occurs in the query as keywords do."""
    folded = query.casefold()
    return any(docsearch.find_end(word.casefold(), folded) for word in words)


def test_answers_and_tables_agree(
    docsearch: ModuleType,
    answers: "dict[str, Any]",
    rendered: "list[dict[str, Any]]",
    fail_for: "FailFor",
) -> None:
    """The hook's tables hold what the answers say, for neither is edited by hand."""
    try:
        blocks = docsearch.KEYWORDS[1:-1].split("\n\n")
        table = [block.split("\n") for block in blocks if block]
        records = [dict(record) for record in rendered]
        keywords = [record.pop("keywords") for record in records]
        by_hand = [[*record.pop("with", ()), *record.pop("unless", ())] for record in records]
        for record in records:
            record.pop("ambiguous", None)
        recorded = hasattr(docsearch, "RECORD_SIZE")
        told = (table, json.loads(docsearch.DATABASES), docsearch.RETRY_WINDOW, recorded)
        agree = told == (
            keywords,
            records,
            answers["retry_window"],
            bool(answers.get("record_blocks")),
        ) and all(
            {word.casefold() for word in words} <= list_words(docsearch, number)
            for number, words in enumerate(by_hand)
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        agree = False
    if not agree:
        fail_for("hooks/docsearch.py does not hold what the answers say")


def list_words(docsearch: ModuleType, number: int) -> "set[str]":
    """Return the words that count beside each keyword of a database, or against it."""
    lists = [set(points.split("\t")) for points in read_rows(docsearch, number).values()]
    return set.intersection(*lists) if lists else set()


@pytest.fixture
def each_database(
    docsearch: ModuleType, rendered: "list[dict[str, Any]]", monkeypatch: pytest.MonkeyPatch
) -> "Iterator[dict[str, Any]]":
    """Yield one database after the other, each alone in the table, for a large one takes long."""
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
    """A query with a keyword, in any case and anywhere, names the keyword's database."""
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
    """A longer word around a keyword does not name it."""
    for database in each_database:
        for keyword in filter(str.isascii, database["keywords"]):
            for query in (f"x{keyword}", f"{keyword}x", f"{keyword}_1", f"2{keyword}"):
                found = [match[2] for match in docsearch.match_keywords(query, [])]
                assert keyword not in found, f"{query!r} names {keyword!r}"


def test_ambiguous_keyword_needs_a_word_beside_it(
    docsearch: ModuleType, each_database: "Iterator[dict[str, Any]]"
) -> None:
    """An ambiguous keyword of a database with `with` does not count without those words."""
    for database in each_database:
        for query in database["keywords"] if "with" in database else ():
            if query.casefold() in read_rows(docsearch, 0):
                found = find_databases(docsearch, query) != []
                assert found == occurs(docsearch, database["with"], query), query


def test_each_word_of_unless_vetoes(
    docsearch: ModuleType, each_database: "Iterator[dict[str, Any]]"
) -> None:
    """A query that means a database does not name it with a word of its `unless` added."""
    for database in each_database:
        ambiguous = [*read_rows(docsearch, 0)]
        for word in database.get("unless", ()):
            query = "\n".join([ambiguous[0], *database.get("with", ())[:1], word])
            others = [one for one in database["keywords"] if one.casefold() not in ambiguous]
            if not occurs(docsearch, others, query):
                assert find_databases(docsearch, query) == [], query


def test_all_databases_are_named_in_order(
    docsearch: ModuleType, rendered: "list[dict[str, Any]]"
) -> None:
    """A query that means every database names all it has no `unless` of, in their order."""
    words = [
        build_query(docsearch, database, database["keywords"][0]) for database in reversed(rendered)
    ]
    query = "\n".join(words)
    found = find_databases(docsearch, query)
    assert found == sorted(found)
    for number, database in enumerate(rendered):
        vetoed = occurs(docsearch, database.get("unless", []), query)
        assert vetoed or number in found, f"{query!r} does not name {database['keywords'][0]!r}"


def test_denial_tells_the_call(
    run_hook: "RunHook", docsearch: ModuleType, databases: "list[dict[str, Any]]"
) -> None:
    """A search is denied with the keyword, the tool, its arguments and the path."""
    for number, database in enumerate(databases[:20]):
        keyword = database["keywords"][0]
        # A session of its own, for the next database may have the same keyword.
        event = search(build_query(docsearch, database, keyword), session_id=f"test-{number}")
        answer = run_hook("docsearch", event)
        assert answer.returncode == 2
        decision = json.loads(answer.stdout)["hookSpecificOutput"]
        assert decision["permissionDecision"] == "deny"
        assert f"'{keyword}'" in decision["permissionDecisionReason"]
        context = decision["additionalContext"]
        assert database["mcp_tool_name"] in context
        assert database["description"] in context
        assert database["path"] in context
        for value in database.get("arguments", {}).values():
            assert json.dumps(value, ensure_ascii=False) in context
        assert answer.stderr.count(b"\n") == context.count("\n") + 2


def test_restricted_search_is_found(run_hook: "RunHook", databases: "list[dict[str, Any]]") -> None:
    """A search that is restricted to a domain of a database needs no keyword."""
    for number, database in enumerate(databases[:20]):
        for place, domain in enumerate(database.get("domains", ())):
            query = f"zzyzx {number} {place}"  # each its own, for a repeated search goes through
            tool_input = {"query": query, "allowed_domains": [f"www.{domain}"]}
            answer = run_hook("docsearch", search("", tool_input=tool_input))
            context = json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"]
            assert f"at {database['path']}" in context


def test_identical_search_goes_through_once(
    run_hook: "RunHook", docsearch: ModuleType, database: "dict[str, Any]"
) -> None:
    """A denied search goes through when it is repeated, and is denied again after that."""
    query = build_query(docsearch, database, database["keywords"][0])
    codes = [run_hook("docsearch", search(query)).returncode for _ in range(3)]
    assert codes == [2, 0, 2]


def test_another_agent_has_its_own_retry(
    run_hook: "RunHook", docsearch: ModuleType, database: "dict[str, Any]"
) -> None:
    """A search that a subagent was denied is no retry when the main agent makes it."""
    query = build_query(docsearch, database, database["keywords"][0])
    assert run_hook("docsearch", search(query, agent_id="a1")).returncode == 2
    assert run_hook("docsearch", search(query)).returncode == 2
    assert run_hook("docsearch", search(query, agent_id="a1")).returncode == 0


@pytest.mark.parametrize(
    "event",
    [
        b"",
        b"not JSON",
        b"[]",
        b"\xff\xfe",
        search(None),
        search(5),
        search("", tool_input={}),
        search("", tool_name="WebFetch", tool_input={"url": "https://example.com"}),
        search("", hook_event_name="PostToolUse"),
    ],
)
def test_whatever_is_no_search_goes_through(run_hook: "RunHook", event: object) -> None:
    """Anything but a web search is let through without a word."""
    answer = run_hook("docsearch", event)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")


def test_ambiguous_search_goes_through(
    run_hook: "RunHook", docsearch: ModuleType, rendered: "list[dict[str, Any]]"
) -> None:
    """A search whose keyword means something else is let through without a word."""
    for database in [database for database in rendered if "with" in database][:20]:
        query = database["keywords"][0]
        if not find_databases(docsearch, query):
            answer = run_hook("docsearch", search(query))
            assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")


def test_unrelated_search_goes_through(run_hook: "RunHook", docsearch: ModuleType) -> None:
    """A search that names no database is let through without a word."""
    query = "zzyzx qwfpgj"
    assert docsearch.match_keywords(query, []) == []
    answer = run_hook("docsearch", search(query))
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")
