"""Options common to all commands: the data folder, the server and the embedder."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from hookwright_console import terminal
from hookwright_console.commands import VersionOption
from hookwright_console.network.server_address import find_data_folder
from hookwright_console.terminal import count
from lesson_search.records import CollectionName
from lesson_search.service.settings import Settings

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from lesson_search.cli.client import Client

# Tokens are only read from the environment, since every user of a machine can see command lines.
TOKEN = "LESSON_SEARCH_TOKEN"  # noqa: S105 - a name
READ_TOKEN = "LESSON_SEARCH_READ_TOKEN"  # noqa: S105 - a name
CHROMA_TOKEN = "LESSON_SEARCH_CHROMA_TOKEN"  # noqa: S105 - a name

# These commands start the server or manage its system service, so they never query another one.
SERVERS = frozenset({"serve", "install", "remove", "status"})

OPTION = re.compile(r"--?[\w-]+")

CollectionOption = Annotated[
    CollectionName | None, typer.Option(help="Only lessons or only skills.", show_default="both")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]


@dataclass(frozen=True)
class Options:
    """The user's choices; None for the default."""

    data: Path | None = None
    url: str | None = None
    embedder: str | None = None
    model: str | None = None
    embedder_url: str | None = None
    chroma_url: str | None = None

    @property
    def settings(self) -> Settings:
        return Settings(
            data=(self.data or find_data_folder()).absolute(),
            embedder=self.embedder or "wordllama",
            model=self.model,
            embedder_url=self.embedder_url,
            chroma_url=self.chroma_url,
            chroma_token=os.environ.get(CHROMA_TOKEN) or None,
        )


def choose_options(
    context: typer.Context,
    *,
    version: VersionOption = False,  # noqa: ARG001 - its callback shows it
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="LESSON_SEARCH_DATA", metavar="FOLDER", help="The folder with all data."
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_URL",
            help="Ask the server at this URL instead of the one that uses the folder.",
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_EMBEDDER",
            metavar="wordllama|onnx|ollama|openai",
            help="The embedder; wordllama by default.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_MODEL",
            help="The model, for ollama and openai; for onnx, its folder or Python package.",
        ),
    ] = None,
    embedder_url: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_EMBEDDER_URL",
            help="The URL of Ollama, or of a service with OpenAI's API.",
        ),
    ] = None,
    chroma_url: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_CHROMA_URL",
            help="A Chroma server that stores the records instead of files in the folder.",
        ),
    ] = None,
) -> None:
    """Find the lessons and skills that matter to a prompt, and maintain them."""
    chosen = Options(data, url, embedder, model, embedder_url, chroma_url)
    values = {name: value for name, value in vars(chosen).items() if value is not None}
    context.obj = replace(context.ensure_object(Options), **values)


class CommandWithOptions(TyperCommand):
    """A command that also accepts these options after its name: `lesson-search list --data FOLDER`.

    These options override the environment, and options before the name.
    """

    def __init__(
        self, name: str | None, *, params: list[Any] | None = None, **settings: Any
    ) -> None:
        app = typer.Typer(add_completion=False)
        app.command()(choose_options)
        self._choose_options = typer.main.get_command(app)
        skipped = {"version", "url"} if name in SERVERS else {"version"}
        self._added = [param for param in self._choose_options.params if param.name not in skipped]
        for option in self._added:
            option.envvar = None  # already read before the command's name
        super().__init__(name, params=[*(params or ()), *self._added], **settings)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments after the name; explain that a text that starts with - needs --."""
        try:
            return super().parse_args(ctx, args)
        except typer.TyperException as error:
            option = getattr(error, "option_name", "")
            if not option or OPTION.fullmatch(option):
                raise
            raise typer.BadParameter(
                f"a text that begins with - needs -- before it: lesson-search {ctx.info_name} --"
                " 'TEXT'"
            ) from None

    def invoke(self, ctx: Any) -> Any:
        values = {option.name: ctx.params.pop(option.name) for option in self._added}
        ctx.invoke(self._choose_options.callback, **values)
        return super().invoke(ctx)


def connect(context: typer.Context) -> "AbstractContextManager[Client]":
    from lesson_search.cli import client

    options = context.ensure_object(Options)
    return client.connect(options.settings, options.url, os.environ.get(TOKEN) or None)


def format_counts(counts: Mapping[Any, int]) -> str:
    return " and ".join(count(number, noun[:-1]) for noun, number in counts.items())


def print_message(line: str) -> None:
    terminal.print_message("lesson-search", line)
