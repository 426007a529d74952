"""Build the documentation site: `python build_site.py FOLDER` writes it to FOLDER/site.

Pages have the same paths as in the repository, so links work on the site as in a checkout. Sphinx
builds it offline.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FRONT = "README.md"
# The menu below the front page; unlisted pages follow these.
MENU = [
    *(f"docs/{name}.md" for name in ("documentation", "sharing", "lessons", "clients", "answers")),
    *(f"docs/{name}.md" for name in ("projects", "matching", "commands", "copier", "testing")),
    *(f"docs/{name}.md" for name in ("troubleshooting", "security")),
    *("docs/performance.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"),
]
# A link or image: its text, a path, and perhaps an anchor.
LINK = re.compile(r"(?P<text>\[[^\]\[]*\])\((?P<path>[^()\s#:]+)(?P<anchor>#[^()\s]*)?\)")


def main(folder: Path) -> int:
    """Build the site in a folder; return Sphinx's exit code, 1 for a broken link."""
    for made in ("pages", "site", "cache"):
        shutil.rmtree(folder / made, ignore_errors=True)
    names = [*list_pages(), *list_names("docs/*.svg")]
    for name in names:
        target = folder / "pages" / find_place(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".md"):
            page = point_links((ROOT / name).read_text("utf-8"), name, names)
            target.write_text(page + write_menu(name, names), "utf-8")
        else:
            shutil.copyfile(ROOT / name, target)
    options = ("-c", ROOT / "docs", "--fail-on-warning", "--quiet", "-d", folder / "cache")
    words = ("-m", "sphinx", *options, folder / "pages", folder / "site")
    command = [sys.executable, *map(str, words)]
    code = subprocess.run(command, check=False).returncode  # noqa: S603 - of the same environment
    if code == 0:
        for name in list_names("docs/*.webp"):  # referenced only in HTML: one per colour scheme
            shutil.copyfile(ROOT / name, folder / "site" / name)
    return code


def list_pages() -> list[str]:
    """Return the paths of the pages, relative to the repository."""
    return [*list_names("*.md"), *list_names("docs/**/*.md")]


def list_names(pattern: str) -> list[str]:
    """Return the sorted paths of the repository files that match a pattern."""
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(pattern))


def find_place(name: str) -> str:
    """Return the site path of a repository file."""
    return "index.md" if name == FRONT else name


def point_links(page: str, name: str, names: list[str]) -> str:
    """Return a page with links that work on the site.

    Links to other repository files become plain text. Broken links stay, for Sphinx to find.

    Args:
        page: The page's Markdown.
        name: The page's path in the repository.
        names: The paths of all files on the site.

    """

    def point(link: re.Match[str]) -> str:
        path = Path(os.path.normpath(Path(name).parent / link["path"]))
        if not (ROOT / path).exists():
            return link[0]
        found = next(
            (at for at in (path.as_posix(), f"{path.as_posix()}/{FRONT}") if at in names), None
        )
        if found is None:
            return link["text"][1:-1]
        return f"{link['text']}(/{find_place(found)}{link['anchor'] or ''})"

    return LINK.sub(point, page)


def write_menu(name: str, names: list[str]) -> str:
    """Return the hidden menu of the front page or of a folder's first page, or ""."""
    folder, _, file = name.rpartition("/")
    if file != FRONT:
        return ""
    pages = [other for other in names if other.endswith(".md") and other != name]
    if folder:
        entries = [other for other in pages if other.startswith(f"{folder}/")]
    else:
        folders = [other for other in pages if other.endswith(f"/{FRONT}")]
        inside = tuple(other.removesuffix(FRONT) for other in folders)
        entries = [other for other in MENU if other in pages]
        entries += [other for other in pages if not other.startswith(inside) and other not in MENU]
        entries += folders
    return "\n".join(["", "```{toctree}", ":hidden:", "", *(f"/{at}" for at in entries), "```", ""])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
