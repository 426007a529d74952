"""Ask for what the lesson search hook needs."""

from pathlib import Path
from typing import Any

from hookwright.answers.schema import describe_choices
from hookwright.lesson_server import read_usual_url
from hookwright.wizard.dialogue import Dialogue

PURPOSE = "The lesson server finds what was learned before; the hook adds it to a prompt."


def ask_lessons(dialogue: Dialogue, template: Path) -> dict[str, Any]:
    """Ask how to reach the lesson server; the other questions keep their defaults."""
    from hookwright.answers.validation import check_answers

    def ask() -> dict[str, Any]:
        transport = dialogue.ask_choice(
            "How should a prompt get to the lesson server?", describe_choices("transport")
        )
        url = dialogue.ask_text(
            "Where is the lesson server?",
            read_usual_url(),
            check=lambda text: check_answers(
                template, "lesson_server_url", text, {"transport": transport}
            ),
        )
        return {"transport": transport, "lesson_server_url": url}

    return dialogue.section("Lessons", PURPOSE, ask)
