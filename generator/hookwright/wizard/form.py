"""A form that asks for a record, checks each answer, and previews the record."""

import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from hookwright.answers.schema import RECORDS, build_sample, list_fields
from hookwright.answers.validation import (
    build_environment,
    check_answers,
    check_record,
    format_fault,
    list_faults,
    read_config,
)
from hookwright.clients.claude.mcp_servers import McpServer
from hookwright.project.rendered_hooks import render_hook
from hookwright.project.status import find_namesake
from hookwright.simulate.batch import Call, write_event
from hookwright.simulate.run import run_hook, writing_hook
from hookwright.wizard.dialogue import Dialogue
from hookwright_console.errors import RefusedError
from hookwright_console.text import escape_hidden

CHOICES = {"take": "take it", "change": "change it", "leave": "leave it out"}


@dataclass
class Form:
    """A form for a project's records."""

    template: Path  # checks the answers
    servers: Mapping[str, McpServer]  # the client's servers, by name
    answers: Mapping[str, Any] = field(default_factory=dict)  # the project's other answers
    databases: list[str] = field(default_factory=list)  # names of the project's databases
    routes: list[str] = field(default_factory=list)
    dialogue: Dialogue = field(default_factory=Dialogue)
    pasted: str = ""  # the address entered for the last route's pattern, or ""

    def build(self, name: str, answers: Mapping[str, Any]) -> bytes:
        """Render a hook with answers; raises RefusedError if one is invalid.

        This version's own hook shows what the agent would get: a template of others is not run.
        """
        if script := render_hook(name, {**self.answers, **answers, "hooks": [name]}):
            return script
        faults = (check_answers(self.template, *answer) for answer in answers.items())
        raise RefusedError(next(filter(None, faults), f"{name} cannot be shown with these answers"))

    def check(self, question: str, record: Any, key: str | int = "name") -> str:
        return check_record(self.template, question, record, key)

    def check_field(self, question: str, field_name: str, value: object, **others: object) -> str:
        """Return the fault of a field's value, or "", without the record's name."""
        record = {**build_sample(question), **others, field_name: value}
        answer = {"new": record} if question == "routes" else [record]
        faults = list_faults(self.template, question, answer)
        return format_fault(self.template, faults[0], skip=2) if faults else ""

    def ask_project_name(self, destination: Path) -> str:
        default = str(read_config(self.template)["project_name"]["default"])
        return self.dialogue.ask_text(
            "What is the project called?",
            build_environment(self.template)
            .from_string(default)
            .render(_copier_conf={"dst_path": destination}),
            example="my-hooks",
            check=lambda text: (
                check_answers(self.template, "project_name", text)
                or find_namesake(text, destination)
            ),
        )

    def ask_field(
        self,
        question: str,
        name: str,
        asked: str,
        default: str = "",
        *,
        example: str = "",
        may_be_empty: bool = False,
        **others: object,
    ) -> str:
        """Ask for a record's text field, checked by the schema; `others` are known fields."""
        check = partial(self.check_field, question, name, **others)
        return self.dialogue.ask_text(
            asked, default, example=example, check=check, may_be_empty=may_be_empty
        )

    def ask_others(
        self, question: str, known: Collection[str], suggested: Mapping[str, Any]
    ) -> dict[str, str]:
        """Ask for the schema's other text fields; return the fields that were filled in."""
        asked = {
            name: f"{name}: {rule['description']}"
            for name, rule in list_fields(RECORDS[question]).items()
            if name not in known and rule.get("type") == "string"
        }
        texts = {
            name: self.ask_field(question, name, line, suggested.get(name, ""), may_be_empty=True)
            for name, line in asked.items()
        }
        return {name: text for name, text in texts.items() if text}

    def warn(self, *lines: str) -> None:
        for line in lines:
            self.dialogue.print(f"! {line}", hanging="  ")

    def warn_of_command(self, command: str) -> None:
        if not shutil.which(command):
            self.warn(f"kept, but {command} is not installed")

    def fill(
        self,
        heading: tuple[str, str],
        ask: Callable[[Mapping[str, Any], Mapping[str, Any]], dict[str, Any]],
        fields: Mapping[str, Any],
        suggested: Mapping[str, Any],
        preview: Callable[[dict[str, Any]], None],
    ) -> dict[str, Any] | None:
        """Ask for a record until the user keeps or drops it; return it, or None.

        `ask` receives the fields that are known, so that it does not ask for them, and the defaults
        of the others. `preview` shows what the agent would receive; it raises RefusedError for an
        invalid record.
        """

        def fill_in() -> dict[str, Any] | None:
            known, defaults = fields, {**suggested, **fields}
            while True:
                record = ask(known, defaults)
                choices = CHOICES
                try:
                    preview(record)
                except RefusedError as refused:
                    self.warn(str(refused))
                    choices = {key: CHOICES[key] for key in ("change", "leave")}
                chosen = self.dialogue.ask_choice("What next?", choices)
                if chosen != "change":
                    return record if chosen == "take" else None
                known, defaults = {}, record  # the user can now also edit the known fields

        return self.dialogue.section(*heading, fill_in)

    def show_message(self, script: bytes, call: Call, *, missing: str = "") -> bool:
        """Show a hook's message to the agent about a call; return whether there is one.

        `missing` explains why there may be no message, for example because a command is missing.
        """
        with writing_hook(script, "the hook") as handler:
            answer = run_hook(handler, write_event(call))
        lines = escape_hidden(f"{answer.reason}\n{answer.context}".strip("\n")).splitlines()
        otherwise = f"is let through: {missing}" if missing else "is let through"
        shown = f"{call.tool} {call.text!r}"
        title = f"For {shown} the agent gets:" if lines else f"{shown} {otherwise}"
        self.dialogue.print("")
        self.dialogue.print(title)
        for line in lines:
            self.dialogue.print(line, "  | ")
        return bool(lines)
