"""Run the server."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hookwright_console.errors import ReportedError
from hookwright_console.network.peers import can_find_owner
from hookwright_console.system_service.environment import read_environment
from hookwright_console.terminal import count, show_progress
from lesson_search.cli.options import READ_TOKEN, TOKEN, Options, print_message
from lesson_search.service.settings import RecordChoice

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
        help="The lowest score of a lesson that is given. A lower one answers more prompts, and "
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
) -> int:
    """Run the server until Ctrl-C.

    Set LESSON_SEARCH_TOKEN to require this token of every client; the server needs it to listen on
    an address that other machines can reach. LESSON_SEARCH_READ_TOKEN is another one, for the
    agents of a team: it searches and reads, but changes nothing. Without a token, Linux keeps
    other users of this machine out; other systems let them in. The server sends
    LESSON_SEARCH_CHROMA_TOKEN to Chroma and LESSON_SEARCH_EMBEDDER_KEY to the embedder.
    """
    options = context.ensure_object(Options)
    # Two threads halve a product of 1 ms on an idle machine, and take 10 ms on a busy one.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if environment_file:
        os.environ.update(read_environment(environment_file))
    settings = replace(options.settings, min_score=min_score, record=record)
    with show_progress("Calibrating the ranking") as progress:
        from lesson_search.server.serve import Endpoint
        from lesson_search.server.serve import serve as run

        run(settings, Endpoint(host, port, read_tokens(), search_processes), tell_ready, progress)
    return 0


def tell_ready(url: str, service: "LessonService") -> None:
    lessons, skills = len(service.lessons), len(service.skills)
    records = f"{count(lessons, 'lesson')} and {count(skills, 'skill')}"
    print_message(f"{records} at {url}, embedded with {service.embedder.model}")
    if not read_tokens() and not can_find_owner():
        print_message(
            "cannot tell users apart on this system: set LESSON_SEARCH_TOKEN to keep others out"
        )


def read_tokens() -> "Tokens | None":
    from lesson_search.api.middleware import Tokens

    full, read = (os.environ.get(name, "") for name in (TOKEN, READ_TOKEN))
    if read and not full:
        raise ReportedError(f"{READ_TOKEN} is set, but not {TOKEN}: set both")
    if read and read == full:
        raise ReportedError(f"{READ_TOKEN} and {TOKEN} are the same: choose another one")
    return Tokens(full, read or None) if full else None
