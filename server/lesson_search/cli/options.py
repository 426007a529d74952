"""The options that every verb has: where lessons are, and what embeds them."""

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Concatenate, ParamSpec, get_args

import typer

from hookwright_console.terminal import show_progress
from lesson_search.client import Client, connect
from lesson_search.records import CollectionName
from lesson_search.settings import Settings
from lesson_search.storage.data_folder import find_data_folder

PANEL = "Where lessons are, and what embeds them (also before the verb)"
# Tokens stand in the environment alone: everybody on a machine can read command lines.
TOKEN = "LESSON_SEARCH_TOKEN"  # noqa: S105 - a name
CHROMA_TOKEN = "LESSON_SEARCH_CHROMA_TOKEN"  # noqa: S105 - a name

OfCollection = Annotated[
    CollectionName | None, typer.Option(help="Only lessons, or only skills.", show_default="both")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for scripts.")]
Parameters = ParamSpec("Parameters")


@dataclass(frozen=True)
class Options:
    """What a user chose; None where nothing was said."""

    data: Path | None = None
    url: str | None = None
    embedder: str | None = None
    model: str | None = None
    embedder_url: str | None = None
    chroma_url: str | None = None

    @property
    def settings(self) -> Settings:
        """What a server, or a command that does without one, is to work with."""
        return Settings(
            data=(self.data or find_data_folder()).absolute(),
            embedder=self.embedder or "wordllama",
            model=self.model,
            embedder_url=self.embedder_url,
            chroma_url=self.chroma_url,
            chroma_token=os.environ.get(CHROMA_TOKEN) or None,
        )

    @contextmanager
    def connect(self) -> Iterator[Client]:
        """Yield a client of the server, or of what does without one; raises as `connect` does."""
        token = os.environ.get(TOKEN) or None
        with (
            show_progress("Fitting the ranking to the embedder") as progress,
            connect(self.settings, self.url, token, progress) as client,
        ):
            yield client


def remember_options(
    context: typer.Context,
    *,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="LESSON_SEARCH_DATA", metavar="FOLDER", help="What everything is kept in."
        ),
    ] = None,
    url: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_URL",
            help="The server to ask, if not the one that works in the folder.",
        ),
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_EMBEDDER",
            metavar="wordllama|ollama|openai",
            help="What embeds, if not wordllama.",
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(envvar="LESSON_SEARCH_MODEL", help="Which model of ollama's or openai's."),
    ] = None,
    embedder_url: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_EMBEDDER_URL",
            help="Where ollama, or anything with openai's interface, is asked.",
        ),
    ] = None,
    chroma_url: Annotated[
        str | None,
        typer.Option(
            envvar="LESSON_SEARCH_CHROMA_URL",
            help="A Chroma server that keeps the records, instead of files in the folder.",
        ),
    ] = None,
) -> None:
    """Find the lessons and skills that matter to a prompt, and look after them."""
    context.obj = Options(data, url, embedder, model, embedder_url, chroma_url)


def with_options(verb: Callable[Concatenate[Options, Parameters], int]) -> Callable[..., int]:
    """Return a verb that has these options besides its own, and is given what was chosen.

    Args:
        verb: What does the work. Its other parameters are its own options and arguments.

    """
    shared = list_parameters()
    context, *own = (
        inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context),
        *inspect.signature(verb, eval_str=True).parameters.values(),
    )
    # By keyword, as an argument that may be left out can then stand before one that may not.
    named = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in own[1:]]

    @wraps(verb)
    def run(context: typer.Context, **values: Any) -> int:
        given = {one.name: values.pop(one.name) for one in shared}
        chosen = {name: value for name, value in given.items() if value is not None}
        return verb(replace(context.obj, **chosen), **values)  # type: ignore[call-arg]

    run.__signature__ = inspect.Signature([context, *named, *shared])  # type: ignore[attr-defined]
    return run


def list_parameters() -> list[inspect.Parameter]:
    """Return the options as a verb has them: the environment is read before it, and stands back."""
    parameters = []
    for parameter in list(inspect.signature(remember_options).parameters.values())[1:]:
        kind, option = get_args(parameter.annotation)
        own = copy(option)
        own.envvar, own.rich_help_panel = None, PANEL
        parameters.append(parameter.replace(annotation=Annotated[kind, own]))
    return parameters
