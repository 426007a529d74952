"""Test that the docsearch hook follows the answers."""

import json
from typing import Any

import pytest

HIDDEN = {"keywords", "ambiguous", "unless", "with"}  # fields that DATABASES does not contain


@pytest.fixture(scope="session")
def docsearch(load_hook: Any) -> Any:
    return load_hook("docsearch")


@pytest.fixture(scope="session")
def rendered(answers: "dict[str, Any]") -> "list[dict[str, Any]]":
    records = answers.get("databases", ())
    return [record for record in records if record.get("disabled") is not True]


@pytest.fixture(scope="session")
def databases(rendered: "list[dict[str, Any]]") -> "list[tuple[int, dict[str, Any]]]":
    pairs = enumerate(rendered)
    return [(number, record) for number, record in pairs if "disabled" not in record]


def search(query: object, **fields: object) -> "dict[str, object]":
    return {
        "session_id": "test",
        "hook_event_name": "PreToolUse",
        "tool_name": "WebSearch",
        "tool_input": {"query": query},
        **fields,
    }


def build_query(docsearch: Any, database: "dict[str, Any]", keyword: str) -> str:
    """Return a query with the keyword and with words that support its meaning as the database.

    It contains a line break, which no `unless` phrase can match.
    """
    pieces: str = getattr(docsearch, "PIECES", "")
    technical = pieces.rstrip("\t").rpartition("\t\t")[2].split("\t")[1:15]
    return "\n".join([keyword, *(database.get("with", ())[:1] or technical)])


def list_ambiguous(docsearch: Any, number: int) -> "list[str]":
    rows = getattr(docsearch, "AMBIGUOUS", "").split("\n")
    ours = [row.partition("\t\t")[0] for row in rows if row.startswith(f"{number} ")]
    return [row.partition(" ")[2] for row in ours]


def find_databases(docsearch: Any, query: str) -> "list[int]":
    return [match[0] for match in docsearch.match_keywords(query, [])]


def occurs(docsearch: Any, words: "list[str]", query: str) -> bool:
    return any(docsearch.find_end(word.casefold(), query.casefold()) for word in words)


def test_answers_and_tables_agree(
    docsearch: Any,
    answers: "dict[str, Any]",
    rendered: "list[dict[str, Any]]",
    fail_for: Any,
) -> None:
    names = {name.lower() for record in rendered for name in record.get("domains", ())}
    domains = {name.removeprefix("www.") for name in names} if answers.get("fetches", True) else {}
    try:
        blocks = docsearch.KEYWORDS[1:-1].split("\n\n")
        agree = (
            [block.split("\n") for block in blocks if block],
            json.loads(docsearch.DATABASES),
            docsearch.RETRY_WINDOW,
            hasattr(docsearch, "RECORD_SIZE"),
            [host for host in getattr(docsearch, "HOSTS", ()) if host.decode() not in domains],
        ) == (
            [record["keywords"] for record in rendered],
            [{field: record[field] for field in record.keys() - HIDDEN} for record in rendered],
            answers["retry_window"],
            bool(answers.get("record_blocks")),
            [],
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        agree = False
    if not agree:
        fail_for("hooks/docsearch.py differs from the answers")


def test_every_keyword_is_found(
    docsearch: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for number, database in databases:
        for keyword in database["keywords"]:
            loud = keyword.upper() if keyword.isascii() else keyword
            for word in (keyword, f"zzyzx {loud}, qwfpgj", f"({keyword})"):
                query = build_query(docsearch, database, word)
                vetoed = occurs(docsearch, database.get("unless", []), query)
                found = find_databases(docsearch, query)
                assert vetoed or number in found, f"{query!r} does not name {keyword!r}"


def test_near_misses_are_not_found(
    docsearch: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for _, database in databases:
        for keyword in filter(str.isascii, database["keywords"]):
            for query in (f"x{keyword}", f"{keyword}x", f"{keyword}_1", f"2{keyword}"):
                found = [match[2] for match in docsearch.match_keywords(query, [])]
                assert keyword not in found, f"{query!r} names {keyword!r}"


def test_ambiguous_keyword_needs_a_word_beside_it(
    docsearch: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for number, database in databases:
        ambiguous = list_ambiguous(docsearch, number) if "with" in database else ()
        for keyword in ambiguous:
            found = number in find_databases(docsearch, keyword)
            assert found == occurs(docsearch, database["with"], keyword), keyword


def test_each_word_of_unless_vetoes(
    docsearch: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for number, database in databases:
        ambiguous = list_ambiguous(docsearch, number)
        others = [word for word in database["keywords"] if word.casefold() not in ambiguous]
        for word in database.get("unless", ()):
            query = "\n".join([ambiguous[0], *database.get("with", ())[:1], word])
            if not occurs(docsearch, others, query):
                assert number not in find_databases(docsearch, query), query


def test_denial_states_the_call(
    run_hook: Any, docsearch: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for number, database in databases[:20]:
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


def test_restricted_search_is_found(
    run_hook: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for number, database in databases[:20]:
        for place, domain in enumerate(database.get("domains", ())):
            query = f"zzyzx {number} {place}"  # unique, because a repeated search is allowed
            tool_input = {"query": query, "allowed_domains": [f"www.{domain}"]}
            answer = run_hook("docsearch", search("", tool_input=tool_input))
            context = json.loads(answer.stdout)["hookSpecificOutput"]["additionalContext"]
            assert f"for {database['description']}" in context


def test_identical_search_goes_through_once(
    run_hook: Any, docsearch: Any, databases: "list[tuple[int, dict[str, Any]]]"
) -> None:
    for _, database in databases[:1]:
        query = build_query(docsearch, database, database["keywords"][0])
        codes = [run_hook("docsearch", search(query)).returncode for _ in range(3)]
        assert codes == [2, 0, 2]
