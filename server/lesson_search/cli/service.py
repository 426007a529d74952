"""Run the server as a system service."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import typer

from hookwright_console.errors import ReportedError
from hookwright_console.network.server_address import read_address
from hookwright_console.system_service import find_config, find_service
from hookwright_console.system_service.environment import read_environment, write_environment
from hookwright_console.terminal import count, print_line
from lesson_search.cli.client import ClientError, ServerClient, open_http
from lesson_search.cli.options import (
    CHROMA_TOKEN,
    READ_TOKEN,
    TOKEN,
    CommandWithOptions,
    Options,
)
from lesson_search.cli.serve import PORT, Host, MinScore, Port, Record, SearchProcesses
from lesson_search.service.settings import Settings

# Settings of the server that only the environment holds; some matter to one embedder alone.
VARIABLES = (TOKEN, READ_TOKEN, CHROMA_TOKEN, "LESSON_SEARCH_EMBEDDER_KEY")
EMBEDDER_VARIABLES = {"ollama": ("OLLAMA_HOST",), "openai": ("OPENAI_API_KEY",)}

app = typer.Typer(
    no_args_is_help=True, help="Run the server as a system service.", rich_markup_mode=None
)


def install(
    context: typer.Context,
    *,
    host: Host = "127.0.0.1",
    port: Port = PORT,
    min_score: MinScore = None,
    search_processes: SearchProcesses = 0,
    record: Record = None,
) -> int:
    """Run the server now and at every system start, with these options."""
    options = context.ensure_object(Options)
    service = find_service()
    embedder = (options.embedder or "").partition("/")[0]
    names = (*VARIABLES, *EMBEDDER_VARIABLES.get(embedder, ()))
    variables = {name: os.environ[name] for name in names if os.environ.get(name)}
    environment = find_environment()
    settings = replace(options.settings, min_score=min_score, record=record)
    command = build_command(settings, host, port, environment if variables else None)
    if search_processes:
        command.append(f"--search-processes={search_processes}")
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
    return 0


def remove() -> int:
    """Stop the service and remove it; lessons stay."""
    removed = find_service().remove()
    write_environment(find_environment(), {})
    print_line("service removed" if removed else "no service is installed")
    return 0


def status(context: typer.Context) -> int:
    """Show whether the service runs, and its health."""
    options = context.ensure_object(Options)
    state = find_service().read_state()
    address = read_address(options.settings.data)
    if state != "running" or not address:
        print_line(
            f"the service is {state}" + ("" if state != "running" else ", but not ready yet")
        )
        return 1
    url, _ = address
    try:
        with open_http(url, os.environ.get(TOKEN) or None) as http:
            health = ServerClient(http, url).read_health()
    except ClientError as error:
        print_line(f"the service is running, but: {error}")
        return 1
    records = (
        f"{count(health['lesson_count'], 'lesson')} and {count(health['skill_count'], 'skill')}"
    )
    print_line(f"the service is running and {health['status']}: {records} at {url}")
    return int(health["status"] != "healthy")


for verb in (install, remove, status):
    app.command(cls=CommandWithOptions)(verb)


def build_command(settings: Settings, host: str, port: int, environment: Path | None) -> list[str]:
    chosen = {
        "host": host,
        "port": port,
        "min-score": settings.min_score,
        "record": settings.record,
        "data": settings.data,
        "embedder": settings.embedder,
        "model": settings.model,
        "embedder-url": settings.embedder_url,
        "chroma-url": settings.chroma_url,
        "environment-file": environment,
    }
    for name in ("embedder-url", "chroma-url"):
        if "@" in urlsplit(str(chosen[name] or "")).netloc:
            raise ReportedError(
                f"--{name} holds a password, which every user could read: remove it, and set"
                " LESSON_SEARCH_EMBEDDER_KEY or LESSON_SEARCH_CHROMA_TOKEN"
            )
    words = [f"--{name}={value}" for name, value in chosen.items() if value is not None]
    script = Path(sys.executable).with_name("lesson-search")
    program = [str(script)] if script.is_file() else [sys.executable, "-m", "lesson_search"]
    return [*program, "serve", *words]


def find_environment() -> Path:
    return find_config() / "lesson-search" / "service.env"
