"""Matchers are interpreted as in Claude Code."""

from hookwright.clients.claude.tool_names import covers


def test_matcher_is_a_list_of_tools_or_an_expression() -> None:
    for matcher, tool, asked in [
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
    ]:
        assert covers(matcher, tool) == asked
