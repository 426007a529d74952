"""Run the server, optionally as a system service."""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from hookwright_console.errors import ReportedError
from hookwright_console.network.peers import can_find_owner
from hookwright_console.network.server_address import read_address
from hookwright_console.system_service import (
    find_config,
    find_service,
    read_environment,
    write_environment,
)
from hookwright_console.terminal import print_line
from lesson_search.cli.client import check_token, open_server
from lesson_search.cli.options import (
    CHROMA_TOKEN,
    READ_TOKEN,
    TOKEN,
    CommandWithOptions,
    Options,
    format_counts,
    print_message,
)
from lesson_search.service.settings import RecordChoice, Settings

if TYPE_CHECKING:
    from lesson_search.api.middleware import Tokens
    from lesson_search.service.lesson_service import LessonService

PORT = 7731
MAX_PROCESSES = 64
Host = Annotated[str, typer.Option(help="The address to listen on.")]
Port = Annotated[
    int, typer.Option(min=0, max=65535, help="The port to listen on; 0 for a free one.")
]
SearchProcesses = Annotated[
    int,
    typer.Option(
        min=0,
        max=MAX_PROCESSES,
        help="Processes that search documentation, such as one for each core of a team's server; "
        "0 for the server itself.",
    ),
]
MinScore = Annotated[
    float | None,
    typer.Option(
        envvar="LESSON_SEARCH_MIN_SCORE",
        min=0,
        max=1,
        help="The minimum score for injecting a lesson. A lower one answers more prompts, but "
        "makes more mistakes.",
        show_default="set by the embedder",
    ),
]
Record = Annotated[
    RecordChoice | None,
    typer.Option(
        envvar="LESSON_SEARCH_RECORD",
        help="Record which lessons agents are given (lessons), or for which prompts as well "
        "(prompts), in the data folder.",
        show_default="nothing",
    ),
]
# Server settings that are only read from the environment; some apply to a single embedder.
VARIABLES = (TOKEN, READ_TOKEN, CHROMA_TOKEN, "LESSON_SEARCH_EMBEDDER_KEY")
EMBEDDER_VARIABLES = {"ollama": ("OLLAMA_HOST",), "openai": ("OPENAI_API_KEY",)}

app = typer.Typer(
    no_args_is_help=True, help="Run the server as a system service.", rich_markup_mode=None
)


def serve(
    context: typer.Context,
    *,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    min_score: MinScore = None,
    search_processes: SearchProcesses = 0,
    record: Record = None,
    environment_file: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file with environment variables, such as LESSON_SEARCH_TOKEN=...",
        ),
    ] = None,
) -> None:
    """Run the server until Ctrl-C.

    Set LESSON_SEARCH_TOKEN to require a token from every client; the server needs one to listen on
    an address that other machines can reach. LESSON_SEARCH_READ_TOKEN is a second token, for a
    team's agents, that allows searching and reading but no changes. Without a token, other users of
    this machine are rejected on Linux, but accepted on other systems. The server sends
    LESSON_SEARCH_CHROMA_TOKEN to Chroma and LESSON_SEARCH_EMBEDDER_KEY to the embedder.
    """
    if environment_file:
        os.environ.update(read_environment(environment_file))
    chosen = context.ensure_object(Options).settings
    settings = replace(chosen, min_score=min_score, record=record)
    from lesson_search.server.serve import serve as run

    tokens = read_tokens()
    run(settings, host, port, report_ready, tokens=tokens, search_processes=search_processes)


def report_ready(url: str, service: "LessonService") -> None:
    records = format_counts({"lessons": len(service.lessons), "skills": len(service.skills)})
    print_message(f"{records} at {url}, embedded with {service.embedder.model}")
    if not read_tokens() and not can_find_owner():
        print_message(
            "cannot tell users apart on this system: set LESSON_SEARCH_TOKEN to keep others out"
        )


def read_tokens() -> "Tokens | None":
    from lesson_search.api.middleware import Tokens

    full, read = (check_token(name, os.environ.get(name, "")) for name in (TOKEN, READ_TOKEN))
    if read and full in {"", read}:
        raise ReportedError(f"{READ_TOKEN} is set, but {TOKEN} is not another token: set both")
    return Tokens(full, read or None) if full else None


def install(
    context: typer.Context,
    *,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    min_score: MinScore = None,
    search_processes: SearchProcesses = 0,
    record: Record = None,
) -> None:
    """Run the server now and at every system start, with these options."""
    read_tokens()  # raises the error that would stop the service
    options = context.ensure_object(Options)
    service = find_service()
    embedder = (options.embedder or "").partition("/")[0]
    names = (*VARIABLES, *EMBEDDER_VARIABLES.get(embedder, ()))
    variables = {name: os.environ[name] for name in names if os.environ.get(name)}
    environment = find_environment()
    settings = replace(options.settings, min_score=min_score, record=record)
    chosen = {
        "host": host,
        "port": port,
        "search-processes": search_processes or None,
        "environment-file": environment if variables else None,
    }
    command = build_command(settings, chosen)
    before = read_environment(environment) if environment.exists() else {}
    write_environment(environment, variables)
    try:
        service.install(command)
    except (ReportedError, OSError):
        write_environment(environment, before)
        raise
    print_line(f"installed {service.path}; its log: {service.log}")
    if service.keep_running:
        print_line(f"the server stops when you log out; to keep it running: {service.keep_running}")


def remove() -> None:
    """Stop the service and remove it; lessons stay."""
    removed = find_service().remove()
    write_environment(find_environment(), {})
    print_line("service removed" if removed else "no service is installed")


def status(context: typer.Context) -> int:
    """Show whether the service runs, and its health."""
    options = context.ensure_object(Options)
    state = find_service().read_state()
    address = read_address(options.settings.data)
    if state != "running" or not address:
        print_line(f"the service is {state}" + ", but not ready yet" * (state == "running"))
        return 1
    url, _ = address
    try:
        with open_server(url, os.environ.get(TOKEN) or None) as client:
            health = client.read_health()
    except ReportedError as error:
        print_line(f"the service is running, but: {error}")
        return 1
    records = format_counts({"lessons": health["lesson_count"], "skills": health["skill_count"]})
    print_line(f"the service is running and {health['status']}: {records} at {url}")
    return int(health["status"] != "healthy")


for verb in (install, remove, status):
    app.command(cls=CommandWithOptions)(verb)


def build_command(settings: Settings, chosen: Mapping[str, object]) -> list[str]:
    chosen = {
        **chosen,
        "min-score": settings.min_score,
        "record": settings.record,
        "data": settings.data,
        "embedder": settings.embedder,
        "model": settings.model,
        "embedder-url": settings.embedder_url,
        "chroma-url": settings.chroma_url,
    }
    for name in ("embedder-url", "chroma-url"):
        if "@" in urlsplit(str(chosen[name] or "")).netloc:
            raise ReportedError(
                f"--{name} holds a password, which every user could read: remove it, and set"
                " LESSON_SEARCH_EMBEDDER_KEY or LESSON_SEARCH_CHROMA_TOKEN"
            )
    words = [f"--{name}={value}" for name, value in chosen.items() if value is not None]
    return [sys.executable, "-m", "lesson_search", "serve", *words]


def find_environment() -> Path:
    return find_config() / "lesson-search" / "service.env"
