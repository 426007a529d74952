"""The site is built from the pages without broken links."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.build_site import find_place, list_pages, point_links, write_menu

from ..support.project import ROOT

NAMES = [
    *("README.md", "LICENSE.md", "docs/answers.md", "docs/new.md", "docs/decisions/README.md"),
    *("docs/decisions/0001-denials.md", "docs/try.svg"),
]
# Resources that a browser would load from another server.
FETCHED = re.compile(r"""<(?:script|link|img|iframe)[^>]+(?:src|href)=["'](?:https?:)?//[^"']+""")


@pytest.mark.parametrize(
    ("name", "link", "pointed"),
    [
        ("README.md", "[a](docs/answers.md)", "[a](/docs/answers.md)"),
        ("docs/answers.md", "[b](../README.md#make)", "[b](/index.md#make)"),
        ("README.md", "![c](docs/try.svg)", "![c](/docs/try.svg)"),
        ("README.md", "[d](docs/decisions/)", "[d](/docs/decisions/README.md)"),
        ("README.md", "[`e`](copier.yml)", "`e`"),
        ("README.md", "[f](no.md), [g](#here)", "[f](no.md), [g](#here)"),
        ("README.md", "[h](https://example.com/README.md)", "[h](https://example.com/README.md)"),
    ],
)
def test_links_point_to_existing_pages(name: str, link: str, pointed: str) -> None:
    """Sphinx reports links to missing targets."""
    assert point_links(link, name, NAMES) == pointed


def test_every_page_is_in_the_menu() -> None:
    menu = write_menu("README.md", NAMES).split()[2:-1]
    assert menu == ["/docs/answers.md", "/LICENSE.md", "/docs/new.md", "/docs/decisions/README.md"]
    inside = write_menu("docs/decisions/README.md", NAMES)
    assert "/docs/decisions/0001-denials.md" in inside.split()
    assert write_menu("docs/answers.md", NAMES) == ""


@pytest.fixture
def python() -> str:
    environment = ROOT / ".venv-site"
    if not (environment / "ready").exists():
        pytest.skip("run make docs, which sets up what builds the site")
    return str(environment / "bin" / "python")


def build(python: str, docs: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [python, str(docs / "build_site.py"), str(site)]
    return subprocess.run(command, capture_output=True, check=False, text=True)


@pytest.mark.long
def test_site_has_every_page_and_contacts_no_other_server(python: str, tmp_path: Path) -> None:
    """Each page is on the site and in its search index; no resource is loaded from elsewhere."""
    done = build(python, ROOT / "docs", tmp_path)
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    for name in list_pages():
        page = site / Path(find_place(name)).with_suffix(".html")
        assert not FETCHED.findall(page.read_text("utf-8"))
    assert "Gemini CLI" in (site / "docs" / "clients.html").read_text("utf-8")
    assert '"docs/answers"' in (site / "searchindex.js").read_text("utf-8")


@pytest.mark.long
def test_broken_links_fail_the_build(python: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    links = "[a](docs/gone.md) [b](docs/answers.md#gone) ![c](docs/gone.svg)"
    (tmp_path / "README.md").write_text(f"# Front\n\n{links}\n", "utf-8")
    done = build(python, tmp_path / "docs", tmp_path / "build")
    assert done.returncode == 1
    for word in ("docs/gone.md", "'docs/answers': 'gone'", "docs/gone.svg"):
        assert word in done.stderr
