"""The hooks that a project can have."""

from dataclasses import dataclass

from hookwright.answers.schema import QUESTIONS, is_asked
from hookwright.clients.claude.tool_names import BEFORE_CALL
from hookwright.installer import registry


@dataclass(frozen=True)
class Hook:
    """A hook that a project can have."""

    name: str  # in answers, files and messages
    events: tuple[str, ...]  # client events that start the hook; it decides at the first of them
    tool: str = ""  # the only tool it handles; "" if its records name their tools
    records: str = ""  # the question for its records, or ""
    record: str = ""  # the word for a single record, or ""

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
    """Return the hook for a tool's calls: one for only this tool, or else one for any tool."""
    return max((hook for hook in HOOKS if hook.takes(tool)), key=lambda hook: bool(hook.tool))
