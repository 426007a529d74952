"""Read the schema of questions and records, the single source of their fields."""

import json
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from hookwright.installer import registry
from hookwright.template.store import SCHEMA, find_template
from hookwright_console.text import make_printable, suggest

Rule = Mapping[str, Any]  # a value's schema
RECORDS = {"databases": "database", "routes": "route"}  # schema of each question's records


@cache
def read_schema() -> Rule:
    schema: Rule = json.loads((find_template() / SCHEMA).read_text("utf-8"))
    return schema


def read_record(name: str) -> Rule:
    """Return the schema of a record: "database", "route", "test" or "server"."""
    return dereference({"$ref": f"#/definitions/{name}"})


def list_fields(name: str) -> dict[str, Rule]:
    """Return the schemas of a record's fields, by name."""
    return {field: dereference(rule) for field, rule in read_record(name)["properties"].items()}


def describe_choices(question: str) -> dict[str, str]:
    """Return the titles of a question's choices, by value."""
    rule = QUESTIONS[question]
    chosen = rule.get("items", rule)
    if question == "clients":
        rows = registry.CLIENTS
        return {name: f"{name} - {row['title']}: {row['can']}" for name, row in rows.items()}
    if question == "hooks":
        return {name: f"{name} - {registry.HOOKS[name]['describes']}" for name in chosen["enum"]}
    pairs = zip(chosen["enum"], chosen["enumDescriptions"], strict=True)
    return {value: f"{value} - {description}" for value, description in pairs}


def build_sample(question: str) -> dict[str, Any]:
    return dict(read_record(RECORDS[question])["examples"][0])


def name_database(database: Mapping[str, Any]) -> str:
    """Return a database's name, or its first keyword."""
    return str(database.get("name") or database["keywords"][0])


def dereference(rule: Rule) -> Rule:
    if "$ref" not in rule:
        return rule
    return {
        **dereference(read_schema()["definitions"][rule["$ref"].rpartition("/")[2]]),
        **rule,
    }


QUESTIONS: Mapping[str, Rule] = read_schema()["properties"]  # in template order


def is_asked(name: str, hooks: object) -> bool:
    """Return whether a question is asked for these hooks; unknown questions are always asked."""
    needed = QUESTIONS.get(name, {}).get("hooks", ())
    return not needed or not isinstance(hooks, list) or any(hook in hooks for hook in needed)


def find_misplaced(
    answers: Mapping[str, Any], known: Sequence[str], hooks: object, needed: Collection[str] = ()
) -> tuple[str, str]:
    """Return the question and the fault of an unknown, unused or missing answer, or two "".

    `hooks` other than a list need no records; `needed` are questions that need an answer anyway.
    """
    for name in answers:
        if name not in known:
            near = suggest(name, known) or f"the questions are {', '.join(known)}"
            return name, f"{make_printable(name)} is not a question: {near}"
    for name in known:
        listed = name in (*RECORDS, "mcp_servers")
        if listed and answers.get(name) and not is_asked(name, hooks):
            (hook,) = QUESTIONS[name]["hooks"]
            return name, f"{name} is there, but hooks has no {hook}: add that, or take {name} out"
        wanted = name in needed or (name in RECORDS and isinstance(hooks, list))
        if wanted and name not in answers and is_asked(name, hooks):
            way_out = "add it, or remove the hook that needs it from hooks"
            return "hooks", f"{name} is missing: {way_out}"
    return "", ""
