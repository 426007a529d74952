"""Routes of the page and its charts; all other data comes from the API."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated

import squarify
from fastapi import APIRouter, Query, Request, Response

from lesson_search.api.dependencies import ServiceDependency
from lesson_search.api.schemas import PathField

if TYPE_CHECKING:
    from fastapi.templating import Jinja2Templates

SIDES = ("x", "y", "dx", "dy")  # keys of squarify's rectangles
MAX_RECTANGLES = 40  # rectangles for the largest categories; one more combines the rest
FOLDER = files(__package__)
TYPES = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
ASSETS = {
    asset.name: asset.read_bytes()
    for asset in (FOLDER / "assets").iterdir()
    if asset.name.rpartition(".")[2] in TYPES
}
# Assets of the first view; the page loads the rest afterwards.
FIRST_MODULES = ("api.js", "editor.js", "elements.js", "lessons.js")
# All assets are local, the page has no inline script or style, and no other page may frame it.
PROTECTION = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self';"
    " img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True)
class Tile:
    """A rectangle of a treemap, in pixels."""

    left: float
    top: float
    width: float
    height: float
    category: str  # path, such as devops/ci-cd, or "" for several small categories
    count: int  # number of its lessons, summed over several categories
    categories: int  # number of categories that it represents; 0 for lessons without a category

    @property
    def name(self) -> str:
        others = f"{self.categories} others" if self.categories else "in none of these"
        return self.category.rpartition("/")[2] or others


def lay_out_tiles(counts: Mapping[str, int], below: str, width: float, height: float) -> list[Tile]:
    """Return the tiles of a category's direct children, largest first; they fill the map.

    `counts` contains the number of lessons in or below each category.
    """
    prefix = f"{below}/" if below else ""
    inner = [
        (count, path)
        for path, count in counts.items()
        if count and path and path.startswith(prefix) and "/" not in path.removeprefix(prefix)
    ]
    inner.sort(key=lambda entry: (-entry[0], entry[1]))
    shown = MAX_RECTANGLES if len(inner) <= MAX_RECTANGLES else MAX_RECTANGLES - 1
    rows = [(count, path, 1) for count, path in inner[:shown]]
    if others := inner[shown:]:
        rows.append((sum(count for count, _ in others), "", len(others)))
    rest = counts.get(below, 0) - (sum(count for count, _, _ in rows) if below else 0)
    if rows and rest > 0:
        rows.append((rest, "", 0))
    rows.sort(key=lambda row: -row[0])
    sizes = squarify.normalize_sizes([count for count, _, _ in rows], width, height)
    rectangles = squarify.squarify(sizes, 0, 0, width, height)
    return [
        Tile(*(round(place[side], 1) for side in SIDES), path, count, number)  # type: ignore[call-arg] # four sides
        for (count, path, number), place in zip(rows, rectangles, strict=True)
    ]


@cache
def load_templates() -> "Jinja2Templates":
    """Load the templates when the page is first requested, since hooks never need them."""
    from fastapi.templating import Jinja2Templates

    templates = Jinja2Templates(str(FOLDER / "templates"))
    templates.env.autoescape = True  # in SVG templates too
    return templates


@router.get("/")
async def show_page(request: Request, service: ServiceDependency) -> Response:
    broadest = [path for path in service.count_categories() if "/" not in path]
    values = {
        "lessons": len(service.lessons),
        "several": len(broadest) > 1,
        "modules": FIRST_MODULES,
    }
    return load_templates().TemplateResponse(request, "page.html", values, headers=PROTECTION)


@router.get("/page/treemap")
def draw_treemap(
    request: Request,
    service: ServiceDependency,
    below: Annotated[PathField | None, Query()] = None,
    width: Annotated[int, Query(ge=200, le=4_000)] = 960,
    height: Annotated[int, Query(ge=100, le=2_000)] = 150,
) -> Response:
    size = {"width": width, "height": height}
    counts = service.count_categories(first=True)
    tiles = lay_out_tiles(counts, (below or "").strip("/"), **size)
    return load_templates().TemplateResponse(
        request,
        "treemap.svg",
        {"tiles": tiles, **size},
        media_type=TYPES["svg"],
        headers=PROTECTION,
    )


@router.get("/page/{name}")
async def load_asset(name: str) -> Response:
    if name not in ASSETS:
        return Response(status_code=404)
    return Response(ASSETS[name], media_type=TYPES[name.rpartition(".")[2]], headers=PROTECTION)
