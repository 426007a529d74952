"""The application: who may ask what, and how a request is refused in one line."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.routing import Match

from hookwright_console.errors import RefusedError
from hookwright_console.text import make_printable, show
from lesson_search.api import collections, ingestion, search, status
from lesson_search.api.middleware import LARGEST_BODY, LOOPBACK, Guard
from lesson_search.api.schemas import ErrorResponse
from lesson_search.embedders import EmbedderError
from lesson_search.lesson_service import LessonService, UnknownRecordError
from lesson_search.storage.store import StoreError

if TYPE_CHECKING:
    from starlette.types import ASGIApp

STATUS = {
    UnknownRecordError: 404,
    RefusedError: 409,
    EmbedderError: 503,
    StoreError: 503,
}
ROUTERS = (search.router, ingestion.router, status.router, collections.router)
NOT_ALLOWED = 405
REFUSED = {
    400: "The body cannot be read.",
    401: "A token is needed.",
    403: "Pages of other sites and other users of the machine may not ask.",
    404: "There is no such record.",
    409: "What the request holds cannot be taken, or the taxonomy cannot be read.",
    413: "The body is too large.",
    421: "The server is not known by that name.",
    422: "The request has not the documented form.",
    503: "The embedder or the store is down.",
}


def build_app(
    service: LessonService, hosts: Collection[str] | None = LOOPBACK, token: str | None = None
) -> "ASGIApp":
    """Return the application that serves a service.

    Args:
        service: What is served.
        hosts: The names by which it may be asked for, without ports; None for any.
        token: What every request has to have as its bearer token, or None.

    """
    app = FastAPIOffline(  # whose page asks nothing of other hosts
        title="Lesson search",
        version=status.find_version() or "0",
        description="Lessons and skills that matter to a prompt.",
        responses={
            code: {"model": ErrorResponse, "description": why} for code, why in REFUSED.items()
        },
    )
    # FastAPI's own limit is not there in the last version for Python 3.10.
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST_BODY)
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(RequestValidationError, refuse_form)
    app.add_exception_handler(HTTPException, refuse_method)
    for kind in STATUS:
        app.add_exception_handler(kind, refuse)
    return Guard(app, hosts, token)


async def refuse(_: Request, error: Exception) -> JSONResponse:
    """Answer with the reason of an error."""
    code = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return JSONResponse({"detail": make_printable(str(error))}, code)


async def refuse_form(_: Request, error: Exception) -> JSONResponse:
    """Answer with the first that is wrong with a request's form."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - as it is registered
    first, *more = error.errors()
    place = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    reason = f"{show(place)}: {first['msg']}" + (f" (and {len(more)} more)" if more else "")
    return JSONResponse({"detail": make_printable(reason)}, 422)


async def refuse_method(request: Request, error: Exception) -> JSONResponse:
    """Answer what the framework refuses, and say which methods there are."""
    assert isinstance(error, HTTPException)  # noqa: S101 - as it is registered
    headers = dict(error.headers or {})
    if error.status_code == NOT_ALLOWED:
        # The framework names the methods of the first route of a path alone.
        methods = set(headers.get("Allow", "").split(", "))
        for route in (one for router in ROUTERS for one in router.routes):
            if route.matches(request.scope)[0] != Match.NONE:
                methods.update(getattr(route, "methods", ()))
        headers["Allow"] = ", ".join(sorted(methods - {""}))
    return JSONResponse({"detail": error.detail}, error.status_code, headers)
