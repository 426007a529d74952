"""Routes of the page: everything it shows and changes comes from the API."""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from hookwright_console.text import make_printable
from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import PathField
from lesson_search.page.charts import lay_out_bars, lay_out_tiles

if TYPE_CHECKING:
    from fastapi.templating import Jinja2Templates

FOLDER = files(__package__)
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
ASSETS = {
    asset.name: asset.read_bytes()
    for asset in (FOLDER / "assets").iterdir()
    if asset.name.rpartition(".")[2] in TYPES
}
# What the view that most people see first needs; the page loads the others after it.
FIRST_MODULES = ("api.js", "charts.js", "editor.js", "elements.js", "lessons.js")
# Nothing comes from elsewhere, no script or style stands in the page itself, and no other page may
# frame it.
PROTECTION = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

router = APIRouter(include_in_schema=False)


@cache
def load_templates() -> "Jinja2Templates":
    """Load the templates with the first page, which the hooks never ask for."""
    from fastapi.templating import Jinja2Templates

    templates = Jinja2Templates(str(FOLDER / "templates"))
    templates.env.autoescape = True  # in pictures, too
    return templates


class MapParameters(BaseModel):
    """Which treemap to draw, in pixels."""

    below: PathField | None = None
    width: int = Field(960, ge=200, le=4_000)
    height: int = Field(220, ge=100, le=2_000)


class BarParameters(BaseModel):
    """What to draw bars of: a count for each day, such as 2026-11-22:3; in pixels."""

    label: str = Field(max_length=300)
    day: list[Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}:\d{1,9}$")]] = Field(
        [], max_length=100
    )
    width: int = Field(960, ge=200, le=2_000)
    height: int = Field(140, ge=60, le=400)


@router.get("/")
async def show_page(request: Request, service: ServiceDependency) -> Response:
    values = {"lessons": len(service.lessons), "modules": FIRST_MODULES}
    return load_templates().TemplateResponse(request, "page.html", values, headers=PROTECTION)


@router.get("/page/treemap")
def draw_treemap(
    request: Request, service: ServiceDependency, parameters: Annotated[MapParameters, Query()]
) -> Response:
    size = {"width": parameters.width, "height": parameters.height}
    tiles = lay_out_tiles(service.count_categories(), (parameters.below or "").strip("/"), **size)
    return load_templates().TemplateResponse(
        request,
        "treemap.svg",
        {"tiles": tiles, **size},
        media_type=TYPES["svg"],
        headers=PROTECTION,
    )


@router.get("/page/bars")
def draw_bars(request: Request, parameters: Annotated[BarParameters, Query()]) -> Response:
    pairs = (text.partition(":") for text in parameters.day)
    counts = {day: int(number) for day, _, number in pairs}
    size = {"width": parameters.width, "height": parameters.height}
    label = make_printable(parameters.label)  # XML has no control characters
    values = {"bars": lay_out_bars(counts, **size), "label": label, **size}
    return load_templates().TemplateResponse(
        request, "bars.svg", values, media_type=TYPES["svg"], headers=PROTECTION
    )


@router.get("/page/{name}")
async def load_asset(name: str) -> Response:
    if name not in ASSETS:
        return Response(status_code=404)
    kind = TYPES[name.rpartition(".")[2]]
    return Response(ASSETS[name], media_type=kind, headers=PROTECTION)
