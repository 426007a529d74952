"""Validate answers like Copier, using the template's own checks."""

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml
from jinja2 import FileSystemLoader, StrictUndefined, Undefined
from jinja2.sandbox import SandboxedEnvironment

from hookwright.answers.yaml_files import Place
from hookwright.patterns.check import PatternFault, check_routes, find_fault
from hookwright.template.store import SCHEMA, find_template
from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable

if TYPE_CHECKING:
    from jinja2.environment import TemplateModule

UNDEFINED = {"jinja2.StrictUndefined": StrictUndefined, "jinja2.Undefined": Undefined}
FILTERS = "jinja2_ansible_filters.AnsibleCoreFiltersExtension"  # Copier's default filters
CHECKS = "generator/macros/check.jinja"
WORDS = "generator/macros/faults.jinja"
MAX_SHOWN = 80  # characters of a value in a message


@dataclass(frozen=True)
class AnswerFault:
    """A fault in an answer, with the message from the template's checks."""

    path: Place  # question, then the keys and indexes that lead to the value
    value: Any  # None if missing
    message: str
    way_out: str
    within: bool = False  # whether the message is about the container of the path's last key


@dataclass(frozen=True)
class CopierQuestion:
    """How Copier asks a question."""

    kind: str  # type of the answer: "str", "int", "bool", "yaml"
    several: bool  # whether the answer is a list of such values
    choices: tuple[str, ...]  # empty for a free answer
    default: Any  # None if it depends on other answers


def check_answers(
    template: Path,
    name: str,
    value: object,
    others: Mapping[str, Any] | None = None,
    earlier: object = (),
) -> str:
    """Return an answer's fault in one line, or "".

    `others` are answers that the check also reads; missing ones get their defaults. Faults that the
    `earlier` answer already had are allowed. Raises KeyError for an unknown question.
    """
    fault = find_first(template, name, value, others, earlier)
    return format_fault(template, fault) if fault else ""


def check_record(template: Path, question: str, record: object, key: str | int = "name") -> str:
    """Return a single record's fault, or "".

    `key` is the route's name or the database's number, for the message.
    """
    fault = find_first(template, question, {key: record} if question == "routes" else [record])
    if fault and isinstance(key, int):
        fault = replace(fault, path=(question, key, *fault.path[2:]))
    return format_fault(template, fault) if fault else ""


def find_first(
    template: Path,
    name: str,
    value: object,
    others: Mapping[str, Any] | None = None,
    earlier: object = (),
) -> AnswerFault | None:
    for fault in list_faults(template, name, value, others, earlier):
        return fault
    if name == "routes" and has_checks(template):
        routes = cast(read_questions(template)[name], value)
        return next(list_uncompiled(routes), None)
    return None


def list_faults(
    template: Path,
    name: str,
    value: object,
    others: Mapping[str, Any] | None = None,
    earlier: object = (),
) -> list[AnswerFault]:
    """Return an answer's faults, except patterns that do not compile.

    If a template has no schema, only Copier can check its answers, and no faults are returned.
    Arguments and errors are the same as in `check_answers`.
    """
    if not has_checks(template):
        return []
    questions = read_questions(template)
    question = questions[name]
    try:
        answer = cast(question, value)
    except (OverflowError, TypeError, ValueError):
        return [
            AnswerFault((name,), value, f"is {describe_value(value)}", describe_wanted(question))
        ]
    except yaml.YAMLError as error:
        problem = " ".join(str(getattr(error, "problem", error)).split())
        return [AnswerFault((name,), value, "is not YAML", problem)]
    transport = (others or {}).get("transport", questions["transport"].default)
    found: list[dict[str, Any]] = []
    try:
        load_macros(template, CHECKS).check_answer(found, name, answer, transport)
        load_macros(find_template(), CHECKS).check_new(found, name, answer, earlier)
    except Exception as error:  # noqa: BLE001 - whatever it is, Copier stops at it, too
        problem = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, RecursionError):
            problem = "it is nested too deeply"
        return [AnswerFault((name,), value, "cannot be checked", problem)]
    return [AnswerFault(**{**fault, "path": tuple(fault["path"])}) for fault in found]


def list_uncompiled(routes: Mapping[str, Mapping[str, Any]]) -> Iterator[AnswerFault]:
    """Yield route patterns that this Python cannot compile; Jinja cannot detect them."""
    for name, route in routes.items():
        for field in ("tool", "pattern"):
            pattern = route.get(field, "")
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # find_fault reports the warnings
                    re.compile(pattern)
            except (re.error, OverflowError, RecursionError, ValueError):
                problem, _ = find_fault(pattern) or ("does not compile", None)
                yield AnswerFault(
                    ("routes", name, field), pattern, f"is {describe_value(pattern)}", problem
                )


def format_fault(template: Path, fault: AnswerFault, skip: int = 0) -> str:
    """Return a fault as one line, omitting the first `skip` keys of its path."""
    return make_printable(str(load_macros(template, WORDS).word(vars(fault), skip)))


def has_checks(template: Path) -> bool:
    return (template / SCHEMA).is_file() and (template / CHECKS).is_file()


@lru_cache
def load_macros(template: Path, name: str) -> Any:
    macros: TemplateModule = build_environment(template).get_template(name).module
    return macros


@lru_cache
def read_questions(template: Path) -> Mapping[str, CopierQuestion]:
    questions = {}
    for name, details in read_config(template).items():
        if name.startswith("_") or details.get("when") is False:
            continue
        default, choices = details.get("default"), details.get("choices", ())
        if isinstance(choices, str):  # a Jinja template
            choices = yaml.safe_load(build_environment(template).from_string(choices).render())
        questions[name] = CopierQuestion(
            details.get("type", "yaml"),
            details.get("multiselect", False),
            tuple(choices.values() if isinstance(choices, dict) else choices),
            None if "{" in str(default) else default,
        )
    return questions


@lru_cache
def build_environment(template: Path) -> SandboxedEnvironment:
    """Return the environment that renders the template's files, as in Copier."""
    options = dict(read_config(template).get("_envops", {}))
    undefined = UNDEFINED[options.pop("undefined", "jinja2.Undefined")]
    return SandboxedEnvironment(
        loader=FileSystemLoader(template), extensions=[FILTERS], undefined=undefined, **options
    )


@lru_cache
def read_config(template: Path) -> Mapping[str, Any]:
    config: dict[str, Any] = yaml.safe_load((template / "copier.yml").read_text("utf-8"))
    return config


def cast(question: CopierQuestion, value: Any) -> Any:
    """Return an answer converted to Copier's type; raises ValueError if it cannot be converted."""
    if isinstance(value, str) and (question.several or question.kind == "yaml"):
        value = yaml.safe_load(value)
    if question.several and isinstance(value, str):  # otherwise each letter would be an answer
        raise ValueError
    if question.several:
        return [str(each) for each in value]
    if question.kind != "yaml" and not isinstance(value, str | float | int):
        raise ValueError
    parts = isinstance(value, float) and not value.is_integer()
    if question.kind == "int" and (parts or isinstance(value, bool)):  # int() would accept these
        raise ValueError
    return {"int": int, "float": float, "str": str}.get(question.kind, lambda each: each)(value)


def describe_wanted(question: CopierQuestion) -> str:
    if question.choices:
        return f"choose from {', '.join(question.choices)}"
    numbers = {"int": "enter a whole number", "float": "use a number"}
    return numbers.get(question.kind, "enter some text")


def describe_value(value: object) -> str:
    if value is None:
        return "empty"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool) else repr(value)
    return text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 3]}..."


class PatternError(RefusedError):
    """A route's pattern is invalid or can backtrack without limit."""

    def __init__(self, fault: PatternFault) -> None:
        super().__init__(str(fault))
        _, *lines = fault.show().split("\n")
        self.details = () if fault.position is None else tuple(lines)


def refuse_faults(
    template: Path,
    question: str,
    answer: object,
    known: Mapping[str, Any] | None = None,
    *,
    earlier: object = (),
    whose: str = "",
    skip: int = 0,
) -> None:
    """Reject answers that fail a template's checks, and patterns that might never terminate.

    Patterns of `known` routes are not checked again, and faults that the `earlier` answer already
    had are allowed. `whose` is the start of the message, or "" if the answer is the user's own;
    `skip` is as in `format_fault`.
    """
    for fault in list_faults(template, question, answer, earlier=earlier):
        line = format_fault(template, fault, skip)
        raise RefusedError(f"{whose}: {line}" if whose else line)
    if question == "routes" and isinstance(answer, dict):
        new = {name: route for name, route in answer.items() if (known or {}).get(name) != route}
        for wrong in check_routes(new):
            raise PatternError(wrong)
