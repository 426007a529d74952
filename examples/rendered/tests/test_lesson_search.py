"""Test that the lesson_search hook follows the answers."""

import re
from typing import Any


def test_answers_and_constants_agree(
    load_hook: Any, answers: "dict[str, Any]", fail_for: Any
) -> None:
    hook = load_hook("lesson_search")
    names = ("SERVER", "TOP_K", "CONTEXT_BUDGET", "TIME_LIMIT", "MIN_SCORE")
    address = str(answers.get("lesson_server_url")).partition("://")[2]
    wanted = [
        address if re.search(r":\d+$", address) else f"{address}:80",
        *(answers.get(name) for name in ("top_k", "context_budget", "lesson_time_limit")),
        answers.get("min_score") or None,
    ]
    if [getattr(hook, name, None) for name in names] != wanted:
        fail_for("hooks/lesson_search.py differs from the answers")
