"""Ask for what the lesson search hook needs."""

from pathlib import Path
from typing import Any

from hookwright.answers.schema import describe_choices, read_question
from hookwright.wizard.ask import ask_choice, ask_text


def ask_lessons(template: Path) -> dict[str, Any]:
    """Ask how to reach the lesson server; the other questions keep their defaults."""
    from hookwright.answers.validation import check_answers

    transport = ask_choice(
        "How should a prompt get to the lesson server?", describe_choices("transport")
    )
    (example,) = read_question("lesson_server_url")["examples"]
    url = ask_text(
        "Where is the lesson server?",
        example,
        example=example,
        check=lambda text: check_answers(
            template, "lesson_server_url", text, {"transport": transport}
        ),
    )
    return {"transport": transport, "lesson_server_url": url}
