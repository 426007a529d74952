"""Turn a record's fields, from the schema, into command options."""

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Annotated, Any

import typer

from hookwright.answers.key_values import read_pairs
from hookwright.answers.schema import Rule, dereference, list_fields, read_record

Command = Callable[..., int]
TEXTS = list[str] | None


def take_fields(record: str) -> Callable[[Command], Command]:
    """Return a decorator that adds an option for each field of a record.

    The decorated command receives the specified fields as its first argument.
    """
    rules = {name: rule for name, rule in list_fields(record).items() if find_type(rule)}
    parameters = {f"field_{name}": build_parameter(name, rule) for name, rule in rules.items()}

    def decorate(command: Command) -> Command:
        def run(**words: Any) -> int:
            values = {name: words.pop(f"field_{name}") for name in rules}
            fields = {
                name: read_field(name, rules[name], value)
                for name, value in values.items()
                if value is not None and value != []
            }
            return command(fields, **words)

        update_wrapper(run, command)
        signature = inspect.signature(command)
        _, *others = signature.parameters.values()
        positional = [other for other in others if other.kind is not other.KEYWORD_ONLY]
        options = [other for other in others if other.kind is other.KEYWORD_ONLY]
        shown: Any = run  # typer reads options from the signature
        shown.__signature__ = signature.replace(
            parameters=[*positional, *parameters.values(), *options]
        )
        return run

    return decorate


def name_option(field: str, rule: Rule) -> str:
    return f"--{rule.get('option', field)}".replace("_", "-")


def list_required(record: str) -> dict[str, str]:
    rules = list_fields(record)
    return {name: name_option(name, rules[name]) for name in read_record(record)["required"]}


def find_type(rule: Rule) -> Any:
    """Return the type of a field's option, or None if the field cannot be an option."""
    if "anyOf" in rule:
        return None
    if rule.get("type") == "array":
        return TEXTS if dereference(rule["items"]).get("type") == "string" else None
    if rule.get("type") == "object":
        return None if "properties" in rule else TEXTS
    kinds = {"boolean": bool, "string": str}
    return next((kinds[kind] for kind in kinds if kind in rule.get("type", "string")), None)


def build_parameter(name: str, rule: Rule) -> inspect.Parameter:
    kind = find_type(rule)
    description = rule["description"]
    flag = name_option(name, rule)
    option = typer.Option(
        f"{flag}/--no-{flag[2:]}" if kind is bool else flag,
        help=f"{description.removesuffix('.')}; repeatable." if kind is TEXTS else description,
        metavar="KEY=VALUE"
        if rule.get("type") == "object"
        else "|".join(rule.get("enum", ())) or None,
    )
    return inspect.Parameter(
        f"field_{name}",
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[kind if kind is TEXTS else kind | None, option],
    )


def read_field(name: str, rule: Rule, value: Any) -> Any:
    if value == "" or (isinstance(value, list) and not all(value)):
        raise typer.BadParameter(f"{name_option(name, rule)} is empty: enter some text")
    if rule.get("type") != "object":
        return value
    pairs, problem = read_pairs(value)
    if problem:
        raise typer.BadParameter(f"{name_option(name, rule)}: {problem}")
    return pairs
