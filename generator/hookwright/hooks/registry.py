"""The hooks that a project can have."""

from dataclasses import dataclass

from hookwright.answers.schema import QUESTIONS, is_asked
from hookwright.clients.claude.matchers import BEFORE_CALL
from hookwright.installer import registry


@dataclass(frozen=True)
class Hook:
    """A hook that a project can have.

    Args:
        name: As answers, files and messages call it.
        events: The client's events at which it runs; at the first it decides, and `try` asks it.
        tool: The only tool that it is asked about, or "" where its records name their tools.
        records: The question that asks for its records, or "" where it has none.
        record: What people call one of them, or "".

    """

    name: str
    events: tuple[str, ...]
    tool: str = ""
    records: str = ""
    record: str = ""

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(
            question
            for question in QUESTIONS
            if is_asked(question, [self.name]) and not is_asked(question, [])
        )

    def takes(self, tool: str) -> bool:
        return self.events[0] == BEFORE_CALL and self.tool in {"", tool}


HOOKS = tuple(
    Hook(
        name,
        tuple(row["events"]),
        next(iter(row["events"].values())),
        row.get("records", ""),
        row.get("record", ""),
    )
    for name, row in registry.HOOKS.items()
)
DOCSEARCH, TOOL_ROUTING, LESSON_SEARCH = (
    next(hook for hook in HOOKS if hook.name == name)
    for name in ("docsearch", "tool_routing", "lesson_search")
)


def find_for_call(tool: str) -> Hook:
    """Return the hook that calls of a tool are for: that of this tool alone, or that of any."""
    return max((hook for hook in HOOKS if hook.takes(tool)), key=lambda hook: bool(hook.tool))
