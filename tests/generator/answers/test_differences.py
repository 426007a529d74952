"""A difference lists the records that a change adds, modifies, renames, moves and removes."""

import pytest

from hookwright.answers.differences import Difference, compare_answers, write_difference

from ...support.project import GITLAB, KUBERNETES, ROUTES

BOTH = {"databases": [GITLAB, KUBERNETES], "routes": ROUTES, "retry_window": 300}
HELM = {**KUBERNETES, "keywords": [*KUBERNETES["keywords"], "helm"]}
RENAMED = {**GITLAB, "name": "forge"}


def test_difference_is_detected() -> None:
    for after, differences in [
        (BOTH, []),
        (
            BOTH | {"databases": [GITLAB, HELM]},
            [Difference("databases", "kubernetes", KUBERNETES, HELM)],
        ),
        (BOTH | {"databases": [GITLAB]}, [Difference("databases", "kubernetes", KUBERNETES, None)]),
        (
            BOTH | {"databases": [RENAMED, KUBERNETES]},
            [Difference("databases", "forge", GITLAB, RENAMED, "gitlab")],
        ),
        (
            BOTH | {"databases": [KUBERNETES, GITLAB]},
            [Difference("databases", "", ["gitlab", "kubernetes"], ["kubernetes", "gitlab"])],
        ),
        (
            BOTH | {"databases": [GITLAB, KUBERNETES, GITLAB]},
            [Difference("databases", "gitlab", None, GITLAB)],
        ),
        (
            BOTH | {"routes": dict(reversed(ROUTES.items()))},
            [Difference("routes", "", list(ROUTES), list(reversed(ROUTES)))],
        ),
        (BOTH | {"retry_window": 60}, [Difference("retry_window", "", 300, 60)]),
        (
            BOTH | {"mcp_servers": {"docs": {"command": "x"}}},
            [Difference("mcp_servers", "docs", None, {"command": "x"})],
        ),
    ]:
        assert compare_answers(BOTH, after) == differences


@pytest.mark.parametrize(
    ("difference", "lines"),
    [
        (
            Difference("routes", "x", None, {"pattern": "a", "message": "b"}),
            ["route x, new", "+ pattern: 'a'", "+ message: b"],
        ),
        (Difference("routes", "x", {"message": "b"}, None), ["route x, removed", "- message: b"]),
        (
            Difference("routes", "x", {"message": "b"}, {"message": "b"}, "y"),
            ["route x, until now y"],
        ),
        (
            Difference("databases", "kubernetes", KUBERNETES, HELM),
            [
                "database kubernetes",
                "  keywords:",
                "    …",
                "    - k8s",
                "    - kubectl",
                "+   - helm",
            ],
        ),
        (
            Difference("databases", "x", {"keywords": [*"abcdefgh"]}, {"keywords": [*"bcdefgh"]}),
            ["database x", "  keywords:", "-   - a", "    - b", "    - c", "    …"],
        ),
        (Difference("retry_window", "", 300, 60), ["- retry_window: 300", "+ retry_window: 60"]),
        (
            Difference("routes", "", ["a", "b"], ["b", "a"]),
            ["order of routes", "  routes:", "+   - b", "    - a", "-   - b"],
        ),
    ],
)
def test_difference_is_rendered_as_a_patch(difference: Difference, lines: list[str]) -> None:
    assert write_difference(difference) == lines
