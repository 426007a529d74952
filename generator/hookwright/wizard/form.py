"""What all questions about records share: how they are checked, tried and settled."""

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.cli.terminal import say
from hookwright.simulate.calls import Call, write_event
from hookwright.simulate.run import Handler, run_hook
from hookwright.wizard.ask import ask_choice
from hookwright_console.errors import RefusedError
from hookwright_console.terminal import print_line
from hookwright_console.unseen import escape_hidden

if TYPE_CHECKING:
    from hookwright.clients.claude.configuration import Server

# Of each question a record that is in order, for one of its fields to be checked in.
SAMPLES: Mapping[str, Mapping[str, Any]] = {
    "databases": {
        "keywords": ["gitlab"],
        "path": "/docs",
        "mcp_tool_name": "mcp__leann__leann_search",
        "description": "documentation",
    },
    "routes": {"pattern": "x", "message": "x"},
}
FORM = {"WebSearch": "query", "WebFetch": "url", "Bash": "command"}  # what a call is made with
LONGEST = 30  # seconds for a hook that is only shown
CHOICES = {"take": "take it", "change": "change it", "leave": "leave it out"}


@dataclass
class Desk:
    """What the questions are asked with.

    Args:
        template: The folder of the template, whose checks hold.
        servers: The MCP servers of the client's configuration, by their names.
        build: Returns the hook of a name that comes of more answers, as a script.
        taken: What the databases are called that there are already.
        routes: The names of the routes that there are already.

    """

    template: Path
    servers: Mapping[str, "Server"]
    build: Callable[[str, Mapping[str, Any]], bytes]
    taken: list[str] = field(default_factory=list)
    routes: list[str] = field(default_factory=list)

    def check(self, question: str, record: Any, name: str = "name") -> str:
        """Return what is wrong with a record, or ""."""
        from hookwright.answers.validation import check_record

        return check_record(self.template, question, record, name)

    def check_field(self, question: str, field_name: str, value: object) -> str:
        """Return what is wrong with the value of a field, or ""; without the record's name."""
        complaint = self.check(question, {**SAMPLES[question], field_name: value}, "new")
        return complaint.removeprefix("databases[0]: ").removeprefix("routes.new: ")

    def settle(
        self,
        ask: Callable[[Mapping[str, Any]], dict[str, Any]],
        suggested: Mapping[str, Any],
        preview: Callable[[dict[str, Any]], None],
    ) -> dict[str, Any] | None:
        """Ask for a record until the user takes it, or leaves it out.

        Args:
            ask: Asks for the record, given what it probably says.
            suggested: What it probably says.
            preview: Shows what the agent would be told; raises RefusedError of a refused record.

        Returns:
            The record, or None where it is left out.

        """
        while True:
            record = ask(suggested)
            try:
                preview(record)
            except RefusedError as refused:
                say(str(refused))
                choices = {key: CHOICES[key] for key in ("change", "leave")}
            else:
                choices = CHOICES
            chosen = ask_choice("And now?", choices)
            if chosen != "change":
                return record if chosen == "take" else None
            suggested = record


def show_told(script: bytes, tool: str, call: str, *, missing: str = "") -> bool:
    """Show what a hook tells the agent of a call; return whether it tells anything.

    Args:
        script: The rendered hook.
        tool: The tool that is called.
        call: The query, URL or command.
        missing: Why it may tell nothing, such as a command that there is not.

    """
    with tempfile.TemporaryDirectory(prefix="hookwright-") as folder:
        path = Path(folder, "hook.py")
        path.write_bytes(script)
        event = write_event(Call(tool, {FORM.get(tool, "url"): call}))
        answer = run_hook(Handler("the hook", "", path, "", {}, LONGEST), event)
    told = "\n".join(part for part in (answer.reason, answer.context) if part)
    if told:
        print_line(f"Of {tool} {call!r} the agent is told:")
        for line in escape_hidden(told).splitlines():
            print(f"  | {line}")
    else:
        print_line(f"{tool} {call!r} is let through" + (f": {missing}" if missing else ""))
    return bool(told)
