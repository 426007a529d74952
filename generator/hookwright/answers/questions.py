"""Say what the questions of the template are about, and which hooks they are for."""

from dataclasses import dataclass

from hookwright.answers.schema import read_schema


@dataclass(frozen=True)
class SchemaQuestion:
    """A question of the template.

    Attributes:
        hooks: The hooks that it is asked for; none for a question that is always asked.
        description: What it is about, in a line.

    """

    hooks: tuple[str, ...]
    description: str


# In the order of the template's.
QUESTIONS = {
    name: SchemaQuestion(tuple(rule.get("hooks", ())), rule["description"])
    for name, rule in read_schema()["properties"].items()
}


def is_asked(name: str, hooks: object) -> bool:
    """Tell whether a question is asked in a project with these hooks; an unknown one always is."""
    needed = QUESTIONS[name].hooks if name in QUESTIONS else ()
    return not needed or not isinstance(hooks, list) or any(hook in hooks for hook in needed)
