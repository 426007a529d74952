"""A matcher is read as the client reads it."""

import pytest

from hookwright.clients.claude.matchers import covers


@pytest.mark.parametrize(
    ("matcher", "tool", "asked"),
    [
        ("", "Bash", True),
        ("*", "Bash", True),
        ("WebFetch|Bash", "Bash", True),
        ("WebFetch, Bash", "Bash", True),
        ("WebFetch|Bash", "Bas", False),
        ("Web", "WebFetch", False),
        ("Web.*", "WebFetch", True),
        ("mcp__.*__fetch", "mcp__x__fetch_all", True),
        ("^(?:Bash)$", "BashOutput", False),
        ("web.*", "WebFetch", False),
        ("Web(", "WebFetch", False),
    ],
)
def test_list_names_tools_and_anything_else_is_an_expression(
    matcher: str, tool: str, *, asked: bool
) -> None:
    assert covers(matcher, tool) == asked
