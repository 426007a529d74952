"""The web application: its routes, limits and error responses."""

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.routing import Match, Route, Router

from hookwright_console.errors import ReportedError, UnknownNameError
from hookwright_console.text import make_printable, shorten
from hookwright_console.version import find_version
from hookwright_documentation.databases import UnknownDatabaseError
from hookwright_documentation.serving.http import DocumentationEndpoint
from hookwright_documentation.serving.lookup import UnknownPageError
from hookwright_documentation.serving.registration import PATH
from hookwright_documentation.serving.tool_runner import ToolRunner
from hookwright_retrieval.embedders import EmbedderError
from lesson_search.api import (
    collections,
    documentation,
    inbox,
    overview,
    search,
)
from lesson_search.api.middleware import LOOPBACK, MAX_BODY, AccessMiddleware, Tokens
from lesson_search.background.refreshes import Refreshes
from lesson_search.page import routes as page
from lesson_search.service.edits import ChangedRecordError, UnknownRecordError
from lesson_search.service.lesson_service import LessonService
from lesson_search.storage.chroma import StoreError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


STATUS = {
    UnknownRecordError: 404,
    UnknownDatabaseError: 404,
    UnknownPageError: 404,
    UnknownNameError: 404,
    ChangedRecordError: 412,
    ReportedError: 409,
    EmbedderError: 503,
    StoreError: 503,
}
ROUTERS = (
    search.router,
    overview.router,
    documentation.router,
    overview.hooks,
    inbox.router,
    collections.router,
    page.router,
)
UNREADABLE, NOT_ALLOWED = 400, 405
NO_OBJECT = "the body is not a JSON object: send one, with Content-Type: application/json"
FAULTS = {"json_invalid", "missing", "model_attributes_type"}  # Pydantic's errors of such a body
# Prepared once, since FastAPI would build a model for each route, which takes most of a command's
# time.
ERROR = {
    "title": "ErrorResponse",
    "description": "Why a request was refused and what to do, in one line.",
    "type": "object",
    "properties": {"detail": {"title": "Detail", "type": "string"}},
    "required": ["detail"],
}
REFUSED = {
    400: "The body is unreadable.",
    401: "The token is missing or wrong.",
    403: "The request comes from another site or user of the machine, or its token only reads.",
    404: "No record, database, page or project has this name.",
    409: "A value is refused, or the taxonomy is invalid.",
    412: "The record has changed since it was read.",
    413: "The body is too large.",
    421: "The host name is not one of the server.",
    422: "The request does not match the schema.",
    503: "The embedder or the store is down.",
}


def build_app(
    service: LessonService,
    hosts: Collection[str] | None = LOOPBACK,
    tokens: Tokens | None = None,
    *,
    runner: ToolRunner | None = None,
    refreshes: Refreshes | None = None,
    only_own: bool = False,
) -> "ASGIApp":
    """Return the web application of a service.

    Hosts are without ports, and None accepts any; every request needs one of the tokens, if there
    are any. Without a runner, documentation is searched in threads of this process. With
    `only_own`, only processes of this user may send requests.
    """
    runner = runner or ToolRunner()
    state = {
        "service": service,
        "runner": runner,
        "refreshes": refreshes or Refreshes(),
        "inbox": None if tokens else service.folder,  # hidden from other users
    }
    api = build_api()

    async def call_api(scope: "Scope", receive: "Receive", send: "Send") -> None:
        scope["state"] = {**scope.get("state", {}), **state}
        await api(scope, receive, send)

    app = Router(
        [Route(PATH, DocumentationEndpoint(runner))],
        redirect_slashes=False,
        default=call_api,  # Mount rejects paths that contain a newline
    )
    return AccessMiddleware(app, hosts, tokens, only_own=only_own)


@cache  # takes as long as several requests
def build_api() -> "ASGIApp":
    app = FastAPIOffline(  # its pages load nothing from other hosts
        title="Lesson search",
        version=find_version() or "0",
        description="Find the lessons and skills that matter to a prompt.",
        responses={
            code: {"content": {"application/json": {"schema": ERROR}}, "description": why}
            for code, why in REFUSED.items()
        },
        # Tracing is off, since each request would look for a tracer.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    # The last FastAPI release for Python 3.10 does not limit body sizes.
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=MAX_BODY)
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(RequestValidationError, refuse_form)
    app.add_exception_handler(HTTPException, refuse_http)
    app.add_exception_handler(ReportedError, refuse)
    return app


async def refuse(_: Request, error: Exception) -> JSONResponse:
    code = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return JSONResponse({"detail": make_printable(str(error))}, code)


async def refuse_form(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - it is registered for it
    first, *more = error.errors()
    if first["type"] in FAULTS and (first["loc"] == ("body",) or first["type"] == "json_invalid"):
        return JSONResponse({"detail": NO_OBJECT}, 422)
    place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    reason = f"{shorten(place)}: {first['msg']}" + (f" (and {len(more)} more)" if more else "")
    return JSONResponse({"detail": make_printable(reason)}, 422)


async def refuse_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for it
    headers = dict(error.headers or {})
    if error.status_code == NOT_ALLOWED:
        # The framework lists only the methods of a path's first route.
        methods = set(headers.get("Allow", "").split(", "))
        for route in (route for router in ROUTERS for route in router.routes):
            if route.matches(request.scope)[0] != Match.NONE:
                methods.update(getattr(route, "methods", ()))
        headers["Allow"] = ", ".join(sorted(methods - {""}))
    detail = NO_OBJECT if error.status_code == UNREADABLE else error.detail
    return JSONResponse({"detail": detail}, error.status_code, headers)
