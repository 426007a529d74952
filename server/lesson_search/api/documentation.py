"""Routes for the documentation databases on the server's machine."""

from typing import Annotated, Any

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Query
from pydantic import BeforeValidator, Field

from hookwright_console.errors import ReportedError
from hookwright_console.text import make_printable, remove_hidden, shorten
from hookwright_documentation.databases import (
    MAX_QUERY,
    MAX_TOP_K,
    TOP_K,
    UnknownDatabaseError,
    count_days,
    describe_database,
    list_names,
)
from hookwright_documentation.serving.answers import find_anchor, make_line
from hookwright_documentation.serving.lookup import find_page
from hookwright_documentation.serving.tools import PASSAGES, SHOW
from lesson_search.api.dependencies import RefreshesDependency, RunnerDependency
from lesson_search.api.schemas import Request, take_whole
from lesson_search.background.refreshes import Refreshes, RefreshState

Row = dict[str, Any]

# Reading files must not delay lesson changes, which use other threads.
READING: Any = {"limiter": CapacityLimiter(2), "abandon_on_cancel": True}
DETAILS = ("url", "title", "version", "license", "crawled")  # of a page
TEXTS = ("error", "title", "prefix", "version", "license", "crawled", "engine")
NOTHING_KNOWN: Row = {**dict.fromkeys(TEXTS, ""), "pages": 0, "passages": 0, "bytes": 0}
MAX_LINE = 4_000  # characters, such as of a URL


async def check_name(name: str) -> str:
    if name not in list_names():
        raise UnknownDatabaseError(f"no documentation database '{shorten(name)}'")
    return name


Name = Annotated[str, Depends(check_name)]
router = APIRouter(tags=["documentation"])


class DocumentationQuery(Request):
    """A search of a documentation database."""

    query: str = Field(max_length=MAX_QUERY)
    top_k: Annotated[int, BeforeValidator(take_whole)] = Field(TOP_K, ge=1, le=MAX_TOP_K)


class RefreshRequest(Request):
    """Options for refreshing a database."""

    agree: bool = Field(
        default=False,
        description="Whether to proceed where the command line would prompt, such as before it"
        " replaces the database by one with far fewer pages.",
    )


@router.get("/api/databases")
async def list_databases(refreshes: RefreshesDependency) -> dict[str, list[Row]]:
    """List the documentation databases by name; a damaged one is listed with only its error.

    The age is the number of days since the last crawl; the license is an SPDX identifier.
    """
    rows = await run_sync(lambda: [build_row(name, refreshes) for name in list_names()], **READING)
    return {"databases": rows}


def build_row(name: str, refreshes: Refreshes) -> Row:
    known = {**NOTHING_KNOWN, **describe_database(name)}
    shown = {field: known[field] for field in NOTHING_KNOWN}
    shown |= {field: make_line(known[field], MAX_LINE) for field in TEXTS}
    age = count_days(known["crawled"])
    return {"name": name, **shown, "age": age, "refresh": refreshes.read(name)}


@router.post("/api/databases/{name}/search")
async def search_database(name: Name, request: DocumentationQuery, runner: RunnerDependency) -> Row:
    """Search a database the way an agent does.

    The context is exactly the text that an agent receives, including a mark that differs in each
    response. Passage scores are comparable only within one response.
    """
    answer = await runner.run(SHOW, {"database": name, **request.model_dump()})
    if answer.failed:
        raise ReportedError(answer.text)
    hits = [
        {
            "url": make_printable(hit["url"]),
            "headings": [make_line(heading) for heading in hit["headings"]],
            "text": remove_hidden(hit["text"]).strip("\n"),
            "score": round(hit["score"], 4),
        }
        for hit in answer.meta[PASSAGES]
    ]
    return {"context": answer.text, "hits": hits}


@router.get("/api/databases/{name}/page")
async def show_page(name: str, url: Annotated[str, Query(max_length=MAX_LINE)]) -> dict[str, str]:
    """Show a database page in two parts: the text before the URL's fragment, and the rest."""
    address, _, fragment = url.partition("#")
    page = await run_sync(find_page, name, address, **READING)
    text = remove_hidden(page.text)
    start = max(find_anchor(text, fragment), 0) if fragment else 0
    shown = {field: make_line(getattr(page, field), MAX_LINE) for field in DETAILS}
    return {**shown, "before": text[:start], "text": text[start:]}


@router.post("/api/databases/{name}/refresh", status_code=202)
async def refresh_database(
    name: Name, request: RefreshRequest, refreshes: RefreshesDependency
) -> RefreshState:
    """Start refreshing a database, even a damaged one, in a child process."""
    return refreshes.start(name, agree=request.agree)


@router.get("/api/databases/{name}/refresh")
async def show_refresh(name: Name, refreshes: RefreshesDependency) -> RefreshState:
    """Report the progress of a database's last refresh."""
    return refreshes.read(name)
