"""Routes for the documentation databases of the server's machine."""

from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Query
from pydantic import BaseModel, BeforeValidator, Field

from hookwright_console.errors import ReportedError
from hookwright_console.text import make_printable, remove_hidden, shorten
from hookwright_documentation.databases import (
    MAX_QUERY,
    MAX_TOP_K,
    TOP_K,
    UnknownDatabaseError,
    count_days,
    describe,
    list_names,
)
from hookwright_documentation.serving.answers import find_anchor, make_line
from hookwright_documentation.serving.tools import PASSAGES, SHOW
from lesson_search.api.dependencies import (
    DatabasesDependency,
    RefreshesDependency,
    RunnerDependency,
)
from lesson_search.api.schemas import Parameters, Request, take_whole
from lesson_search.background.refreshes import Refreshes, RefreshState

Result = TypeVar("Result")

READERS = CapacityLimiter(2)  # threads
MAX_URL = 4_000  # characters

router = APIRouter(tags=["documentation"])


class DatabaseRow(BaseModel):
    """What a documentation database holds; of a damaged one, only its name and the error."""

    name: str
    error: str = ""
    title: str = ""
    prefix: str = ""
    version: str = ""
    license: str = Field(default="", description="The SPDX identifier, or an empty text.")
    crawled: str = Field(default="", description="The date of the last crawl.")
    age: int | None = Field(default=None, description="In days.")
    pages: int = 0
    passages: int = 0
    bytes: int = 0
    engine: str = ""
    refresh: RefreshState


class DocumentationQuery(Request):
    """What to search a database for."""

    query: str = Field(max_length=MAX_QUERY)
    top_k: Annotated[int, BeforeValidator(take_whole)] = Field(TOP_K, ge=1, le=MAX_TOP_K)


class PassageRow(BaseModel):
    """A passage that answers a query."""

    url: str = Field(description="With the fragment that leads to it, if there is one.")
    headings: list[str]
    text: str
    score: float = Field(description="Comparable within one answer only.")


class DocumentationAnswer(BaseModel):
    """What an agent gets from a search."""

    context: str = Field(description="Word for word, with a mark that is new each time.")
    hits: list[PassageRow]


class DocumentationPageParameters(Parameters):
    """Which page to show."""

    url: str = Field(max_length=MAX_URL, description="Its address, with or without a fragment.")


class PageResponse(BaseModel):
    """A page in markdown."""

    url: str
    title: str
    version: str
    license: str
    crawled: str
    before: str = Field(description="The text before the fragment of the address.")
    text: str = Field(description="The text from there on.")


class RefreshRequest(Request):
    """How to refresh a database."""

    agree: bool = Field(
        default=False,
        description="Whether to go on where the command line would ask, such as before it replaces"
        " the database by one with far fewer pages.",
    )


@router.get("/api/databases")
async def list_databases(refreshes: RefreshesDependency) -> dict[str, list[DatabaseRow]]:
    """List the documentation databases, by name."""
    rows = await read(lambda: [build_row(name, refreshes) for name in list_names()])
    return {"databases": rows}


def build_row(name: str, refreshes: Refreshes) -> DatabaseRow:
    refresh, known = refreshes.read(name), describe(name)
    if "error" in known:
        return DatabaseRow(name=name, error=make_printable(known["error"]), refresh=refresh)
    names = ("title", "prefix", "version", "license", "crawled", "engine")
    texts: dict[str, Any] = {field: make_line(known[field]) for field in names}
    return DatabaseRow(
        name=name,
        refresh=refresh,
        age=count_days(known["crawled"]),
        pages=known["pages"],
        passages=known["passages"],
        bytes=known["bytes"],
        **texts,
    )


@router.post("/api/databases/{name}/search")
async def search_database(
    name: str, request: DocumentationQuery, runner: RunnerDependency
) -> DocumentationAnswer:
    """Search a database as an agent does."""
    check_name(name)
    answer = await runner.run(SHOW, {"database": name, **request.model_dump()})
    if answer.failed:
        raise ReportedError(answer.text)
    hits = [
        PassageRow(
            url=make_printable(hit["url"]),
            headings=[make_line(heading) for heading in hit["headings"]],
            text=remove_hidden(hit["text"]).strip("\n"),
            score=round(hit["score"], 4),
        )
        for hit in answer.meta[PASSAGES]
    ]
    return DocumentationAnswer(context=answer.text, hits=hits)


@router.get("/api/databases/{name}/page")
async def show_page(
    name: str,
    parameters: Annotated[DocumentationPageParameters, Query()],
    databases: DatabasesDependency,
) -> PageResponse:
    """Show a page of a database."""
    url, _, fragment = parameters.url.partition("#")
    page = await read(lambda: databases.find_page(name, url))
    text = remove_hidden(page.text)
    start = max(find_anchor(text, fragment), 0) if fragment else 0
    return PageResponse(
        url=make_printable(page.url),
        title=make_line(page.title),
        version=make_line(page.version),
        license=make_line(page.license),
        crawled=make_line(page.crawled),
        before=text[:start],
        text=text[start:],
    )


@router.post("/api/databases/{name}/refresh", status_code=202)
async def refresh_database(
    name: str, request: RefreshRequest, refreshes: RefreshesDependency
) -> RefreshState:
    """Begin to refresh a database, also a damaged one, in a process of its own."""
    check_name(name)
    return refreshes.start(name, agree=request.agree)


@router.get("/api/databases/{name}/refresh")
async def show_refresh(name: str, refreshes: RefreshesDependency) -> RefreshState:
    """Tell how far the last refresh of a database is."""
    check_name(name)
    return refreshes.read(name)


def check_name(name: str) -> None:
    if name not in list_names():
        raise UnknownDatabaseError(f"no documentation database '{shorten(name)}'")


async def read(action: Callable[[], Result]) -> Result:
    """Return what an action returns that reads files; it holds up no change of a lesson."""
    return await run_sync(action, limiter=READERS, abandon_on_cancel=True)
