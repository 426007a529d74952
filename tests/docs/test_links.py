"""Every link between documentation pages points to an existing target."""

import re
from pathlib import Path
from urllib.parse import unquote

from ..support.project import ROOT

PAGES = sorted(
    (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/team-server/*.md"))
)
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PICTURE = re.compile(r'<(?:img|source)\b[^>]* src(?:set)?="([^"]+)"')
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
README_LINES = 120


def list_anchors(page: Path) -> set[str]:
    anchors: set[str] = set()
    for title in HEADING.findall(FENCE.sub("", page.read_text("utf-8"))):
        plain = re.sub(r"[^\w\- ]", "", LINK.sub("]", title).lower()).replace(" ", "-")
        same = sum(
            re.fullmatch(rf"{re.escape(plain)}(-\d+)?", anchor) is not None for anchor in anchors
        )
        anchors.add(f"{plain}-{same}" if same else plain)
    return anchors


def list_links(page: Path) -> list[str]:
    text = CODE.sub("", FENCE.sub("", page.read_text("utf-8")))
    links = [*LINK.findall(text), *PICTURE.findall(text)]
    return [link for link in links if not re.match(r"\w+:", link)]


def find_broken(page: Path) -> list[str]:
    broken = []
    for link in list_links(page):
        path, _, anchor = unquote(link).partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in list_anchors(target)):
            broken.append(link)
    return broken


def test_links_have_a_target() -> None:
    for page in PAGES:
        assert find_broken(page) == []


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One, `two`\n## Again\n## Again\n[a](#one-two) [b](#again-1) [c](no.md) [d](#again-2)\n"
        '<source media="x" srcset="dark.webp"><img alt="" src="page.md">'
    )
    assert find_broken(page) == ["no.md", "#again-2", "dark.webp"]


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= README_LINES


def test_every_page_is_linked() -> None:
    linked = set(list_links(ROOT / "README.md"))
    pages = {str(page.relative_to(ROOT)) for page in ROOT.glob("docs/*.md")}
    assert pages <= linked
