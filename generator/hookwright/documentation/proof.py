"""Test that an agent finds a database: query the registered server, and run the rendered hook."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from hookwright.clients.claude.mcp_servers import McpServer, list_servers, name_show_command
from hookwright.clients.claude.tool_names import BEFORE_CALL, SEARCH
from hookwright.documentation.registration import Server
from hookwright.project.reader import Project
from hookwright.simulate.batch import Call, write_event
from hookwright.simulate.run import find_handlers, run_hook
from hookwright.simulate.trial import choose_search
from hookwright_console.errors import ReportedError
from hookwright_console.objects import pick
from hookwright_console.terminal import show_progress
from hookwright_console.text import shorten
from hookwright_documentation.cutting import list_pages, read_page
from hookwright_documentation.databases import Database

if TYPE_CHECKING:
    from mcp import ClientSession

    from hookwright.mcp_probe import Fault

TIME_LIMIT = 120.0  # seconds; LEANN takes half a minute for its first answer
ASKED = 3  # pages to try; one must be found
WORDS = 12  # words per phrase
MIN_WORDS = 4
LOOKED_AT = 100_000  # characters of a page to search
MAX_LINE = 2_000  # characters per line
PROSE = re.compile(r"(?<![\w'-])[^\W\d_][\w'-]*(?:[ ,]+[\w'-]+)+")


class UnprovenError(ReportedError):
    """An agent would not find the database."""


@dataclass(frozen=True)
class Question:
    """A phrase from a page, and the page's address."""

    phrase: str
    url: str


def prove_server(server: Server, database: Database, record: Mapping[str, Any]) -> Question:
    """Query the server exactly as registered, and return the question that found a page.

    Raises UnprovenError if it finds no page.
    """
    found = list_servers(Path.cwd()).get(server.name)
    if found is None:
        raise UnprovenError(
            f"the client does not list the server {server.name}: "
            f"run {name_show_command(server.name)}"
        )
    if found.scope != "user":
        raise UnprovenError(
            f"{found.path} has another server {server.name}, which takes precedence over yours: "
            "rename it"
        )
    questions = find_questions(database)
    if not questions:
        raise UnprovenError(
            f"{database.manifest.name} has no page with {MIN_WORDS} consecutive words to "
            "search for: use another source"
        )
    tool = str(record["mcp_tool_name"]).removeprefix(found.prefix)
    arguments = pick(record, "arguments")
    calls = [(tool, {**arguments, "query": question.phrase}) for question in questions]
    results, fault, output = call_tools(found, calls, TIME_LIMIT, looks=True)
    if fault:
        line = f"the server {server.name} {fault.text}" + (f"; it says: {output}" if output else "")
        raise UnprovenError(f"{line}: {fault.way_out or f'run {name_show_command(server.name)}'}")
    answers = list(map(read_answer, results))
    for question, answer in zip(questions, answers, strict=True):
        if url := find_answered(database, question, answer):
            return replace(question, url=url)
    raise UnprovenError(
        f"the server {server.name} does not find {questions[0].url} by '{questions[0].phrase}'; "
        f"it answers: {shorten(' '.join(answers[0].split()))}: "
        f"run hookwright docs search {database.manifest.name} '{questions[0].phrase}'"
    )


def find_answered(database: Database, question: Question, answer: str) -> str:
    """Return the address of the page in an answer that contains the phrase, or "".

    Several pages may contain the same line, for example about their version.
    """
    if question.url in answer:
        return question.url
    pages = (read_page(path) for path in list_pages(database.pages))
    named = (page.url for page in pages if page.url in answer and question.phrase in page.text)
    return next(named, "")


def find_questions(database: Database) -> list[Question]:
    """Return a phrase of one page in each part of a database."""
    paths = list_pages(database.pages)
    questions: dict[Question, None] = {}
    for number in range(1, ASKED + 1):
        pages = map(read_page, paths[len(paths) * number // (ASKED + 1) :])
        found = (Question(phrase, page.url) for page in pages if (phrase := find_phrase(page.text)))
        questions |= dict.fromkeys(islice(found, 1))
    return list(questions)


def find_phrase(text: str) -> str:
    """Return consecutive words of a page's text, or of its preformatted text if it has no other."""
    lines: list[str] = []
    preformatted: list[str] = []
    code = False
    for line in text[:LOOKED_AT].splitlines():
        if line.lstrip().startswith("```"):
            code = not code
        elif code:
            preformatted.append(line.strip()[:MAX_LINE])
        elif line[:1].isalpha():
            lines.append(line[:MAX_LINE])
    return find_run(lines) or find_run(line for line in preformatted if line[:1].isalpha())


def find_run(lines: Iterable[str]) -> str:
    runs = [found[0].split() for line in lines for found in PROSE.finditer(line)]
    longest = max(runs, key=lambda words: min(len(words), WORDS), default=[])
    return " ".join(longest[:WORDS]) if len(longest) >= MIN_WORDS else ""


def call_tools(
    server: McpServer,
    calls: Sequence[tuple[str, Mapping[str, Any]]],
    seconds: float,
    *,
    looks: bool = False,
) -> tuple[list[Any], "Fault | None", str]:
    """Call a server's tools in turn; with `looks`, check that the server lists them.

    Returns their results, the server's fault, and its last line on stderr.
    """
    from hookwright.mcp_probe import Fault, talk_to

    results: list[Any] = []
    missing: list[Fault] = []

    async def call_all(session: "ClientSession") -> None:
        listed = [tool.name for tool in (await session.list_tools()).tools] if looks else []
        for tool, arguments in calls:
            if looks and tool not in listed:
                has = ", ".join(listed) or "none"
                missing.append(Fault(f"has no tool {tool}: it has {has}"))
                return
            results.append(await session.call_tool(tool, dict(arguments)))

    with show_progress(f"Asking {server.name}", always=True):
        fault, output = anyio.run(talk_to, server, seconds, call_all, ignore)
    return results, fault or next(iter(missing), None), output


async def ignore(message: Any) -> None: ...


def read_answer(result: Any) -> str:
    return "\n".join(getattr(block, "text", "") for block in result.content)


def prove_hook(project: Project, record: Mapping[str, Any]) -> None:
    """Check that the rendered hook denies a search and names exactly a record's tool and arguments.

    Raises UnprovenError if it does not, and RefusedError if the hook cannot be run.
    """
    found = find_handlers(project, BEFORE_CALL)
    handlers = [handler for handler in found if handler.covers(SEARCH)]
    query = choose_search(handlers, record)
    event = write_event(Call(SEARCH, {"query": query}))
    decisions = [run_hook(handler, event) for handler in handlers]
    named = [record["mcp_tool_name"], *map(json.dumps, pick(record, "arguments").values())]
    if not any(
        decision.denied and all(text in decision.context for text in named)
        for decision in decisions
    ):
        raise UnprovenError(
            f"the hook of {project.name} does not send '{shorten(query)}' to "
            f"{record['mcp_tool_name']}: use another keyword first"
        )
