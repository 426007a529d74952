"""Turn a project's answers into a text to edit, and the edited text into answers."""

import json
import re
import textwrap
from pathlib import Path
from typing import Any

from hookwright.answers.schema import QUESTIONS, RECORDS, find_misplaced, name_database
from hookwright.answers.validation import format_fault, list_faults
from hookwright.answers.yaml_files import (
    REFUSAL,
    Document,
    MisplacedError,
    read_document,
    write_yaml,
)
from hookwright.discovery.ambiguous_keywords import explain_keywords
from hookwright.patterns.check import check_routes
from hookwright.project.reader import Project
from hookwright.project.record_changes import Key, read_record, replace_record
from hookwright.template.store import SCHEMA, find_checks, find_template
from hookwright_console.text import make_printable

COMMENT = 96  # characters per line
REFUSED = re.compile(rf"^[ \t]*{REFUSAL.strip()}(?: .*)?\n?", re.MULTILINE)
HEADER = """\
# yaml-language-server: $schema={schema}
# {title}. Save and leave the editor: what changes is shown, and you are asked
# whether to go on.
# If something is wrong, the editor opens again: lines that begin with {refusal}say what and where.
# Leave the text as it is, or empty it, and nothing changes. Comments of your own are not kept.
"""


def write_answers(project: Project, schema: Path) -> str:
    """Return a project's answers as YAML with comments, one of which names the schema."""
    known = [name for name in QUESTIONS if name in project.answers]
    parts = [write_header("The answers of your project", schema)]
    for name in known + [name for name in project.answers if name not in known]:
        comment = f"# {QUESTIONS[name]['description']}\n" if name in QUESTIONS else ""
        parts.append(comment + write_yaml({name: project.answers[name]}))
    return "\n".join(parts)


def write_record(project: Project, key: Key, schema: Path) -> str:
    """Return one of a project's records as YAML with comments, below its question."""
    question, place = key
    record = read_record(project, key)
    name = name_database(record) if question == "databases" else place
    header = write_header(f"The {RECORDS[question]} {make_printable(str(name))}", schema)
    answer: Any = [record] if question == "databases" else {place: record}
    comment = f"# {QUESTIONS[question]['description']}\n"
    hints = "".join(
        f"# {line}\n"
        for note in (explain_keywords(record) if question == "databases" else ())
        for line in textwrap.wrap(make_printable(note), COMMENT)
    )
    return f"{header}{hints}\n{comment}{write_yaml({question: answer})}"


def write_header(title: str, schema: Path) -> str:
    return HEADER.format(title=title, schema=schema.as_uri(), refusal=REFUSAL)


def write_schema(folder: Path, *, whole: bool = True) -> Path:
    """Copy the answers' schema to a folder; unless `whole`, the schema allows missing answers."""
    path = folder / Path(SCHEMA).name
    schema = json.loads((find_template() / SCHEMA).read_text("utf-8"))
    if not whole:
        del schema["required"]
    path.write_text(json.dumps(schema, indent=2), "utf-8")
    return path


def read_edited(text: str, project: Project) -> Document:
    """Return the answers in an edited text; raises MisplacedError."""
    document = read_document(text)
    answers = document.value
    if not isinstance(answers, dict):
        raise MisplacedError("the text has no answers: write each as `question: answer`", 0)
    check_values(document, project)
    check_questions(document, project)
    check_patterns(document, project)
    return document


def read_edited_record(text: str, project: Project, key: Key) -> dict[str, Any]:
    """Return the changed answers, from a record's edited text; raises MisplacedError."""
    question, place = key
    document = read_document(text)
    if not isinstance(document.value, dict) or list(document.value) != [question]:
        raise MisplacedError(f"keep the line {question}: with the record below it", 0)
    check_values(document, project, skip=2)
    records = document.value[question]
    if len(records) != 1:
        raise MisplacedError(
            f"{question} has {len(records)} records: keep one (hookwright add adds others)",
            document.find_line((question,)),
        )
    check_patterns(document, project)
    name = next(iter(records)) if question == "routes" else name_database(records[0])
    record = records[name] if question == "routes" else records[0]
    former = place if question == "routes" else name_database(project.databases[int(place)])
    taken = map(name_database, project.databases) if question == "databases" else project.routes
    if name != former and name in taken:
        line = document.find_line((question, name))
        raise MisplacedError(f"another {RECORDS[question]} is called {name}: rename one", line)
    return replace_record(project, key, record, name)


def check_questions(document: Document, project: Project) -> None:
    answers = document.value
    known = [*QUESTIONS, *(name for name in project.answers if name not in QUESTIONS)]
    hooks = answers.get("hooks", project.hooks)
    question, reason = find_misplaced(answers, known, hooks, project.answers)
    if reason:
        raise MisplacedError(reason, document.find_line((question,)))


def check_values(document: Document, project: Project, skip: int = 0) -> None:
    """Check each answer with the template's own checks; errors are as in `read_edited`.

    Messages omit the first `skip` keys of a value's path.
    """
    template = find_checks(project.source)
    for name, answer in document.value.items():
        earlier = project.answers.get(name, ())
        try:
            faults = list_faults(template, name, answer, document.value, earlier)
        except KeyError:  # the template has another version
            continue
        for fault in faults:
            left = len(fault.path) - fault.within - skip
            message = format_fault(template, fault, skip if left > 0 else 0)
            raise MisplacedError(message, document.find_line(fault.path))


def check_patterns(document: Document, project: Project) -> None:
    routes = document.value.get("routes") or {}
    changed = {name: route for name, route in routes.items() if project.routes.get(name) != route}
    for fault in check_routes(changed):
        line = document.find_line(("routes", fault.route, fault.field))
        _, *details = fault.show().split("\n")
        raise MisplacedError(str(fault), line, *details)


def place_refusal(text: str, refusal: Exception) -> str:
    details = getattr(refusal, "details", ())
    lines = text.split("\n")
    line = min(getattr(refusal, "line", 0), len(lines) - 1)
    message = make_printable(str(refusal))
    comments = [f"{REFUSAL}{make_printable(part)}" for part in (message, *details)]
    if line < HEADER.count("\n"):
        return "\n".join([*comments, *lines])
    indent = " " * (len(lines[line]) - len(lines[line].lstrip(" ")))
    pointer = f"{REFUSAL}line {line + len(comments) + 2}: {message}"
    return "\n".join([pointer, *lines[:line], *(indent + part for part in comments), *lines[line:]])


def drop_refusal(text: str) -> str:
    return REFUSED.sub("", text)
