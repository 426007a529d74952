"""Ask for a documentation database's record, and for the MCP server that searches it."""

import re
import shlex
import shutil
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hookwright.answers.key_values import read_pairs, split_pairs, write_pairs
from hookwright.answers.schema import list_fields, name_database
from hookwright.answers.validation import check_answers
from hookwright.clients.claude.mcp_servers import McpServer
from hookwright.clients.claude.tool_names import SEARCH, build_prefix, check_tool_name, split_tool
from hookwright.discovery.ambiguous_keywords import explain_keywords, mark_ordinary
from hookwright.discovery.search_tools import (
    LEANN_COMMAND,
    RIGHT_TOOL,
    list_search_tools,
    suggest_arguments,
)
from hookwright.documentation.registration import OUR_NAME
from hookwright.simulate.batch import Call
from hookwright.simulate.run import writing_hook
from hookwright.simulate.trial import choose_search
from hookwright.wizard.dialogue import INDENT
from hookwright.wizard.form import Form
from hookwright_console.text import shorten

# Fields that have their own question, or none.
OWN = (
    *("name", "keywords", "with", "unless", "path", "mcp_tool_name", "arguments", "description"),
    "domains",
)
OTHER = "another"
PURPOSE = (
    "A web search that names one of its keywords is sent to the tool that searches it. If you have "
    "no database yet, leave with Ctrl-C, and run hookwright setup to make one."
)
HEADING = ("Database", PURPOSE)
HOSTS = "go.dev, pkg.go.dev"
SERVER_PURPOSE = "A server that a database needs, but the client does not have yet."


def fill_database(
    form: Form,
    others: list[dict[str, Any]],
    fields: Mapping[str, Any] | None = None,
    suggested: Mapping[str, Any] | None = None,
) -> dict[str, Any] | None:
    """Ask for a database until the user keeps or drops it; return its record, or None.

    `fields` are already known; `suggested` fields can be changed.
    """
    ask, preview = partial(ask_database, form), partial(preview_database, form, others)
    return form.fill(HEADING, ask, fields or {}, suggested or {}, preview)


def preview_database(form: Form, others: list[dict[str, Any]], record: dict[str, Any]) -> None:
    if form.dialogue.is_replaying:
        return
    hook = form.build("docsearch", {"databases": [*others, record]})
    with writing_hook(hook, "docsearch") as handler:
        search = choose_search([handler], record)
    form.show_message(hook, Call(SEARCH, {"query": search}))


def ask_database(
    form: Form, fields: Mapping[str, Any], suggested: Mapping[str, Any]
) -> dict[str, Any]:
    record = dict(fields)
    if "keywords" not in record:
        record["keywords"] = ask_keywords(form, record.get("name"), suggested)
    record = mark_ordinary(record)
    for note in explain_keywords(record):
        form.dialogue.print(note, INDENT)
    topic = record["keywords"][0]
    if "description" not in record:
        record["description"] = form.ask_field(
            "databases",
            "description",
            "What is it? The agent will see:",
            suggested.get("description") or f"the {topic} documentation",
        )
    if "mcp_tool_name" not in record:
        record["mcp_tool_name"] = ask_tool(form, suggested.get("mcp_tool_name"))
    if "arguments" not in record:
        record.update(ask_arguments(form, record["mcp_tool_name"], topic, suggested))
    if "path" not in record:
        example = f"~/.leann/indexes/{topic}"
        record["path"] = form.ask_field(
            "databases", "path", "Where is it?", suggested.get("path", ""), example=example
        )
        if record["path"][0] in "/~." and not Path(record["path"]).expanduser().exists():
            form.warn(f"kept, but {record['path']} does not exist")
    if "domains" not in record:
        record.update(ask_domains(form, suggested))
    record.update(form.ask_others("databases", (*OWN, *record), suggested))
    return {name: record[name] for name in list_fields("database") if name in record}


def ask_keywords(form: Form, name: str | None, suggested: Mapping[str, Any]) -> list[str]:
    """Ask for a database's keywords; the first names the database unless it has a name."""

    def check(words: list[str]) -> str:
        if problem := form.check_field("databases", "keywords", words):
            return problem
        called = name_database({"name": name, "keywords": words})
        return f"a database named {called} already exists" if called in form.databases else ""

    return form.dialogue.ask_words(
        "Which keywords send a search to it? The first is its name.",
        suggested.get("keywords", ()),
        example="gitlab, gitlab-ci, glab",
        check=check,
    )


def ask_tool(form: Form, suggested: str | None) -> str:
    listed = list(list_search_tools(form.servers.values()))
    if suggested and suggested not in listed:
        listed.append(suggested)
    if listed:
        choices = {name: name for name in listed}
        choices[OTHER] = "another one"
        tool = form.dialogue.ask_choice("Which tool searches it?", choices, suggested)
        if tool != OTHER:
            return tool
    return form.dialogue.ask_text(
        "Which tool searches it? Its full name:",
        "" if listed or not shutil.which(LEANN_COMMAND) else RIGHT_TOOL,
        example=RIGHT_TOOL,
        check=lambda text: (
            form.check_field("databases", "mcp_tool_name", text) or check_tool_name(text)
        ),
    )


def ask_arguments(
    form: Form, tool: str, topic: str, suggested: Mapping[str, Any]
) -> dict[str, Any]:
    known = suggested.get("arguments") or suggest_arguments(tool, topic)

    def check(text: str) -> str:
        arguments, problem = read_pairs(split_pairs(text))
        return problem or form.check_field("databases", "arguments", arguments)

    text = form.dialogue.ask_text(
        "With which other arguments?",
        write_pairs(known),
        example="index_name=gitlab, top_k=5",
        check=check,
        may_be_empty=True,
    )
    arguments, _ = read_pairs(split_pairs(text))
    return {"arguments": arguments} if arguments else {}


def take_host(text: str) -> str:
    """Return the host of a URL, or any other text unchanged."""
    return re.sub(r"(?i)^https?://([^/:?#]+).*", r"\1", text)


def ask_domains(form: Form, suggested: Mapping[str, Any]) -> dict[str, Any]:
    def check(words: list[str]) -> str:
        hosts = [take_host(word) for word in words]
        for word, host in zip(words, hosts, strict=True):
            if form.check_field("databases", "domains", [host]):
                return f'"{shorten(word)}" is not a host: type hosts such as {HOSTS}'
        return form.check_field("databases", "domains", list(dict.fromkeys(hosts)))

    domains = form.dialogue.ask_words(
        "Which websites does it cover?",
        suggested.get("domains", ()),
        example="docs.gitlab.com",
        check=check,
        may_be_empty=True,
    )
    return {"domains": list(dict.fromkeys(map(take_host, domains)))} if domains else {}


def list_missing(
    databases: Iterable[Mapping[str, Any]], servers: Iterable[McpServer], own: Iterable[str] = ()
) -> list[str]:
    """Return the MCP servers that databases need and neither the client nor the project configures.

    Hookwright's own server is excluded: `hookwright setup` configures it.
    """
    there = {build_prefix(name) for name in ("", OUR_NAME, *own)}
    there |= {server.prefix for server in servers}
    names = [split_tool(database["mcp_tool_name"])[0] for database in databases]
    return list(dict.fromkeys(name for name in names if build_prefix(name) not in there))


def ask_servers(form: Form, names: Iterable[str]) -> dict[str, Any]:
    """Ask for the commands that start MCP servers; return records for the specified ones."""
    servers: dict[str, Any] = {}
    for name in names:
        asked = partial(ask_command, form, name)
        command = form.dialogue.section("MCP server", SERVER_PURPOSE, asked)
        if words := shlex.split(command):
            form.warn_of_command(words[0])
            servers.update(build(name, words))
    return servers


def ask_command(form: Form, name: str) -> str:
    def check(text: str) -> str:
        try:
            words = shlex.split(text)
        except ValueError as error:
            return f"{error}: correct the quotes"
        return check_answers(form.template, "mcp_servers", build(name, words)) if words else ""

    return form.dialogue.ask_text(
        f"The client has no MCP server {name}: which command starts it?",
        LEANN_COMMAND if name == "leann" else "",
        example=LEANN_COMMAND,
        check=check,
        may_be_empty=True,
    )


def build(name: str, words: list[str]) -> dict[str, Any]:
    command, *args = words
    return {name: {"command": command, **({"args": args} if args else {})}}
