"""Database records are written for searches and parsed from untrusted servers."""

from pathlib import Path
from typing import Any

import pytest

from hookwright.answers.validation import refuse_faults
from hookwright.documentation.database_records import build_record, find_database
from hookwright.template.store import find_checks, keep_template
from hookwright_documentation.recipes.recipe import Recipe

TOOL = "mcp__hookwright-docs__search_docs"


@pytest.mark.parametrize(
    ("prefix", "domains"),
    [
        ("https://docs.acme.example/guide/", ["docs.acme.example"]),
        ("http://127.0.0.1:8000/", ["127.0.0.1"]),
        ("http://localhost:8000/", None),
        ("http://[::1]/", None),
        ("file:///home/me/site/", None),
        ("", None),
    ],
)
def test_domains_are_derived_from_the_address(prefix: str, domains: "list[str] | None") -> None:
    record = build_record(Recipe("acme", ("acme",), "/site"), prefix, "")
    assert record.get("domains") == domains


def test_recipe_adds_to_its_source() -> None:
    recipe = Recipe(
        "acme", ("acme",), "/site", description="Acme", domains=("x.example",), ambiguous=True
    )
    record = build_record(recipe, "https://docs.acme.example/", "")
    assert (record["description"], record["ambiguous"]) == ("Acme", True)
    assert record["domains"] == ["docs.acme.example", "x.example"]


@pytest.mark.parametrize("engine", ["builtin", "leann"])
def test_record_is_valid_and_matches(engine: str) -> None:
    recipe = Recipe("c++", ("C++", "cpp"), "/site", engine=engine)
    record = build_record(recipe, "https://en.cppreference.com/w/", "leann")
    refuse_faults(find_checks(str(keep_template())), "databases", [record])
    assert find_database(record) == "c++"
    assert record["name"] == "c++"


@pytest.mark.parametrize(
    "record",
    [
        {"mcp_tool_name": TOOL, "arguments": {"database": "x; rm -rf ~"}},
        {"mcp_tool_name": TOOL, "arguments": {"database": "../x"}},
        {"mcp_tool_name": TOOL, "arguments": {"database": ["x"]}},
        {"mcp_tool_name": TOOL, "arguments": "x"},
        {"mcp_tool_name": TOOL},
        {"mcp_tool_name": "mcp__leann__leann_search", "arguments": {"index_name": "A B/leann"}},
        {"mcp_tool_name": "mcp__leann__leann_search", "arguments": {"index_name": "/x/leann"}},
        {},
    ],
)
def test_record_from_a_stranger_names_no_database(record: "dict[str, Any]") -> None:
    assert find_database({"path": str(Path("/x")), **record}) == ""
