"""Ask for everything that a new project needs, in one of two ways."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookwright.clients.claude.mcp_servers import list_servers
from hookwright.discovery.old_files import find_old_files
from hookwright.discovery.search_tools import find_indexes
from hookwright.documentation.database_records import (
    find_database,
    list_installed_records,
    list_made,
)
from hookwright.rendered_hooks import render_hook
from hookwright.template.render import render
from hookwright.template.store import is_own
from hookwright.wizard.dialogue import Dialogue
from hookwright.wizard.findings import Findings, report_found
from hookwright.wizard.form import Form
from hookwright.wizard.full import ask_fully
from hookwright.wizard.quick import ask_quickly
from hookwright_console.errors import RefusedError

WAYS = {
    "quick": "quick: what this machine has, and defaults; three questions",
    "full": "full: each record, one question at a time",
}


def ask_answers(
    dialogue: Dialogue, destination: Path, source: str, template: Path, *, quick: bool
) -> dict[str, Any]:
    """Ask for a new project's answers, rendered from `source`, checked by `template`."""
    servers = list_servers(Path.cwd())
    form = Form(template, servers, lambda *hook: build_hook(source, *hook), dialogue=dialogue)
    used = frozenset(find_database(record) for _, record in list_installed_records())
    old = find_old_files([Path.cwd(), destination], form.check)
    found = Findings(find_indexes(Path.cwd()), old, list_made(), used)
    report_found(form, found)
    name = ""
    if quick or dialogue.ask_choice("How do you want to start?", WAYS) == "quick":
        answers = ask_quickly(form, destination, found)
        if answers["hooks"]:
            return answers
        if not dialogue.attended:
            raise RefusedError(
                "nothing here makes a project: run hookwright setup, or hookwright new to answer "
                "all questions"
            )
        name = answers["project_name"]
        dialogue.print("No database or route is chosen, so here are all questions.")
    return ask_fully(form, destination, found, name)


def build_hook(source: str, name: str, answers: Mapping[str, Any]) -> bytes:
    answers = {**answers, "hooks": [name]}
    if is_own(source) and (script := render_hook(name, answers)):
        return script
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        render(source, Path(folder, "project"), answers)
        return Path(folder, "project", "hooks", f"{name}.py").read_bytes()
