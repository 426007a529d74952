"""Ask for what the lesson search hook needs."""

from pathlib import Path
from typing import Any

from hookwright.wizard.ask import ask_choice, ask_text

TRANSPORTS = {
    "command": "command - a small process for each prompt, silent while the server is down",
    "http": "http - no process; Claude Code and Qwen only, an error if the server is down",
}
URL = "http://127.0.0.1:7731"


def ask_lessons(template: Path) -> dict[str, Any]:
    """Ask where the lesson server is; the other questions' defaults are good to begin with."""
    from hookwright.answers.validation import check_answers

    transport = ask_choice("How should a prompt get to the lesson server?", TRANSPORTS)
    url = ask_text(
        "Where is the lesson server?",
        URL,
        example=URL,
        check=lambda text: check_answers(
            template, "lesson_server_url", text, {"transport": transport}
        ),
    )
    return {"transport": transport, "lesson_server_url": url}
