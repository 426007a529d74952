"""Check answers as Copier would, by the validators of the template itself."""

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml
from jinja2 import FileSystemLoader, StrictUndefined, Template, Undefined
from jinja2.sandbox import SandboxedEnvironment

from hookwright.answers.yaml_reader import Place
from hookwright_console.text import make_printable

UNDEFINED = {"jinja2.StrictUndefined": StrictUndefined, "jinja2.Undefined": Undefined}
FILTERS = "jinja2_ansible_filters.AnsibleCoreFiltersExtension"  # those that Copier has by default

LONGEST = 80  # characters of a value in a complaint

FIELD = re.compile(r": (\w+)(?= is | has |: |[.\[])")
INDEX = re.compile(r"\[(\d+)\]")
KEY = re.compile(r" has (?:the unknown field|a key that is|a name that is|the name) ")
ENDS = (" is ", " has ", ": ")  # what a complaint goes on with after its path
RECORD, TEST = 2, 4  # how long the paths are of what has fields, after a colon


@dataclass(frozen=True)
class Question:
    """What an answer is checked by.

    Attributes:
        kind: The type that Copier gives the answer: "str", "int", "bool", "yaml".
        several: Whether the answer is a list of such values.
        choices: The values to choose from; none for a free answer.
        validator: Renders nothing, or what is wrong.

    """

    kind: str
    several: bool
    choices: tuple[str, ...]
    validator: Template


@dataclass(frozen=True)
class Questions:
    """The questions of a template by their names, and those of their defaults that are plain."""

    by_name: Mapping[str, Question]
    defaults: Mapping[str, Any]


def check_answers(
    template: Path, name: str, value: object, others: Mapping[str, Any] | None = None
) -> str:
    """Return what is wrong with the answer to a question, in one line; "" for nothing.

    A pattern that does not compile is told without its route, for nothing in Jinja can catch that.

    Args:
        template: The folder with copier.yml, which is read once a process.
        name: The question's, such as "databases".
        value: The answer, as YAML or a form holds it.
        others: Other answers that the validator reads, where they are not the defaults.

    Raises:
        KeyError: For a question that the template does not have.

    """
    questions = read_questions(template)
    question = questions.by_name[name]
    try:
        answer = cast(question, value)
    except (OverflowError, TypeError, ValueError):
        return make_printable(f"{name} is {shorten(value)}: {describe_wanted(question)}")
    except yaml.YAMLError as error:
        problem = " ".join(str(getattr(error, "problem", error)).split())
        return make_printable(f"{name} is no YAML: {problem}")
    if question.choices and not set(answer if question.several else [answer]) <= {
        *question.choices
    }:
        return make_printable(f"{name} is {shorten(value)}: {describe_wanted(question)}")
    context = {**questions.defaults, **(others or {}), name: answer}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore"
            )  # of patterns, where hookwright.patterns.check tells more
            complaint = question.validator.render(context).strip().partition("\n")[0]
    except Exception as error:  # noqa: BLE001 - whatever it is, Copier stops at it, too
        complaint = f"{name}: {' '.join(str(error).split()) or type(error).__name__}"
    return make_printable(complaint)


def check_record(template: Path, question: str, record: object, name: str = "name") -> str:
    """Return what is wrong with one record, as if it were alone in the answer; "" for nothing.

    Args:
        template: The folder with copier.yml.
        question: "databases" or "routes".
        record: As YAML or a form holds it.
        name: Of the route.

    """
    return check_answers(template, question, {name: record} if question == "routes" else [record])


@lru_cache
def read_questions(template: Path) -> Questions:
    """Return the questions of a template, with their validators compiled as Copier does it."""
    config = read_config(template)
    environment = build_environment(template)
    asked = {name: details for name, details in config.items() if not name.startswith("_")}
    by_name, defaults = {}, {}
    for name, details in asked.items():
        default, choices = details.get("default"), details.get("choices", ())
        by_name[name] = Question(
            details.get("type", "yaml"),
            details.get("multiselect", False),
            tuple(choices.values() if isinstance(choices, dict) else choices),
            environment.from_string(details.get("validator", "")),
        )
        if default is not None and "{" not in str(default):
            defaults[name] = default
    return Questions(by_name, defaults)


@lru_cache
def build_environment(template: Path) -> SandboxedEnvironment:
    """Return what renders the files of a template, as Copier does."""
    options = dict(read_config(template).get("_envops", {}))
    undefined = UNDEFINED[options.pop("undefined", "jinja2.Undefined")]
    return SandboxedEnvironment(
        loader=FileSystemLoader(template), extensions=[FILTERS], undefined=undefined, **options
    )


@lru_cache
def read_config(template: Path) -> Mapping[str, Any]:
    """Return what a template says of itself and its questions."""
    config: dict[str, Any] = yaml.safe_load((template / "copier.yml").read_text("utf-8"))
    return config


def cast(question: Question, value: Any) -> Any:
    """Return an answer with the type that Copier gives it; raise ValueError where it can't."""
    if isinstance(value, str) and (question.several or question.kind == "yaml"):
        value = yaml.safe_load(value)
    if question.several:
        return [str(each) for each in value]
    if question.kind != "yaml" and not isinstance(value, str | float | int):
        raise ValueError
    return {"int": int, "str": str}.get(question.kind, lambda each: each)(value)


def describe_wanted(question: Question) -> str:
    """Return what an answer to a question should be."""
    if question.choices:
        return f"choose from {', '.join(question.choices)}"
    return "give a whole number" if question.kind == "int" else "give it some text"


def shorten(value: object) -> str:
    """Return a value for a message of one line."""
    if value is None:
        return "empty"
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def locate(complaint: str, answers: Mapping[str, Any]) -> Place:
    """Return the path that a complaint begins with, as far as it can be told for certain.

    `routes.github-pr: tests[1]: expect is empty: ...` is of ("routes", "github-pr", "tests", 1,
    "expect"). Its last part may be a field that a test has to have; a field or name that should
    not be there is a part as well.

    Args:
        complaint: Of this module or hookwright.patterns.check.
        answers: What was complained of, for names may hold what separates them in a complaint.

    Returns:
        Keys and indexes from the answers on; none for a complaint of something else.

    """
    return next(follow("." + complaint, answers, ()), ())


def follow(rest: str, value: Any, path: Place) -> Iterator[Place]:
    """Yield each way to read the rest of a complaint about a value, the likeliest first."""
    index, field = INDEX.match(rest), FIELD.match(rest)
    if rest.startswith(".") and isinstance(value, Mapping):
        written = {make_printable(str(key)): key for key in value}
        if len(path) == TEST + 1:  # the input of a test, which has to have this
            written.setdefault("tool_name", "tool_name")
        for text in sorted(written, key=len, reverse=True):
            if rest.startswith(text, 1):
                key = written[text]
                yield from follow(rest[1 + len(text) :], value.get(key), (*path, key))
    elif index and isinstance(value, list) and int(index[1]) < len(value):
        number = int(index[1])
        yield from follow(rest[index.end() :], value[number], (*path, number))
    elif field and has_field(value, path, field[1]):
        yield from follow(rest[field.end() :], value.get(field[1]), (*path, field[1]))
    elif path and rest.startswith(ENDS) and not is_record(value, path, rest):
        yield path + find_key(rest, value)


def has_field(value: Any, path: Place, field: str) -> bool:
    """Tell whether a complaint can be of a field of a value; only tests are told what they lack."""
    return isinstance(value, Mapping) and (
        len(path) == TEST or (len(path) == RECORD and field in value)
    )


def is_record(value: object, path: Place, rest: str) -> bool:
    """Tell whether a value is a record, of which as a whole the rest cannot be a complaint."""
    known = len(path) == RECORD and path[0] in {"databases", "routes"}
    return known and isinstance(value, Mapping) and rest.startswith((" is ", ": "))


def find_key(rest: str, value: object) -> Place:
    """Return the key that a complaint has something against, as a path of one; or none."""
    found = KEY.match(rest)
    if not found or not isinstance(value, Mapping):
        return ()
    fitting = [key for key in value if rest.startswith(show_key(key), found.end())]
    return (max(fitting, key=lambda key: len(show_key(key))),) if fitting else ()


def show_key(key: object) -> str:
    """Return a key as a complaint shows it."""
    if key is None or key == "":
        return "empty"
    shown = json.dumps(key, ensure_ascii=False) if isinstance(key, str | int) else str(key)
    return make_printable(shown)
