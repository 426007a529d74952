"""MCP tool names are parsed and formatted as in Claude Code."""

import pytest

from hookwright.clients.claude.tool_names import (
    build_prefix,
    find_named,
    list_rules,
    read_server,
    split_tool,
)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("mcp__leann__leann_search", ("leann", "leann_search")),
        ("mcp__a__b__c", ("a", "b__c")),
        ("mcp__a", ("", "")),
        ("search", ("", "")),
    ],
)
def test_full_names_are_split(name: str, parts: tuple[str, str]) -> None:
    assert split_tool(name) == parts


def test_prefix_contains_only_valid_characters() -> None:
    assert build_prefix("my docs") == "mcp__my_docs__"
    assert read_server("mcp__my_docs__find") == "my_docs"


def test_tools_in_a_text_are_listed_once() -> None:
    text = "Call `mcp__a_b__c`, then mcp__a_b__c. Not mcp__a or xmcp__a__b."
    assert find_named(text) == ["mcp__a_b__c"]


def test_rules_cover_the_tool_its_server_and_all_tools() -> None:
    assert list_rules("mcp__a__b") == {"mcp__a__b", "mcp__a", "mcp__a__*", "mcp__*"}
