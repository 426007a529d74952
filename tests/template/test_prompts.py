"""Copier's questions and answers fit into an 80-column terminal."""

from typing import Any

import pytest
import yaml

from hookwright.answers.validation import build_environment

from ..support.project import GITLAB, ROOT

COLUMNS = 80
MARK = 3  # columns before a question
POINTER = 5  # columns before a choice
QUESTIONS: dict[str, dict[str, Any]] = {
    name: own
    for name, own in yaml.safe_load((ROOT / "copier.yml").read_text("utf-8")).items()
    if not name.startswith("_") and own.get("when") is not False
}


def validate(question: str, answer: object, **conf: Any) -> str:
    """Return the part of Copier's message that fits below the prompt."""
    conf = {"data": {}, "defaults": False, "overwrite": False, "quiet": False, **conf}
    context = {"_copier_conf": conf, "_copier_answers": {}, question: answer}
    template = build_environment(ROOT).from_string(QUESTIONS[question]["validator"])
    message = template.render(context).strip()
    return f"Validation error for question '{question}': {message}"[:COLUMNS] if message else ""


def test_questions_and_choices_fit_the_terminal() -> None:
    for own in QUESTIONS.values():
        long = [line for line in own["help"].split("\n") if len(line) + MARK > COLUMNS]
        choices = own.get("choices", {})
        if isinstance(choices, str):
            choices = yaml.safe_load(build_environment(ROOT).from_string(choices).render())
        assert long + [line for line in choices if len(line) + POINTER > COLUMNS] == []


@pytest.mark.parametrize(
    ("field", "value", "advice"),
    [
        ("keywords", "flask", "keywords: use a list: [gitlab, glab]"),
        ("keywords", ["the"], "keywords: choose a word that names th"),
        ("mcp_tool_name", "mcp__leann_search", "mcp_tool_name: write mcp__SERVER__TOO"),
        ("description", 5, "description: put it in quotes"),
        ("mcp_tool_name", "WebSearch", "mcp_tool_name: write mcp__SERVER__TOO"),
        ("ambiguous", "yes", "ambiguous: say true or false, or list"),
    ],
)
def test_advice_is_visible_at_a_prompt(field: str, value: object, advice: str) -> None:
    assert advice in validate("databases", [{**GITLAB, field: value}])


def test_missing_field_is_reported_first() -> None:
    record = {name: value for name, value in GITLAB.items() if name != "path"}
    assert validate("databases", [record]).endswith("path: add it, as in /home/me/.leann/i")


@pytest.mark.parametrize(
    ("question", "answer", "advice"),
    [
        ("retry_window", 0, "use a number from 1 to 86400, e.g"),
        ("project_name", "My Hooks", "use lowercase letters, digits and "),
        ("databases", "gitlab", "use a list of records: [{keywords: "),
        ("databases", ["gitlab"], "use a record, e.g. {keywords: [gitl"),
    ],
)
def test_invalid_answer_gets_its_advice(question: str, answer: object, advice: str) -> None:
    assert validate(question, answer).startswith(
        f"Validation error for question '{question}': {advice}"
    )


@pytest.mark.parametrize(
    "tool", ["WebSearch", "WebFetch", "Bash", "Monitor", "google_web_search", "web_fetch", "shell"]
)
def test_client_tools_are_rejected_in_new_records(tool: str) -> None:
    old = [{**GITLAB, "mcp_tool_name": tool}]
    assert validate("databases", old)
    assert not validate("databases", [GITLAB])
    passed_on = {"project_name": "my-hooks", "databases": old}
    assert not validate("databases", old, data=passed_on, overwrite=True, quiet=True)


def test_existing_project_records_are_accepted() -> None:
    old = [{**GITLAB, "mcp_tool_name": "mcp__leann_search"}]
    assert validate("databases", old)
    assert validate("databases", old, data={"databases": old})
    passed_on = {"project_name": "my-hooks", "databases": old}
    assert not validate("databases", old, data=passed_on, overwrite=True, quiet=True)
